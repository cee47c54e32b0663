# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""path.py SOURCE BUILD: the path of README.md from nothing to a mended program is short and true.

It has at most 400 words, two minutes of reading. What it shows of examples/ring.c is what mpirun-check prints, before
and after the line that mends it; so is what docs/start.md shows of the compiler and of the report. Run it in an empty
folder.
"""
import os
import pathlib
import re
import subprocess
import sys

source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
os.environ["PATH"] = f"{build}/bin:{os.environ['PATH']}"
MOST_WORDS = {"README.md": 400, "docs/start.md": 500}
path = (source / "README.md").read_text(encoding="utf-8").partition("\n## What it finds\n")[0]
start = (source / "docs/start.md").read_text(encoding="utf-8")
bad = []


def blocks(text):
    return re.findall(r"^```\w*\n(.*?)^```", text, re.S | re.M)


def said_by(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, "".join(line + "\n" for line in done.stderr.split("\n") if line)


def reported():
    """Exit code and report of ring, as /home/you has it."""
    code, said = said_by(["mpirun-check", "-n", "4", "./ring"])
    return code, said.replace(os.getcwd(), "/home/you")


def check(where, is_true):
    if not is_true:
        bad.append(where)


for name, text in (("README.md", path), ("docs/start.md", start)):
    words = len(text.split())
    check(f"{name}: {words} words, at most {MOST_WORDS[name]}", words <= MOST_WORDS[name])
program = (source / "examples/ring.c").read_text(encoding="utf-8")
pathlib.Path("ring.c").write_text(program, encoding="utf-8")
build_it, ring, mend, clean = blocks(path)[0], *blocks(path)[-3:]
check("README.md: the first step is make demo", "\nmake demo\n" in build_it)
commands = re.findall(r"^\$ (.*)$", ring, re.M)
check("README.md: the commands", commands == ["cd examples", "mpicc-check ring.c -o ring", "mpirun-check -n 4 ./ring"])
_, warned = said_by(commands[1].split())
shown = blocks(start)[1].split("\n", 1)[1].replace("\n      [", " [")
check(f"docs/start.md: the warning is another one:\n{warned}", shown in warned)
code, said = reported()
report = re.sub(r"^\$ .*\n", "", ring, flags=re.M)
check(f"README.md: the report is another one, exit code {code}:\n{said}", (code, said) == (66, report))
check(f"docs/start.md: the finding is not in:\n{said}", blocks(start)[2] in said)
line = "  printf("
pathlib.Path("ring.c").write_text(program.replace(line, mend + line, 1), encoding="utf-8")
said_by(commands[1].split())
code, said = reported()
check(f"README.md: the mended program, exit code {code}:\n{said}", (code, said) == (0, clean))
print("\n".join(bad) if bad else "all as shown")
