# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py mpi.txt OUTDIR: writes OUTDIR/api/ from the MPI table.

    fns.h, fns.c       numbers, names and classes of all functions; no mpi.h needed
    standard.h, .c     what the standard says of each (standard.py); standard-sections.c: where
    models.inc         MCK_MODEL(name, what it keeps, bits of its buffers, is polling), for the plugin
    mpi_fns.inc        MCK_FN(name, class) for all functions
    wrappers-0.c ...   the exported wrappers, in WRAPPER_FILES files so that they compile in parallel
    given.c            the arguments that the report of a failing call names (given.py)
    profiled.c         the functions by name, for calls of their PMPI_ names (record/call/profiling.c)
    audit.c            compile-time proof that each row has the type that the installed mpi.h declares
    coverage.md        per function: its class, what is checked, what is recorded

The wrappers' shape is that of the head of record/hooks.h, and only that: what a hook or a check does is C code there.
A file whose content did not change is not touched, so that nothing is compiled anew for it.
"""
import os
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
import table as mpi_table
import given
import standard
from buffers import BUFFER_CLASSES, OBJECT_CLASSES, is_used, uses
from binding import DIRECT, has_binding
from significance import COLLECTIVES, condition_of, significance

WRAPPER_FILES = 8
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
HEAD = f"// {LICENCE}\n// Generated from rt/api/mpi.txt by rt/api/generate.py.\n"
# Makes Open MPI's mpi.h declare the functions that MPI-3.0 removed: its library still exports them, and a program
# that got their prototypes by this same switch calls them.
REMOVED = "#define OMPI_OMIT_MPI1_COMPAT_DECLS 0\n"

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
# Lengths of arrays that no parameter gives: functions of record/lengths.c.
LENGTHS = {"peers", "members", "sources", "destinations", "cartdims"}
# What a function makes (out) or frees (inout), by role: the X of mck_new_X and mck_old_X. Hooks of other classes do that
# themselves.
OBJECTS = {
    "newcomm": "comm",
    "newgroup": "group",
    "newtype": "type",
    "newtype2": "type",
    "newtypes": "types",
    "newop": "op",
    "newwin": "win",
    "newinfo": "info",
    "newfile": "file",
    "newerrhandler": "errhandler",
    "newkeyval": "keyval",
    "newmemory": "memory",
    "oldmemory": "memory",
    "request": "request",
    "message": "message",
}  # request: for the flags only
KNOWN = {
    "MPI_Comm": "comm",
    "MPI_Datatype": "type",
    "MPI_Win": "win",
    "MPI_Group": "group",
    "MPI_Op": "op",
    "MPI_File": "file",
    "MPI_Info": "info",
    "MPI_Errhandler": "errhandler",
    "MPI_Message": "message",
    "MPI_Request": "request",
}
COMPLETIONS = {
    "attach",
    "detach",
    "wait",
    "waitany",
    "waitall",
    "waitsome",
    "test",
    "testany",
    "testall",
    "testsome",
    "request_free",
    "cancel",
}
# HOT: classes on the path of a message. UNZEROED: classes that send or receive at once, with the fields of struct mck_args
# that their hooks and checks read beside those that the function has.
HOT = {"send", "recv", "isend", "irecv", "wait", "test", "waitall", "iprobe"}
UNZEROED = {
    "send": ["win"],
    "recv": ["win"],
    "isend": ["win"],
    "irecv": ["win"],
    "wait": [],
    "test": [],
    "waitall": [],
    "iprobe": [],
    "coll": [
        "sendbuf",
        "recvbuf",
        "sendcount",
        "recvcount",
        "sendtype",
        "recvtype",
        "sendcounts",
        "recvcounts",
        "sendtypes",
        "recvtypes",
        "op",
        "win",
        "dest",
        "source",
        "has_same",
    ],
}
# Messages: one look says that these checks have nothing to say (record/check/check-message.c); only where it does not are they made one by one.
PLAIN_CHECKS = {"count", "sendtype", "recvtype", "dest", "source", "sendtag", "recvtag", "comm"}
PLAIN_CLASSES = {
    "send": ("dest", "sendtag", "sendtype", "sendbuf", "sendcount"),
    "isend": ("dest", "sendtag", "sendtype", "sendbuf", "sendcount"),
    "recv": ("source", "recvtag", "recvtype", "recvbuf", "recvcount"),
    "irecv": ("source", "recvtag", "recvtype", "recvbuf", "recvcount"),
}
# Calls that find nothing as a rule (record/call/quick-call.c): the arguments of begin and end of the quick path.
QUICK = {
    "test": ("request, flag", "quick, request, flag, status"),
    "iprobe": ("source, tag, comm, flag, status", "source, tag, comm, flag, status"),
}
# Hooks may put an object of their own in the place of these (a status to look into, a request array), or another message's
# source and tag (record/replay/replay.h), or another handle of the same request (record/replay/persistent-wildcard.h).
PASSED_BY_ARGS = ("request", "requests", "requestvalue", "status", "statuses", "source", "recvtag")
ERROR_HANDLERS = {
    "MPI_Comm_errhandler_function *": "comm",
    "MPI_Handler_function *": "comm",
    "MPI_Win_errhandler_function *": "win",
    "MPI_File_errhandler_function *": "file",
}
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
    """The check of a receive buffer whose parts lie where an array says: its parameter is the array, behind all others'."""
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


