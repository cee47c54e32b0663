#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The drivers of random programs (loops.py, pointers.py) share this: programs go into files. Each file is compiled at a
level in turn with the plugin and, unoptimized apart from the naive signals, with Naive.cpp. What both print must be
equal. A file that differs is kept.
Arguments: SEED PROGRAMS WORK. Options: --clang, --plugin, --naive, --source (of rt/), --levels.
"""
import argparse
import os
import subprocess
import sys

PER_FILE = 20


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def parse():
    options = argparse.ArgumentParser()
    for name in ("seed", "programs"):
        options.add_argument(name, type=int)
    options.add_argument("work")
    options.add_argument("--clang", default="clang-19")
    for name in ("--plugin", "--naive", "--source"):
        options.add_argument(name, required=True)
    options.add_argument("--levels", default="-O0 -O1 -O2 -O3 -Os -Oz")
    return options.parse_args()


def outputs_of(o, flags, base, level, recorder):
    outputs = []
    for name, how in (
        ("naive", ["-O1", "-fpass-plugin=" + o.naive]),
        ("checked", [level, "-fpass-plugin=" + o.plugin]),
    ):
        code, _, err = run([o.clang] + flags + how + [base + ".c", recorder, "-o", f"{base}.{name}"])
        if code:
            sys.exit(f"{base}.c: does not compile ({name}, {level}):\n{err[-3000:]}")
        code, out, err = run([f"{base}.{name}"])
        if code:
            sys.exit(f"{base}.c: {name} at {level} ends with {code}: {out[-300:]} {err[-300:]}")
        outputs.append(out.splitlines())
    return outputs


def compare(name, head, program, hint=""):
    """name-recorder.c is the runtime; program(seed, number) is the text of a program,
    whose function is program_<number>."""
    o = parse()
    os.makedirs(o.work, exist_ok=True)
    here = os.path.dirname(os.path.abspath(__file__))
    # clang's driver leaves LLVM's verifier out of release builds.
    flags = ["-w", "-g1", "-I" + o.source, "-I" + here, "-fno-strict-aliasing", "-fverify-intermediate-code"]
    recorder = os.path.join(o.work, name + "-recorder.o")
    subprocess.run([o.clang, "-O2", "-c", os.path.join(here, name + "-recorder.c"), "-o", recorder] + flags, check=True)
    levels, lines = o.levels.split(), 0
    print(f"seed {o.seed}", flush=True)
    for first in range(0, o.programs, PER_FILE):
        level = levels[first // PER_FILE % len(levels)]
        numbers = range(first, min(first + PER_FILE, o.programs))
        base = os.path.join(o.work, f"{name}-{o.seed}-{first}")
        with open(base + ".c", "w") as f:
            f.write(head + "".join(program(f"{o.seed}-{n}", n) for n in numbers))
            f.write("int main(void) {\n" + "".join(f"  program_{n}();\n" for n in numbers) + "  return 0;\n}\n")
        naive, checked = outputs_of(o, flags, base, level, recorder)
        for a, b in zip(naive, checked):
            if a != b:
                sys.exit(f"{base}.c at {level}:\n  naive:   {a}\n  checked: {b}\n{hint}")
        if len(naive) != len(checked):
            sys.exit(f"{base}.c at {level}: outputs of different length")
        lines += len(naive)
        for suffix in (".c", ".naive", ".checked"):
            os.unlink(base + suffix)
    print(f"{o.programs} programs agree, {lines} lines", flush=True)
