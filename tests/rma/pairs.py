# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pairs.py IDIOM: a C program for three ranks in which each case is two operations of rank 0 that use the same local
bytes. The first one is not complete at its origin when the second one comes; in the case behind it, it is. What the
operations do with the bytes, and what completes them, is written out here once more (MPI-3.1 11.3, 11.5, 3.7.2).
cases.py --all compares what is found."""
import sys

PASSIVE = ("lock", "flush", "flush-local", "flush-all", "flush-local-all", "request")
IDIOMS = ("fence", "pscw") + PASSIVE

# What an operation does with the bytes: r reads, w writes them. {x}: the bytes, {n}: of so many integers, {s}: memory
# of its own, {t}: the target, {d}: the displacement there, {w}: the window, {q}: the request, {k}: the tag, {o}: the
# request of the other side.
AT = "{t}, {d}, {n}, MPI_INT"
BOTH = f"{{n}}, MPI_INT, {{s}}, {{n}}, MPI_INT, {AT}, MPI_SUM, {{w}}"
RMA = {
    "put": ("r", f"MPI_Put({{x}}, {{n}}, MPI_INT, {AT}, {{w}})"),
    "get": ("w", f"MPI_Get({{x}}, {{n}}, MPI_INT, {AT}, {{w}})"),
    "accumulate": ("r", f"MPI_Accumulate({{x}}, {{n}}, MPI_INT, {AT}, MPI_SUM, {{w}})"),
    "operand": ("r", f"MPI_Get_accumulate({{x}}, {BOTH})"),
    "result": ("w", f"MPI_Get_accumulate(one, {{n}}, MPI_INT, {{x}}, {{n}}, MPI_INT, {AT}, MPI_SUM, {{w}})"),
    "fetch": ("w", f"MPI_Get_accumulate(NULL, 0, MPI_INT, {{x}}, {{n}}, MPI_INT, {AT}, MPI_NO_OP, {{w}})"),
    "operand1": ("r", "MPI_Fetch_and_op({x}, {s}, MPI_INT, {t}, {d}, MPI_SUM, {w})"),
    "result1": ("w", "MPI_Fetch_and_op(one, {x}, MPI_INT, {t}, {d}, MPI_SUM, {w})"),
    "swapped": ("r", "MPI_Compare_and_swap({x}, one, {s}, MPI_INT, {t}, {d}, {w})"),
    "compared": ("r", "MPI_Compare_and_swap(one, {x}, {s}, MPI_INT, {t}, {d}, {w})"),
    "swap-result": ("w", "MPI_Compare_and_swap(one, one, {x}, MPI_INT, {t}, {d}, {w})"),
}
REQUESTS = {
    "rput": ("r", f"MPI_Rput({{x}}, {{n}}, MPI_INT, {AT}, {{w}}, {{q}})"),
    "rget": ("w", f"MPI_Rget({{x}}, {{n}}, MPI_INT, {AT}, {{w}}, {{q}})"),
    "raccumulate": ("r", f"MPI_Raccumulate({{x}}, {{n}}, MPI_INT, {AT}, MPI_SUM, {{w}}, {{q}})"),
    "roperand": ("r", f"MPI_Rget_accumulate({{x}}, {BOTH}, {{q}})"),
    "rresult": ("w", f"MPI_Rget_accumulate(one, {{n}}, MPI_INT, {{x}}, {{n}}, MPI_INT, {AT}, MPI_SUM, {{w}}, {{q}})"),
}
SINGLE = ("operand1", "result1", "swapped", "compared", "swap-result")
# Before, the operation, and what ends it if it goes on. Messages go to the process itself.
SELF = "{n}, MPI_INT, 0, {k}, MPI_COMM_SELF"
TAKE = f"MPI_Irecv({{s}}, {SELF}, {{o}})"
GIVE = f"MPI_Isend(one, {SELF}, {{o}})"
WAIT = "MPI_Wait({q}, MPI_STATUS_IGNORE)"
SIDE = "MPI_Wait({o}, MPI_STATUS_IGNORE)"
PROBED = f"{GIVE}; MPI_Mprobe(0, {{k}}, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE)"
BLOCKING = {
    "send": ("r", TAKE, f"MPI_Send({{x}}, {SELF})", SIDE),
    "ssend": ("r", TAKE, f"MPI_Ssend({{x}}, {SELF})", SIDE),
    "bsend": ("r", TAKE, f"MPI_Bsend({{x}}, {SELF})", SIDE),
    "rsend": ("r", TAKE, f"MPI_Rsend({{x}}, {SELF})", SIDE),
    "recv": ("w", GIVE, f"MPI_Recv({{x}}, {SELF}, MPI_STATUS_IGNORE)", SIDE),
    "mrecv": ("w", PROBED, "MPI_Mrecv({x}, {n}, MPI_INT, &message, MPI_STATUS_IGNORE)", SIDE),
    "sendrecv-out": (
        "r",
        "",
        "MPI_Sendrecv({x}, {n}, MPI_INT, 0, {k}, {s}, {n}, MPI_INT, 0, {k}, MPI_COMM_SELF, MPI_STATUS_IGNORE)",
        "",
    ),
    "sendrecv-in": (
        "w",
        "",
        "MPI_Sendrecv(one, {n}, MPI_INT, 0, {k}, {x}, {n}, MPI_INT, 0, {k}, MPI_COMM_SELF, MPI_STATUS_IGNORE)",
        "",
    ),
    "replace": (
        "w",
        "",
        "MPI_Sendrecv_replace({x}, {n}, MPI_INT, 0, {k}, 0, {k}, MPI_COMM_SELF, MPI_STATUS_IGNORE)",
        "",
    ),
    "bcast": ("r", "", "MPI_Bcast({x}, {n}, MPI_INT, 0, MPI_COMM_SELF)", ""),
    "allreduce-out": ("r", "", "MPI_Allreduce({x}, {s}, {n}, MPI_INT, MPI_SUM, MPI_COMM_SELF)", ""),
    "allreduce-in": ("w", "", "MPI_Allreduce(one, {x}, {n}, MPI_INT, MPI_SUM, MPI_COMM_SELF)", ""),
    "allreduce-in-place": ("w", "", "MPI_Allreduce(MPI_IN_PLACE, {x}, {n}, MPI_INT, MPI_SUM, MPI_COMM_SELF)", ""),
    "gather-out": ("r", "", "MPI_Gather({x}, {n}, MPI_INT, {s}, {n}, MPI_INT, 0, MPI_COMM_SELF)", ""),
    "alltoallv-in": (
        "w",
        "",
        "MPI_Alltoallv(one, &four, &zero, MPI_INT, {x}, &four, &zero, MPI_INT, MPI_COMM_SELF)",
        "",
    ),
    "write": ("r", "", "MPI_File_write_at(file, 0, {x}, {n}, MPI_INT, MPI_STATUS_IGNORE)", ""),
    "read": ("w", "", "MPI_File_read_at(file, 0, {x}, {n}, MPI_INT, MPI_STATUS_IGNORE)", ""),
    "write-all": ("r", "", "MPI_File_write_at_all(file, 0, {x}, {n}, MPI_INT, MPI_STATUS_IGNORE)", ""),
}
PENDING = {
    "isend": ("r", TAKE, f"MPI_Isend({{x}}, {SELF}, {{q}})", f"{WAIT}; {SIDE}"),
    "issend": ("r", TAKE, f"MPI_Issend({{x}}, {SELF}, {{q}})", f"{WAIT}; {SIDE}"),
    "irecv": ("w", "", f"MPI_Irecv({{x}}, {SELF}, {{q}})", f"MPI_Send(one, {SELF}); {WAIT}"),
    "imrecv": ("w", PROBED, "MPI_Imrecv({x}, {n}, MPI_INT, &message, {q})", f"{WAIT}; {SIDE}"),
    "started-send": (
        "r",
        f"{TAKE}; MPI_Send_init({{x}}, {SELF}, {{q}})",
        "MPI_Start({q})",
        f"{WAIT}; {SIDE}; MPI_Request_free({{q}})",
    ),
    "started-receive": (
        "w",
        f"MPI_Recv_init({{x}}, {SELF}, {{q}})",
        "MPI_Startall(1, {q})",
        f"MPI_Send(one, {SELF}); {WAIT}; MPI_Request_free({{q}})",
    ),
    "iallreduce-out": ("r", "", "MPI_Iallreduce({x}, {s}, {n}, MPI_INT, MPI_SUM, MPI_COMM_SELF, {q})", WAIT),
    "iallreduce-in": ("w", "", "MPI_Iallreduce(one, {x}, {n}, MPI_INT, MPI_SUM, MPI_COMM_SELF, {q})", WAIT),
    "igather-out": ("r", "", "MPI_Igather({x}, {n}, MPI_INT, {s}, {n}, MPI_INT, 0, MPI_COMM_SELF, {q})", WAIT),
    "iwrite": ("r", "", "MPI_File_iwrite_at(file, 0, {x}, {n}, MPI_INT, {q})", WAIT),
    "iread": ("w", "", "MPI_File_iread_at(file, 0, {x}, {n}, MPI_INT, {q})", WAIT),
    "write-begin": (
        "r",
        "",
        "MPI_File_write_at_all_begin(file, 0, {x}, {n}, MPI_INT)",
        "MPI_File_write_at_all_end(file, {x}, MPI_STATUS_IGNORE)",
    ),
    "read-begin": (
        "w",
        "",
        "MPI_File_read_at_all_begin(file, 0, {x}, {n}, MPI_INT)",
        "MPI_File_read_at_all_end(file, {x}, MPI_STATUS_IGNORE)",
    ),
}
FILES = ("write", "read", "write-all", "iwrite", "iread", "write-begin", "read-begin")
ALL = {**RMA, **REQUESTS, **BLOCKING, **PENDING}

# By idiom: what opens the epochs, what completes operations to rank 1 in win, what does not, and what closes. A line
# with "|" is for rank 0 and for its targets.
LOCK_ALL = ["MPI_Win_lock_all(0, win); MPI_Win_lock_all(0, other) |"]
UNLOCK_ALL = ["MPI_Win_unlock_all(other); MPI_Win_unlock_all(win) |"]
NOTHING = [
    "",
    "MPI_Win_flush(2, win) |",
    "MPI_Win_flush_all(other) |",
    "MPI_Win_sync(win) |",
    "MPI_Barrier(MPI_COMM_SELF) |",
]
BARRIER = "MPI_Barrier(MPI_COMM_WORLD) | MPI_Barrier(MPI_COMM_WORLD)"
FENCE = "MPI_Win_fence(0, {0}) | MPI_Win_fence(0, {0})"
START = "MPI_Win_start(targets, 0, {0}) | MPI_Win_post(origins, 0, {0})"
COMPLETE = "MPI_Win_complete({0}) | MPI_Win_wait({0})"
EPOCHS = {
    "fence": (
        [FENCE.format("win"), FENCE.format("other")],
        [FENCE.format("win")],
        ["", FENCE.format("other"), BARRIER],
        [FENCE.format("win"), FENCE.format("other")],
    ),
    "pscw": (
        [START.format("win"), START.format("other")],
        [COMPLETE.format("win"), START.format("win")],
        ["", f"{COMPLETE.format('other')} & {START.format('other')}", BARRIER],
        [COMPLETE.format("win"), COMPLETE.format("other")],
    ),
    "lock": (
        [f"MPI_Win_lock(MPI_LOCK_SHARED, {t}, 0, {w}) |" for t in (1, 2) for w in ("win", "other")],
        ["MPI_Win_unlock(1, win); MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win) |"],
        ["", "MPI_Win_unlock(2, win); MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win) |", "MPI_Win_flush_all(other) |"],
        [f"MPI_Win_unlock({t}, {w}) |" for t in (1, 2) for w in ("win", "other")],
    ),
    "flush": (LOCK_ALL, ["MPI_Win_flush(1, win) |"], NOTHING, UNLOCK_ALL),
    "flush-local": (LOCK_ALL, ["MPI_Win_flush_local(1, win) |"], NOTHING, UNLOCK_ALL),
    "flush-all": (LOCK_ALL, ["MPI_Win_flush_all(win) |"], NOTHING, UNLOCK_ALL),
    "flush-local-all": (LOCK_ALL, ["MPI_Win_flush_local_all(win) |"], NOTHING, UNLOCK_ALL),
    "request": (LOCK_ALL, [], NOTHING, UNLOCK_ALL),
}
WAITS = [
    "MPI_Wait({q}, MPI_STATUS_IGNORE)",
    "MPI_Waitall(1, {q}, MPI_STATUSES_IGNORE)",
    "for (int flag = 0; !flag;) MPI_Test({q}, &flag, MPI_STATUS_IGNORE)",
    "MPI_Waitany(1, {q}, &number, MPI_STATUS_IGNORE)",
]
lines, count = [], 0


def statements(texts, **values):
    for text in texts:
        for part in text.split("&") if " | " in text or text.endswith("|") else [text]:
            zero, _, others = part.partition("|")
            if zero.strip() and others.strip() == zero.strip():
                lines.append(f"  {zero.strip()};")
                continue
            for condition, what in (("!rank", zero), ("rank", others)):
                if what.strip():
                    lines.append(f"  if ({condition}) {{ {what.strip().format(**values)}; }}")


def use(name, mark, is_second, x, window):
    """The lines of an operation; returns what ends it."""
    before, what, end = ALL[name][1:] if name in BLOCKING or name in PENDING else ("", ALL[name][1], "")
    if name in REQUESTS:
        end = WAITS[mark % len(WAITS)]
    values = {
        "x": x,
        "n": 1 if name in SINGLE else 4,
        "s": "b" if is_second else "a",
        "t": 1,
        "d": 8 if is_second else 0,
        "w": window,
        "q": "&second" if is_second else "&first",
        "k": 2 if is_second else 1,
        "o": "&beside[1]" if is_second else "&beside[0]",
    }
    if before:
        lines.append(f"  if (!rank) {{ {before.format(**values)}; }}")
    lines.append(f"  if (!rank) {what.format(**values)};   // @{mark}")
    return end.format(**values)


def case(idiom, first, second, verdict, is_completed):
    """One case; is_completed: the first operation is complete before the second one."""
    global count
    count += 1
    opening, completing, nothing, closing = EPOCHS[idiom]
    lines.append(f"// case {count}: {verdict} ({first}, {second})")
    lines.append(f"static void case_{count}(void) {{")
    statements(opening)
    end = use(first, count, False, "x", "win")
    is_open = True
    if is_completed:
        if first in RMA or (first in REQUESTS and idiom != "request"):
            statements(completing)
        else:
            lines.append(f"  if (!rank) {{ {end}; }}")
            is_open = False
    else:
        statements([nothing[count // 2 % len(nothing)]])
    # The same bytes, or only the last of the first operation's.
    offset = 0 if first in SINGLE or count % 4 < 2 else 2 if second in SINGLE else 3
    end2 = use(second, count, True, f"x + {offset}" if offset else "x", "other" if count // 2 % 3 == 0 else "win")
    if end2:
        lines.append(f"  if (!rank) {{ {end2}; }}")
    if end and is_open:
        lines.append(f"  if (!rank) {{ {end}; }}")
    statements(closing)
    lines.append("}")


def both(idiom, first, second):
    if first in FILES and second in FILES:
        return
    is_conflict = "w" in (ALL[first][0], ALL[second][0])
    is_rma = any(name in RMA or name in REQUESTS for name in (first, second))
    if is_conflict:
        case(idiom, first, second, "rma.race-local" if is_rma else "buffer.overlap", False)
        case(idiom, first, second, "ok", True)
    else:
        case(idiom, first, second, "ok, both read", False)


def take(names, n, seed):
    """n of the names, others for each seed; all in turn."""
    return [names[(seed * n + i) % len(names)] for i in range(n)]


def make(idiom):
    rma, requests, pending, blocking = list(RMA), list(REQUESTS), list(PENDING), list(BLOCKING)
    turn = IDIOMS.index(idiom)
    firsts = requests if idiom == "request" else rma
    seconds = rma + (requests if idiom in PASSIVE else [])
    for i, first in enumerate(firsts):
        for k, second in enumerate(seconds):
            if not idiom.startswith("flush-") or (i + k + turn) % 2:  # these differ little: each pair in some of them
                both(idiom, first, second)
        for second in take(blocking + pending, 18 if idiom == "request" else 8, turn * len(firsts) + i):
            both(idiom, first, second)
    if idiom in PASSIVE and idiom != "request":
        for i, first in enumerate(requests):
            for second in take(seconds + blocking + pending, 6, turn * len(requests) + i):
                both(idiom, first, second)
    for i, first in enumerate(pending):
        for second in take(seconds, 4, turn * len(pending) + i):
            both(idiom, first, second)
        for second in take(blocking + pending, 1, turn * len(pending) + i):
            both(idiom, first, second)


HEAD = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int rank, *memory, *others, number, four = 4, zero, x[16], a[16], b[16], one[4] = {1, 2, 3, 4};
static char attached[4096 + MPI_BSEND_OVERHEAD], path[4096];
static MPI_Win win, other;
static MPI_Group world, origins, targets;
static MPI_Request first, second, beside[2];
static MPI_Message message;
static MPI_File file;"""
BEGIN = """int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, (int[]){0}, &origins);
  MPI_Group_incl(world, 2, (int[]){1, 2}, &targets);
  MPI_Buffer_attach(attached, sizeof attached);
  snprintf(path, sizeof path, "%s.%d", argv[0], rank);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, 0, one, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_allocate(16 * sizeof *others, sizeof *others, MPI_INFO_NULL, MPI_COMM_WORLD, &others, &other);
  (void)a, (void)b, (void)number, (void)four, (void)zero, (void)first, (void)second, (void)beside, (void)message;"""
END = """  MPI_Win_free(&other), MPI_Win_free(&win);
  MPI_File_close(&file);
  int size;
  void *detached;
  MPI_Buffer_detach(&detached, &size);
  MPI_Group_free(&world), MPI_Group_free(&origins), MPI_Group_free(&targets);
  MPI_Finalize();
  return 0;
}"""


def main(idiom):
    lines.append(HEAD)
    make(idiom)
    lines.append(BEGIN)
    lines.extend(f"  case_{number}();" for number in range(1, count + 1))
    lines.append(END)
    print("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])
