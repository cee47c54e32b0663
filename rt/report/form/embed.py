# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""embed.py OUT PAGE_DIR CHECKS_DIR: a C file with the parts of the HTML report and the pages of all checks."""
import pathlib
import sys

out, parts, checks = map(pathlib.Path, sys.argv[1:])


def literal(path):
    def line(text):
        is_plain = lambda c: " " <= c <= "~" and c not in '"\\?'
        escaped = (c if is_plain(c) else "".join(f"\\{b:03o}" for b in c.encode()) for c in text)
        return f'    "{"".join(escaped)}"'

    return "\n".join(map(line, path.read_text(encoding="utf-8").splitlines(True)))


lines = ['#include "report/form/page-parts.h"', "const struct mck_page_part mck_page_parts[] = {"]
lines += [f'  {{"{path.name}",\n{literal(path)}}},' for path in sorted(parts.iterdir())]
lines += ["  {0, 0}};", "const struct mck_page_part mck_check_pages[] = {"]
lines += [f'  {{"{path.stem}",\n{literal(path)}}},' for path in sorted(checks.glob("*.md")) if path.stem != "README"]
out.write_text("\n".join(lines + ["  {0, 0}};", ""]), encoding="utf-8")
