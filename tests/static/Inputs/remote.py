#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""remote.py SEED COUNT DIRECTORY COMPILER...: random programs with windows, and whether rma.race is right about them.

The reference (remote-reference.h) is the same program with notes in place of MPI: it is compiled, executed for 2 to 5
ranks and values of its unknown numbers, rank by rank, and all accesses are compared byte by byte, with all values from
0 to 7 where it matters. A program without any conflict is right: a warning
is a false alarm. A program is wrong for sure if there are two statements that conflict in all executions with three
ranks or more in which two ranks come to both in one epoch, and this with two numbers of ranks: no warning is a miss.
Programs that only have conflicts with some numbers of ranks, or some input, are counted: these are out of the check's
reach. False alarms and misses fail the test.
"""
import pathlib
import subprocess
import sys

import spmd

TARGETS = ["0", "1", "(rank + 1) % size", "(rank + size - 1) % size", "size - 1 - rank", "rank", "size - 1",
           "{i} % size", "(rank + n) % size"]
PLACES = ["0", "1", "rank", "2 * rank", "rank * n", "size - 1 - rank", "n", "{i}", "{i} + rank", "rank * size + {i}",
          "rank % 2", "rank / 2", "8 + rank", "8 + m"]
COUNTS = ["1", "1", "1", "2", "n", "n + 1"]
OPERATIONS = ["put", "put", "get", "sum", "max"]
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


def notes(statements, numbers, indent="  "):
    """The same statements for the reference. Numbers: of statements, by identity."""
    out = []
    for s in statements:
        number = numbers.setdefault(id(s), len(numbers))
        if s[0] == "op":
            out.append(f"{indent}note({number}, {s[1]}, {s[2]}, {s[3]}, {s[4]}, {s[5]});")
        elif s[0] == "local":
            out.append(f"{indent}note({number}, {s[1]}, rank, {s[2]}, 1, {s[3]});")
        elif s[0] == "if":
            out += [f"{indent}if ({s[1]}) {{"] + notes(s[2], numbers, indent + "  ")
            out += [indent + "} else {"] + notes(s[3], numbers, indent + "  ") + [indent + "}"]
        elif s[0] == "for":
            out += [f"{indent}for (int {s[1]} = 0; {s[1]} < {s[2]}; {s[1]}++) {{"]
            out += notes(s[3], numbers, indent + "  ") + [indent + "}"]
        elif s[0] == "barrier":
            out.append(indent + "barrier();")
        elif s[0] == "helper":
            out += [indent + "{"] + notes(s[2], numbers, indent + "  ") + [indent + "}"]
        else:
            out += [f"{indent}begin_{s[0]}();"] + notes(s[1], numbers, indent) + [indent + "end_part();"]
    return out


def judge(bodies, path):
    """{number: (it is surely wrong, it has any conflict)}."""
    out = [f'#include "{pathlib.Path(__file__).parent.resolve()}/remote-reference.h"']
    for k, body in bodies.items():
        out += [f"static void start_{k}(int rank, int size, int n, int m) {{"] + notes(body, {}) + ["}"]
    out += ["int main(void) {"] + [f"  tell({k}, start_{k});" for k in bodies] + ["}"]
    path.write_text("\n".join(out) + "\n")
    subprocess.run(["cc", "-O1", "-w", str(path), "-o", str(path.with_suffix(""))], check=True)
    told = subprocess.run([path.with_suffix("")], capture_output=True, text=True, check=True).stdout
    return {k: (bool(surely), bool(conflict)) for k, surely, conflict in
            (map(int, line.split()) for line in told.splitlines())}


def has_barrier(statements):
    """A barrier that some ranks only may reach would be another mistake."""
    for s in statements:
        if s[0] in ("if", "for") and any(t[0] == "barrier" or has_barrier([t]) for part in s for t in part
                                         if isinstance(part, list)):
            return True
        if any(has_barrier(part) for part in s if isinstance(part, list)):
            return True
    return False


def main():
    seed, count, directory, compiler = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    right, wrong, depending, missed, alarms = 0, 0, 0, 0, 0
    head = ["#include <mpi.h>", "static int buffer[64];", "static volatile int sink;"]
    programs = {}
    for k, body, told, path in spmd.sources(seed, count, directory, compiler, make, head):
        if not has_barrier(body):
            programs.setdefault(path, {})[k] = body, bool(told & {"rma.race", "rma.atomicity"})
    for path, of_file in programs.items():
        judged = judge({k: body for k, (body, _) in of_file.items()}, path.with_name("reference-" + path.name))
        for k, (_, is_told) in of_file.items():
            surely, any_conflict = judged[k]
            right += not any_conflict
            wrong += surely
            depending += any_conflict and not surely
            if is_told and not any_conflict:
                alarms += 1
                print(f"{path}: {k}: a false alarm")
            if surely and not is_told:
                missed += 1
                print(f"{path}: {k}: missed")
    skipped = count - right - wrong - depending
    print(f"{count} programs, {right} right, {wrong} surely wrong, {depending} with some sizes or input, "
          f"{skipped} left out, {alarms} false alarms, {missed} missed")
    sys.exit(bool(alarms or missed) or (count >= 100 and (right < count // 20 or wrong < count // 20)))


main()
