# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""checks.py SOURCE [--update]: from the id of a finding (rt/report/checks.inc) to its code, page and tests.

Each row's name follows from its id, each file of a row makes findings of that kind, and the kind's page in docs/checks
names the same files. --update writes the rows' files into the pages. Each kind has a wrong and a right program: in its
page, and in tests/ (tests/golden/kinds.txt).
"""
import pathlib
import re
import sys
import textwrap

ROW = re.compile(r'MCK_CHECK_ID\(\s*(\w+),\s*"([^"]+)",\s*MCK_\w+(?: \| MCK_RAISED)?,\s*"([^"]*)",\s*"')
root = pathlib.Path(sys.argv[1])
is_update = "--update" in sys.argv[2:]
bad = 0


def fail(text):
    global bad
    bad = 1
    print(text)


def makers(name, check):
    """The files that name this kind: the text of a failure proposes them."""
    sources = [path for room in ("rt", "wrappers") for path in sorted((root / room).rglob("*.c"))]
    found = [path for path in sources if makes(path, name, check)]
    return ", ".join(str(path.relative_to(root)) for path in found)


def makes(path, name, check):
    text = path.read_text(encoding="utf-8")
    return re.search(rf"\bMCK_CHECK_{name}\b", text) or f"[{check}]" in text


table = re.sub(r"^//.*$", "", (root / "rt/report/checks.inc").read_text(encoding="utf-8"), flags=re.M)
rows = ROW.findall(re.sub(r'"\s*\n\s*"', "", table))  # strings over several lines are one
if len(rows) < 100:
    fail(f"checks.inc: only {len(rows)} rows are understood")
for name, check, files in rows:
    wanted = re.sub(r"[.-]", "_", check).upper()
    if name != wanted:
        fail(f"checks.inc: {check} is called {name}, not {wanted}")
    if not files:
        fail(f"checks.inc: {check} names no file")
    for file in files.split():
        path = root / file
        if not path.is_file():
            fail(f"checks.inc: {check} names {file}, which is not there; these name the kind: {makers(name, check)}")
        elif not makes(path, name, check):
            fail(
                f"checks.inc: {check} names {file}, which does not make it; "
                f"these name the kind: {makers(name, check)}"
            )
    page = root / "docs/checks" / (check + ".md")
    if not page.is_file():
        fail(f"{page.relative_to(root)} is missing")
        continue
    text = page.read_text(encoding="utf-8")
    line = "- **Decided in:** " + ", ".join(f"`{file}`" for file in files.split())
    item = re.search(r"- \*\*Decided in:\*\* [^\n]*\n(?:  [^\n]*\n)*", text)
    if item and " ".join(item[0].split()) == line:
        pass
    elif is_update:
        text = text.replace(item[0], "") if item else text
        lines = textwrap.wrap(line, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        severity = r"(- \*\*Severity:\*\* [^\n]*\n(?:  [^\n]*\n)*)"
        page.write_text(re.sub(severity, lambda m: m[1] + "\n".join(lines) + "\n", text, count=1), encoding="utf-8")
    else:
        fail(f"{page.relative_to(root)} does not say: {line}")
    for title in ("Wrong", "Right"):
        if f"\n## {title}\n\n```" not in text:
            fail(f"{page.relative_to(root)} has no program under ## {title}")


def is_right(program, check):
    """Whether lit runs this program and expects no finding of this kind from it, or from some case of it."""
    text = program.read_text(encoding="utf-8") if program.is_file() else ""
    if "RUN:" not in text and "ONCE:" not in text:
        return False
    cases = re.search(r"// case \d+: ok|#include \"cases.h\"|expect 0 |implicit-check-not=.\{\{NOTE", text)
    return bool(cases) or not re.search(rf"(ERROR|WARNING|NOTE) \[{re.escape(check)}\]", text)


golden = root / "tests/golden"
kinds = {check for _, check, _ in rows}
programs = {}
for line in (golden / "kinds.txt").read_text(encoding="utf-8").splitlines():
    if line.strip() and not line.startswith("#"):
        kind, *named = line.split("|")[0].split()
        programs[kind] = named
for kind in sorted(kinds ^ set(programs)):
    what = "has no row: name a wrong program" if kind in kinds else "is no kind of finding"
    fail(f"tests/golden/kinds.txt: {kind} {what}")
for kind in sorted(kinds & set(programs)):
    wrong, *named = [root / "tests" / name for name in programs[kind]]
    beside = wrong.with_name(wrong.stem + "-ok" + wrong.suffix)
    right = named[0] if named else beside if beside.is_file() else wrong
    if not wrong.is_file():
        fail(f"tests/golden/kinds.txt: {kind}: {wrong.relative_to(root)} is not there")
    elif not is_right(right, kind):
        fail(f"tests/golden/kinds.txt: {kind} has no right program: {right.relative_to(root)}")
for path in golden.glob("*.*"):
    if path.suffix in (".txt", ".json") and path.stem not in kinds | {"kinds"}:
        fail(f"{path.relative_to(root)} belongs to no kind of finding")
sys.exit(bad)
