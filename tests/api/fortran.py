# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fortran.py SOURCE RUNTIME LIBDIR: holds the Fortran side of the table against Open MPI's Fortran libraries.

Every name that we export is theirs; every procedure of theirs is ours, but for those named here; the C functions that
they call, and those that they do without, are as rt/api/binding.py says.
"""
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, sys.argv[1] + "/rt/api")
import binding
import standard

# They return no error code, or are no call of MPI (MPI_SIZEOF).
NOT_WRAPPED = re.compile(r"p?mpi_(wtime|wtick|aint_add|aint_diff|f_sync_reg|sizeof_\w+?)(_f08)?_")


def symbols(path, kinds):
    lines = subprocess.run(["nm", "-D", path], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if line.split()[-2] in kinds}


ours = {name.partition("@")[0] for name in symbols(sys.argv[2], "T") if name.endswith("@MCK_FORTRAN")}
theirs, called = set(), set()
for name in ("mpi_mpifh", "mpi_usempif08", "mpi_usempi_ignore_tkr"):
    theirs |= symbols(f"{sys.argv[3]}/lib{name}.so", "TW")
    called |= symbols(f"{sys.argv[3]}/lib{name}.so", "U")
functions = [f for f in standard.read(sys.argv[1] + "/rt/api/mpi.txt").functions if binding.has_binding(f)]
direct = {f.name for f in functions if "P" + f.name not in called}
for what, wrong in (
    ("exported, but no name of Open MPI's", ours - theirs),
    (
        "not wrapped",
        {
            name
            for name in theirs - ours
            if re.fullmatch(r"p?mpi_\w*[a-z0-9]_", name) and not NOT_WRAPPED.fullmatch(name)
        },
    ),
    ("done without the C function, but not in DIRECT", direct - set(binding.DIRECT)),
    ("in DIRECT, but done by the C function", set(binding.DIRECT) - direct),
):
    if wrong:
        sys.exit(f"{what}: {' '.join(sorted(wrong))}")
print(f"{len(ours)} names for {len(functions)} functions")
