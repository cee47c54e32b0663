#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memory.py judge|run LIBRARY WORK [--step N] [--last N] [--rank R] [--from] -- COMMAND...

Runs COMMAND once as it is, and then once for each allocation of mpicc-check, which fails (LIBRARY:
Inputs/short-memory.c). judge: a command without ranks; run: one of mpirun-check, where an allocation of rank R fails.
What must hold each time:
- nothing is reported that the whole run does not report, except that it is incomplete;
- if anything is not reported, the summary says incomplete, and the exit code is that of an error;
- the program's own output is the same, and nothing crashes or hangs. A program that deadlocks by itself may hang as it
  does without checks, when its watch is short of memory: then a warning says so at once.
--from: all later allocations fail, too. --step N: every N-th allocation only. --last N: the last N ones.
"""
import argparse
import collections
import os
import re
import signal
import subprocess
import sys
import tempfile

HEADLINE = re.compile(r"^==mpicc-check== (ERROR|WARNING|NOTE) \[([\w.-]+)\]", re.M)
SUMMARY = re.compile(r"^==mpicc-check== (?:[\d,]+ errors?, |no errors found).*$", re.M)
LOST = re.compile(r"incomplete|memory|not judged|not whole|not checked|nothing is checked|cannot", re.M)
ENDS = (0, 2, 66)
SECONDS = 60
OF_ITSELF = 8  # seconds for a program that would hang for ever without checks


def run(command, environment, seconds=SECONDS):
    """The run, with returncode None if it took too long."""
    every = dict(os.environ, **environment)
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        process = subprocess.Popen(command, env=every, stdout=out, stderr=err)
        code = None
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)  # mpirun-check passes it on
            process.wait()
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
        return subprocess.CompletedProcess(command, code, *texts)


def kinds(text):
    return collections.Counter(kind for _, kind in HEADLINE.findall(text))


def is_whole(text):
    summary = SUMMARY.findall(text)
    return bool(summary) and not summary[-1].endswith(", incomplete")


def judge(whole, done):
    """What is wrong with this run, or None."""
    if done.returncode is None:
        is_own = "deadlock" in kinds(whole.stderr)
        return None if is_own and LOST.search(done.stderr) else "it hangs"
    if done.returncode not in (*ENDS, whole.returncode):
        return f"it ends with {done.returncode}"
    if done.stdout != whole.stdout:
        return "the program's output differs"
    more = kinds(done.stderr) - kinds(whole.stderr)
    for kind in ("incomplete", "unchecked"):  # these claim nothing of the program
        del more[kind]
    if +more:
        return f"it reports more: {dict(more)}"
    fewer = kinds(whole.stderr) - kinds(done.stderr)
    if fewer and (is_whole(done.stderr) or not LOST.search(done.stderr)):
        return f"it loses {dict(fewer)} without a word"
    if (fewer or not is_whole(done.stderr)) and done.returncode == 0:
        return "it is incomplete and ends with 0"
    return None


def main():
    own, command = sys.argv[1:], []
    if "--" in own:
        own, command = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=("judge", "run"))
    parser.add_argument("library")
    parser.add_argument("work")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--rank")
    parser.add_argument("--from", dest="is_from", action="store_true")
    parser.add_argument("--last", type=int)
    parser.add_argument("--only", type=int)
    given = parser.parse_args(own)
    counted = os.path.join(given.work, "allocations")
    base = {"LD_PRELOAD": given.library}
    if given.mode == "run":
        # mpirun itself must not be touched: the ranks alone load the library.
        at = command.index("-n")
        command[at:at] = ["-x", "LD_PRELOAD=" + given.library, "-x", "MCK_SHORT_AT", "-x", "MCK_SHORT_FROM",
                          "-x", "MCK_SHORT_RANK", "-x", "MCK_SHORT_COUNT"]
        base = {}
    if given.rank:
        base["MCK_SHORT_RANK"] = given.rank
    open(counted, "wb").write(bytes(8))
    whole = run(command, dict(base, MCK_SHORT_COUNT=counted, MCK_SHORT_AT="0", MCK_SHORT_FROM="0"))
    if whole.returncode is None or not SUMMARY.search(whole.stderr):
        sys.exit(f"the whole run does not work: {whole.stderr}")
    seconds = OF_ITSELF if "deadlock" in kinds(whole.stderr) else SECONDS
    total = int.from_bytes(open(counted, "rb").read(), "little")
    name = "MCK_SHORT_FROM" if given.is_from else "MCK_SHORT_AT"
    other = "MCK_SHORT_AT" if given.is_from else "MCK_SHORT_FROM"
    wrong = tried = 0
    first = max(1, total + 1 - given.last) if given.last else 1
    for n in [given.only] if given.only else range(first, total + 1, given.step):
        done = run(command, dict(base, **{name: str(n), other: "0", "MCK_SHORT_COUNT": ""}), seconds)
        tried += 1
        why = judge(whole, done)
        if given.only:
            print(done.stdout, done.stderr, sep="")
        if why:
            wrong += 1
            print(f"allocation {n}: {why}")
    print(f"{tried} of {total} allocations, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