# Kinds of objects for which the old value of the variable matters (handle.lost).
HELD = ("comm", "group", "type", "op", "win", "file", "info", "errhandler")


def held(function):
    """The first parameter that gets a new object, and its kind."""
    for p in function.parameters:
        if p.direction == "out" and OBJECTS.get(p.roles[0].name) in HELD:
            return p, OBJECTS[p.roles[0].name]
    return None


def is_freed(parameter):
    """Does the function free what the parameter names?"""
    role = parameter.roles[0].name
    return role == "oldmemory" or (parameter.direction == "inout" and role in OBJECTS and role != "request")


def frees(function):
    """Calls before the function: of the objects that it frees."""
    if function.kind not in OBJECT_CLASSES:
        return []
    calls = [
        f'mck_old_{OBJECTS[p.roles[0].name]}(&call, "{p.name}", {p.name});' for p in function.parameters if is_freed(p)
    ]
    return calls + ["mck_free_begin(&call);"] if calls else []


def makes(function):
    """Calls after the function succeeded: of the objects that it made, and what it freed."""
    if function.result in KNOWN:
        return [f"mck_known_{KNOWN[function.result]}(rc);"]
    if function.kind not in OBJECT_CLASSES:
        return []
    ends = ["mck_free_end(&call, rc);"] if frees(function) else []
    calls = []
    for p in function.parameters:
        kind = OBJECTS.get(p.roles[0].name)
        if not kind or p.direction != "out" or kind == "request":
            continue
        more = ""
        if kind == "types":
            more = ", " + function.parameter_of("type").name
        elif kind == "keyval":  # the second callback deletes (MPI-3.1 6.7.2)
            more = ", (void (*)(void))" + [q.name for q in function.parameters if q.role_named("callback")][1]
        calls.append(f"mck_new_{kind}(&call, {p.name}{more});")
    return ends + [f"if (rc == MPI_SUCCESS) {call}" for call in calls]


def object_flags(function):
    """What matters of a call within another call (record/call/call.c)."""
    flags = []
    roles = [(p.roles[0].name, p.direction) for p in function.parameters]
    if any(role in OBJECTS and direction == "out" and role != "request" for role, direction in roles):
        flags.append("MCK_FN_MAKES")
    if any(is_freed(p) for p in function.parameters) and function.kind != "type_commit":
        flags.append("MCK_FN_FREES")
    if ("request", "out") in roles or any(role == "message" for role, _ in roles):
        flags.append("MCK_FN_MAKES_REQUEST")
    if function.kind in COMPLETIONS:
        flags.append("MCK_FN_COMPLETES")
    return " | ".join(flags)


def arguments(function):
    return ", ".join(p.name for p in function.parameters if not p.is_variadic())


def prototype(function):
    parameters = ", ".join(p.declaration() for p in function.parameters) or "void"
    space = "" if function.result.endswith("*") else " "
    return f"{function.result}{space}{function.name}({parameters})"


def args_initializer(function):
    """The fields of struct mck_args that this function has."""
    fields = [f".{role.name} = {p.name}" for p in function.parameters for role in p.roles if role.has_field]
    fields += [f".{name} = {value}" for name, value in function.constants.items()]
    fields += [
        f".same = {'!!' if p.role_named('truth') else ''}{p.name}, .has_same = true"
        for p in function.parameters
        if p.is_same
    ]
    if not function.has("root") and "root" not in function.constants:
        fields.append(".root = -1000")
    return ", ".join(fields)


