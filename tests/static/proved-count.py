#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""proved-count.py STENCIL.c DIRECTORY COMPILER: a program whose window is proved takes the plain one's instructions.

valgrind counts those of the function "run" and what it calls, on one rank. What is left above 1.00 are calls of MPI,
which the size of the grid makes small. The same program with a store that ends the proof takes more, so the count can
tell."""
import os
import pathlib
import re
import subprocess
import sys

source, directory, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
POINTS, MOST = "1600", 1.005
PLAIN = {"MPICC_CHECK": "off", "OMPI_CC": "clang-19"}
directory.mkdir(parents=True, exist_ok=True)


def run(*command, **variables):
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, cwd=directory,
                          check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stderr


def count(name, options, **variables):
    run(compiler, "-O2", *options, source, "-o", name, **variables)
    run("strip", "--strip-debug", name)  # it takes valgrind longer to read this than to count
    told = run("valgrind", "--trace-children=no", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               "--toggle-collect=run", directory / name, POINTS, MPICC_CHECK_OPTIONS="quiet=1")
    return int(re.search(r"Collected : (\d+)", told)[1])


plain = count("plain", [], **PLAIN)
proved = count("proved", []) / plain
linked = count("linked", ["-fcheck-whole-program"]) / plain
unproved = count("unproved", ["-DUNPROVED"]) / plain
print(f"proved {proved:.4f}, in the link {linked:.4f}, unproved {unproved:.4f}")
sys.exit(not max(proved, linked) < MOST < unproved)
