# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When a parameter is significant: at which rank, with which other arguments. C expressions, "" for always."""

COLLECTIVES = {"coll", "icoll", "coll_init"}
# The null handle that @null allows, by check.
NULLS = {"info": "MPI_INFO_NULL", "file": "MPI_FILE_NULL"}


def significance(function, parameter):
    """At which rank the parameter is significant, as a C expression; "" for all ranks."""
    if parameter.mark in ("root", "hint"):
        return "mck_is_root(&a)"
    if parameter.mark == "leader":
        return f"mck_is_rank(&a, {function.parameter_of('rank').name})"
    return ""


def condition_of(function, parameter, check):
    """When the parameter is significant, as a C expression; "" for always. Marks in the table say the rest."""
    conditions = []
    if parameter.mark in ("null", "hint") and check in NULLS:
        conditions.append(f"{parameter.name} != {NULLS[check]}")
    if function.kind in COLLECTIVES and check in (
        "sendbuf",
        "recvbuf",
        "buffer_v",
        "buffer_w",
        "count",
        "counts",
        "commtype",
        "sendtype",
        "recvtype",
        "commtypes",
        "array",
        "op",
    ):
        # Beside the root of an intercommunicator's root group nothing is significant (MPI_PROC_NULL: MPI-3.1 5.2.3); at
        # that root (MPI_ROOT) it is
        # what the table marks, and what both sides share: the operation, a broadcast's buffer. In the other group root
        # is a rank.
        if function.has("root") and not parameter.mark:
            sides = {role.name[:4] for role in parameter.roles} & {"send", "recv"}
            conditions.append(
                function.parameter_of("root").name
                + (" != MPI_PROC_NULL" if len(sides) == 2 or check == "op" else " >= 0")
            )
        # MPI_IN_PLACE: count and type of that side are ignored (MPI-3.1 5.5 to 5.8), unless both sides share them. It
        # stands for the receive buffer only in MPI_Scatter and its kin.
        for side in ("send", "recv") if function.has("root") else ("send",):
            roles = [role.name for role in parameter.roles]
            if roles in ([side + "count"], [side + "type"], [side + "counts"], [side + "displs"], [side + "types"]):
                buffer = function.parameter_of(side + "buf")
                if buffer and (buffer.role_named("inplace") or buffer.role_named("rootinplace")):
                    conditions.append(buffer.name + " != MPI_IN_PLACE")
    # MPI_IN_PLACE itself is looked at beside (in_place); as a buffer it is none.
    if check == "buffer" and parameter.role_named("inplace"):
        conditions.append(parameter.name + " != MPI_IN_PLACE")
    # Nothing is compared at MPI_PROC_NULL (11.3.4, 11.3); of the other buffers their own checks know.
    if check == "buffer" and function.has("target"):
        conditions.append(function.parameter_of("target").name + " != MPI_PROC_NULL")
    # With MPI_NO_OP the origin is ignored (MPI-3.1 11.3.4).
    if function.kind in ("acc", "racc") and function.has("recvbuf") and function.has("op"):
        if [role.name for role in parameter.roles] in (["sendbuf"], ["sendcount"], ["sendtype"]):
            conditions.append(function.parameter_of("op").name + " != MPI_NO_OP")
    return " && ".join(conditions)
