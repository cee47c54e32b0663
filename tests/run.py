#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py BUILD [lit options] [tests]: builds what only tests need, and runs lit over tests/.

The last line is 'N passed, N failed', from lit's own results. Before it stands the end of what each failed test
printed: a log of thousands of lines is often cut in its middle, just where lit has that.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

build, options = os.path.abspath(sys.argv[1]), sys.argv[2:]
results = os.path.join(build, "lit.json")
for old in results, os.path.join(build, "test-times.txt"):
    if os.path.exists(old):
        os.remove(old)
making = ["cmake", "--build", build, "--target", "mck_tests", "-j", str(os.cpu_count())]
made = subprocess.run(making, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if made.returncode:
    sys.exit(made.stdout + "run.py: the tests' own programs cannot be built")
tests = [o for o in options if os.path.exists(o)] or [os.path.join(build, "tests")]
options = [o for o in options if not os.path.exists(o)]
lit = "/usr/lib/llvm-19/build/utils/lit/lit.py"


def start_clang(folder):
    """clang, started once for all tests: Inputs/clang/server.c. It ends when its standard input ends."""
    os.environ["MCK_CLANG_SOCKET"] = os.path.join(folder, "clang")
    environment = dict(os.environ, LD_PRELOAD=os.path.join(build, "unit/clang-server.so"), LD_BIND_NOW="1")
    server = subprocess.Popen(["/usr/lib/llvm-19/bin/clang"], stdin=subprocess.PIPE, env=environment)
    while server.poll() is None and not os.path.exists(os.environ["MCK_CLANG_SOCKET"]):
        time.sleep(0.05)
    return server


with tempfile.TemporaryDirectory(prefix="mck-clang-") as folder:
    server = start_clang(folder)
    code = subprocess.call(
        [sys.executable, lit, "-v", "--timeout=600", "-o", results, *options, "--config-prefix=lit", *tests]
    )
    server.communicate()
if not os.path.exists(results):
    sys.exit("run.py: lit left no results")
GOOD, SKIPPED = ("PASS", "XFAIL", "FLAKYPASS"), ("UNSUPPORTED", "SKIPPED", "EXCLUDED")
tests = json.load(open(results))["tests"]
good = sum(test["code"] in GOOD for test in tests)
skipped = sum(test["code"] in SKIPPED for test in tests)
bad = len(tests) - good - skipped
for test in [t for t in tests if t["code"] not in GOOD + SKIPPED][:20]:
    print(f"\n{test['name']} ended so:")
    lines = [line for line in test.get("output", "").splitlines() if line.strip() and "~~~~" not in line]
    print("".join(f"  {line[:240]}\n" for line in lines[-25:]), end="")
print(f"{good} passed, {bad} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(code or (1 if bad or not good else 0))
