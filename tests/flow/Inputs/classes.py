# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""classes.py MPIRUN-CHECK PROGRAM LIBRARY SOURCE [KIND...]: runs a program (classes.c) on a library that does one thing
wrong. Each line that is marked "// FAULT" must be named by a finding of flow.content, and no finding may name none."""
import json
import os
import re
import subprocess
import sys

KINDS = ["flip", "gaps", "tag", "index"]  # by hand also: exchange stale tail doubled shift count source
ANSWERS = ["count", "source", "tag", "index"]  # those are on lines of the function of this name
launcher, program, library, source = (os.path.abspath(path) for path in sys.argv[1:5])
where = os.path.dirname(program)
bad = 0


def lines_of(kind):
    function = ""
    for number, line in enumerate(open(source), 1):
        function = line if re.match(r"\w.*\) \{$", line) else function
        if (kind in ANSWERS) != ("answers(" in function):
            continue
        mark = re.search(r"//\s*FAULT((?: [-+]\w+)*)$", line)
        if mark:
            words = mark[1].split()
            only = [w[1:] for w in words if w[0] == "+"]
            if "-" + kind not in words and (not only or kind in only):
                yield number


for kind in sys.argv[5:] or KINDS:
    report = f"{where}/{kind}.json"
    command = [launcher, "--flow=content", "--json", report, "-n", "3", "--oversubscribe", "-x",
               f"LD_PRELOAD={library}", program, kind, f"{where}/{kind}.data"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    expected = set(lines_of(kind))
    try:
        findings = json.load(open(report))["findings"]
    except (OSError, ValueError):
        sys.exit(f"{kind}: no report, exit code {done.returncode}\n{done.stdout}{done.stderr}")
    found = set()
    for f in findings:
        lines = {s["line"] for p in f["places"] for s in p["stack"] if s["file"] == source and s["function"] != "main"}
        hits = lines & expected
        if f["id"] != "flow.content" or not hits:
            bad += 1
            print(f"{kind}: not expected: {f['id']} {sorted(lines)} {f['text']}")
        found |= hits
    for line in sorted(expected - found):
        bad += 1
        print(f"{kind}: not found: line {line}: {open(source).read().splitlines()[line - 1].strip()[:70]}")
    print(f"{kind}: {len(found)} of {len(expected)} faults found, {len(findings)} findings")
sys.exit(bad != 0)
