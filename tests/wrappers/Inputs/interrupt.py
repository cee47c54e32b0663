# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupt.py SIGNAL WHOM COMMAND...: starts the command, signals it when it has said "ready" ($READY), prints its
exit code.

WHOM: process (kill of mpirun-check alone), child (kill of mpirun alone), group (kill of its process group, as "timeout"
and CI systems do) or terminal (the command on a terminal of its own, on which Ctrl-C is typed).
"""
import os
import pty
import signal
import subprocess
import sys

number, whom, command = getattr(signal, sys.argv[1]), sys.argv[2], sys.argv[3:]
# lit's workers ignore SIGINT, and what is ignored stays so in children.
signal.signal(signal.SIGINT, signal.SIG_DFL)
if whom == "terminal":
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    text = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        had, text = b"ready" in text, text + more
        if b"ready" in text and not had:
            os.write(terminal, b"\x03")
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    sys.stdout.write(text.decode(errors="replace").replace("\r", ""))
else:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=whom == "group")
    for line in process.stdout:
        if os.environ.get("READY", "ready") in line:
            print(line, end="")
            pid = process.pid
            if whom == "child":
                with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as children:
                    pid = int(children.read().split()[0])
            (os.killpg if whom == "group" else os.kill)(pid, number)
            break
    sys.stdout.write(process.stdout.read())
    code = process.wait()
print(f"exit code {code}")
