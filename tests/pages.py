# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pages.py SOURCE: the pages name what is there.

Each relative link leads to a file. Each file that a page names between back quotes exists ("rt/rma/race-finding.c",
also "rt/rma/*"), and so does each function of ours ("mck_judge_decide"). A function that is followed by a file in
parentheses is in that file.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
listed = subprocess.run(
    ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True
)
files = [path for path in listed.stdout.split("\n") if path and (root / path).is_file()]
code = [
    path
    for path in files
    if path.startswith(("rt/", "plugin/", "wrappers/")) and path.endswith((".c", ".h", ".cpp", ".py", ".inc"))
]
sources = "\n".join((root / path).read_text(encoding="utf-8") for path in code)
names = set(re.findall(r"\b(?:mck|__mck)_\w+", sources))
# Files that a run makes, and names that a skeleton leaves to the reader.
MADE = ("build/", "docs/checks/arg.example", "docs/checks/<id>", "tests/record/arg-example")
bad = 0


def fail(page, number, text):
    global bad
    bad = 1
    print(f"{page}:{number}: {text}")


for page in [path for path in files if path.endswith(".md")]:
    folder = (root / page).parent
    for number, line in enumerate((root / page).read_text(encoding="utf-8").split("\n"), 1):
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
            if "://" not in link and not (folder / link).exists():
                fail(page, number, f"the link {link} leads nowhere")
        for quoted in re.findall(r"`([^`]+)`", line):
            is_path = re.fullmatch(r"(rt|plugin|wrappers|tests|docs|examples|bench)/[\w./*<>-]+", quoted)
            if is_path and not quoted.startswith(MADE) and not list(root.glob(quoted)) + list(root.glob(quoted + ".*")):
                fail(page, number, f"{quoted} is not there")
            if re.fullmatch(r"(__)?mck_[a-z0-9_]+(\(\))?", quoted) and quoted.removesuffix("()") not in names:
                fail(page, number, f"there is no {quoted}")
    text = (root / page).read_text(encoding="utf-8")
    for pair in re.finditer(r"`(mck_[a-z0-9_]+)`\s+\(`([\w./-]+)`\)", text):
        path = root / pair[2]
        if path.is_file() and not re.search(rf"\b{pair[1]}\b", path.read_text(encoding="utf-8")):
            fail(page, text.count("\n", 0, pair.start()) + 1, f"{pair[1]} is not in {pair[2]}")
sys.exit(bad)
