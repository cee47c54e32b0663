# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""references.py SOURCE: dead references in pages and comments.

A link of a page must lead to a file, a file that a page or a comment names must exist (in the tree, or made by the
build), and a page that says a format's version must say that of the code.
"""
import pathlib
import re
import subprocess
import sys

# Files that are not ours, and examples of names.
OTHERS = set(
    """
mpi.h mpif.h omp-tools.h plugin-api.h uthash.h lmpi.c halo.c stencil.c main.c a.c b.c f.c g.c x.c solver.c name.c
name-ok.c prog.c file.c arg-example.c arg-example-ok.c BijectiveInternalNameUniquing.md
""".split()
)
GENERATED = {
    "fns.h",
    "fns.c",
    "mpi_fns.inc",
    "audit.c",
    "given.c",
    "profiled.c",
    "coverage.md",
    "fortran-routes.c",
    "lit.json",
    "lit.site.cfg",
    "standard.h",
    "standard.c",
    "standard-sections.c",
    "models.inc",
}
NAME = re.compile(
    r"(?<![\w/.*%<>$-])((?:[\w-]+/|\.\./)*[\w-]+\.(?:c|h|cpp|hpp|inc|py|sh|md|test|cfg|cmake|map))(?![\w/(*-])"
)
FOREIGN = {"docs/found.md"}  # names files of other programs
VERSIONS = [  # page, what it says, source, what the code says
    ("docs/formats/log.md", r"[Vv]ersion (\d+)(?![\d.]\d)", "rt/log/log.h", r"MCK_LOG_VERSION\s*=\s*(\d+)"),
    ("docs/formats/report.md", r"\| version, (\d+)", "rt/report/finding.c", r"\bVERSION\s*=\s*(\d+)"),
    ("docs/formats/report.md", r"JSON, version (\d+)", "rt/report/report-json.h", r"MCK_JSON_VERSION\s*=\s*(\d+)"),
]
root = pathlib.Path(sys.argv[1])
tracked = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True).stdout.split()
if not tracked:  # a source package
    tracked = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()]
names = {pathlib.PurePath(path).name for path in tracked} | OTHERS | GENERATED
bad = 0


def fail(text):
    global bad
    bad = 1
    print(text)


def exists(reference, page):
    if "/" not in reference or pathlib.PurePath(reference).name in OTHERS:
        return pathlib.PurePath(reference).name in names
    folder = pathlib.PurePosixPath(page).parent
    for base in (root, root / folder, root / "rt", root / "tests", root / "docs"):
        if (base / reference).exists():
            return True
    return pathlib.PurePath(reference).name in GENERATED or any(path.endswith("/" + reference) for path in tracked)


def prose(page, text):
    """The lines of a page that are no program and no output."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_block = not in_block
        elif not in_block:
            yield number, line


def comments(text):
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"(?:^|\s)(?://|#(?!\s*include)|\*)\s(.*)", line)
        if found:
            yield number, found[1]


def check(path, lines):
    for number, line in lines:
        for reference in NAME.findall(line):
            if not reference.startswith("mck.") and not exists(reference, path):  # mck.test: a function of the plugin
                fail(f"{path}:{number}: {reference} is not there")


for path in tracked:
    if path.endswith(".md"):
        text = (root / path).read_text(encoding="utf-8")
        if path not in FOREIGN:
            check(path, prose(path, text))
        for number, line in prose(path, text):
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
                if not re.match(r"\w+:", link) and not (root / path).parent.joinpath(link).exists():
                    fail(f"{path}:{number}: the link {link} leads nowhere")
    elif path.startswith(("rt/", "plugin/", "wrappers/", "bench/", "tests/unit/", "tests/fuzz/")) and path.endswith(
        (".c", ".h", ".cpp", ".inc", ".py", ".txt")
    ):
        check(path, comments((root / path).read_text(encoding="utf-8", errors="replace")))
for page, said, source, known in VERSIONS:
    text, code = (root / page).read_text(encoding="utf-8"), (root / source).read_text(encoding="utf-8")
    version = re.search(known, code)
    if not version:
        fail(f"{source}: no version is found by {known}")
        continue
    for number, line in enumerate(text.splitlines(), 1):
        for value in re.findall(said, line):
            if value != version[1]:
                fail(f"{page}:{number}: says version {value}, {source} says {version[1]}")
sys.exit(bad)
