#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memory.py judge|run LIBRARY WORK [--stacks] [--step N] [--last N] [--rank R] [--from] -- COMMAND...

Runs COMMAND once as it is, and then once for each allocation of mpicc-check, which fails (LIBRARY:
Inputs/short-memory.c). judge: a command without ranks; run: one of mpirun-check, where an allocation of rank R fails.
--stacks: once for each way through mpicc-check that leads to an allocation, of which the first one fails. Thousands of
allocations are made in some hundred ways, and those of one way are handled by the same code. That way must really
have failed: the library writes so.
What must hold each time:
- nothing is reported that the whole run does not report, except that it is incomplete;
- if anything is not reported, the summary says incomplete, and the exit code is that of an error;
- the program's own output is the same, and nothing crashes or hangs. A program that deadlocks by itself may hang as it
  does without checks, when its watch is short of memory: then a warning says so at once.
--from: all later allocations fail, too. --step N: every N-th allocation or stack only. --last N: the last N ones.
--part I/N: the I-th of N parts of all (from 0), for a sweep in pieces. --known FILE: not the stacks that it lists, one
a line, and those that are tried are added: a sweep that goes on, or a second rank.
"""
import argparse
import collections
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile

HEADLINE = re.compile(r"^==mpicc-check== (ERROR|WARNING|NOTE) \[([\w.-]+)\](.*)", re.M)
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
    return collections.Counter(kind for _, kind, _ in HEADLINE.findall(text))


def new_kinds(whole, text):
    """What the whole run does not say. Two findings that could not be merged for lack of memory, or one that could not
    be told within the other, are true still: their words are in the whole report. So is one that has no words left."""
    more, known, claims_nothing = kinds(text) - kinds(whole), kinds(whole), ("incomplete", "unchecked")
    return sorted({kind for _, kind, words in HEADLINE.findall(text)
                   if kind in more and kind not in claims_nothing and words not in whole
                   and not (kind in known and words == " (out of memory: no text)")})


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
    more = new_kinds(whole.stderr, done.stderr)
    if more:
        return f"it reports more: {more}"
    fewer = kinds(whole.stderr) - kinds(done.stderr)
    if fewer and (is_whole(done.stderr) or not LOST.search(done.stderr)):
        return f"it loses {dict(fewer)} without a word"
    if (fewer or not is_whole(done.stderr)) and done.returncode == 0:
        return "it is incomplete and ends with 0"
    return None


def arguments():
    own, command = sys.argv[1:], []
    if "--" in own:
        own, command = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=("judge", "run"))
    parser.add_argument("library")
    parser.add_argument("work")
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--known")
    parser.add_argument("--rank")
    parser.add_argument("--from", dest="is_from", action="store_true")
    parser.add_argument("--last", type=int)
    parser.add_argument("--most", type=int, help="so many at most")
    parser.add_argument("--only")
    given = parser.parse_args(own)
    given.command = command
    return given


class Sweep:
    """The runs of one command; failing(what) is one in which what fails."""

    def __init__(self, given):
        self.given, self.command = given, list(given.command)
        self.counted, self.listed = (os.path.join(given.work, name) for name in ("allocations", "stacks"))
        self.base = {"LD_PRELOAD": given.library, "MCK_SHORT_RANK": given.rank or "", "MCK_SHORT_COUNT": self.counted}
        if given.mode == "run":
            # mpirun itself must not be touched: the ranks alone load the library.
            at = self.command.index("-n")
            passed = ("AT", "FROM", "STACK", "ON", "RANK", "COUNT", "LIST")
            self.command[at:at] = ["-x", "LD_PRELOAD=" + given.library, *(f"-x MCK_SHORT_{n}" for n in passed)]
            self.command = [word for part in self.command for word in (part.split() if part[:3] == "-x " else [part])]
            del self.base["LD_PRELOAD"]

    def run(self, seconds, **what):
        every = {"MCK_SHORT_" + name: "" for name in ("AT", "FROM", "STACK", "ON", "LIST")}
        every.update({"MCK_SHORT_" + name: value for name, value in what.items()})
        with open(self.counted, "wb") as file:
            file.write(bytes(16))
        done = run(self.command, dict(self.base, **every), seconds)
        with open(self.counted, "rb") as file:
            done.asked, done.failed = struct.unpack("2q", file.read())
        return done

    def whole(self):
        open(self.listed, "wb").close()
        done = self.run(SECONDS, LIST=self.listed if self.given.stacks else "")
        with open(self.listed, "rb") as file:
            self.stacks = [f"{stack:016x}" for (stack,) in struct.iter_unpack("Q", file.read())]
        return done

    def targets(self, total):
        """What is to fail: stacks, or numbers of allocations."""
        given = self.given
        if given.only:
            return [given.only]
        every = list(dict.fromkeys(self.stacks)) if given.stacks else [str(n) for n in range(1, total + 1)]
        if given.last:
            every = every[-given.last :]
        if given.known and os.path.exists(given.known):
            with open(given.known, encoding="ascii") as file:
                known = set(file.read().split())
            every = [one for one in every if one not in known]
        part, parts = map(int, given.part.split("/"))
        return every[:: given.step][part::parts][: given.most]

    def failing(self, target, seconds):
        if self.given.stacks:
            return self.run(seconds, STACK=target, ON="1" if self.given.is_from else "")
        return self.run(seconds, **{"FROM" if self.given.is_from else "AT": target})


def main():
    given = arguments()
    sweep = Sweep(given)
    whole = sweep.whole()
    if whole.returncode is None or not SUMMARY.search(whole.stderr):
        sys.exit(f"the whole run does not work: {whole.stderr}")
    seconds = OF_ITSELF if "deadlock" in kinds(whole.stderr) else SECONDS
    what = "stack" if given.stacks else "allocation"
    targets = sweep.targets(whole.asked)
    wrong = missed = 0
    for target in targets:
        done = sweep.failing(target, seconds)
        missed += not done.failed
        why = judge(whole, done)
        if given.only:
            print(done.stdout, done.stderr, sep="")
        if why:
            wrong += 1
            print(f"{what} {target}: {why}", flush=True)
        if given.known:
            with open(given.known, "a", encoding="ascii") as file:
                print(target, file=file)
    of = f"{len(set(sweep.stacks))} ways to {whole.asked}" if given.stacks else str(whole.asked)
    print(f"{len(targets)} of {of} allocations, {missed} not reached, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
