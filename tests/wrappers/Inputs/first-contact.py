# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""first-contact.py BUILD: what a new user sees where something is missing, full, read-only, or oddly named.

Each row of CASES is a situation: a command for the shell, its exit code, and what one line of its output must match. No
line may match NEVER. Rows with "as_root" need a mount namespace of their own, and are left out without one.
"""
import os
import pathlib
import pty
import re
import subprocess
import sys

BUILD = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = """#include <mpi.h>
int main(int argc, char **argv) {
  int rank, x = 1;
  float y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&y, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Finalize();
}
"""
OTHER = "int MPI_Init(int *, char ***); int main(int c, char **v) { return MPI_Init(&c, &v); }"
ODD = "mit Leerzeichen/Größe"  # a folder
SETUP = f"""
mkdir -p full '{ODD}/prefix 1' && cp -r {BUILD}/bin {BUILD}/lib '{ODD}/prefix 1'
mpicc-check p.c -o p && mpicc-check -g0 p.c -o bare && cp p stripped && strip stripped
cp p.c '{ODD}/prögramm eins.c'
mpicc -g '{ODD}/prögramm eins.c' -o '{ODD}/prögramm eins'
echo 'int MPI_Init(int *c, char ***v) {{ return 0; }}' > mpich.c
gcc -shared -fPIC mpich.c -Wl,-soname,libmpich.so.12 -o libmpich.so.12
gcc other.c ./libmpich.so.12 -Wl,-rpath,$PWD -o other
mpicc p.c -o set && cp set own && {{ chown 1 set || true; }} && chmod u+s own && {{ chmod u+s set || true; }}
printf '#!/bin/sh\\nkill $PPID; exec sleep 60\\n' > sleeper && printf '#!/bin/sh\\nexit 243\\n' > bad
chmod +x sleeper bad
"""
READ_ONLY = "mount --bind . . && mount -o remount,ro,bind . && "
WORST = (
    f"mount -t tmpfs -o ro tmpfs /dev/shm && {READ_ONLY} cd \"$PWD/{ODD}\" && "
    "HOME=/proc LC_ALL=C exec taskset -c 0 './prefix 1/bin/mpirun-check' -n 2 './prögramm eins'"
)
ALL_FULL = (  # but what Open MPI needs
    "mount -t tmpfs -o size=8k tmpfs /dev/shm && mount -t tmpfs -o size=8k tmpfs full && export TMPDIR=$PWD/full && "
    "OMPI_MCA_btl=self,tcp OMPI_MCA_orte_tmpdir_base=$PWD mpirun-check -n 2 ./p"
)
FULL = "mount -t tmpfs -o size=8k tmpfs full && "
PLACE = r"MPI_Send from rank 0  +"
CASES = [
    ("no mpicc", "MPICC_CHECK_MPICC=/no/mpicc mpicc-check p.c", 1, "cannot run /no/mpicc: No such file or directory"),
    ("wrong MPI", "MPICC_CHECK_MPICC=gcc mpicc-check p.c", 1, "gcc: this is no compiler wrapper of Open MPI"),
    ("no clang", f"PATH=$PWD/full {BUILD}/bin/mpicc-check p.c", 1, "compiler clang-19: install it, or .* OMPI_CC"),
    ("no such compiler", "OMPI_CC='ccache nocc' mpicc-check p.c", 1, "cannot find the compiler nocc"),
    ("no mpirun", "MPICC_CHECK_MPIRUN=/no/mpirun mpirun-check -n 2 ./p", 2, "cannot run /no/mpirun: No such file"),
    ("program of another MPI", "mpirun-check -n 2 ./other", 2, r"\./other was linked with libmpich.so.12, the library"),
    ("set-user-ID", "mpirun-check -n 2 ./set", 2, "set-user-ID program of another user, .*chmod u-s", "as_root"),
    ("set-user-ID, own", "mpirun-check -n 2 ./own", 66, "type.mismatch"),
    ("mpirun fails", "MPICC_CHECK_MPIRUN=./bad mpirun-check ./p", 243, "MPI_Init: mpirun returned 243 before that"),
    ("ended", "MPICC_CHECK_MPIRUN=./sleeper mpirun-check ./p", 143, "ended from outside before that"),
    ("no -g, stripped", "mpirun-check -n 1 ./bare : -n 1 ./stripped", 66, PLACE + r"bare in main\+0x"),
    ("everything odd", WORST, 66, PLACE + "prögramm eins.c:7 in main", "as_root"),
    ("full disk: logs", FULL + "mpirun-check --check-options log_dir=full -n 2 ./p", 0, "process .* full;", "as_root"),
    ("full: all", ALL_FULL, 0, r"(?m)^==mpicc-check== warning: nothing was checked: no process .* full;", "as_root"),
    ("full disk: report", FULL + "mpirun-check --html full/x -n 2 ./p", 66, "cannot write the HTML .*space", "as_root"),
    ("read-only: report", READ_ONLY + "mpirun-check --json $PWD/x.json ./p", 2, "Read-only file system", "as_root"),
]
NEVER = re.compile(r"all processes ended|Assertion|Traceback|mck_|signal 115")
environment = {
    **os.environ,
    "PATH": f"{BUILD}/bin:{os.environ['PATH']}",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


def shell(command, *before):
    words = [*before, "sh", "-c", command]
    done = subprocess.run(words, env=environment, capture_output=True, timeout=120, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def on_terminal(columns):
    """The report on a terminal of so many columns, without its colours."""
    text = []

    def read(fd):
        data = os.read(fd, 1 << 16)
        text.append(data)
        return data

    saved = os.dup(1)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)
        pty.spawn(["sh", "-c", f"stty cols {columns}; {BUILD}/bin/mpicc-check-report report.json"], read)
        os.dup2(saved, 1)
    return re.sub(rb"\x1b\[[0-9;]*m", b"", b"".join(text))


pathlib.Path("p.c").write_text(PROGRAM)
pathlib.Path("other.c").write_text(OTHER)
code, said = shell("set -e" + SETUP)
assert code == 0, said
has_mounts = shell("mount -t tmpfs tmpfs full", "unshare", "-m")[0] == 0
bad = []
for name, command, status, pattern, *needs in CASES:
    if needs and not has_mounts:
        continue
    code, said = shell(command, *(["unshare", "-m"] if needs else []))
    if code != status or not re.search(pattern, said) or NEVER.search(said):
        bad.append(f"{name}: exit code {code}, expected {status} and {pattern}:\n{said}")
narrow, wide = on_terminal(40), on_terminal(300)
if narrow != wide or b"type.mismatch" not in wide:
    bad.append(f"the report depends on the width:\n{narrow!r}\n{wide!r}")
print("\n".join(bad) if bad else f"{len(CASES)} situations")
