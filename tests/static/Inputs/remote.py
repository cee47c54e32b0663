#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""remote.py SEED COUNT DIRECTORY COMPILER...: random programs with windows, and whether rma.race is right about them.

The reference executes each program for 2 to 5 ranks and values of its unknown numbers, rank by rank, and compares all
accesses byte by byte, with all values from 0 to 7 where it matters. A program without any conflict is right: a warning
is a false alarm. A program is wrong for sure if there are two statements that conflict in all executions with three
ranks or more in which two ranks come to both in one epoch, and this with two numbers of ranks: no warning is a miss.
Programs that only have conflicts with some numbers of ranks, or some input, are counted: these are out of the check's
reach. False alarms fail the test, and so do more than a few misses: the check takes twelve samples of unknown input,
and some conflicts need other values.
"""
import itertools
import pathlib
import random
import sys

import spmd

TARGETS = ["0", "1", "(rank + 1) % size", "(rank + size - 1) % size", "size - 1 - rank", "rank", "size - 1",
           "{i} % size", "(rank + n) % size"]
PLACES = ["0", "1", "rank", "2 * rank", "rank * n", "size - 1 - rank", "n", "{i}", "{i} + rank", "rank * size + {i}",
          "rank % 2", "rank / 2", "8 + rank", "8 + m"]
COUNTS = ["1", "1", "1", "2", "n", "n + 1"]
OPERATIONS = ["put", "put", "get", "sum", "max"]
FEW_VALUES = [(0, 0), (1, 2), (2, 1), (3, 3), (5, 0), (0, 6)]  # of n and m
ALL_VALUES = list(itertools.product(range(8), range(8)))
PARAMETERS = "int rank, int size, int n, int m, MPI_Win *win, int **mem"


class Maker(spmd.Maker):
    """Statements between two fences, or under shared locks between two barriers."""

    def expression(self, choices, loops):
        text = self.random.choice(choices)
        return text.format(i=self.random.choice(loops)) if loops else text.format(i="m")

    def inside(self, depth, loops):
        return [self.access(depth, loops) for _ in range(self.random.choice([1, 1, 2, 3]))]

    def access(self, depth, loops):
        kind, window = self.random.random(), self.random.randrange(2)
        if depth <= 0 or kind < 0.45:
            return ("op", self.random.choice(OPERATIONS), self.expression(TARGETS, loops),
                    self.expression(PLACES, loops), self.expression(COUNTS, loops), window)
        if kind < 0.55:
            return ("local", self.random.choice(["store", "load"]), self.expression(PLACES, loops), window)
        if kind < 0.75:
            return ("if", self.condition(), self.inside(depth - 1, loops),
                    self.inside(depth - 1, loops) if self.random.random() < 0.4 else [])
        if kind < 0.87:
            name = f"i{len(loops)}"
            return ("for", name, self.random.choice(["size", "2", "3", "n"]), self.inside(depth - 1, loops + [name]))
        if kind < 0.9:
            return ("barrier",)
        body = self.inside(depth - 1, [])
        self.helpers.append(body)
        return ("helper", len(self.helpers) - 1, body)

    def whole(self):
        body = []
        for _ in range(self.random.choice([1, 1, 2])):
            body.append(("fenced" if self.random.random() < 0.7 else "locked", self.inside(2, [])))
        return body


def fences(indent):
    return [indent + "MPI_Win_fence(0, win[0]);", indent + "MPI_Win_fence(0, win[1]);"]


def text(statements, indent="  "):
    out = []
    for s in statements:
        if s[0] == "op":
            call = {"put": "MPI_Put", "get": "MPI_Get"}.get(s[1], "MPI_Accumulate")
            op = {"sum": "MPI_SUM, ", "max": "MPI_MAX, "}.get(s[1], "")
            out.append(f"{indent}{call}(buffer, {s[4]}, MPI_INT, {s[2]}, {s[3]}, {s[4]}, MPI_INT, {op}win[{s[5]}]);")
        elif s[0] == "local":
            place = f"mem[{s[3]}][{s[2]}]"
            out.append(indent + (f"{place} = n;" if s[1] == "store" else f"sink = {place};"))
        elif s[0] == "if":
            out += [f"{indent}if ({s[1]}) {{"] + text(s[2], indent + "  ")
            if s[3]:
                out += [indent + "} else {"] + text(s[3], indent + "  ")
            out.append(indent + "}")
        elif s[0] == "for":
            out += [f"{indent}for (int {s[1]} = 0; {s[1]} < {s[2]}; {s[1]}++) {{"] + text(s[3], indent + "  ")
            out.append(indent + "}")
        elif s[0] == "barrier":
            out.append(indent + "MPI_Barrier(MPI_COMM_WORLD);")
        elif s[0] == "helper":
            out.append(f"{indent}helper{s[1]}(rank, size, n, m, win, mem);")
        elif s[0] == "fenced":
            out += fences(indent) + text(s[1], indent) + fences(indent)
        else:
            out += [f"{indent}MPI_Win_lock_all(0, win[{w}]);" for w in (0, 1)]
            out += [indent + "MPI_Barrier(MPI_COMM_WORLD);"] + text(s[1], indent)
            out += [f"{indent}MPI_Win_unlock_all(win[{w}]);" for w in (0, 1)]
            out += [indent + "MPI_Barrier(MPI_COMM_WORLD);"]
    return out


def make(seed, k):
    maker = Maker(seed)
    body = maker.whole()
    out = []
    for i, helper in enumerate(maker.helpers):
        out += [f"static void helper{i}_{k}({PARAMETERS}) {{"] + text(helper) + ["}"]
    out += [f"void start_{k}(void) {{", "  int rank, size, n = 0, m = 0, *mem[2];", "  MPI_Win win[2];",
            "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);", "  MPI_Comm_size(MPI_COMM_WORLD, &size);",
            "  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);", "  MPI_Bcast(&m, 1, MPI_INT, 0, MPI_COMM_WORLD);",
            "  for (int w = 0; w < 2; w++)",
            "    MPI_Win_allocate(400, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &mem[w], &win[w]);"]
    out += text(body) + ["  MPI_Win_free(&win[0]);", "  MPI_Win_free(&win[1]);", "}"]
    joined = "\n".join(out)
    for i in range(len(maker.helpers)):
        joined = joined.replace(f"helper{i}(", f"helper{i}_{k}(")
    return joined, body


CODES = {}


def value(expression, names):
    if expression not in CODES:
        CODES[expression] = compile(expression.replace("/", "//"), "expression", "eval")
    return int(eval(CODES[expression], {}, names))  # pylint: disable=eval-used


class Rank:
    """Executes; its accesses are (statement, mode, epoch, window, target, first, behind, kind, phase)."""

    def __init__(self, names):
        self.names, self.accesses = names, []
        self.epoch, self.phase, self.mode = 0, 0, None

    def note(self, statement, window, target, first, behind, kind):
        when = self.epoch if self.mode == "fence" else self.phase
        self.accesses.append((id(statement), self.mode, when, window, target, first, behind, kind, self.phase))

    def run(self, statements):
        for s in statements:
            getattr(self, "do_" + s[0])(s)

    def do_op(self, s):
        first, count = value(s[3], self.names), value(s[4], self.names)
        if count > 0:
            self.note(s, s[5], value(s[2], self.names), first, first + count, s[1])

    def do_local(self, s):
        first = value(s[2], self.names)
        self.note(s, s[3], self.names["rank"], first, first + 1, s[1])

    def do_if(self, s):
        self.run(s[2] if value(s[1], self.names) else s[3])

    def do_for(self, s):
        for i in range(value(s[2], self.names)):
            self.names[s[1]] = i
            self.run(s[3])

    def do_barrier(self, _):
        self.phase += 1

    def do_helper(self, s):
        self.run(s[2])

    def do_fenced(self, s):
        self.epoch, self.mode = self.epoch + 1, "fence"
        self.phase += 1
        self.run(s[1])
        self.mode = None
        self.phase += 1

    def do_locked(self, s):
        self.mode = "lock"
        self.phase += 1
        self.run(s[1])
        self.mode = None
        self.phase += 1


READS = ("get", "load")


def conflicts(a, b):
    if (a[7] in READS and b[7] in READS) or (a[7] == b[7] and a[7] in ("sum", "max")):
        return False
    return a[5] < b[6] and b[5] < a[6]


def execute(body, size, n, m):
    """{two statements: whether they conflict} of those that two ranks come to in one epoch."""
    ranks = []
    for rank in range(size):
        ranks.append(Rank({"rank": rank, "size": size, "n": n, "m": m}))
        ranks[-1].run(body)
    found = {}
    for one, other in itertools.combinations(ranks, 2):
        for a, b in itertools.product(one.accesses, other.accesses):
            local = [x for x in (a, b) if x[7] in ("store", "load")]
            other = b if local and local[0] is a else a
            # A barrier behind a load or store may order it before an operation.
            if a[1:5] != b[1:5] or len(local) == 2 or (local and other[8] > local[0][8]):
                continue
            key = frozenset((a[0], b[0]))
            found[key] = found.get(key, False) or conflicts(a, b)
    return found


def has_barrier(statements):
    """A barrier that some ranks only may reach would be another mistake."""
    for s in statements:
        if s[0] in ("if", "for") and any(t[0] == "barrier" or has_barrier([t]) for part in s for t in part
                                         if isinstance(part, list)):
            return True
        if any(has_barrier(part) for part in s if isinstance(part, list)):
            return True
    return False


def judge(body, values):
    """(it is surely wrong, it has any conflict)."""
    always, sizes, any_conflict = {}, {}, False
    for size, (n, m) in itertools.product(range(2, 6), values):
        for key, wrong in execute(body, size, n, m).items():
            any_conflict |= wrong
            if size > 2:
                always[key] = always.get(key, True) and wrong
                sizes.setdefault(key, set()).add(size)
    return any(wrong and len(sizes[key]) > 1 for key, wrong in always.items()), any_conflict


def main():
    seed, count, directory, compiler = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    right, wrong, depending, missed, alarms, skipped = 0, 0, 0, 0, 0, 0
    head = ["#include <mpi.h>", "static int buffer[64];", "static volatile int sink;"]
    for k, body, told, path in spmd.sources(seed, count, directory, compiler, make, head):
        if has_barrier(body):
            skipped += 1
            continue
        is_told = bool(told & {"rma.race", "rma.atomicity"})
        surely, any_conflict = judge(body, FEW_VALUES)
        if surely or (is_told and not any_conflict):
            surely, any_conflict = judge(body, ALL_VALUES)
        right += not any_conflict
        wrong += surely
        depending += any_conflict and not surely
        if is_told and not any_conflict:
            alarms += 1
            print(f"{path}: {k}: a false alarm")
        if surely and not is_told:
            missed += 1
            print(f"{path}: {k}: missed")
    print(f"{count} programs, {right} right, {wrong} surely wrong, {depending} with some sizes or input, "
          f"{skipped} left out, {alarms} false alarms, {missed} missed")
    sys.exit(bool(alarms) or missed > wrong // 50 or (count >= 100 and (right < count // 20 or wrong < count // 20)))


main()
