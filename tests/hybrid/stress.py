# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stress.py BUILD N [NAME...]: runs the tables of this folder N times each, on a machine that is kept busy.

What is right must be right in each run, and the report must be the same one, whichever thread comes first. The first
run is compared with what the table expects, and all others with the first. It is not part of the tests: N = 50 takes
some minutes for each table.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

build, times, names = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
folder = os.path.dirname(os.path.abspath(__file__))
launcher = os.path.join(build, "bin", "mpirun-check")
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
    """The numbers of runs, of those whose report is not the first one, and of wrong cases in a run like the first."""
    program, path = os.path.join(directory, "program"), os.path.join(directory, "report.json")
    with open(source, encoding="utf-8") as file:
        runs = re.findall(r"RUN: (.*)", file.read())
    flags = re.match(r"%mpi(cc|cxx)-check (.*)", runs[0])
    command = [os.path.join(build, "bin", f"mpi{flags[1]}-check")]
    subprocess.run(command + flags[2].replace("%s", source).replace("%t", program).split(), check=True)
    first, nruns, ndifferent, wrong = None, 0, 0, 0
    for run in (line for line in runs if "cases.py" in line):
        ranks = re.search(r"--all (\d+)", run)[1]
        environment = dict(os.environ, **dict(re.findall(r"([A-Z_]+)=(\S+)", run)))
        check = [sys.executable, cases, "--all", ranks, launcher, program, source]
        wrong += subprocess.run(check, env=environment, stdout=subprocess.DEVNULL, check=False).returncode != 0
        environment["MPICC_CHECK_OPTIONS"] = "json=" + path
        for _ in range(times):
            subprocess.run([launcher, "-n", ranks, program], env=environment, capture_output=True, check=False)
            report = report_of(path)
            os.remove(path)
            first = first or report
            nruns, ndifferent = nruns + 1, ndifferent + (report != first)
            if report != first:
                show(first, report)
    return nruns, ndifferent, wrong


def show(first, report):
    """What one of two reports says and the other one does not."""
    one, two = (list(map(json.dumps, json.loads(text))) for text in (first, report))
    print("".join(f"  - {said}\n" for said in one if said not in two), end="")
    print("".join(f"  + {said}\n" for said in two if said not in one), end="")


busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(os.cpu_count() or 1)]
bad = 0
try:
    for name in sorted(os.listdir(folder)):
        base, extension = os.path.splitext(name)
        if extension not in (".c", ".cpp") or (names and base not in names):
            continue
        with tempfile.TemporaryDirectory() as directory:
            nruns, ndifferent, wrong = stress(os.path.join(folder, name), directory)
        bad += wrong + ndifferent
        print(f"{name}: {nruns} runs, {ndifferent} with another report, {wrong} wrong", flush=True)
finally:
    for process in busy:
        process.kill()
sys.exit(bad != 0)
