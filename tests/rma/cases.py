# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cases.py RANKS MPIRUN-CHECK PROGRAM SOURCE [CASE...]: runs a program once for each of its cases and compares what is found.

In the source, `// case N: ID` says that `PROGRAM N` is to give exactly one finding ID (several: exactly these), and
`// case N: ok` none. A comment that holds @N marks a place that the finding must name; the places named first and, for
two accesses, second must be the marked ones and no others. Exit code 66 and 0 accordingly."""
import json
import os
import re
import subprocess
import sys
import tempfile

ranks, launcher, program, source = sys.argv[1:5]
wanted = set(sys.argv[5:])
cases, marks = [], {}
for number, line in enumerate(open(source, encoding="utf-8").read().splitlines(), 1):
    head = re.match(r"\s*// case (\d+): (.*)", line)
    if head:
        cases.append((head[1], [] if head[2].startswith("ok") else head[2].split("(")[0].split()))
        continue
    comment = line.split("//", 1)[1] if "//" in line else ""
    for mark in re.findall(r"@(\d+)\b", comment):
        marks.setdefault(mark, set()).add(number)
bad = 0
for case, ids in cases:
    if wanted and case not in wanted:
        continue
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "report.json")
        environment = dict(os.environ)
        options = [o for o in environment.get("MPICC_CHECK_OPTIONS", "").split(":") if o] + ["json=" + path]
        environment["MPICC_CHECK_OPTIONS"] = ":".join(options)
        run = subprocess.run([launcher, "-n", ranks, program, case], env=environment, capture_output=True, text=True, timeout=120)
        try:
            findings = json.load(open(path, encoding="utf-8"))["findings"]
        except (OSError, ValueError, KeyError) as error:
            findings = None
            problem = f"no report ({error})"
    if findings is not None:
        found = sorted(f["id"] for f in findings)
        places = set()
        for finding in findings:
            is_pair = finding["id"] in ("rma.race", "rma.atomicity", "rma.window-overlap", "rma.model")
            for place in finding["places"][: 2 if is_pair else 1]:
                frames = [f for f in place["stack"] if os.path.basename(f["file"] or "") == os.path.basename(source)]
                places.update(f["line"] for f in frames[:1])
        problem = None
        if found != sorted(ids):
            problem = f"found {found or 'nothing'}, expected {ids or 'nothing'}"
        elif ids and marks.get(case) and places != marks[case]:
            problem = f"places {sorted(places)}, expected {sorted(marks[case])}"
        elif run.returncode != (66 if ids else 0):
            problem = f"exit code {run.returncode}"
    if problem:
        bad += 1
        print(f"{source}: case {case}: {problem}\n{run.stderr}")
print(f"{len(cases)} cases, {bad} wrong")
sys.exit(bad != 0 or not cases)
