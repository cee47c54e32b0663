# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cases.py [--all] RANKS MPIRUN-CHECK PROGRAM SOURCE [CASE...]: runs a program once for each of its cases.

It compares what is found with what is expected. With --all one run has all cases, and each finding belongs to the case
whose lines it names; "run" stands for what belongs to none. It prints `case N: right`, or `case N: wrong: found ...,
expected ...` and indented lines with more (tests/mpitest.py).

In the source, `// case N: ID` says that `PROGRAM N` is to give exactly one finding ID (several: exactly these), and
`// case N: ok` none; notes count if they are of a kind that the source expects. A comment that holds @N marks a place
that the finding must name; the places named first and, for two accesses, second must be the marked ones and no
others. `// pairs: ID...` names further kinds of which the first two places count. The exit code is 66 where there are
errors, and 0 elsewhere.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

is_one_run = sys.argv[1] == "--all"
ranks, launcher, program, source = sys.argv[1 + is_one_run : 5 + is_one_run]
wanted = set(sys.argv[5 + is_one_run :])
cases, marks, heads = [], {}, {}
for number, line in enumerate(open(source, encoding="utf-8").read().splitlines(), 1):
    head = re.match(r"\s*// case (\d+): (.*)", line)
    if head:
        heads[head[1]] = f"{os.path.basename(source)}:{number}: {head[2]}"
        cases.append((head[1], [] if head[2].startswith("ok") else head[2].split("(")[0].split()))
        continue
    comment = line.split("//", 1)[1] if "//" in line else ""
    for mark in re.findall(r"@(\d+)\b", comment):
        marks.setdefault(mark, set()).add(number)


PAIRS = ("rma.race", "rma.atomicity", "rma.window-overlap", "rma.model", "rma.race-local", "buffer.overlap",
         "io.overlap", "rma.sync-missing", "message.race", "thread.collective", "thread.level",
         "thread.probe", "thread.request", "thread.buffer")


PAIRS += tuple(" ".join(re.findall(r"^// pairs: (.*)", open(source, encoding="utf-8").read(), re.M)).split())


def run_program(*arguments):
    """The findings, and what was printed."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "report.json")
        environment = dict(os.environ)
        options = [o for o in environment.get("MPICC_CHECK_OPTIONS", "").split(":") if o] + ["json=" + path]
        environment["MPICC_CHECK_OPTIONS"] = ":".join(options)
        command = [launcher, "-n", ranks, program, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        try:
            findings = json.load(open(path, encoding="utf-8"))["findings"]
            expected = {id for _, ids in cases for id in ids}
            return [f for f in findings if f["severity"] != "note" or f["id"] in expected], done
        except (OSError, ValueError, KeyError) as error:
            return [{"id": f"no report ({error})", "places": []}], done


def lines_of(finding):
    """The lines of the source that the finding is about: two for a race."""
    is_pair = finding["id"] in PAIRS
    places = set()
    for place in finding["places"][: 2 if is_pair else 1]:
        frames = [f for f in place["stack"] if os.path.basename(f["file"] or "") == os.path.basename(source)]
        places.update(f["line"] for f in frames[:1])
    return places


def compare(findings, ids, marked):
    found = sorted(f["id"] for f in findings)
    places = set().union(*map(lines_of, findings)) if findings else set()
    if found != sorted(ids):
        return f"found {', '.join(found) or 'nothing'}, expected {', '.join(ids) or 'nothing'}"
    return f"lines {sorted(places)}, expected {sorted(marked)}" if ids and marked and places != marked else None


def exit_code(findings):
    """What the run has to end with."""
    return 66 if any(f.get("severity") == "error" for f in findings) else 0


bad = 0


def judge(case, problem, details):
    """Prints what became of a case."""
    global bad
    bad += problem is not None
    print(f"case {case}: wrong: {problem}" if problem else f"case {case}: right")
    if problem:
        print("".join(f"    {line}\n" for line in [heads.get(case, os.path.basename(source)), *details]), end="")


if is_one_run:
    findings, done = run_program()
    left = list(findings)
    for case, ids in cases:
        mine = [f for f in left if lines_of(f) and lines_of(f) <= marks.get(case, set())]
        left = [f for f in left if f not in mine]
        judge(case, compare(mine, ids, marks.get(case, set())), [f"{f['id']}: {f['text']} {f['why']}" for f in mine])
    problem = "findings that belong to no case" if left else None
    if done.returncode != exit_code(findings):
        problem = f"exit code {done.returncode}"
    details = [f"{f['id']}: {f.get('text')} lines {sorted(lines_of(f))}" for f in left]
    judge("run", problem, details + done.stderr.splitlines())
else:
    for case, ids in cases:
        if wanted and case not in wanted:
            continue
        findings, done = run_program(case)
        problem = compare(findings, ids, marks.get(case))
        if not problem and done.returncode != exit_code(findings):
            problem = f"exit code {done.returncode}"
        judge(case, problem, done.stderr.splitlines())
print(f"{len(cases)} cases, {bad} wrong")
sys.exit(bad != 0 or not cases)
