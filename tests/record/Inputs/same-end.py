# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-end.py MPIRUN PLAIN CHECKED: both end alike where MPI ends them: same exit code, same complaint of the
library."""
import os
import re
import subprocess
import sys

mpirun, *programs = sys.argv[1:]
os.environ["OMPI_MCA_orte_base_help_aggregate"] = "0"


def end_of(program, case):
    run = subprocess.run([mpirun, "-n", "1", program, case], capture_output=True, text=True, timeout=120)
    text = run.stdout + run.stderr
    lines = re.findall(r"\*\*\* (?!reported by process)(.*)", text)
    return run.returncode, [re.sub(r"window \d+", "window", line) for line in lines]


for case in ("comm", "win", "file"):
    plain, checked = (end_of(program, case) for program in programs)
    # mpirun of Open MPI 4.1 sometimes loses what the process says ("ORTE_ERROR_LOG: Data unpack ..."), of either
    # program.
    is_same_text = plain[1] == checked[1] or not plain[1] or not checked[1]
    if plain[0] != checked[0] or plain[0] == 0 or not is_same_text:
        sys.exit(f"{case}: plain {plain}, checked {checked}")