def wrapper(function):
    checks = checks_of(function)
    is_local = function.kind == "local"
    used = uses(function)
    needs_args = not is_local or any(check.needs_args for check in checks) or any("&a" in line for line in used)
    args = "&a" if needs_args else "&no_args"
    given = arguments(function)
    passed = ", ".join(
        "a." + p.roles[0].name if not is_local and p.roles[0].name in PASSED_BY_ARGS else passed_callback(p)
        for p in function.parameters
        if not p.is_variadic()
    )
    out = [f"{'MCK_HOT ' if function.kind in HOT else ''}MCK_EXPORT {prototype(function)} {{"]
    if function.kind in QUICK:
        begin, end = QUICK[function.kind]
        where = "__builtin_return_address(0), __builtin_frame_address(0)"
        result = "struct mck_request *quick" if end.startswith("quick") else "bool is_quick"
        out += [
            f"  {result} = mck_quick_{function.kind}_begin({begin}, {where});",
            f"  if ({result.split()[-1].lstrip('*')}) {{",
            f"    int rc = P{function.name}({given});",
            f"    mck_quick_{function.kind}_end({end}, rc, {where});",
            "    return rc;",
            "  }",
        ]
    out += [
        "  struct mck_call call;",
        f"  if (!mck_call_enter(&call, MCK_FN_{function.name}, __builtin_return_address(0), "
        "__builtin_frame_address(0)))",
        f"    return P{function.name}({given});",
    ]
    if needs_args:
        if function.kind in UNZEROED:  # field by field: on the way of a message each store counts
            out.append("  struct mck_args a;")
            out += [f"  a{field};" for field in args_initializer(function).split(", ")]
            out += [f"  a.{field} = 0;" for field in UNZEROED[function.kind] if not function.has(field)]
        else:
            out.append(f"  struct mck_args a = {{{args_initializer(function)}}};")
    out += keep_given(function)
    if function.kind in PLAIN_CLASSES:
        names = ", ".join(function.parameter_of(role).name for role in ("comm",) + PLAIN_CLASSES[function.kind])
        out.append(f"  if (!mck_is_plain_message(&call, {names})) {{")
        out += ["  " + check.code() for check in checks if check.name in PLAIN_CHECKS]
        out.append("  }")
        checks = [check for check in checks if check.name not in PLAIN_CHECKS]
    out += [check.code() for check in checks]
    if function.instead:
        out.append(
            f'  mck_check_deprecated(&call, "{function.instead}", {"true" if function.is_removed else "false"});'
        )
    out += used
    out += ["  " + call for call in frees(function)]
    variable = held(function)
    if variable:
        out.append(f"  mck_held(&call, {variable[0].name});")
    if not is_local:
        out.append(f"  mck_{function.kind}_before(&call, &a);")
    space = "" if function.result.endswith("*") else " "
    out.append(f"  {function.result}{space}rc = P{function.name}({passed});")
    if not is_local:
        out.append(f"  mck_{function.kind}_after(&call, &a, rc);")
    out += ["  " + call for call in makes(function)]
    if variable:
        out.append(f"  if (rc == MPI_SUCCESS) mck_held_{variable[1]}(&call, {variable[0].name});")
    rc = "rc" if function.result == "int" else "MPI_SUCCESS"
    out += [f"  mck_call_leave(&call, {args}, {rc});", "  return rc;", "}"]
    # A name of our own, which no other library's MPI_Xyz replaces.
    out.append(
        f"extern __typeof({function.name}) mck_own_{function.name} "
        f'__attribute__(({"hot, " if function.kind in HOT else ""}alias("{function.name}"), visibility("hidden")));'
    )
    return "\n".join(out) + "\n"


def keep_given(function):
    """Where an error handler finds the arguments."""
    if function.kind in HOT:
        return ["  call.given = &a;"]
    if not given.given(function):
        return ["  call.given = NULL;"]
    return [f"  const uint64_t given[] = {{{given.words(function)}}};", "  call.given = given;"]


def passed_callback(parameter):
    """An error handler of the user is called by one of ours, which sees the error first (record/error/error-handler.c)."""
    kind = ERROR_HANDLERS.get(parameter.ctype)
    return f"mck_handler_{kind}({parameter.name})" if kind else parameter.name


