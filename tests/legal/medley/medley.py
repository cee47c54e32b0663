# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""medley.py MPIRUN-CHECK PROGRAM [FIRST LAST]: runs medley (main.c) with seeds, rightly, and with one mistake each.

Right runs must be silent. A run with a mistake must have a finding of the kind in the table that names the line of the
mistake, where there is such a line. With FIRST and LAST only right runs are made, with these seeds.
"""
import os
import re
import subprocess
import sys
import tempfile

SEEDS = [3, 5, 20, 38]
# The mistake, a seed with which it is made, the kinds one of which must be found, and whether the line is named.
MISTAKES = [
    (1, 1, "deadlock", False),
    (2, 1, "buffer.modified-in-use", True),
    (3, 1, "buffer.read-in-use", True),
    (4, 2, "request.not-completed", False),
    (6, 1, "message.truncated", True),
    (7, 1, "request.start-active", True),
    (8, 2, "leak.request", False),
    (9, 1, "message.truncated", True),
    (11, 2, "collective.root", True),
    (12, 2, "collective.op", True),
    (15, 1, "collective.type", True),
    (16, 1, "buffer.modified-in-use", True),
    (17, 1, "leak.comm", False),
    (21, 2, "rma.race rma.atomicity", False),
    (22, 2, "rma.race", True),
    (23, 2, "rma.race-local", True),
    (24, 2, "rma.race-local", True),
    (25, 1, "rma.race-local", True),
    (26, 1, "rma.race", True),
    (28, 1, "rma.race-local rma.race", True),
    (29, 1, "rma.race-local", True),
    (31, 1, "leak.group", False),
]
launcher, program = (os.path.abspath(path) for path in sys.argv[1:3])
bad = 0


def run(seed, steps, mistake=0):
    ranks = 2 + seed % (3 if mistake else 4)
    command = [launcher, "-n", str(ranks), program, str(seed), str(steps), str(mistake)]
    with tempfile.TemporaryDirectory(prefix="mck-medley-", dir=os.path.dirname(program)) as directory:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def complain(what, text):
    global bad
    bad += 1
    print(f"{what}\n{text}")


seeds = range(int(sys.argv[3]), int(sys.argv[4]) + 1) if len(sys.argv) > 4 else SEEDS
for seed in seeds:
    code, text = run(seed, 100)
    if code or not re.search(r"^done$", text, re.M) or re.search(r"==mpicc-check== (ERROR|WARNING)", text):
        complain(f"seed {seed}: exit code {code}", text)
for mistake, seed, kinds, is_named in MISTAKES if len(sys.argv) < 4 else []:
    code, text = run(seed, 60, mistake)
    place = re.search(r"^medley: mistake \d+ at (\S+)$", text, re.M)
    report = re.sub(r"^medley: .*$", "", text, flags=re.M)
    found = re.findall(r"==mpicc-check== (?:ERROR|WARNING) \[([\w.-]+)\]", report)
    if not place or not set(kinds.split()) & set(found) or (is_named and place[1] not in report):
        complain(f"mistake {mistake}, seed {seed}: exit code {code}, found {found}", text)
print(f"{len(seeds)} right programs, {0 if len(sys.argv) > 4 else len(MISTAKES)} wrong ones, {bad} not as expected")
sys.exit(bad != 0)
