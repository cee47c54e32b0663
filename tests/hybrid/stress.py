# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stress.py BUILD N [NAME...]: runs the tables of this folder N times each, on a machine that is kept busy.

What is right must be right in each run, and the report must be the same one, whichever thread comes first. It is not
part of the tests: N = 50 takes some minutes.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

build, times, names = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
folder = os.path.dirname(os.path.abspath(__file__))
compiler, launcher = (os.path.join(build, "bin", name) for name in ("mpicc-check", "mpirun-check"))
cases = os.path.join(folder, "..", "rma", "cases.py")
BUSY = "while True: pass"


def report_of(path):
    """What a report says, without what depends on the machine: the frames of libraries."""
    with open(path, encoding="utf-8") as file:
        findings = json.load(file)["findings"]
    said = []
    for finding in findings:
        places = [
            (place["label"], [(f["function"], f["line"]) for f in place["stack"] if f["line"]])
            for place in finding["places"]
        ]
        said.append((finding["id"], finding["severity"], finding["text"], places, finding["why"]))
    return json.dumps(sorted(said))


def stress(source, directory):
    """The number of runs that went wrong, and of different reports."""
    program, path = os.path.join(directory, "program"), os.path.join(directory, "report.json")
    with open(source, encoding="utf-8") as file:
        text = file.read()
    flags = re.search(r"RUN: %mpicc-check (.*)", text)[1].replace("%s", source).replace("%t", program).split()
    ranks = re.search(r"--all (\d+)", text)[1]
    subprocess.run([compiler, *flags], check=True)
    wrong, reports = 0, set()
    environment = dict(os.environ, MPICC_CHECK_OPTIONS="json=" + path)
    for _ in range(times):
        done = subprocess.run(
            [sys.executable, cases, "--all", ranks, launcher, program, source], stdout=subprocess.DEVNULL
        )
        wrong += done.returncode != 0
        subprocess.run([launcher, "-n", ranks, program], env=environment, capture_output=True)
        reports.add(report_of(path))
    return wrong, len(reports)


busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(os.cpu_count() or 1)]
bad = 0
try:
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".c") or (names and name[:-2] not in names):
            continue
        with tempfile.TemporaryDirectory() as directory:
            wrong, nreports = stress(os.path.join(folder, name), directory)
        bad += wrong != 0 or nreports != 1
        print(f"{name}: {times - wrong} of {times} right, {nreports} different reports", flush=True)
finally:
    for process in busy:
        process.kill()
sys.exit(bad != 0)
