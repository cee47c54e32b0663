#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""programs.py PROGRAMS.c DIRECTORY COMPILER...: compiles each program of a file, and compares what is warned of.

A program begins at "//// NAME". A line with WARN is warned of, with the kind that follows it if there is one; a line
with NOTE is named by a note; with -fcheck-explain, a line with PROVED makes a window that is proved. Nothing else may
be warned of or proved. Notes may name other lines, too. The programs are compiled without and with optimization in
turn.

The headers of programs in C++ take twice as long as the programs: they are compiled once for each level. The first four
programs read them themselves.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

source, directory, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
directory.mkdir(parents=True, exist_ok=True)
PLACE = re.compile(r"^[^\s:]*:(\d+):(?:\d+:)? (warning|error|note|remark): (.*)$")

head, *rest = re.split(r"^//// (.*)\n", source.read_text(), flags=re.M)
names = rest[0::2]
if len(names) < 20 or not any(n.endswith("-ok") for n in names):
    sys.exit(f"{source}: there are too few programs")


def expected(text, begin):
    """The lines with marks."""
    warned, noted = set(), set()
    for number, line in enumerate(text.split("\n")[begin:], begin + 1):
        for kind in re.findall(r"\bWARN\b(?: ([a-z.-]+))?", line):
            warned.add((number, kind or "collective.divergence"))
        if re.search(r"\bPROVED\b", line):
            warned.add((number, "proved"))
        if re.search(r"\bNOTE\b", line):
            noted.add(number)
    return warned, noted


def compile_headers():
    """The options that bring the headers of the programs, for each level."""
    options = {"-O0": [], "-O2": []}
    if source.suffix == ".cpp":
        path = directory / "headers.h"
        path.write_text("".join(re.findall(r"^#include <.*>\n", head, re.M)))
        for level, option in options.items():
            made = str(directory / f"headers{level}.pch")
            subprocess.run([*compiler, level, "-x", "c++-header", "-c", str(path), "-o", made], check=True)
            option += ["-include-pch", made]
    return options


def check(number, name, body):
    """What is wrong with one program, or None."""
    text = head + body
    path = directory / (name + source.suffix)
    path.write_text(text)
    warned, noted = expected(text, head.count("\n"))
    if name.endswith("-ok") == any(kind != "proved" for _, kind in warned):
        return f"{name}: its name and its marks contradict each other"
    level = ("-O0", "-O2")[number // 2 % 2]
    headers = of_headers[level] if number >= 4 else []
    command = [*compiler, level, *headers, "-c", str(path), "-o", str(directory / f"{name}.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told, notes = set(), set()
    for line in done.stderr.split("\n"):
        match = PLACE.match(line)
        if match and match[2] == "note":
            notes.add(int(match[1]))
        elif match and match[2] == "remark":
            if match[3].startswith("memory of this window is not signalled"):
                told.add((int(match[1]), "proved"))
        elif match:
            kind = re.search(r"\[-Wmpicc-check-([a-z.-]+)\]$", match[3])
            told.add((int(match[1]), kind[1] if kind else match[3]))
    if done.returncode or told != warned or not noted <= notes:
        return (f"{name} {level}: exit {done.returncode}; missing {sorted(warned - told)}, too much "
                f"{sorted(told - warned)}, notes missing {sorted(noted - notes)}\n{done.stderr}")
    return None


of_headers = compile_headers()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(check, range(len(names)), names, rest[1::2]))
failed = [text for text in results if text]
print(*failed, f"{len(names)} programs, {len(failed)} failed", sep="\n")
sys.exit(bool(failed))
