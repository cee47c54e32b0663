# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""line-begin.py MPIRUN-CHECK: the report begins on a line of its own, wherever the program's output ended.

mpirun is a script that prints what a program would, and leaves what rank 0 leaves.
"""
import os
import pathlib
import pty
import re
import subprocess
import sys

REPORT = "==mpicc-check== no errors found\n"
MPIRUN = f"""#!/bin/sh
printf '{REPORT}' > "$MPICC_CHECK_DIR/report"
printf 'errors 0\\n' > "$MPICC_CHECK_DIR/result"
printf "$SAYS"
"""
RUN = [sys.argv[1], "./p"]


def environment(says):
    return {**os.environ, "MPICC_CHECK_MPIRUN": "./mpirun", "SAYS": says}


def to_file(says):
    with open("out", "wb") as out:
        subprocess.run(RUN, env=environment(says), stdout=out, stderr=out, check=True)
    return pathlib.Path("out").read_text(encoding="utf-8")


def to_pipe(says):
    return subprocess.run(RUN, env=environment(says), stdout=-1, stderr=-2, check=True).stdout.decode()


def apart(says):
    done = subprocess.run(RUN, env=environment(says), stdout=-1, stderr=-1, check=True)
    assert done.stdout.decode() == says, done.stdout
    return done.stderr.decode()


def to_terminal(says):
    """The lines as a terminal of 80 columns shows them."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.system("stty cols 80")
        os.execve(RUN[0], RUN, environment(says))
    data = b""
    while True:
        try:
            data += os.read(terminal, 1 << 16)
        except OSError:
            break
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    lines, line, at = [], [" "] * 80, 0
    for character in re.sub(r"\x1b\[[0-9;]*m", "", data.decode()):
        if character == "\n":
            lines.append("".join(line).rstrip())
            line = [" "] * 80
        elif character == "\r":
            at = 0
        else:
            if at == 80:
                lines.append("".join(line).rstrip())
                line, at = [" "] * 80, 0
            line[at] = character
            at += 1
    return "\n".join([*lines, ""])


pathlib.Path("mpirun").write_text(MPIRUN)
os.chmod("mpirun", 0o755)
for says in ("", "result 42", "result 42\n", "x" * 79, "x" * 80, "x" * 81):
    end = "" if not says or says.endswith("\n") else "\n"
    assert to_file(says) == says + end + REPORT, (says, to_file(says))
    wrapped = "\n".join(re.findall(r"[^\n]{1,80}", says) + [REPORT])
    assert to_terminal(says) == wrapped, (says, to_terminal(says))
    # What has gone through a pipe is not known: there may be an empty line.
    text = to_pipe(says)
    assert text.startswith(says) and text[len(says) :] in ("\n" + REPORT, end + REPORT), (says, text)
    assert apart(says) == REPORT, (says, apart(says))
print("own line")
