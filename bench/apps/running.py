# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program in one of its forms and reads what it, and the runtime, print."""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import time

from building import Failure

FORMS = ["plain", "preloaded", "access=0", "all"]
OPTIONS = {"preloaded": "stats=1", "access=0": "stats=1:access=0", "all": "stats=1"}
UNITS_AT, CALLS_AT, UNIT = 384, 408, 32  # in the header of a log (docs/formats/log.md)
LOOP = re.compile(r"^(\S+): loop ([\d.]+) s, cpu ([\d.]+) s, (right|WRONG)$", re.M)
USED = re.compile(r"^used (\d+) KiB, cpu ([\d.]+) s, finalize ([\d.]+) s$", re.M)
JUDGE = re.compile(r"^==mpicc-check== judge: (\d+) cuts ([\d.]+) ms, end ([\d.]+) ms", re.M)
CLEAN = re.compile(
    r"^==mpicc-check== (?:no errors found|0 errors, 0 warnings, \d+ notes?) .*\(([\d,]+) MPI calls\)", re.M
)


def make_environment(directory):
    """Open MPI in a container, and in a directory of its own: several runs at a time share none."""
    return dict(
        os.environ,
        TMPDIR=directory,
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_rmaps_base_oversubscribe="1",
        OMP_WAIT_POLICY="passive",  # more threads than cores
    )


def run(build, program, form, ranks, arguments, more_options=""):
    """One run: a sample, as in the JSON file."""
    command = ["mpirun"] if form == "plain" else [str(build / "bin/mpirun-check")]
    command += ["-n", str(ranks), str(program.path(form in ("access=0", "all"))), *arguments.split()]
    directory = tempfile.mkdtemp(prefix="mck-bench-")
    environment = make_environment(directory)
    environment["MPICC_CHECK_OPTIONS"] = OPTIONS.get(form, "") + more_options
    begin = time.monotonic()
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=directory, check=False)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    wall = time.monotonic() - begin
    text = done.stdout + done.stderr
    loops, used = LOOP.findall(done.stdout), USED.findall(done.stdout)
    if done.returncode or not loops or any(loop[3] != "right" for loop in loops) or len(used) != ranks:
        raise Failure(f"{form}: {' '.join(command)}: exit code {done.returncode}\n{text}")
    sample = {
        "loop": sum(float(loop[1]) for loop in loops),
        "cpu": sum(float(loop[2]) for loop in loops),
        "total": wall,
        "memory": max(int(u[0]) for u in used),
        "finalize": max(float(u[2]) for u in used),
        "judge": 0.0,
        "cuts": 0.0,
        "calls": 0,
    }
    if form != "plain":
        judge, clean = JUDGE.search(done.stderr), CLEAN.search(done.stderr)
        if not judge or not clean:
            raise Failure(f"{form}: {' '.join(command)}: a right program was not found right\n{text}")
        sample["cuts"] = float(judge[2]) / 1e3
        sample["judge"] = sample["cuts"] + float(judge[3]) / 1e3
        sample["calls"] = int(clean[1].replace(",", ""))
    return sample


def find_log(build, program, ranks, arguments):
    """Bytes of all logs of a run, and their calls."""
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    directory = tempfile.mkdtemp(prefix="mck-bench-logs-", dir=shared)
    try:
        run(build, program, "all", ranks, arguments, f":keep_logs=1:log_dir={directory}")
        units = calls = 0
        for log in pathlib.Path(directory).rglob("rank-*.log"):
            with open(log, "rb") as file:
                header = file.read(CALLS_AT + 8)
            units += struct.unpack_from("<Q", header, UNITS_AT)[0]
            calls += struct.unpack_from("<Q", header, CALLS_AT)[0]
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    if not calls:
        raise Failure(f"{program.name}: no logs were kept")
    return {"bytes": units * UNIT, "calls": calls}


def can_count():
    return shutil.which("valgrind") is not None


def count(build, program, form, arguments):
    """Instructions of a run on one rank, start and end among them. They do not depend on the load."""
    directory = tempfile.mkdtemp(prefix="mck-bench-")
    environment = make_environment(directory)
    environment["MPICC_CHECK_OPTIONS"] = "quiet=1" + (":access=0" if form == "access=0" else "")
    if form == "preloaded":
        environment["LD_PRELOAD"] = str(build / "lib/libmpicc-check.so")
    command = ["valgrind", "--trace-children=no", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += [str(program.stripped(form in ("access=0", "all"))), *arguments.split()]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=directory, check=False)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        raise Failure(f"{form}: {' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return int(found[1])


def count_loop(build, program, form, row):
    """Instructions of half of the repetitions: what starts and ends the run is in both and falls out."""
    whole, half = (row.count.replace("%", str(n)) for n in (row.repetitions, row.repetitions // 2))
    return count(build, program, form, whole) - count(build, program, form, half)
