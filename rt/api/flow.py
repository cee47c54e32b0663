# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flow.py mpi.txt OUTDIR: writes OUTDIR/api/flow-calls.c, the recorder's stand-ins for the PMPI_ functions.

Functions that move nothing stay out: those that do not return an error code, and MPI_Pcontrol, whose arguments vary.
"""
import os
import sys

sys.dont_write_bytecode = True
import standard
import table as mpi_table
from output import HEAD, REMOVED, write


def call(function):
    parameters = ", ".join(p.declaration() for p in function.parameters) or "void"
    arguments = ", ".join(p.name for p in function.parameters)
    return f"MCK_FLOW_CALL({function.result}, {function.name}, ({parameters}), ({arguments}))\n"


def main(argv):
    if len(argv) != 3:
        sys.exit("usage: flow.py mpi.txt OUTDIR")
    try:
        table = standard.read(argv[1])
    except (mpi_table.TableError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"flow.py: {error}")
    functions = [f for f in table.functions if f.result == "int" and not any(p.is_variadic() for p in f.parameters)]
    directory = os.path.join(argv[2], "api")
    os.makedirs(directory, exist_ok=True)
    write(
        directory,
        "flow-calls.c",
        HEAD + REMOVED + '#include <mpi.h>\n#include "flow/recorder/mpi-call.h"\n\n'
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n' + "".join(call(f) for f in functions),
    )


if __name__ == "__main__":
    main(sys.argv)
