# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py mpi.txt OUTDIR: writes OUTDIR/api/ from the MPI table.

    fns.h, fns.c       numbers, names, classes and marks of all functions; no mpi.h needed
    mpi_fns.inc        MCK_FN(name, class) for all functions
    wrappers-0.c ...   the exported wrappers, in WRAPPER_FILES files so that they compile in parallel
    audit.c            compile-time proof that each row has the type that the installed mpi.h declares
    coverage.md        per function: its class, what is checked, what is recorded

The wrappers' shape is that of the head of record/hooks.h, and only that: what a hook or a check does is C code there.
A file whose content did not change is not touched, so that nothing is compiled anew for it.
"""
import os
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
import table as mpi_table
from binding import DIRECT, has_binding

WRAPPER_FILES = 8
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
HEAD = f"// {LICENCE}\n// Generated from rt/api/mpi.txt by rt/api/generate.py.\n"
# Makes Open MPI's mpi.h declare the functions that MPI-3.0 removed: its library still exports them, and a program
# that got their prototypes by this same switch calls them.
REMOVED = "#define OMPI_OMIT_MPI1_COMPAT_DECLS 0\n"

# Checks that look at other arguments of the call, too.
CHECKS_WITH_ARGS = {"dest", "source", "root", "target", "target_disp", "sendtag", "recvtag", "sendbuf", "recvbuf", "in_place",
                    "rank", "rank2", "ranks", "someranks", "ranges", "commranks", "targets", "nnodes",
                    "cartdims", "cartcoords", "maxdims", "direction"}
# Lengths of arrays that no parameter gives: functions of record/lengths.c.
LENGTHS = {"peers", "members", "sources", "destinations", "cartdims"}
# Where a null buffer with a positive count is wrong. Not: matched receives (MPI_MESSAGE_NO_PROC).
BUFFER_CLASSES = {"send", "isend", "send_init", "recv", "irecv", "recv_init", "sendrecv", "coll", "icoll",
                  "coll_init", "put", "get", "acc", "rput", "rget", "racc"}
COLLECTIVES = {"coll", "icoll", "coll_init"}
# What a function makes (out) or frees (inout), by role: the X of mck_new_X and mck_old_X. The other classes' hooks do that themselves.
OBJECTS = {"newcomm": "comm", "newgroup": "group", "newtype": "type", "newtype2": "type", "newtypes": "types",
           "newop": "op", "newwin": "win", "newinfo": "info", "newfile": "file", "newerrhandler": "errhandler",
           "newkeyval": "keyval", "newmemory": "memory", "oldmemory": "memory", "request": "request",
           "message": "message"}
OBJECT_CLASSES = {"local", "file_coll"}
# The null handle that @null allows, by check.
NULLS = {"info": "MPI_INFO_NULL", "file": "MPI_FILE_NULL"}
KNOWN = {"MPI_Comm": "comm", "MPI_Datatype": "type", "MPI_Win": "win", "MPI_Group": "group", "MPI_Op": "op",
         "MPI_File": "file", "MPI_Info": "info", "MPI_Errhandler": "errhandler", "MPI_Message": "message",
         "MPI_Request": "request"}
COMPLETIONS = {"wait", "waitany", "waitall", "waitsome", "test", "testany", "testall", "testsome", "request_free",
               "cancel"}
# On the way of a message; of those, the classes that send and receive one at once, and the fields of struct mck_args that their hooks and checks look at beside
# those that the function has.
HOT = {"send", "recv", "isend", "irecv", "wait", "test", "waitall", "iprobe"}
UNZEROED = {"send": ["win"], "recv": ["win"], "isend": ["win"], "irecv": ["win"], "wait": [], "test": [], "waitall": [], "iprobe": [],
            "coll": ["sendbuf", "recvbuf", "sendcount", "recvcount", "sendtype", "recvtype", "sendcounts", "recvcounts", "sendtypes", "recvtypes",
                     "op", "win", "dest", "source"]}
# Messages: one look says that these checks have nothing to say (record/call.c); only where it does not are they made one by one.
PLAIN_CHECKS = {"count", "commtype", "dest", "source", "sendtag", "recvtag", "comm"}
PLAIN_CLASSES = {"send": ("dest", "sendtag", "sendtype", "sendcount"), "isend": ("dest", "sendtag", "sendtype", "sendcount"),
                 "recv": ("source", "recvtag", "recvtype", "recvcount"), "irecv": ("source", "recvtag", "recvtype", "recvcount")}
# Hooks may put an object of their own in the place of these (a status to look into, a request array).
PASSED_BY_ARGS = ("request", "requests", "status", "statuses")
# Results that the caller must give room for, when they come out of the call.
RESULTS = {"newcomm", "newgroup", "newwin", "newtype", "newtype2", "newop", "newinfo", "newfile", "newerrhandler",
           "newkeyval", "message", "attribute", "memory", "newmemory", "base"}


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
    return [check for parameter in function.parameters for check in checks_of_parameter(function, parameter)]


def checks_of_parameter(function, parameter):
    role = parameter.roles[0]
    is_buffer = role.name in ("sendbuf", "recvbuf") and function.kind in BUFFER_CLASSES
    checks = []
    if is_buffer:
        where = ("MCK_IN_PLACE_AT_ROOT" if parameter.role_named("rootinplace") else
                 "MCK_IN_PLACE_ALLOWED" if parameter.role_named("inplace") else "MCK_IN_PLACE_NEVER")
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
        if name in ("sendbuf", "recvbuf") and not function.has(name[:4] + "count") and name[:4] + "count" not in function.constants:
            name, more_of_role = buffer_of_counts(function, name[:4])
        condition = " && ".join(c for c in (significance(function, parameter), condition_of(function, parameter, name)) if c)
        checks.append(Check(name, parameter, condition, more_of_role))
    return checks


def buffer_of_counts(function, side):
    """The check of a buffer whose count is an array, or that of the other side (MPI_Reduce_scatter and its kin)."""
    if not function.has(side + "counts"):
        side = "recv"
    counts = function.parameter_of(side + "counts")
    if not counts:   # MPI_Reduce_scatter_block
        return "buffer", [function.parameter_of("recvcount").name, function.parameter_of("recvtype").name]
    length = f"mck_{counts.argument}(&a)"
    types = function.parameter_of(side + "types")
    return ("buffer_w" if types else "buffer_v"), [counts.name, length, (types or function.parameter_of(side + "type")).name]


def significance(function, parameter):
    """At which rank the parameter counts, as a C expression; "" for all."""
    if parameter.mark == "root":
        return "mck_is_root(&a)"
    if parameter.mark == "leader":
        return f"mck_is_rank(&a, {function.parameter_of('rank').name})"
    return ""


def condition_of(function, parameter, check):
    """When the parameter is significant, as a C expression; "" for always. Marks in the table say the rest."""
    conditions = []
    if parameter.mark == "null" and check in NULLS:
        conditions.append(f"{parameter.name} != {NULLS[check]}")
    if function.kind in COLLECTIVES and check in ("sendbuf", "recvbuf", "buffer_v", "buffer_w", "count", "counts", "commtype", "commtypes", "array", "op"):
        # Beside the root of an intercommunicator's root group nothing is significant (MPI_ROOT, MPI_PROC_NULL:
        # MPI-3.1 5.2.3); in the other group root is a rank.
        if function.has("root") and not parameter.mark:
            conditions.append(function.parameter_of("root").name + " >= 0")
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
    # With MPI_NO_OP the origin is ignored (MPI-3.1 11.3.4).
    if function.kind in ("acc", "racc") and function.has("recvbuf") and function.has("op"):
        if [role.name for role in parameter.roles] in (["sendbuf"], ["sendcount"], ["sendtype"]):
            conditions.append(function.parameter_of("op").name + " != MPI_NO_OP")
    return " && ".join(conditions)


def is_freed(parameter):
    """Does the function free what the parameter names?"""
    role = parameter.roles[0].name
    return role == "oldmemory" or (parameter.direction == "inout" and role in OBJECTS and role != "request")


def frees(function):
    """Calls before the function: of the objects that it frees."""
    if function.kind not in OBJECT_CLASSES:
        return []
    calls = [f'mck_old_{OBJECTS[p.roles[0].name]}(&call, "{p.name}", {p.name});' for p in function.parameters if is_freed(p)]
    return calls + ["mck_going(&call);"] if calls else []


def makes(function):
    """Calls after the function succeeded: of the objects that it made, and what it freed."""
    if function.result in KNOWN:
        return [f"mck_known_{KNOWN[function.result]}(rc);"]
    if function.kind not in OBJECT_CLASSES:
        return []
    gone = ["mck_gone(&call, rc);"] if frees(function) else []
    calls = []
    for p in function.parameters:
        kind = OBJECTS.get(p.roles[0].name)
        if not kind or p.direction != "out":
            continue
        more = ""
        if kind == "types":
            more = ", " + function.parameter_of("type").name
        elif kind == "keyval":  # the second callback deletes (MPI-3.1 6.7.2)
            more = ", (void (*)(void))" + [q.name for q in function.parameters if q.role_named("callback")][1]
        calls.append(f"mck_new_{kind}(&call, {p.name}{more});")
    return gone + [f"if (rc == MPI_SUCCESS) {call}" for call in calls]


def object_flags(function):
    """For what happens within another call (record/call.c)."""
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
    if not function.has("root") and "root" not in function.constants:
        fields.append(".root = -1000")
    return ", ".join(fields)


def wrapper(function):
    checks = checks_of(function)
    is_local = function.kind == "local"
    needs_args = not is_local or any(check.needs_args for check in checks)
    args = "&a" if needs_args else "&no_args"
    given = arguments(function)
    passed = ", ".join(
        "a." + p.roles[0].name if not is_local and p.roles[0].name in PASSED_BY_ARGS else p.name
        for p in function.parameters if not p.is_variadic())
    out = [f"{'MCK_HOT ' if function.kind in HOT else ''}MCK_EXPORT {prototype(function)} {{",
           "  struct mck_call call;",
           f"  if (!mck_call_enter(&call, MCK_FN_{function.name}, __builtin_return_address(0), "
           "__builtin_frame_address(0)))",
           f"    return P{function.name}({given});"]
    if needs_args:
        if function.kind in UNZEROED:  # field by field: on the way of a message each store counts
            out.append("  struct mck_args a;")
            out += [f"  a{field};" for field in args_initializer(function).split(", ")]
            out += [f"  a.{field} = 0;" for field in UNZEROED[function.kind] if not function.has(field)]
        else:
            out.append(f"  struct mck_args a = {{{args_initializer(function)}}};")
    if function.kind in PLAIN_CLASSES:
        names = ", ".join(function.parameter_of(role).name for role in ("comm",) + PLAIN_CLASSES[function.kind])
        out.append(f"  if (!mck_is_plain_message(&call, {names})) {{")
        out += ["  " + check.code() for check in checks if check.name in PLAIN_CHECKS]
        out.append("  }")
        checks = [check for check in checks if check.name not in PLAIN_CHECKS]
    out += [check.code() for check in checks]
    out += ["  " + call for call in frees(function)]
    if not is_local:
        out.append(f"  mck_{function.kind}_before(&call, &a);")
    space = "" if function.result.endswith("*") else " "
    out.append(f"  {function.result}{space}rc = P{function.name}({passed});")
    if not is_local:
        out.append(f"  mck_{function.kind}_after(&call, &a, rc);")
    out += ["  " + call for call in makes(function)]
    rc = "rc" if function.result == "int" else "MPI_SUCCESS"
    out += [f"  mck_call_leave(&call, {args}, {rc});", "  return rc;", "}"]
    return "\n".join(out) + "\n"


def fns_h(table):
    classes = "".join(f"  MCK_CLASS_{name},\n" for name in table.classes)
    functions = "".join(f"  MCK_FN_{f.name},\n" for f in table.functions)
    return (HEAD + "#pragma once\n#include <stdbool.h>\n#include <stdint.h>\n\n"
            "// The treatment class (MCK_CLASSES in record/hooks.h; local: nothing but the call itself).\n"
            f"enum mck_fn_class {{\n{classes}  MCK_CLASS_COUNT\n}};\n\n"
            f"enum mck_fn {{\n{functions}  MCK_FN_COUNT\n}};\n\n"
            "extern const char *const mck_fn_names[];    // [fn]: \"MPI_Send\"\n"
            "extern const uint8_t mck_fn_classes[];      // [fn]: enum mck_fn_class\n"
            "extern const bool mck_fn_is_anytime[];      // [fn]: legal before MPI_Init and after MPI_Finalize\n"
            "extern const char *const mck_class_names[]; // [class]: \"send\"\n\n"
            "// What a function does to objects.\n"
            "enum { MCK_FN_MAKES = 1, MCK_FN_FREES = 2, MCK_FN_MAKES_REQUEST = 4, MCK_FN_COMPLETES = 8 };\n"
            "extern const uint8_t mck_fn_objects[];      // [fn]: those\n")


def fns_c(table):
    def array(declaration, items):
        return f"{declaration} = {{\n" + "".join(f"  {item},\n" for item in items) + "};\n"
    names = array("const char *const mck_fn_names[MCK_FN_COUNT]", [f'"{f.name}"' for f in table.functions])
    classes = array("const uint8_t mck_fn_classes[MCK_FN_COUNT]",
                    [f"[MCK_FN_{f.name}] = MCK_CLASS_{f.kind}" for f in table.functions])
    anytime = array("const bool mck_fn_is_anytime[MCK_FN_COUNT]",
                    [f"[MCK_FN_{f.name}] = true" for f in table.functions if f.is_anytime] or ["false"])
    class_names = array("const char *const mck_class_names[MCK_CLASS_COUNT]", [f'"{name}"' for name in table.classes])
    objects = array("const uint8_t mck_fn_objects[MCK_FN_COUNT]",
                    [f"[MCK_FN_{f.name}] = {object_flags(f)}" for f in table.functions if object_flags(f)] or ["0"])
    return "\n".join([HEAD + '#include "api/fns.h"\n', names, classes, anytime, class_names, objects])


def mpi_fns_inc(table):
    return HEAD + "".join(f"MCK_FN({f.name}, {f.kind})\n" for f in table.functions)


def wrappers_c(functions):
    return (HEAD + REMOVED + '#include "record/hooks.h"\n\n'
            "// Deprecated functions are wrapped like any other.\n"
            '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
            "__attribute__((unused)) static const struct mck_args no_args = {.root = -1000};\n\n"
            + "\n".join(wrapper(f) for f in functions))


def audit_c(table, path):
    rows = []
    for f in table.functions:
        types = ", ".join("..." if p.is_variadic() else p.ctype for p in f.parameters) or "void"
        rows.append(f"_Static_assert(__builtin_types_compatible_p(__typeof__(&{f.name}), {f.result} (*)({types})),\n"
                    f'               "{path}:{f.line}: mpi.h declares {f.name} with another type");\n')
    return (HEAD + REMOVED + '#include "record/hooks.h"\n\n'
            '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
            "// The classes of the table and those that have hooks are the same.\n"
            "#define MCK_ONE(name) _Static_assert(MCK_CLASS_##name != MCK_CLASS_local, #name);\n"
            "MCK_CLASSES(MCK_ONE)\n#undef MCK_ONE\n#define MCK_ONE(name) +1\n"
            '_Static_assert(MCK_CLASS_COUNT == 1 MCK_CLASSES(MCK_ONE), "a class of the table has no hooks");\n'
            "#undef MCK_ONE\n\n" + "".join(rows))


def coverage_md(table):
    special = [f for f in table.functions if f.kind != "local"]
    out = [f"<!-- {LICENCE} -->", "<!-- Generated from rt/api/mpi.txt by rt/api/generate.py. -->",
           "# What is checked and recorded of each MPI function", "",
           f"{len(table.functions)} functions, all of them wrapped: every call is counted, its place is known to the",
           f"reports, and a failing return code is seen. {len(special)} belong to a class that records more.", "",
           "## Classes", "", "| class | functions | what a call leaves behind |", "|---|---|---|"]
    for name, text in table.classes.items():
        out.append(f"| {name} | {sum(f.kind == name for f in table.functions)} | {text} |")
    out += ["", "## Functions", "",
            "Checked arguments are named with their check (`datatype: type`); what counts only at one rank is checked",
            "there. `docs/checks/` says what each check means. Calls of Fortran code (mpif.h, use mpi, use mpi_f08) come to the",
            "same checks (docs/design/fortran.md); for those whose notes say \"Fortran: handles\" Open MPI's binding does the work",
            "itself, and only the handles among the arguments are checked.", "",
            "| function | class | checked arguments | notes |", "|---|---|---|---|"]
    for f in sorted(table.functions, key=lambda f: f.name.lower()):
        checks = ", ".join(f"{c.parameter.name}: {c.name}" for c in checks_of(f) if c.name != "in_place") or "-"
        notes = []
        if f.is_anytime:
            notes.append("may be called at any time")
        if f.is_removed:
            notes.append("removed in MPI-3.0")
        if not has_binding(f):
            notes.append("no Fortran binding" if f.result == "int" or f.name.endswith(("_c2f", "_f2c")) else "Fortran: not wrapped")
        elif f.name in DIRECT:
            notes.append("Fortran: handles")
        at_root = [p.name for p in f.parameters if p.mark == "root"]
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
        table = mpi_table.read(argv[1])
    except (mpi_table.TableError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"generate.py: {error}")
    directory = os.path.join(argv[2], "api")
    os.makedirs(directory, exist_ok=True)
    write(directory, "fns.h", fns_h(table))
    write(directory, "fns.c", fns_c(table))
    write(directory, "mpi_fns.inc", mpi_fns_inc(table))
    count = len(table.functions)
    for i in range(WRAPPER_FILES):
        part = table.functions[i * count // WRAPPER_FILES:(i + 1) * count // WRAPPER_FILES]
        write(directory, f"wrappers-{i}.c", wrappers_c(part))
    write(directory, "audit.c", audit_c(table, os.path.basename(argv[1])))
    write(directory, "coverage.md", coverage_md(table))


if __name__ == "__main__":
    main(sys.argv)
