# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py KIND [dynamic]: a C program for three ranks in which each case is two accesses to one place of rank 0's
window, under one kind of
synchronization, with what is to be found (cases.py --all compares). dynamic: of memory that rank 0 attaches to a
dynamic window. What may meet what is MPI-3.1 11.7, written out here once more."""
import re
import sys

INT = "1, MPI_INT, 0, at, 1, MPI_INT"
OPERATIONS = {
    "put": f"MPI_Put(&x[0], {INT}, win)",
    "get": f"MPI_Get(&x[1], {INT}, win)",
    "sum": f"MPI_Accumulate(&x[2], {INT}, MPI_SUM, win)",
    "prod": f"MPI_Accumulate(&x[3], {INT}, MPI_PROD, win)",
    "fop": "MPI_Fetch_and_op(&x[4], &x[5], MPI_INT, 0, at, MPI_SUM, win)",
    "noop": "MPI_Fetch_and_op(NULL, &x[6], MPI_INT, 0, at, MPI_NO_OP, win)",
    "cas": "MPI_Compare_and_swap(&x[7], &x[8], &x[9], MPI_INT, 0, at, win)",
    "gacc": f"MPI_Get_accumulate(&x[10], 1, MPI_INT, &x[11], {INT}, MPI_SUM, win)",
    "load": "x[12] = memory[3]",
    "store": "memory[3] = 7",
}
REQUESTS = {
    "put": f"MPI_Rput(&x[0], {INT}, win, &request)",
    "get": f"MPI_Rget(&x[1], {INT}, win, &request)",
    "sum": f"MPI_Raccumulate(&x[2], {INT}, MPI_SUM, win, &request)",
    "prod": f"MPI_Raccumulate(&x[3], {INT}, MPI_PROD, win, &request)",
    "gacc": f"MPI_Rget_accumulate(&x[10], 1, MPI_INT, &x[11], {INT}, MPI_SUM, win, &request)",
}
ACCUMULATES = ("sum", "prod", "fop", "noop", "cas", "gacc")
READS = ("get", "noop", "load")
LOCAL = ("load", "store")


def verdict(a, b, is_same):
    """What two unordered accesses are."""
    if a in READS and b in READS:
        return None
    if a in ACCUMULATES and b in ACCUMULATES:
        if is_same or "cas" in (a, b) or "noop" in (a, b):
            return None
        return "rma.atomicity" if "prod" in (a, b) and a != b else None
    if (a in ACCUMULATES or b in ACCUMULATES) and not (a in LOCAL or b in LOCAL):
        return "rma.atomicity"
    return "rma.race"


TWO_ORIGINS = [
    ("put", "put"),
    ("put", "get"),
    ("get", "put"),
    ("put", "sum"),
    ("get", "sum"),
    ("sum", "sum"),
    ("sum", "prod"),
    ("sum", "fop"),
    ("fop", "cas"),
    ("put", "cas"),
    ("get", "get"),
    ("gacc", "prod"),
    ("noop", "sum"),
    ("gacc", "get"),
    ("noop", "get"),
    ("cas", "cas"),
]
ONE_ORIGIN = [
    ("put", "put"),
    ("put", "get"),
    ("get", "put"),
    ("sum", "sum"),
    ("sum", "prod"),
    ("get", "get"),
    ("put", "fop"),
    ("get", "cas"),
]
WITH_TARGET = [
    ("put", "load"),
    ("put", "store"),
    ("get", "store"),
    ("get", "load"),
    ("sum", "load"),
    ("sum", "store"),
    ("fop", "load"),
    ("gacc", "store"),
    ("load", "put"),
    ("store", "get"),
    ("store", "put"),
    ("load", "sum"),
]

lines, count = [], 0


def emit(text):
    lines.append(text)


def at(rank, access, case, table=OPERATIONS, is_second=False):
    """The second access has buffers of its own: two operations of one origin may not share them."""
    statement = table[access].replace("&x[", "&y[") if is_second else table[access]
    emit(f"  if (rank == {rank}) {statement};   // @{case}")


# Each gives the statements of one case; first and second are (rank, access). is_race: leave out what orders them.
def fence(case, first, second, is_race):
    emit("  MPI_Win_fence(0, win);")
    at(*first, case)
    if not is_race:
        emit("  MPI_Win_fence(0, win);")
    at(*second, case, is_second=True)
    emit("  MPI_Win_fence(0, win);")


def exposed(*accesses):
    """An epoch of start and complete at the origins, of post and wait at rank 0."""
    emit("  if (!rank) MPI_Win_post(origins, 0, win);")
    emit("  if (rank) MPI_Win_start(target, 0, win);")
    for i, (case, access) in enumerate(accesses):
        at(*access, case, is_second=i > 0)
    emit("  if (rank) MPI_Win_complete(win);")
    emit("  if (!rank) MPI_Win_wait(win);")


def pscw(case, first, second, is_race):
    if is_race:
        exposed((case, first), (case, second))
    else:
        exposed((case, first))
        exposed((case, second))


def locked(case, access, kind, is_second=False):
    # The target locks its own memory to load and store there (11.5.3).
    rank = access[0]
    emit(f"  if (rank == {rank}) MPI_Win_lock({kind}, 0, 0, win);")
    at(*access, case, is_second=is_second)
    emit(f"  if (rank == {rank}) MPI_Win_unlock(0, win);")


def shared(case, first, second, is_race):
    if is_race and first[0] == second[0]:
        emit(f"  if (rank == {first[0]}) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);")
        at(*first, case)
        at(*second, case, is_second=True)
        emit(f"  if (rank == {first[0]}) MPI_Win_unlock(0, win);")
        return
    locked(case, first, "MPI_LOCK_SHARED")
    if not is_race:
        emit("  MPI_Barrier(MPI_COMM_WORLD);")
    locked(case, second, "MPI_LOCK_SHARED", True)


def exclusive(case, first, second, is_race):
    """Race: the second does not lock, or (an operation) locks another target, too late for the first."""
    if first[0] == second[0]:
        shared(case, first, second, is_race)
    elif not is_race:
        locked(case, first, "MPI_LOCK_EXCLUSIVE")
        locked(case, second, "MPI_LOCK_EXCLUSIVE" if case % 2 else "MPI_LOCK_SHARED", True)
    elif second[1] in LOCAL:
        locked(case, first, "MPI_LOCK_EXCLUSIVE")
        at(*second, case, is_second=True)
    elif first[1] in LOCAL:
        at(*first, case)
        locked(case, second, "MPI_LOCK_EXCLUSIVE", True)
    else:
        # MPI_MODE_NOCHECK takes no lock (11.5.5), and is not true here.
        locked(case, first, "MPI_LOCK_EXCLUSIVE")
        emit(f"  if (rank == {second[0]}) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win);   // @{case}")
        at(*second, case, is_second=True)
        emit(f"  if (rank == {second[0]}) MPI_Win_unlock(0, win);")


def flush(case, first, second, is_race, table=OPERATIONS):
    """Race, by turns: no flush before the barrier, no barrier behind the flush, MPI_Win_flush_local instead."""
    emit("  MPI_Win_lock_all(0, win);")
    at(*first, case, table if first[1] in table else OPERATIONS)
    if table is REQUESTS and first[1] in table:
        emit(f"  if (rank == {first[0]}) MPI_Wait(&request, MPI_STATUS_IGNORE);")
    way = case % 3 if is_race else 3
    is_one = first[0] == second[0]
    brings = first[1] in ("get", "fop", "noop", "cas", "gacc")
    if table is REQUESTS and is_race and brings and not is_one:
        way = 1  # what came back is over
    if way == 2 and brings:
        way = 0
    if way == 1 and not is_one or way == 3:
        emit(f"  if (rank == {first[0]}) MPI_Win_flush{'_all' if case % 2 else ''}({'' if case % 2 else '0, '}win);")
    if way == 2:
        emit(f"  if (rank == {first[0]}) MPI_Win_flush_local(0, win);")
    if way != 1 and not (is_one and is_race) and first[1] not in LOCAL or way == 3:
        emit("  MPI_Barrier(MPI_COMM_WORLD);")
    at(*second, case, table if second[1] in table else OPERATIONS, is_second=True)
    if table is REQUESTS and second[1] in table:
        emit(f"  if (rank == {second[0]}) MPI_Wait(&request, MPI_STATUS_IGNORE);")
    emit("  MPI_Win_unlock_all(win);")


def request(case, first, second, is_race):
    flush(case, first, second, is_race, REQUESTS)


KINDS = {"fence": fence, "pscw": pscw, "shared": shared, "exclusive": exclusive, "flush": flush, "request": request}


def make(kind):
    global count
    for pairs, ranks in ((TWO_ORIGINS, (1, 2)), (ONE_ORIGIN, (1, 1)), (WITH_TARGET, (1, 0))):
        for a, b in pairs:
            if kind == "request" and a not in REQUESTS and a not in LOCAL:
                continue
            for is_race in (True, False):
                count += 1
                first = (0 if a in LOCAL else ranks[0], a)
                second = (0 if b in LOCAL else 1 if a in LOCAL else ranks[1], b)
                found = verdict(a, b, ranks == (1, 1)) if is_race else None
                if kind == "request" and is_race and ranks == (1, 1) and a == "get":
                    found = None  # over with its request
                is_lie = kind == "exclusive" and is_race and first[0] != second[0] and not {a, b} & set(LOCAL)
                ids = " ".join(filter(None, (found, is_lie and "arg.assert"))) or "ok"
                begin = len(lines)
                emit(f"// case {count}: {ids} ({a} of rank {first[0]}, {b} of rank {second[0]})")
                emit(f"static void case_{count}(void) {{")
                emit("  open_window();")
                KINDS[kind](count, first, second, is_race)
                if is_lie and not found:  # the operations are in no finding
                    lines[begin:] = [re.sub(r" +// @.*", "", x) if "NOCHECK" not in x else x for x in lines[begin:]]
                emit("  close_window();")
                emit("}")


OPEN = ["MPI_Win_allocate(8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);"]
CLOSE = ["MPI_Win_free(&win);"]
OPEN_DYNAMIC = [
    "MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);",
    "if (!rank) MPI_Win_attach(win, memory, 8 * sizeof *memory);",
    "MPI_Get_address(&memory[3], &at);",
    "MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);",
]
CLOSE_DYNAMIC = ["MPI_Barrier(MPI_COMM_WORLD);", "if (!rank) MPI_Win_detach(win, memory);", "MPI_Win_free(&win);"]


def main(kind, is_dynamic):
    emit("#include <mpi.h>")
    emit("#include <stdlib.h>")
    emit("static int rank, *memory, x[16], y[16];")
    emit("static MPI_Win win;")
    emit("static MPI_Group world, origins, target;")
    emit("static MPI_Request request;")
    emit("static MPI_Aint at = 3;")
    for name, statements in (
        ("open", OPEN_DYNAMIC if is_dynamic else OPEN),
        ("close", CLOSE_DYNAMIC if is_dynamic else CLOSE),
    ):
        emit(f"static void {name}_window(void) {{")
        for statement in statements:
            emit("  " + statement)
        emit("}")
    make(kind)
    emit("int main(int argc, char **argv) {")
    emit("  MPI_Init(&argc, &argv);")
    emit("  MPI_Comm_rank(MPI_COMM_WORLD, &rank);")
    emit("  MPI_Comm_group(MPI_COMM_WORLD, &world);")
    emit("  MPI_Group_incl(world, 2, (int[]){1, 2}, &origins);")
    emit("  MPI_Group_incl(world, 1, (int[]){0}, &target);")
    emit("  (void)request, (void)x, (void)y;")
    if is_dynamic:
        emit("  memory = calloc(8, sizeof *memory);")
    for case in range(1, count + 1):
        emit(f"  case_{case}();")
    emit("  MPI_Group_free(&world), MPI_Group_free(&origins), MPI_Group_free(&target);")
    emit("  MPI_Finalize();")
    if is_dynamic:
        emit("  free(memory);")
    emit("  return 0;")
    emit("}")
    print("\n".join(lines))


main(sys.argv[1], "dynamic" in sys.argv[2:])
