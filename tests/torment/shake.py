#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shake.py WHAT [--times N] [--seed S] [--step N] [--plain PROGRAM] [--verbose] -- COMMAND...

COMMAND is mpirun-check with the options -n N before the program. WHAT is done to the run:
rank, mpirun, check   a rank, mpirun, or mpirun-check itself gets SIGKILL at a random moment, N times
size, files, space    the ranks have a limit: size of files, open files, address space; from small to large
device                the log device is too small (a tmpfs of some KiB; needs root): full at once, or during the run

--step: every N-th limit or size only. --verbose: print what each run printed.

What must hold each time:
- nothing is reported that the whole run does not report, except that a process was ended and what is missing;
- a run that was not ended prints what the whole run prints, and ends with its exit code, or that of an error if it says
  that it is incomplete; one that was ended does not end with 0;
- mpicc-check crashes nothing, hangs nowhere, and leaves nothing behind; the logs that a killed mpirun-check leaves can
  be judged, and claim nothing false.
"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HEADLINE = re.compile(r"^==mpicc-check== (?:ERROR|WARNING|NOTE) \[([\w.-]+)\] .*", re.M)
SUMMARY = re.compile(r"^==mpicc-check== (?:[\d,]+ errors?, |no errors found).*$", re.M)
OURS = re.compile(r"Assertion|check failed|libmpicc-check\.so|AddressSanitizer", re.M)
# Open MPI's mpirun itself hangs at times when a rank is killed in MPI_Init (1 of 38 plain runs), and says this.
PMIX = "PMIX ERROR: UNREACHABLE"
OF_THE_END = {"run.died", "run.ended", "run.aborted", "incomplete", "unchecked", "run.exit"}
FAILS = " (the program fails without us, too)"  # such a run is not compared
SECONDS = 90


class Run:
    def __init__(self, command, base, before=()):
        self.base = tempfile.mkdtemp(dir=base)
        environment = dict(os.environ, TMPDIR=self.base)
        at = command.index("-n")
        command = [*command[:at], "--check-options", "log_dir=" + self.base, *command[at:]]
        self.begin = time.time()
        self.out = tempfile.TemporaryFile("w+", errors="replace")
        self.err = tempfile.TemporaryFile("w+", errors="replace")
        self.process = subprocess.Popen([*before, *command], stdout=self.out, stderr=self.err, env=environment,
                                        start_new_session=True)
        self.is_hung = False

    def end(self):
        try:
            self.code = self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.is_hung, self.code = True, None
            for pid in [self.process.pid, *(pid for pid, _ in descendants(self.process.pid))]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.process.wait()
        self.seconds = time.time() - self.begin
        for name in ("out", "err"):
            file = getattr(self, name)
            file.seek(0)
            setattr(self, name, file.read())
        self.kinds = set(HEADLINE.findall(self.err))
        return self

    def left(self):
        """What lies in the log directory still. MPI's own session directories are not ours."""
        return [entry for entry in os.listdir(self.base) if entry.startswith("mpicc-check-")]


