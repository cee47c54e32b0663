# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reproduce.py MPICC-CHECK MPIRUN-CHECK MPICC MPIRUN PROGRAM LIBRARY [FUNCTION...]: runs classes.c (PROGRAM) on the
faulty library. For these functions (all: for all that have a finding) mpicc-check reproduce writes a program, which
must show the fault on that library, and none on the real one."""
import glob
import os
import re
import subprocess
import sys

FUNCTIONS = ["MPI_Alltoallw", "MPI_Ineighbor_alltoallv", "MPI_Ireduce_scatter", "MPI_File_read_at"]
check, launcher, compiler, mpirun, program, library = sys.argv[1:7]
wanted = sys.argv[7:] or FUNCTIONS
where = os.path.dirname(os.path.abspath(program)) + "/again"
bad = 0


def run(command, **extra):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **extra})
    return done.returncode, done.stdout + done.stderr


subprocess.run(["rm", "-rf", where], check=True)
os.makedirs(where)
run([launcher, "--flow=content", "--keep-logs", "--check-options", f"log_dir={where}", "-n", "3", "--oversubscribe",
     "-x", f"LD_PRELOAD={os.path.abspath(library)}", program, "flip", f"{where}/data"])
logs = glob.glob(f"{where}/mpicc-check-*")[0]
listed = run([check, "reproduce", logs, "list"])[1]
done = set()
for number, rest in re.findall(r"^(\d+): (.*)$", listed, re.M):
    # Of a message that of the sender, of a file that of the access that is wrong.
    function = re.findall(r"MPI_\w+", rest)[-1 if "MPI_File_" in rest else 0]
    if function in done or (wanted != ["all"] and function not in wanted):
        continue
    done.add(function)
    source = f"{where}/{function}.c"
    code, text = run([check, "reproduce", logs, number])
    if code:
        bad += 1
        print(f"{function}: {text.strip()}")
        continue
    open(source, "w").write(text)
    # The faulty functions are called PMPI_.
    types = {"Comm", "Datatype", "Aint", "Op", "Request", "Status", "Win", "Message", "File", "Offset"}
    calls = {n for n in re.findall(r"\bMPI_([A-Z][a-z]\w*)", text)} - types
    names = [f"-DMPI_{n}=PMPI_{n}" for n in sorted(calls)]
    code, text = run([compiler, "-Wall", "-Wextra", "-Werror", *names, source, "-o", source[:-2]])
    if code:
        bad += 1
        print(f"{function}: does not compile\n{text}")
        continue
    at = ["3", source[:-2], "5"]
    right, text = run([mpirun, "--oversubscribe", "-n", *at])
    wrong, shown = run([mpirun, "--oversubscribe", "-x", "FAULT", "-x", f"LD_PRELOAD={os.path.abspath(library)}", "-n",
                        *at], FAULT=f"flip {function}")
    if right != 0 or "all data is right" not in text or wrong != 1 or "wrong data came" not in shown:
        bad += 1
        print(f"{function}: exit code {right} on the real library, {wrong} on the faulty one\n{text}{shown}")
if wanted != ["all"] and done != set(wanted):
    bad += 1
    print(f"no finding of {set(wanted) - done} in\n{listed}")
print(f"{len(done)} functions, {bad} not as expected")
sys.exit(bad != 0)
