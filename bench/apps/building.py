# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs plain (clang-19 -g) and by mpicc-check; measures compile time and the size of the code."""
import os
import pathlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import rows

APPS = pathlib.Path(__file__).resolve().parent
ROOT = APPS.parent.parent
FLAGS = ["-g", "-Wall", "-Wextra", "-Werror", "-DOMPI_SKIP_MPICXX", f"-I{ROOT}"]
# What is added to the environment of mpicc-check. (A cache of compilers would take no time.)
KINDS = {
    "plain": {"MPICC_CHECK": "off", "OMPI_CC": "clang-19", "OMPI_CXX": "clang++-19", "CCACHE_DISABLE": "1"},
    "checked": {"CCACHE_DISABLE": "1"},
}


class Failure(Exception):
    """Something did not work that the table needs; the text says what."""


def find_compiler(build, source):
    return str(build / "bin" / ("mpicxx-check" if source.endswith(".cpp") else "mpicc-check"))


def run_timed(command, **more):
    """Runs a command; returns the processor time in user mode of it and all that it started."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Failure(f"{' '.join(command)}\n{output}")
    return usage.ru_utime


class Object:
    """A source file (perhaps with definitions or -fopenmp) at one level, compiled both ways; programs share it."""

    def __init__(self, source, level, build, out):
        self.source, self.level, self.build = source, level, build
        self.folder = out / level.lstrip("-")
        self.seconds = {}

    def path(self, kind):
        return self.folder / kind / (self.source.replace("/", ".").replace(" ", "") + ".o")

    def make(self, repetitions):
        source, *definitions = self.source.split()
        for kind in KINDS:
            self.path(kind).parent.mkdir(parents=True, exist_ok=True)
            command = [find_compiler(self.build, source), self.level, *FLAGS, *definitions]
            command += ["-c", str(APPS / source), "-o", str(self.path(kind))]
            times = [run_timed(command, env=dict(os.environ, **KINDS[kind])) for _ in range(repetitions)]
            self.seconds[kind] = min(times)


class Program:
    """A program of rows.PROGRAMS at one level of optimization, linked both ways."""

    def __init__(self, name, objects):
        self.name, self.objects = name, objects
        self.compile, self.code = {}, {}

    def path(self, is_checked):
        return self.objects[0].folder / ("checked" if is_checked else "plain") / self.name

    def stripped(self, is_checked):
        """For valgrind, which cannot read what clang 19 writes about lines."""
        path = self.path(is_checked)
        return path.with_name(path.name + ".stripped")

    def link(self):
        # As C++ if a source is.
        source = sorted(self.objects, key=lambda o: ".cpp" in o.source)[-1].source
        for is_checked, kind in enumerate(KINDS):
            objects = [str(o.path(kind)) for o in self.objects]
            command = [find_compiler(self.objects[0].build, source.split()[0]), *objects, "-lm"]
            command += ["-fopenmp"] if any("-fopenmp" in o.source for o in self.objects) else []
            run_timed([*command, "-o", str(self.path(is_checked))], env=dict(os.environ, **KINDS[kind]))
            run_timed(["strip", "-g", str(self.path(is_checked)), "-o", str(self.stripped(is_checked))])
            self.compile[kind] = sum(o.seconds[kind] for o in self.objects)
            self.code[kind] = self.find_code(objects, kind)

    def find_code(self, objects, kind):
        """Of all objects together: a program has only one copy of what each of them brings."""
        joined = str(self.path(kind == "checked")) + ".joined"
        subprocess.run(["ld", "-r", *objects, "-o", joined], check=True)
        listed = subprocess.run(["size", joined], capture_output=True, text=True, check=True)
        return int(listed.stdout.splitlines()[1].split()[0])


def list_programs(names, build, out):
    """All programs (name, level), and their objects; whether they are built is not asked."""
    keys = {(source, level) for name, level in names for source in rows.PROGRAMS[name]}
    objects = {key: Object(*key, build, out) for key in keys}
    return {key: Program(key[0], [objects[s, key[1]] for s in rows.PROGRAMS[key[0]]]) for key in names}, objects


def build_programs(names, build, out, repetitions):
    """Several compilers at a time: their times are of the processor."""
    programs, objects = list_programs(names, build, out)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda o: o.make(repetitions), objects.values()))
        list(pool.map(Program.link, programs.values()))
    return programs


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