def profiled_c(table):
    functions = sorted(
        (f for f in table.functions if not any(p.is_variadic() for p in f.parameters)), key=lambda f: f.name
    )
    declarations = "".join(
        f"extern __typeof({f.name}) mck_own_{f.name} __attribute__((visibility(\"hidden\")));\n" for f in functions
    )
    rows = "".join(f'  {{"{f.name}", (void (*)(void))mck_own_{f.name}, MCK_FN_{f.name}}},\n' for f in functions)
    return (
        HEAD + REMOVED + '#include <mpi.h>\n#include "api/fns.h"\n#include "record/call/profiling.h"\n\n'
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
        + declarations
        + f"const struct mck_own mck_owns[] = {{\n{rows}}};\n"
        "const unsigned mck_nowns = sizeof mck_owns / sizeof *mck_owns;\n"
    )


def fns_h(table):
    classes = "".join(f"  MCK_CLASS_{name},\n" for name in table.classes)
    functions = "".join(f"  MCK_FN_{f.name},\n" for f in table.functions)
    return (
        HEAD + "#pragma once\n#include <stdbool.h>\n#include <stdint.h>\n\n"
        "// The treatment class (MCK_CLASSES in record/call/call-class.h; local: nothing but the call itself).\n"
        f"enum mck_fn_class {{\n{classes}  MCK_CLASS_COUNT\n}};\n\n"
        f"enum mck_fn {{\n{functions}  MCK_FN_COUNT\n}};\n\n"
        "extern const char *const mck_fn_names[];    // [fn]: \"MPI_Send\"\n"
        "extern const uint8_t mck_fn_classes[];      // [fn]: enum mck_fn_class\n"
        "extern const char *const mck_fn_same[];     // [fn]: the parameter that must be the same at all ranks, or NULL\n"
        "extern const char *const mck_class_names[]; // [class]: \"send\"\n\n"
        "// What a function does to objects.\n"
        "enum { MCK_FN_MAKES = 1, MCK_FN_FREES = 2, MCK_FN_MAKES_REQUEST = 4, MCK_FN_COMPLETES = 8 };\n"
        "extern const uint8_t mck_fn_objects[];      // [fn]: those\n"
    )


def fns_c(table):
    def array(declaration, items):
        return f"{declaration} = {{\n" + "".join(f"  {item},\n" for item in items) + "};\n"

    names = array("const char *const mck_fn_names[MCK_FN_COUNT]", [f'"{f.name}"' for f in table.functions])
    classes = array(
        "const uint8_t mck_fn_classes[MCK_FN_COUNT]",
        [f"[MCK_FN_{f.name}] = MCK_CLASS_{f.kind}" for f in table.functions],
    )
    same = array(
        "const char *const mck_fn_same[MCK_FN_COUNT]",
        [f'[MCK_FN_{f.name}] = "{p.name}"' for f in table.functions for p in f.parameters if p.is_same],
    )
    class_names = array("const char *const mck_class_names[MCK_CLASS_COUNT]", [f'"{name}"' for name in table.classes])
    objects = array(
        "const uint8_t mck_fn_objects[MCK_FN_COUNT]",
        [f"[MCK_FN_{f.name}] = {object_flags(f)}" for f in table.functions if object_flags(f)] or ["0"],
    )
    return "\n".join([HEAD + '#include "api/fns.h"\n', names, classes, same, class_names, objects])


def mpi_fns_inc(table):
    return HEAD + "".join(f"MCK_FN({f.name}, {f.kind})\n" for f in table.functions)


def wrappers_c(functions):
    return (
        HEAD + REMOVED + '#include "record/hooks.h"\n\n'
        "// Deprecated functions are wrapped like any other.\n"
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
        "__attribute__((unused)) static const struct mck_args no_args = {.root = -1000};\n\n"
        + "\n".join(wrapper(f) for f in functions)
    )


def audit_c(table, path):
    rows = []
    for f in table.functions:
        types = ", ".join("..." if p.is_variadic() else p.ctype for p in f.parameters) or "void"
        rows.append(
            f"_Static_assert(__builtin_types_compatible_p(__typeof__(&{f.name}), {f.result} (*)({types})),\n"
            f'               "{path}:{f.line}: mpi.h declares {f.name} with another type");\n'
        )
    return (
        HEAD + REMOVED + '#include "record/hooks.h"\n\n'
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
        "// The classes of the table and those that have hooks are the same.\n"
        "#define MCK_ONE(name) _Static_assert(MCK_CLASS_##name != MCK_CLASS_local, #name);\n"
        "MCK_CLASSES(MCK_ONE)\n#undef MCK_ONE\n#define MCK_ONE(name) +1\n"
        '_Static_assert(MCK_CLASS_COUNT == 1 MCK_CLASSES(MCK_ONE), "a class of the table has no hooks");\n'
        "#undef MCK_ONE\n\n" + "".join(rows)
    )


