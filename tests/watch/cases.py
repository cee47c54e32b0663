# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cases.py SOURCE PROGRAM MPIRUN-CHECK [-k N] [-r TIMES] [-w WORK] [-j JOBS]: runs each case of a file (cases.h).

    case 7:  //! 3 deadlock        runs on 3 ranks; wrong, it is reported as this check and nothing else
      ...                          //@ 0 MPI_Recv(source 1, tag 0) for rank 1 | 1 MPI_Barrier for any of ranks 0,2

The report must say that rank 0 waits in this call on this line for that rank, and no rank that is not named may be in
the core. "//~ text" must be in the report, too. Right ("PROGRAM 7 ok"), the program must be silent and end well. That
some would not without buffers (deadlock.buffering) is not what is tested here.

With -r only the right programs run, each so many times. Those with the same ranks and options share a run, ten times in
each; -w says how much the late rank of a case computes before it comes.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys


def read(path):
    cases, case = {}, None
    for number, line in enumerate(open(path), 1):
        head = re.search(r"case (\d+):.*//! (\d+) ([\w.-]+)(?: (\S+=\S+))?", line)
        if head:
            case = {"ranks": int(head[2]), "check": head[3], "options": head[4] or "", "places": {}, "texts": []}
            cases[int(head[1])] = case
        marker = re.search(r"//@ (.*)$", line)
        if marker:
            for part in marker[1].split(" | "):
                rank, text = part.strip().split(" ", 1)
                case["places"][int(rank)] = (text, number)
        marker = re.search(r"//~ (.*)$", line)
        if marker:
            case["texts"].append(marker[1].strip())
    return cases


def execute(arguments, case, number, is_right, more=()):
    name = f"case {number} ok" if is_right else f"case {number}"
    period = "watch_period=5" if is_right else ""
    options = [os.environ.get("MPICC_CHECK_OPTIONS"), case["options"], "buffering=0", period]
    environment = dict(os.environ, MPICC_CHECK_OPTIONS=":".join(filter(None, options)))
    command = [arguments.mpirun, "-n", str(case["ranks"]), arguments.program, str(number)]
    command += ["ok", *more] if is_right else []
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=3600 if more else 240,
            env=environment,
        )
    except subprocess.TimeoutExpired as late:
        return f"{name}: the program stands still, and nothing is reported\n{(late.stdout or b'').decode()}"
    text, problems = done.stdout, []
    said = re.findall(r"==mpicc-check== (?:ERROR|WARNING|NOTE) \[([^]]*)\]", text)
    said = [kind for kind in said if kind != "message.race"]  # true of some, and a note
    if is_right:
        if done.returncode or said or "done" not in text:
            problems.append(f"exit code {done.returncode}, findings {said}")
    else:
        if done.returncode != 66 or said != [case["check"]]:
            problems.append(f"exit code {done.returncode}, findings {said} instead of {case['check']}")
        ranks = rf"\(loads and stores: all\) on {case['ranks']} ranks? \("
        summary = r"^==mpicc-check== 1 error, 0 warnings, \d+ notes? in \S+ " + ranks
        if not re.search(summary, text, re.M):
            problems.append(f"the summary line is not that of 1 error on {case['ranks']} ranks")
        base = re.escape(os.path.basename(arguments.source))
        found = {int(r) for r in re.findall(r"^  rank (\d+) (?:waits in|polls with) .*  \S+:\d+ in ", text, re.M)}
        for rank, (call, line) in case["places"].items():
            # Where there are several communicators or windows, the report says which one it is.
            head, word, tail = call.partition(" for ")
            comm = r"(?: on (?:communicator \w+|the communicator of \w+ at \S+|MPI_COMM_\w+))?"
            comm += r"(?: of window \w+| of the window of \w+ at \S+)?"
            place = rf"{re.escape(head)}{comm}{re.escape(word + tail)}\s+{base}:{line} in "
            if not re.search(rf"^  rank {rank} (?:waits in|polls with) {place}", text, re.M):
                problems.append(f"expected, but not reported: rank {rank}: {call} at line {line}")
        if case["places"] and found - set(case["places"]):
            problems.append(f"reported, but not expected: ranks {sorted(found - set(case['places']))}")
        problems += [f"expected, but not reported: {t}" for t in case["texts"] if t not in text]
    return f"{name}: {'; '.join(problems)}\n{text}" if problems else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source"), parser.add_argument("program"), parser.add_argument("mpirun")
    parser.add_argument("-k", type=int), parser.add_argument("-w")
    parser.add_argument("-r", type=int, default=0), parser.add_argument("-j", type=int, default=1)
    arguments = parser.parse_args()
    cases = {k: v for k, v in read(arguments.source).items() if arguments.k in (None, k)}
    jobs = [(case, number, right) for number, case in cases.items() for right in (False, True)]
    if arguments.r:
        jobs, groups = [], {}
        for number, case in cases.items():
            groups.setdefault((case["ranks"], case["options"]), []).append(number)
        for done in range(0, arguments.r, 10):
            times = str(min(10, arguments.r - done))
            more = (times, *filter(None, [arguments.w]))
            jobs += [(cases[g[0]], ",".join(map(str, g)), True, more) for g in groups.values()]
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        results = list(pool.map(lambda job: execute(arguments, *job), jobs))
    failed = [result for result in results if result]
    print("\n".join(failed))
    print(f"{len(cases)} cases, {len(cases) * arguments.r or len(jobs)} runs, {len(failed)} failed")
    return bool(failed) or not cases


if __name__ == "__main__":
    sys.exit(main())
