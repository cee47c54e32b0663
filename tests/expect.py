#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect.py CODE[,CODE...] COMMAND...: succeeds if the command exits with one of these codes within 240 s.

Otherwise it prints what the command did.
"""
import subprocess
import sys

want = [int(code) for code in sys.argv[1].split(",")]
process = subprocess.Popen(sys.argv[2:])
try:
    got = process.wait(240)
except subprocess.TimeoutExpired:
    process.terminate()
    process.wait()
    got = "nothing within 240 s"
if got not in want:
    print(f"expect.py: exit code {got}, expected {sys.argv[1]}: {' '.join(sys.argv[2:])}", file=sys.stderr)
    sys.exit(1)