def coverage_md(table):
    special = [f for f in table.functions if f.kind != "local"]
    out = [
        f"<!-- {LICENCE} -->",
        "<!-- Generated from rt/api/mpi.txt by rt/api/generate.py. -->",
        "# What is checked and recorded of each MPI function",
        "",
        f"{len(table.functions)} functions, all of them wrapped: every call is counted, its place is known to the",
        f"reports, and a failing return code is reported. {len(special)} belong to a class that records more.",
        "",
        "## Classes",
        "",
        "| class | functions | what a call leaves behind |",
        "|---|---|---|",
    ]
    for name, text in table.classes.items():
        out.append(f"| {name} | {sum(f.kind == name for f in table.functions)} | {text} |")
    out += [
        "",
        "## Functions",
        "",
        "Checked arguments are named with their check (`datatype: type`); what counts only at one rank is checked",
        "there. `docs/checks/` says what each check means. Calls of Fortran code (mpif.h, use mpi, use mpi_f08) come to the",
        "same checks (docs/design/fortran.md); for those whose notes say \"Fortran: handles\" Open MPI's binding does the work",
        "itself, and only the handles among the arguments are checked.",
        "",
        "| function | class | checked arguments | notes |",
        "|---|---|---|---|",
    ]
    for f in sorted(table.functions, key=lambda f: f.name.lower()):
        checks = [f"{c.parameter.name}: {c.name}" for c in checks_of(f) if c.name != "in_place"]
        checks = ", ".join(checks + [f"{p.name}: memory" for p in f.parameters if is_used(f, p)]) or "-"
        notes = []
        if f.is_anytime:
            notes.append("may be called at any time")
        if f.is_removed:
            notes.append(f"removed in MPI-3.0: use {f.instead}")
        elif f.instead:
            notes.append(f"deprecated: use {f.instead}")
        if not has_binding(f):
            notes.append(
                "no Fortran binding"
                if f.result == "int" or f.row.value("family") == "conversion"
                else "Fortran: not wrapped"
            )
        elif f.name in DIRECT:
            notes.append("Fortran: handles")
        at_root = [p.name for p in f.parameters if p.mark in ("root", "hint")]
        if at_root:
            notes.append("only at the root: " + ", ".join(at_root))
        out.append(f"| {f.name} | {f.kind} | {checks} | {'; '.join(notes)} |")
    return "\n".join(out) + "\n"


def write(directory, name, content):
    path = os.path.join(directory, name)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as old:
            if old.read() == content:
                return
    with open(path, "w", encoding="utf-8") as new:
        new.write(content)


def main(argv):
    if len(argv) != 3:
        sys.exit("usage: generate.py mpi.txt OUTDIR")
    try:
        table = standard.read(argv[1])
        standard_h = standard.standard_h(table, HEAD)
    except (mpi_table.TableError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"generate.py: {error}")
    directory = os.path.join(argv[2], "api")
    os.makedirs(directory, exist_ok=True)
    write(directory, "fns.h", fns_h(table))
    write(directory, "fns.c", fns_c(table))
    write(directory, "standard.h", standard_h)
    write(directory, "standard.c", standard.standard_c(table, HEAD))
    write(directory, "standard-sections.c", standard.sections_c(table, HEAD))
    write(directory, "models.inc", standard.models_inc(table, HEAD))
    write(directory, "mpi_fns.inc", mpi_fns_inc(table))
    count = len(table.functions)
    for i in range(WRAPPER_FILES):
        part = table.functions[i * count // WRAPPER_FILES : (i + 1) * count // WRAPPER_FILES]
        write(directory, f"wrappers-{i}.c", wrappers_c(part))
    write(directory, "given.c", given.given_c(table, HEAD, REMOVED, HOT))
    write(directory, "profiled.c", profiled_c(table))
    write(directory, "audit.c", audit_c(table, os.path.basename(argv[1])))
    write(directory, "coverage.md", coverage_md(table))


if __name__ == "__main__":
    main(sys.argv)
