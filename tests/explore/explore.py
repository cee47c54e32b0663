# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""explore.py MPIRUN_CHECK PROGRAM DIR CASE...: the ordinary run of each program passes. The exploration finds how it
fails, in as many runs as there are orders of its messages. The file of the failing run fails again, each time, in the
same way."""
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from known import CASES  # noqa: E402

mpirun_check, program, directory, *names = sys.argv[1:]
again = int(os.environ.get("AGAIN", "1"))


def run(*words):
    done = subprocess.run(
        [mpirun_check, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=500
    )
    return done.returncode, done.stdout


def errors(text):
    return [line for line in text.splitlines() if line.startswith("==mpicc-check== ERROR")]


def fail(name, what, text):
    sys.exit(f"{name}: {what}\n{text}")


for name in names:
    ranks, first, ways, check, words = CASES[name]
    state = os.path.join(directory, name)
    shutil.rmtree(state, ignore_errors=True)
    line = ["-n", str(ranks), program, name]
    status, text = run("--explore", "--take", first, "--state", state, *line)
    if status != 66 or len(errors(text)) != 1 or f"[{check}]" not in text or words not in text:
        fail(name, "not found", text)
    if f"explored {ways} runs, 1 new failure: all messages" not in text:
        fail(name, f"not {ways} runs", text)
    with open(os.path.join(state, "run-0.end")) as end:
        if end.read().split()[0] != "0":
            fail(name, "the ordinary run fails", text)
    # Nothing is left to do, and the same is found.
    if run("--explore", "--state", state, *line)[1].count(f"explored {ways} runs, 1 new failure: all messages") != 1:
        fail(name, "does not go on", text)
    number = re.search(r"run-(\d+)\.report", text)[1]
    with open(os.path.join(state, f"run-{number}.report")) as report:
        want = errors(report.read())
    for _ in range(again):
        status, text = run("--replay", os.path.join(state, f"run-{number}.decisions"), *line)
        if errors(text) != want:
            fail(name, "fails another way when replayed", text)
    print(f"{name}: {ways} runs")
