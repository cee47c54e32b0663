#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect.py CODE COMMAND...: succeeds if the command exits with CODE (within 240 s), says what it did otherwise."""
import subprocess
import sys

want = int(sys.argv[1])
process = subprocess.Popen(sys.argv[2:])
try:
    got = process.wait(240)
except subprocess.TimeoutExpired:
    process.terminate()
    process.wait()
    got = "nothing within 240 s"
if got != want:
    print(f"expect.py: exit code {got}, expected {want}: {' '.join(sys.argv[2:])}", file=sys.stderr)
    sys.exit(1)
