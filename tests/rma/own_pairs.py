# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""own_pairs.py IDIOM: a C program for three ranks. Rank 0 has an operation on its own part of a window, on bytes that
are the local buffer of another of its operations. The first of the two is not complete when the second one comes; in
the case behind it, it is. An operation that brings something back has been at its target when it is complete at its
origin. One that only writes is there after flush, unlock, fence or wait (MPI-3.1 11.3, 11.5), not after flush_local,
complete or the end of its request (11.3.5). cases.py --all compares what is found."""
import sys

import pairs
from pairs import ALL, BARRIER, BLOCKING, FENCE, FILES, LOCK_ALL, PENDING, REQUESTS, RMA, UNLOCK_ALL
from pairs import lines, statements, take

IDIOMS = ("fence", "pscw", "lock", "flush", "flush-local", "flush-all", "request")

# The operations on the own part: what they do there.
OWN = {name: "r" if name in ("get", "fetch") else "w" for name in RMA}
OWN_REQUESTS = {"rput": "w", "rget": "r", "raccumulate": "w", "roperand": "w", "rresult": "w"}
LATE = ("put", "accumulate", "rput", "raccumulate")

START = "MPI_Win_post(origins, 0, {0}); MPI_Win_start(targets, 0, {0}) | MPI_Win_post(origins, 0, {0})"
COMPLETE = "MPI_Win_complete({0}); MPI_Win_wait({0}) | MPI_Win_wait({0})"
LOCKS = [f"MPI_Win_lock(MPI_LOCK_SHARED, {t}, 0, {w}) |" for t in range(3) for w in ("win", "other")]
UNLOCKS = [f"MPI_Win_unlock({t}, {w}) |" for t in range(3) for w in ("win", "other")]
# What opens the epochs; what completes operations at all targets in win; what completes them at their origin only;
# what completes none; what closes.
EPOCHS = {
    "fence": (
        [FENCE.format("win"), FENCE.format("other")],
        [FENCE.format("win")],
        [],
        ["", FENCE.format("other"), BARRIER],
        [FENCE.format("win"), FENCE.format("other")],
    ),
    "pscw": (
        [START.format("win"), START.format("other")],
        [COMPLETE.format("win"), START.format("win")],
        [],
        ["", BARRIER],
        [COMPLETE.format("win"), COMPLETE.format("other")],
    ),
    "lock": (
        LOCKS,
        [f"MPI_Win_unlock({t}, win); MPI_Win_lock(MPI_LOCK_SHARED, {t}, 0, win) |" for t in (0, 1)],
        [],
        ["", "MPI_Win_unlock(2, win); MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win) |", "MPI_Win_flush_all(other) |"],
        UNLOCKS,
    ),
    "flush": (
        LOCK_ALL,
        ["MPI_Win_flush(0, win) |", "MPI_Win_flush(1, win) |"],
        ["MPI_Win_flush_local(0, win) |"],
        ["", "MPI_Win_flush(2, win) |", "MPI_Win_flush_all(other) |", "MPI_Win_sync(win) |"],
        UNLOCK_ALL,
    ),
}
EPOCHS["flush-local"] = EPOCHS["request"] = EPOCHS["flush"]
EPOCHS["flush-all"] = (
    LOCK_ALL,
    ["MPI_Win_flush_all(win) |"],
    ["MPI_Win_flush_local_all(win) |"],
    ["", "MPI_Win_flush_all(other) |"],
    UNLOCK_ALL,
)
count = 0


def operate(name, is_own, is_second, offset, window):
    """The line of an operation; returns what ends it. The bytes in question are those from memory[0] on."""
    before, what, end = ALL[name][1:] if name in BLOCKING or name in PENDING else ("", ALL[name][1], "")
    if name in REQUESTS:
        end = pairs.WAITS[count % len(pairs.WAITS)]
    values = {
        "x": "x" if is_own else f"memory + {offset}",
        "n": 1 if name in pairs.SINGLE else 4,
        "s": "a" if is_own else "b",
        "t": 0 if is_own else 1,
        "d": offset if is_own else 8,
        "w": window,
        "q": "&second" if is_second else "&first",
        "k": 2 if is_second else 1,
        "o": "&beside[1]" if is_second else "&beside[0]",
    }
    if before:
        lines.append(f"  if (!rank) {{ {before.format(**values)}; }}")
    lines.append(f"  if (!rank) {what.format(**values)};   // @{count}")
    return end.format(**values)


def end_of(text):
    if text:
        lines.append(f"  if (!rank) {{ {text}; }}")


def case(idiom, own, other, verdict, is_completed, is_own_first):
    global count
    count += 1
    opening, completing, only_at_origin, nothing, closing = EPOCHS[idiom]
    first, second = (own, other) if is_own_first else (other, own)
    is_late = is_own_first and own in LATE
    order = f"{own} to itself, then {other}" if is_own_first else f"{other}, then {own} to itself"
    lines.append(f"// case {count}: {verdict} ({order})")
    lines.append(f"static void case_{count}(void) {{")
    statements(opening)
    offset = 0 if first in pairs.SINGLE or count % 4 < 2 else 2 if second in pairs.SINGLE else 3
    end = operate(first, is_own_first, False, 0, "win")
    if is_completed:
        is_rma = first in RMA or (first in REQUESTS and (is_late or idiom != "request"))
        if is_rma and idiom == "flush-local" and not is_late:
            statements(["MPI_Win_flush_local_all(win) |"])
        elif is_rma:
            statements(completing)
        if not is_rma or first in REQUESTS:
            end_of(end)
            end = ""
    elif is_late and first in REQUESTS and count % 3:
        end_of(end)
        end = ""
    elif is_late and only_at_origin and count % 3:
        statements(only_at_origin)
    elif is_late and idiom == "pscw" and count % 3:
        lines.append("  if (!rank) MPI_Win_complete(win);")
        closing = ["MPI_Win_wait(win) | MPI_Win_wait(win)", COMPLETE.format("other")]
    else:
        statements([nothing[count // 2 % len(nothing)]])
    is_closed = len(closing) == 2 and "MPI_Win_complete(win)" not in closing[0] and idiom == "pscw"
    window = "other" if is_own_first and (is_closed or count // 2 % 3 == 0) else "win"
    end_of(operate(second, not is_own_first, True, offset, window))
    end_of(end)
    statements(closing)
    lines.append("}")


def both(idiom, own, other, is_own_first):
    kinds = OWN.get(own, OWN_REQUESTS.get(own)), ALL[other][0]
    if "w" in kinds:
        case(idiom, own, other, "rma.race-local", False, is_own_first)
        case(idiom, own, other, "ok", True, is_own_first)
    else:
        case(idiom, own, other, "ok, both read", False, is_own_first)


def make(idiom):
    turn = IDIOMS.index(idiom)
    is_passive = idiom not in ("fence", "pscw")
    pending = [name for name in PENDING if name not in FILES] + ["iwrite", "iread"]
    local = list(RMA) + (list(REQUESTS) if is_passive else []) + pending
    others = local + list(BLOCKING)
    for i, own in enumerate(OWN_REQUESTS if idiom == "request" else OWN):
        step = turn * 11 + i
        for other in others if idiom == "request" else take(others, 10, step):
            both(idiom, own, other, True)
        for other in take(local, 3, step):
            both(idiom, own, other, False)


def main(idiom):
    lines.append(pairs.HEAD)
    make(idiom)
    lines.append(pairs.BEGIN.replace("(int[]){1, 2}", "(int[]){0, 1, 2}").replace("world, 2, ", "world, 3, "))
    lines.extend(f"  case_{number}();" for number in range(1, count + 1))
    lines.append(pairs.END)
    print("\n".join(lines))


main(sys.argv[1])
