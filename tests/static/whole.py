#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""whole.py PROGRAMS.txt DIRECTORY MPICC-CHECK MPICXX-CHECK [MPIFORT-CHECK]: programs of several files, each linked as a
whole.

A program begins at "//// NAME", a file of it at "//--- FILE". With -DWRONG the link warns of the lines with WARN and
the kind behind it, and of no others; without it of nothing. WARN in a comment of C's old form that ends a line, or in
one of Fortran that is alone on a line, is of the next line. Nothing is said twice. Each is compiled without and with
optimization in turn, and linked as programs are; some also with LTO or lld. Where a file is in Fortran, each is
compiled by itself, and MPIFORT-CHECK links them.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

source, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
programs = re.split(r"^//// (.*)\n", source.read_text(), flags=re.M)[1:]
if len(programs) < 28:
    sys.exit(f"{source}: there are too few programs")
WARNING = re.compile(r"^(?:.*/)?([^\s/:]+):(\d+):\d+: warning: .*\[-Wmpicc-check-([a-z.-]+)\]$", re.M)


def build(folder, files, options):
    """The status of the link, and what was said."""
    compilers = {".c": sys.argv[3], ".cpp": sys.argv[4], ".F90": sys.argv[-1]}
    suffixes = [pathlib.Path(file).suffix for file in files]
    commands = []
    if ".F90" in suffixes:
        commands = [[compilers[suffix], *options, "-c", file, "-o", file + ".o"] for file, suffix in
                    zip(files, suffixes)]
        files = [file + ".o" for file in files]
    commands.append([compilers[".F90" if commands else suffixes[0]], *options, *files, "-o", "program"])
    said = ""
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        said += done.stderr
        if done.returncode:
            break
    return done.returncode, said


def check(number, name, body):
    """What is wrong with one program, or None."""
    expected, files = set(), []
    for file, text in re.findall(r"^//--- (.*)\n((?:(?!//--- ).*\n)*)", body, flags=re.M):
        path = directory / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        files += [str(path)] if path.suffix in (".c", ".cpp", ".F90") else []
        for at, line in enumerate(text.split("\n"), 1):
            at += line.endswith("*/") or line.lstrip().startswith("! WARN")
            expected |= {(file, at, kind) for kind in re.findall(r"WARN ([a-z.-]+)", line)}
    forms = [(True, []), (False, [])]
    if number % 4 == 0:
        forms.append((True, ["-flto"] if number % 8 or files[-1].endswith(".F90") else ["-fcheck-whole-program"]))
    if number % 4 == 2:
        forms.append((True, ["-fuse-ld=lld"]))
    for is_wrong, form in forms:
        level = ("-O0", "-O2")[(number + is_wrong) % 2]
        status, said = build(directory / name, files, ["-g", level, *form, *(["-DWRONG"] if is_wrong else [])])
        told = sorted((file, int(line), kind) for file, line, kind in WARNING.findall(said))
        wanted = expected if is_wrong else set()
        if status or told != sorted(wanted):
            return (f"{name} {level} {form}: exit {status}; missing {sorted(wanted - set(told))}, told {told}\n"
                    f"{said}")
    return None


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(check, range(len(programs) // 2), programs[0::2], programs[1::2]))
failed = [text for text in results if text]
print(*failed, f"{len(results)} programs, {len(failed)} failed", sep="\n")
sys.exit(bool(failed))
