# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generated files begin with, and how they are written."""
import os

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

HEAD = f"// {LICENCE}\n// Generated from rt/api/mpi.txt by rt/api/generate.py.\n"

# Makes Open MPI's mpi.h declare the functions that MPI-3.0 removed: its library still exports them, and a program
# that got their prototypes by this same switch calls them.
REMOVED = "#define OMPI_OMIT_MPI1_COMPAT_DECLS 0\n"


def write(directory, name, content):
    path = os.path.join(directory, name)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as old:
            if old.read() == content:
                return
    with open(path, "w", encoding="utf-8") as new:
        new.write(content)
