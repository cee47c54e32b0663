# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""online.py MPIRUN_CHECK PROGRAM: the programs of explore.py, each in its ordinary run: the clocks that go with the
messages
(clocks=online) tell of the same wildcards as those over the logs (clocks=lamport)."""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from known import CASES  # noqa: E402

mpirun_check, program = sys.argv[1:3]
bad = 0
for name, (ranks, first, *_) in CASES.items():
    reported = []
    for clocks in ("lamport", "online"):
        environment = dict(os.environ, MPICC_CHECK_OPTIONS="clocks=" + clocks)
        run = subprocess.run(
            [mpirun_check, "--take", first, "-n", str(ranks), program, name],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        text = run.stdout + run.stderr
        reported.append(
            (run.returncode, re.findall(r"[\d,]+ of [\d,]+ (?:receive|probe)s? here.*", text), "[unchecked]" in text)
        )
    if reported[0] != reported[1] or not reported[0][1] or reported[0][2]:
        print(f"{name}: {reported}")
        bad = 1
sys.exit(bad)
