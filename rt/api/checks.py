# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks of a wrapper: which mck_check_... is called for which parameter, with what, and when (generate.py)."""
from buffers import BUFFER_CLASSES
from significance import COLLECTIVES, condition_of, significance

# Checks that need other arguments of the call, too.
CHECKS_WITH_ARGS = {
    "dest",
    "source",
    "root",
    "target",
    "target_disp",
    "sendtag",
    "recvtag",
    "sendbuf",
    "recvbuf",
    "in_place",
    "buffer_own",
    "rank",
    "rank2",
    "ranks",
    "someranks",
    "ranges",
    "commranks",
    "targets",
    "nnodes",
    "cartdims",
    "cartcoords",
    "maxdims",
    "direction",
    "sendtype",
    "recvtype",
    "parts",
    "buffered",
    "filetype",
    "viewdisp",
}

# Lengths of arrays that no parameter gives: functions of record/check/group-size.h.
LENGTHS = {"peers", "members", "sources", "destinations", "cartdims"}

# Results that the caller must provide memory for.
RESULTS = {
    "newcomm",
    "newgroup",
    "newwin",
    "newtype",
    "newtype2",
    "newop",
    "newinfo",
    "newfile",
    "newerrhandler",
    "newkeyval",
    "message",
    "attribute",
    "memory",
    "newmemory",
    "base",
}


class Check:
    """One call of mck_check_<name>: of which parameter, with which further arguments, and when ("" for always)."""

    def __init__(self, name, parameter, condition="", more=()):
        self.name, self.parameter, self.condition, self.more = name, parameter, condition, list(more)
        if name in CHECKS_WITH_ARGS or any("&a" in m for m in self.more):
            self.more += ["&a"] if name in CHECKS_WITH_ARGS else []
            self.needs_args = True
        else:
            self.needs_args = "&a" in condition

    def code(self):
        value = ", ".join(["&call", f'"{self.parameter.name}"', self.parameter.name] + self.more)
        when = f"if ({self.condition}) " if self.condition else ""
        return f"  {when}mck_check_{self.name}({value});"


def checks_of(function):
    """What the wrapper checks, in the parameters' order."""
    if function.result != "int":
        return []
    return (
        [check for parameter in function.parameters for check in checks_of_parameter(function, parameter)]
        + parts_of(function)
        + buffered(function)
    )


def checks_of_parameter(function, parameter):
    role = parameter.roles[0]
    is_buffer = role.name in ("sendbuf", "recvbuf") and function.kind in BUFFER_CLASSES
    checks = []
    if is_buffer:
        where = (
            "MCK_IN_PLACE_AT_ROOT"
            if parameter.role_named("rootinplace")
            else "MCK_IN_PLACE_ALLOWED"
            if parameter.role_named("inplace")
            else "MCK_IN_PLACE_NEVER"
        )
        checks.append(Check("in_place", parameter, significance(function, parameter), [where]))
    if parameter.mark == "any":
        return checks
    more = ["mck_%s(&a)" % word if word in LENGTHS else word for word in parameter.argument.split(",") if word]
    seen = set()
    for role in parameter.roles:
        name = role.check
        if role.name in RESULTS and parameter.direction == "out":
            name = "pointer"
        elif role.name == "base" and not more or role.name in ("inbuf", "outbuf") and not more:
            name = ""
        sort = "buf" if name in ("sendbuf", "recvbuf") else name  # a buffer that is both is checked once
        if not name or sort in seen or sort == "buf" and not is_buffer:
            continue
        seen.add(sort)
        more_of_role = more if role is parameter.roles[0] else []
        if name == "position":  # an int, or an MPI_Aint (MPI-3.1 4.3)
            more_of_role = more_of_role + [f"sizeof *{parameter.name}"]
        if (
            name in ("sendbuf", "recvbuf")
            and not function.has(name[:4] + "count")
            and name[:4] + "count" not in function.constants
        ):
            name, more_of_role = buffer_of_counts(function, name[:4])
        if name == "commtype":
            name, more_of_role = moving_type(function, parameter)
        condition = " && ".join(
            c for c in (significance(function, parameter), condition_of(function, parameter, name)) if c
        )
        checks.append(Check(name, parameter, condition, more_of_role))
    return checks


def moving_type(function, parameter):
    """The check of a type that data is moved with: where to, and how many. What is reduced is not received."""
    roles = [role.name for role in parameter.roles]
    if roles == ["target_type"] and not function.has("recvbuf"):  # written at the target
        return "recvtype", ["NULL", function.parameter_of("target_count").name]
    is_reduction = function.kind in COLLECTIVES and function.has("op")
    side = "recv" if "recvtype" in roles and not is_reduction else "send" if "sendtype" in roles else ""
    buffer, count = function.parameter_of(side + "buf"), function.parameter_of(side + "count")
    if function.kind not in BUFFER_CLASSES | {"mrecv", "imrecv"} or not side or not buffer or not count:
        return "commtype", []
    return side + "type", ["NULL" if buffer.mark == "any" else buffer.name, count.name]


def buffered(function):
    """The check of a message that needs room in the attached buffer, behind those of all its arguments."""
    return [Check("buffered", p) for p in function.parameters if p.role_named("buffered")]


def parts_of(function):
    """The check of a receive buffer whose parts lie where an array says. Its parameter is the array; it comes last."""
    displs, counts = function.parameter_of("recvdispls"), function.parameter_of("recvcounts")
    if not displs or not counts or function.kind not in COLLECTIVES:
        return []
    types = function.parameter_of("recvtypes")
    length = f"mck_{displs.argument}(&a)"
    more = (
        [length, f"sizeof *{displs.name}", counts.name, types.name]
        if types
        else [length, counts.name, function.parameter_of("recvtype").name]
    )
    condition = " && ".join(c for c in (significance(function, displs), condition_of(function, displs, "array")) if c)
    return [Check("parts_w" if types else "parts", displs, condition, more)]


def buffer_of_counts(function, side):
    """The check of a buffer whose count is an array, or that of the other side (MPI_Reduce_scatter and its kin)."""
    is_own = (
        side == "recv" and function.has("op") and function.has("recvcounts")
    )  # MPI_Reduce_scatter: each rank gets its part
    if not function.has(side + "counts"):
        side = "recv"
    counts = function.parameter_of(side + "counts")
    if not counts:  # MPI_Reduce_scatter_block
        return "buffer", [function.parameter_of("recvcount").name, function.parameter_of("recvtype").name]
    if is_own:
        return "buffer_own", [counts.name]
    length = f"mck_{counts.argument}(&a)"
    types = function.parameter_of(side + "types")
    return ("buffer_w" if types else "buffer_v"), [
        counts.name,
        length,
        (types or function.parameter_of(side + "type")).name,
    ]
