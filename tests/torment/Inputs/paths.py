# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paths.py MPIRUN_CHECK MPIRUN PROGRAM: runs with log directories whose paths are longer and longer."""
import os
import re
import subprocess
import sys

check, mpirun, program = sys.argv[1:]
for size in 200, 250, 1000, 1100:
    path = os.getcwd()
    while len(path) + 1 < size:
        path += "/" + "d" * min(200, size - len(path) - 1)
    os.makedirs(path, exist_ok=True)
    ends = []
    for name, command in ("mpirun-check", [check, "-n", "2", program]), ("mpirun", [mpirun, "-n", "2", program]):
        environment = dict(os.environ, MPICC_CHECK_OPTIONS="log_dir=" + path)
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        found = re.search(r"\[(message.lost)\]|(log_dir: the value is \d+ characters long)", done.stderr)
        ends.append(f"{name} {done.returncode}, {found[0] if found else done.stderr}".replace("[", "").replace("]", ""))
        if os.listdir(path) and not any(len(d) == 200 or set(d) == {"d"} for d in os.listdir(path)):
            ends.append(f"left behind: {os.listdir(path)}")
    print(f"{size} bytes: {'; '.join(ends)}", flush=True)
