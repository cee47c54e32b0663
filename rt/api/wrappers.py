# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of the exported wrappers (generate.py). Their shape is that of the head of record/hooks.h."""
import given
from buffers import OBJECT_CLASSES, uses
from checks import checks_of
from output import HEAD, REMOVED

WRAPPER_FILES = 8
WHERE = "__builtin_return_address(0), __builtin_frame_address(0)"

# What a function makes (out) or frees (inout), by role: the X of mck_new_X and mck_old_X. Hooks of other classes do
# that
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

# HOT: classes on the path of a message. UNZEROED: classes that send or receive at once, with the fields of struct
# mck_args
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

# Messages: one look says that these checks have nothing to say (record/check/check-message.c); only where it does not
# are they made one by one.
PLAIN_CHECKS = {"count", "sendtype", "recvtype", "dest", "source", "sendtag", "recvtag", "comm"}

# Answers that are checked at once, with option flow: what is kept before the call, and the check behind it.
ANSWERS = {
    "MPI_Get_count": ("", "mck_content_check_count(&call, status, datatype, *count)"),
    "MPI_Get_elements": ("", "mck_content_check_elements(&call, status, datatype, *count)"),
    "MPI_Get_elements_x": ("", "mck_content_check_elements(&call, status, datatype, *count)"),
    "MPI_Pack": (
        "  int from = position ? *position : 0;",
        "mck_content_check_packed(&call, inbuf, incount, datatype, outbuf, from, *position)",
    ),
    "MPI_Unpack": (
        "  int from = position ? *position : 0;",
        "mck_content_check_packed(&call, outbuf, outcount, datatype, inbuf, from, *position)",
    ),
}

# Classes whose buffers have a content that is recorded with option flow (record/content).
CONTENT = {
    "send",
    "isend",
    "recv",
    "irecv",
    "sendrecv",
    "mrecv",
    "imrecv",
    "probe",
    "iprobe",
    "mprobe",
    "improbe",
    "send_init",
    "recv_init",
    "start",
    "startall",
    "coll",
    "icoll",
    "put",
    "get",
    "acc",
    "rput",
    "rget",
    "racc",
}

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

# Calls with which one look mostly finds nothing wrong: the X of mck_plain_X_begin, and its arguments beside the call
# and its place (record/p2p/plain-*.h,
# record/collective/plain-collective.h, record/rma/plain-operation.h).
PLAIN = {
    "MPI_Send": ("send", "buf, count, datatype, dest, tag, comm"),
    "MPI_Isend": ("isend", "buf, count, datatype, dest, tag, comm"),
    "MPI_Recv": ("recv", "buf, count, datatype, source, tag, comm"),
    "MPI_Irecv": ("irecv", "buf, count, datatype, source, tag, comm"),
    "MPI_Wait": ("wait", ""),
    "MPI_Barrier": ("barrier", ""),
    "MPI_Bcast": ("bcast", ""),
    "MPI_Allreduce": ("allreduce", ""),
    "MPI_Put": ("put", ""),
    "MPI_Get": ("get", ""),
    "MPI_Accumulate": ("accumulate", ""),
    "MPI_Win_flush": ("flush", ""),
    "MPI_Win_flush_local": ("flush", ""),
}

# Hooks may put an object of their own in the place of these (a status to look into, a request array), or another
# message's
# source and tag (record/replay/replay.h), or another handle of the same request (record/replay/persistent-wildcard.h).
PASSED_BY_ARGS = ("request", "requests", "requestvalue", "status", "statuses", "source", "recvtag")

ERROR_HANDLERS = {
    "MPI_Comm_errhandler_function *": "comm",
    "MPI_Handler_function *": "comm",
    "MPI_Win_errhandler_function *": "win",
    "MPI_File_errhandler_function *": "file",
}

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


def fill_args(function):
    """struct mck_args, field by field on the way of a message: there each store counts."""
    if function.kind not in UNZEROED:
        return [f"  struct mck_args a = {{{args_initializer(function)}}};"]
    out = ["  struct mck_args a;"] + [f"  a{field};" for field in args_initializer(function).split(", ")]
    return out + [f"  a.{field} = 0;" for field in UNZEROED[function.kind] if not function.has(field)]


def plain(function, kept):
    """The quick way of a call with which nothing is wrong. kept: where its arguments are kept."""
    name, more = PLAIN[function.name]
    return [
        f"  if (mck_plain_{name}_begin(&call, MCK_FN_{function.name}, {kept}, {WHERE}{more and ', '}{more})) {{",
        f"    int rc = P{function.name}({arguments(function)});",
        f"    mck_plain_{name}_end(&call, {kept}, rc);",
        "    return rc;",
        "  }",
    ]


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
        result = "struct mck_request *quick" if end.startswith("quick") else "bool is_quick"
        out += [
            f"  {result} = mck_quick_{function.kind}_begin({begin}, {WHERE});",
            f"  if ({result.split()[-1].lstrip('*')}) {{",
            f"    int rc = P{function.name}({given});",
            f"    mck_quick_{function.kind}_end({end}, rc, {WHERE});",
            "    return rc;",
            "  }",
        ]
    out.append("  struct mck_call call;")
    enter = [
        f"  if (!mck_call_enter(&call, MCK_FN_{function.name}, {WHERE}))",
        f"    return P{function.name}({given});",
    ]
    fill = fill_args(function) if needs_args else []
    *keep, point = keep_given(function)
    if function.name not in PLAIN:
        out += enter + fill + keep + [point]
    elif function.kind in HOT:
        out += fill + plain(function, "&a") + enter + [point]
    else:
        out += keep + plain(function, "given") + enter + fill + [point]
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
        out.append("  if (mck_strands_are_several()) mck_strands_before(&call, &a);")
        out.append(f"  mck_{function.kind}_before(&call, &a);")
        if function.kind in CONTENT:
            out.append("  if (MCK_UNLIKELY(mck_content_is_on)) mck_content_before(&call, &a);")
    before, answer = ANSWERS.get(function.name, ("", ""))
    out += [before] if before else []
    space = "" if function.result.endswith("*") else " "
    out.append(f"  {function.result}{space}rc = P{function.name}({passed});")
    if not is_local:
        out.append(f"  mck_{function.kind}_after(&call, &a, rc);")
        if function.kind in CONTENT:
            out.append("  if (MCK_UNLIKELY(mck_content_is_on)) mck_content_after(&call, &a, rc);")
    if answer:
        out.append(f"  if (MCK_UNLIKELY(mck_content_is_on) && rc == MPI_SUCCESS) {answer};")
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
    """One of our handlers gets the error first and calls the user's error handler (record/error/error-handler.c). One
    of our operations is called first, and calls the user's (record/collective/user-op.c)."""
    if parameter.ctype == "MPI_User_function *":
        return f"mck_user_op_pass(&call, {parameter.name}, commute)"
    kind = ERROR_HANDLERS.get(parameter.ctype)
    return f"mck_handler_{kind}({parameter.name})" if kind else parameter.name


def wrappers_c(functions):
    return (
        HEAD + REMOVED + '#include "record/hooks.h"\n\n'
        "// Deprecated functions are wrapped like any other.\n"
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
        "__attribute__((unused)) static const struct mck_args no_args = {.root = -1000};\n\n"
        + "\n".join(wrapper(f) for f in functions)
    )
