# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""deadlock-ok.py MPIRUN-CHECK PROGRAM SOURCE: runs all cases of the table in SOURCE, which are right: each must end,
and no error or warning may be reported."""
import os
import re
import subprocess
import sys

mpirun, program, source = sys.argv[1:4]
options = "watch_period=5:" + os.environ.get("MPICC_CHECK_OPTIONS", "")
names = re.findall(r'\{"([a-z-]+)", ', open(source).read())
wrong = 0
for name in names:
    run = subprocess.run(
        mpirun.split() + ["-n", "2", program, name],
        env={**os.environ, "MPICC_CHECK_OPTIONS": options},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    is_right = run.returncode == 0 and "done" in run.stdout and not re.search("ERROR|WARNING|warning:", run.stdout)
    if not is_right:
        print(f"--- {name}: exit code {run.returncode}\n{run.stdout}")
        wrong += 1
print(f"{len(names)} cases, {wrong} wrong")
sys.exit(wrong > 0 or len(names) < 5)
