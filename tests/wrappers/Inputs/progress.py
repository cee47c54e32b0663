# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""progress.py MPIRUN-CHECK: the line while rank 0 judges in MPI_Finalize, on a terminal only.

mpirun is a script that leaves what rank 0 leaves, and goes on when it is told to.
"""
import os
import pathlib
import pty
import re
import select
import subprocess
import sys

MPIRUN = """#!/bin/sh
printf 'judging\\n' > "$MPICC_CHECK_DIR/result"
touch -d "$SINCE" "$MPICC_CHECK_DIR/result"
read line < go
printf 'errors 0\\n' > "$MPICC_CHECK_DIR/result"
"""


def follow(since, stop):
    """What is on the terminal when the run has ended. It may end when stop has been seen."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.argv[1], [sys.argv[1], "./p"], {**os.environ, "MPICC_CHECK_MPIRUN": "./mpirun", "SINCE": since})
    text, is_told = b"", False
    while True:
        if not is_told and re.search(stop, text):
            pathlib.Path("go").write_text("go\n")
            is_told = True
        assert select.select([terminal], [], [], 60)[0], text
        try:
            text += os.read(terminal, 1 << 16)
        except OSError:  # the other end is closed
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
            return text


pathlib.Path("mpirun").write_text(MPIRUN)
os.chmod("mpirun", 0o755)
os.mkfifo("go")
# A line from the third second on, and it is removed.
text = follow("now", b"judging")
assert re.search(rb"\r\x1b\[K==mpicc-check== judging 0 MiB of logs: [23] s\r\x1b\[K", text), text
assert b" 1 s" not in text, text
text = follow("100 seconds ago", b"10[1-4] s")
assert text.endswith(b"\r\x1b[K"), text
# Elsewhere there is none.
with subprocess.Popen(
    [sys.argv[1], "./p"],
    env={**os.environ, "MPICC_CHECK_MPIRUN": "./mpirun", "SINCE": "100 seconds ago"},
    stdout=subprocess.PIPE,
    stderr=subprocess.STDOUT,
) as run:
    try:
        run.wait(1.5)
    except subprocess.TimeoutExpired:
        pathlib.Path("go").write_text("go\n")
    assert run.stdout.read() == b""
print("progress")
