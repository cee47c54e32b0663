# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions of the MPI table Fortran has, and how Open MPI's Fortran libraries implement them.

Used by generate.py and fortran.py.

tests/api/fortran.py holds this against the installed libraries.
"""

# Open MPI's binding implements these without a call of the C function: their callbacks and values are Fortran's own.
DIRECT = (
    "MPI_Attr_get",
    "MPI_Attr_put",
    "MPI_Keyval_create",
    "MPI_Errhandler_create",
    "MPI_Type_match_size",
    "MPI_Comm_create_keyval",
    "MPI_Comm_get_attr",
    "MPI_Comm_set_attr",
    "MPI_Comm_create_errhandler",
    "MPI_Type_create_keyval",
    "MPI_Type_get_attr",
    "MPI_Type_set_attr",
    "MPI_File_create_errhandler",
    "MPI_Win_create_keyval",
    "MPI_Win_get_attr",
    "MPI_Win_set_attr",
    "MPI_Win_create_errhandler",
)


def has_binding(function):
    """Conversions of handles, the tool interface, and functions without an error code are not checked in Fortran."""
    return function.result == "int" and function.row.value("family") not in ("tool", "conversion")
