#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mutate.py LOGS COMMAND...: runs COMMAND DIR on the logs cut at every 512th byte, and with words overwritten at
random; it must end with 0, 2 or 66, and say something, each time."""
import os
import random
import shutil
import subprocess
import sys
import tempfile

source, command = sys.argv[1], sys.argv[2:]
files = {name: open(os.path.join(source, name), "rb").read() for name in sorted(os.listdir(source))}
logs = [name for name in files if name.startswith("rank-")]
seed = random.randrange(1 << 32)
draw = random.Random(seed)
WORDS = [
    b"\0\0\0\0",
    b"\1\0\0\0",
    b"\0\1\0\0",
    b"\xff\xff\xff\x7f",
    b"\0\0\0\x80",
    b"\xfe\xff\xff\xff",
    b"\xff\xff\xff\xff",
]


def judge(what, changed):
    where = tempfile.mkdtemp(dir=".")
    for name, data in {**files, **changed}.items():
        with open(os.path.join(where, name), "wb") as file:
            file.write(data)
    end = subprocess.run(command + [where], capture_output=True, timeout=60)
    if end.returncode not in (0, 2, 66) or not end.stderr:
        sys.exit(f"mutate.py: {what}, seed {seed}: status {end.returncode}, logs in {where}: {end.stderr[-300:]}")
    shutil.rmtree(where)


for cut in range(0, len(files[logs[0]]), 512):
    judge(f"cut at {cut}", {logs[0]: files[logs[0]][:cut]})
for turn in range(60):
    changed = {name: bytearray(files[name]) for name in logs}
    for _ in range(draw.choice((1, 2, 10))):
        data = changed[draw.choice(logs)]
        at = draw.randrange(512) if draw.random() < 0.2 else draw.randrange(4096, len(data))
        at &= ~3
        data[at : at + 4] = draw.choice(WORDS + [draw.randbytes(4)])
    judge(f"mutant {turn}", changed)