def descendants(pid):
    children = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            status = open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace").read()
        except OSError:
            continue
        name, rest = status[status.index("(") + 1 : status.rindex(")")], status[status.rindex(")") + 2 :].split()
        children.setdefault(int(rest[1]), []).append((int(entry), name))
    found, todo = [], [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            found.append(child)
            todo.append(child[0])
    return found


def kill(run, whom, program, draw):
    """Kills one process of the run; false: it was over already."""
    if whom == "check":
        victims = [run.process.pid]
    else:
        name = program if whom == "rank" else "mpirun"
        victims = [pid for pid, have in descendants(run.process.pid) if have == name[:15]]
    if run.process.poll() is not None or not victims:
        return False
    try:
        os.kill(draw.choice(victims), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def judge(whole, run, was_ended):
    """What is wrong with this run, or None."""
    if run.is_hung and was_ended and PMIX in run.err:
        return None
    if run.is_hung:
        return f"it takes longer than {SECONDS} s"
    if OURS.search(run.err):
        return "mpicc-check itself failed: " + OURS.search(run.err)[0]
    more = run.kinds - whole.kinds - OF_THE_END
    if more:
        return f"it reports more: {sorted(more)}"
    if was_ended:
        return "it was ended and ends with 0" if run.code == 0 else None
    if run.out != whole.out:
        return "the program's output differs"
    summary = SUMMARY.findall(run.err)
    is_said = "incomplete" in (summary[-1] if summary else "") or re.search(r"^==mpicc-check== warning", run.err, re.M)
    if whole.kinds - run.kinds and not is_said:
        return f"it loses {sorted(whole.kinds - run.kinds)} without a word"
    return f"it ends with {run.code}" if run.code not in ({whole.code, 66} if is_said else {whole.code}) else None


def judge_left(check, whole, run):
    """A killed mpirun-check leaves its logs; judged, they claim nothing false."""
    time.sleep(0.2)  # mpirun and the ranks notice that it has gone
    for name in run.left():
        done = subprocess.run([check, "--judge", os.path.join(run.base, name)], capture_output=True, text=True)
        more = set(HEADLINE.findall(done.stderr)) - whole.kinds - OF_THE_END
        if more or done.returncode not in (0, 2, 66):
            return f"its logs are judged with {done.returncode}, {sorted(more)}"
    return None


def kills(given, whole, base):
    draw, program = random.Random(given.seed), os.path.basename(given.program)
    for number in range(given.times):
        run = Run(given.command, base)
        after = draw.uniform(0, whole.seconds)
        time.sleep(after)
        was_ended = kill(run, given.what, program, draw)
        run.end()
        why = judge(whole, run, was_ended)
        if given.what == "check" and was_ended:
            why = why or judge_left(given.command[0], whole, run)
        elif not why and not run.is_hung and run.left():
            why = f"it leaves {run.left()}"
        yield f"{given.what} after {after:.2f} s", run, why


# ulimit's letter, and values: KiB for sizes. The smallest ones end Open MPI itself before it begins. Addresses: Open
# MPI maps 450 MB, and fails by chance below it (six runs each: 240 MB 1 failed, 250 MB 6); we map 60 MB.
LIMITS = {"size": ("f", (1, 300, 5000, 10000, 20000, 40000)), "files": ("n", (30, 40, 64, 128)),
          "space": ("v", (600000, 1000000, 2000000, 4000000))}


def limits(given, whole, base):
    letter, values = LIMITS[given.what]
    begin, at = given.command.index("-n"), given.command.index(given.program)
    for value in values[:: given.step]:
        limited = ["sh", "-c", f'ulimit -{letter} {value}; exec "$0" "$@"']
        # What the program does under the limit without us.
        plain = ["timeout", str(SECONDS), "mpirun", *given.command[begin:at], *limited, given.plain]
        done = subprocess.run([*plain, *given.command[at + 1 :]], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, errors="replace", check=False)
        is_good = done.returncode == 0 and done.stdout == whole.out
        run = Run([*given.command[:at], *limited, *given.command[at:]], base).end()
        why = judge(whole, run, False) if is_good else None
        if not why and run.left():
            why = f"it leaves {run.left()}"
        yield f"ulimit -{letter} {value}{'' if is_good else FAILS}", run, why


def devices(given, whole, base):
    for kib in (8, 300, 600, 1000, 2000, 8000)[:: given.step]:
        mount = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size={kib}k none "{base}/device" && exec "$0" "$@"']
        os.makedirs(f"{base}/device", exist_ok=True)
        command, at = list(given.command), given.command.index("-n")
        command[at:at] = ["--check-options", f"log_dir={base}/device"]
        run = Run(command, base, mount).end()
        yield f"a device of {kib} KiB", run, judge(whole, run, False)


def main():
    own, command = sys.argv[1:], []
    if "--" in own:
        own, command = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("rank", "mpirun", "check", "device", *LIMITS))
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--plain", help="the program built by mpicc, for limits")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args(own)
    given.command, given.program = command, command[command.index("-n") + 2]
    if given.what in LIMITS and not given.plain:  # without it no run could be wrong
        sys.exit("--plain is missing")
    base = tempfile.mkdtemp(prefix="shake-")
    tried = wrong = skipped = 0
    try:
        whole = Run(command, base).end()
        if not SUMMARY.search(whole.err):
            sys.exit(f"the whole run does not work: {whole.err}")
        many = (kills(given, whole, base) if given.what in ("rank", "mpirun", "check") else
                devices(given, whole, base) if given.what == "device" else limits(given, whole, base))
        for name, run, why in many:
            tried, wrong, skipped = tried + 1, wrong + (why is not None), skipped + name.endswith(FAILS)
            if why or given.verbose:
                print(f"{name}: {why or 'good'}", run.out, run.err, sep="\n  ")
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(f"{given.what}: {tried} runs, {wrong} wrong" + (f", {skipped} not compared" if skipped else ""))
    sys.exit(wrong != 0 or not tried)


main()
