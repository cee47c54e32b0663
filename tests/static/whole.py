#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""whole.py PROGRAMS.txt DIRECTORY MPICC-CHECK MPICXX-CHECK: programs of several files, each linked as a whole.

A program begins at "//// NAME", a file of it at "//--- FILE". With -DWRONG the link warns of the lines with WARN and
the kind behind it, and of no others; without it of nothing. WARN at the end of a line is of the next one. Nothing is
said twice. Each is compiled without and with optimization in turn, and linked as programs are; some also with LTO.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

source, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
programs = re.split(r"^//// (.*)\n", source.read_text(), flags=re.M)[1:]
if len(programs) < 32:
    sys.exit(f"{source}: there are too few programs")
WARNING = re.compile(r"^(?:.*/)?([^\s/:]+):(\d+):\d+: warning: .*\[-Wmpicc-check-([a-z.-]+)\]$", re.M)


def check(number, name, body):
    """What is wrong with one program, or None."""
    expected, files = set(), []
    for file, text in re.findall(r"^//--- (.*)\n((?:(?!//--- ).*\n)*)", body, flags=re.M):
        path = directory / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        files += [str(path)] if path.suffix in (".c", ".cpp") else []
        for at, line in enumerate(text.split("\n"), 1):
            at += line.endswith("*/")
            expected |= {(file, at, kind) for kind in re.findall(r"WARN ([a-z.-]+)", line)}
    compiler = sys.argv[4 if files[0].endswith(".cpp") else 3]
    forms = [(True, []), (False, [])]
    if number % 4 == 0:
        forms.append((True, ["-flto"] if number % 8 else ["-fcheck-whole-program"]))
    for is_wrong, form in forms:
        level = ("-O0", "-O2")[(number + is_wrong) % 2]
        command = [compiler, "-g", level, *form, *(["-DWRONG"] if is_wrong else []), *files]
        done = subprocess.run([*command, "-o", str(directory / name / "program")], capture_output=True, text=True,
                              check=False)
        told = sorted((file, int(line), kind) for file, line, kind in WARNING.findall(done.stderr))
        wanted = expected if is_wrong else set()
        if done.returncode or told != sorted(wanted):
            return (f"{name} {level} {form}: exit {done.returncode}; missing {sorted(wanted - set(told))}, told "
                    f"{told}\n{done.stderr}")
    return None


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(check, range(len(programs) // 2), programs[0::2], programs[1::2]))
failed = [text for text in results if text]
print(*failed, f"{len(results)} programs, {len(failed)} failed", sep="\n")
sys.exit(bool(failed))
