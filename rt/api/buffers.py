# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bytes of a function's buffers: what its wrapper passes to record/buffer/buffer-bytes.c."""
from significance import condition_of, significance

# Classes where a null buffer with a positive count is wrong. It is not for matched receives (MPI_MESSAGE_NO_PROC).
BUFFER_CLASSES = {
    "send",
    "isend",
    "send_init",
    "recv",
    "irecv",
    "recv_init",
    "sendrecv",
    "coll",
    "icoll",
    "coll_init",
    "put",
    "get",
    "acc",
    "rput",
    "rget",
    "racc",
}
OBJECT_CLASSES = {"local", "outside", "file_coll", "file_open", "file_close", "file"}
# The count of a collective's buffer holds for each of so many ranks (MPI-3.1 5.5 to 5.8, 7.6), by flow and side.
TIMES = {
    ("gather", "recv"): "peers",
    ("scatter", "send"): "peers",
    ("all_gather", "recv"): "peers",
    ("all_to_all", "send"): "peers",
    ("all_to_all", "recv"): "peers",
    ("neighbor_all_gather", "recv"): "sources",
    ("neighbor_all_to_all", "send"): "destinations",
    ("neighbor_all_to_all", "recv"): "sources",
}
# Classes that receive a message, which may be shorter than the buffer.
UP_TO = {"recv", "irecv", "recv_init", "sendrecv", "mrecv", "imrecv"}
# Classes whose buffers are still in use when the call has returned.
KEPT = {"isend", "send_init", "irecv", "recv_init", "imrecv", "icoll", "coll_init", "put", "get", "acc"}


def flow(function):
    return function.row.value("flow")


def pieces_of(function, side):
    """The suffix of mck_use (_v, _w, ...) for a buffer, and its arguments."""
    in_place = "sendbuf == MPI_IN_PLACE"
    type_of = function.parameter_of(side + "type")
    if flow(function) == "reduce_scatter":  # the input is all of it; MPI_IN_PLACE: it is in the receive buffer
        counts, count = function.parameter_of("recvcounts"), function.parameter_of("recvcount")
        whole = f"mck_sum({counts.name}, mck_members(&a))" if counts else f"(MPI_Aint){count.name} * mck_members(&a)"
        own = f"mck_own(&a, {counts.name})" if counts else count.name
        return "", [whole if side == "send" else f"{in_place} ? {whole} : {own}", type_of.name]
    counts = function.parameter_of(side + "counts")
    if counts:
        types = function.parameter_of(side + "types")
        displs = function.parameter_of(side + "displs")
        which = ("_wide" if "MPI_Aint" in displs.ctype else "_w") if types else "_v"
        return which, [counts.name, displs.name, f"mck_{counts.argument}(&a)", (types or type_of).name]
    count = function.parameter_of(side + "count")
    count = count.name if count else str(function.constants[side + "count"])
    length = TIMES.get((flow(function), side))
    if length in ("sources", "destinations"):
        return "_blocks", [count, f"mck_{length}(&a)", type_of.name]
    return "", [f"(MPI_Aint){count} * mck_{length}(&a)" if length else count, type_of.name]


def is_used(function, parameter):
    """Whether it is a buffer whose bytes are known."""
    role = parameter.roles[0].name
    if function.result != "int":
        return False
    if role in ("sendbuf", "recvbuf"):
        return function.kind in BUFFER_CLASSES | {"mrecv", "imrecv"}
    return role in ("inbuf", "outbuf") and bool(parameter.argument) or role == "base" and bool(parameter.argument)


def is_up_to(function, parameter):
    """Whether the received data may be shorter than the buffer."""
    role = parameter.roles[0].name
    if role == "recvbuf":
        return function.kind in UP_TO
    return role == "outbuf" and function.row.value("file_access") == "read"


def is_whole(function, parameter):
    """Whether a local function (MPI_Pack, MPI_Reduce_local) uses all of it. Of packed data that is not known: its
    buffer begins at the position, and others may use the rest."""
    return function.kind == "local" and not parameter.argument.endswith("MPI_BYTE")


def uses(function):
    """The memory that the call reads and writes (record/buffer/buffer-bytes.c), when the checks found nothing."""
    buffers = [p for p in function.parameters if is_used(function, p)]
    keeps = function.kind in KEPT or bool(buffers) and function.has("request")
    # Readers of call.nuses: mck_used, and what begins a request with the call's buffers (mck_new_request).
    is_remembered = (
        len(buffers) > 1
        or function.kind in ("icoll", "icomm_new")
        or function.kind in OBJECT_CLASSES
        and function.has("request")
    )
    out = ["  call.nuses = 0;"] if is_remembered else []
    if not buffers:
        return out
    is_only = not is_remembered
    for p in buffers:
        role = p.roles[0].name
        index = function.parameters.index(p)
        conditions = [c for c in (significance(function, p), condition_of(function, p, "sendbuf")) if c]
        both = p.role_named("sendbuf") and p.role_named("recvbuf")
        written = "MCK_USE_WRITTEN" if p.direction != "in" or both else "0"
        if role in ("sendbuf", "recvbuf"):
            which, more = pieces_of(function, role[:4])
            peers = {"sendbuf": function.parameter_of("dest"), "recvbuf": function.parameter_of("source")}
            peers = [q.name for q in (peers[role], both and peers["sendbuf"]) if q]
            if function.has("target"):
                peers = [function.parameter_of("target").name]
            if peers:
                somebody = " || ".join(f"{q} != MPI_PROC_NULL" for q in peers)
                conditions.append(somebody)
            if both:
                reads = "mck_is_root(&a)" if function.has("root") else f"{peers[0]} == MPI_PROC_NULL"
                written = f"({reads} ? 0 : MCK_USE_WRITTEN)"
            if flow(function) == "neighbor_all_gather" and role == "sendbuf":
                conditions.append("mck_is_sending(&a)")
            if flow(function) == "exscan" and role == "recvbuf":  # undefined on rank 0 (MPI-3.1 5.11.2)
                conditions.append("mck_peers(&a) > 0 && !mck_is_rank(&a, 0)")
        else:
            which, more = "", p.argument.split(",")
            conditions += [c for c in (condition_of(function, p, "buffer"),) if c and function.has("target")]
            if role == "base":
                more, written = more + ["MPI_BYTE"], "0"
                # A window may be made of memory that an operation is using: nothing is read yet.
                keeps = function.kind != "attach"
        kept = "MCK_USE_KEPT" if keeps else ""
        up_to = "MCK_USE_UP_TO" if is_up_to(function, p) else ""
        only = "MCK_USE_ONLY" if is_only or is_whole(function, p) else ""
        flags = [flag for flag in (written, kept, only, up_to) if flag and flag != "0"]
        value = ", ".join(["&call", f'"{p.name}"', str(index), p.name] + more + [" | ".join(flags) or "0"])
        when = f"if ({' && '.join(conditions)}) " if conditions else ""
        out.append(f"  {when}mck_use{which}({value});")
    if len(buffers) > 1 and function.kind != "local":
        out.append(f"  if (call.nuses) mck_used(&call, {'MCK_USE_KEPT' if keeps else '0'});")
    return out
