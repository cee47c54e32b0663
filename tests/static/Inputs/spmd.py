#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""spmd.py SEED COUNT DIRECTORY [--files] COMPILER...: random programs. Is collective.divergence right about them?

The reference executes each program for 2 to 5 ranks and all values of its unknown numbers, rank by rank. A program is
right if the ranks' sequences of collectives are equal in all executions, and each call is reached in an execution that
no rank aborts (the check takes it that code can be reached): a warning is a false alarm. A program is wrong if they
differ in all executions: no warning is a miss. In between nothing is asked for. False alarms and misses fail the test.
"""
import itertools
import pathlib
import random
import re
import subprocess
import sys

CALLS = {
    "barrier": "MPI_Barrier({c});",
    "bcast0": "MPI_Bcast(&x, 1, MPI_INT, 0, {c});",
    "bcast1": "MPI_Bcast(&x, 1, MPI_INT, 1, {c});",
    "sum": "MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, {c});",
    "max": "MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAX, {c});",
}
IN_FILE = 50  # programs
NUMBERS = 0, 1, 2, 5  # also one that no rank has
COMMS = ["MPI_COMM_WORLD", "copy", "half"]
RANKED = ["rank == 0", "rank == 1", "rank % 2", "rank == size - 1", "rank > 1", "rank < size / 2", "rank != n",
          "rank / 2 == 0", "(rank + 1) % size == 0", "rank < 2", "rank > n", "rank <= n"]
EQUAL = ["n > 1", "m", "size > 3", "n == m", "rank < size", "rank / size == 0"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.helpers = []

    def condition(self):
        return self.random.choice(RANKED if self.random.random() < 0.6 else EQUAL)

    def block(self, depth):
        return [self.statement(depth) for _ in range(self.random.choice([0, 1, 1, 2, 3]))]

    def statement(self, depth):
        kind = self.random.random()
        if depth <= 0 or kind < 0.4:
            comm = self.random.choice(COMMS if self.random.random() < 0.4 else COMMS[:1])
            return ("call", self.random.choice(list(CALLS)), comm)
        if kind < 0.75:
            then = self.block(depth - 1)
            other = list(then) if self.random.random() < 0.35 else self.block(depth - 1)
            if self.random.random() < 0.5:
                then = [("print",)] + then
            return ("if", self.condition(), then, other)
        if kind < 0.84:
            return ("for", self.random.choice(["n", "size", "rank", "2", "m + 1"]), self.block(depth - 1))
        if kind < 0.88:
            return ("return", self.condition())
        if kind < 0.91:
            return ("abort", self.condition())
        body = [s for s in self.block(depth - 1)]
        self.helpers.append(body)
        return ("helper", len(self.helpers) - 1, body)


class Return(Exception):
    pass


class Abort(Exception):
    pass


def text(statements, helpers, indent="  "):
    out = []
    for s in statements:
        if s[0] == "call":
            out.append(indent + CALLS[s[1]].format(c=s[2]))
        elif s[0] == "print":
            out.append(indent + 'printf("%d\\n", rank);')
        elif s[0] == "if":
            out += [indent + f"if ({s[1]}) {{"] + text(s[2], helpers, indent + "  ")
            if s[3]:
                out += [indent + "} else {"] + text(s[3], helpers, indent + "  ")
            out.append(indent + "}")
        elif s[0] == "for":
            name = f"i{len(indent)}"
            out += [indent + f"for (int {name} = 0; {name} < {s[1]}; {name}++) {{"]
            out += text(s[2], helpers, indent + "  ") + [indent + "}"]
        elif s[0] == "return":
            out.append(indent + f"if ({s[1]}) return;")
        elif s[0] == "abort":
            out.append(indent + f"if ({s[1]}) MPI_Abort(MPI_COMM_WORLD, 1);")
        else:
            out.append(indent + f"helper{s[1]}(rank, size, n, m, copy, half);")
    return out


PARAMETERS = "int rank, int size, int n, int m, MPI_Comm copy, MPI_Comm half"


def program(main, helpers, name):
    """Functions whose names end with that of the program; many are in one file."""
    out = []
    for i, body in enumerate(helpers):
        out += [f"static void helper{i}({PARAMETERS}) {{"] + text(body, helpers) + ["}"]
    out += [f"static void work({PARAMETERS}) {{"] + text(main, helpers) + ["}"]
    out += ["void start(void) {", "  int rank, size, n = 0, m = 0;", "  MPI_Comm copy, half;",
            "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);", "  MPI_Comm_size(MPI_COMM_WORLD, &size);",
            "  MPI_Comm_dup(MPI_COMM_WORLD, &copy);", "  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);",
            "  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);", "  MPI_Bcast(&m, 1, MPI_INT, 0, MPI_COMM_WORLD);",
            "  work(rank, size, n, m, copy, half);", "}"]
    return re.sub(r"\b(helper\d+|work|start)\(", rf"\1_{name}(", "\n".join(out) + "\n")


def value(expression, names):
    return int(eval(expression.replace("/", "//"), {}, names))  # pylint: disable=eval-used


def execute(statements, names, calls):
    for s in statements:
        if s[0] == "call":
            calls.append((s[1], s[2]))
            names["reached"].add(id(s))
        elif s[0] in ("if", "return", "abort"):
            taken = bool(value(s[1], names))
            if s[0] == "if":
                execute(s[2] if taken else s[3], names, calls)
            elif taken:
                raise Return() if s[0] == "return" else Abort()
        elif s[0] == "for":
            count = value(s[1], names)
            for _ in range(count):
                execute(s[2], names, calls)
        elif s[0] == "helper":
            try:
                execute(s[2], names, calls)
            except Return:
                pass


def places(statements):
    """The calls of a program."""
    found = set()
    for s in statements:
        if s[0] == "call":
            found.add(id(s))
        for part in s:
            if isinstance(part, list):
                found |= places(part)
    return found


def judge(main):
    """(always wrong, not right) over all executions."""
    verdicts, reached = [], set()
    for size, n, m in itertools.product(range(2, 6), NUMBERS, NUMBERS):
        sequences, ended, here = [], set(), set()
        for rank in range(size):
            calls = []
            try:
                execute(main, {"rank": rank, "size": size, "n": n, "m": m, "reached": here}, calls)
            except Return:
                pass
            except Abort:
                ended.add(rank)
            sequences.append(calls)
        # Who aborts takes part in what the others begin with, and in nothing more; where all do, they come to it
        # together.
        ranks = [r for r in range(size) if r not in ended] or list(range(size))
        own = [[c for c in sequences[r] if c[1] != "half"] for r in ranks]
        wrong = any(w != own[0] for w in own)
        for parity in (0, 1):
            own = [sequences[r] for r in ranks if r % 2 == parity]
            wrong |= any(w != own[0] for w in own)
        for rank in ended:
            own, other = ([c for c in sequences[r] if c[1] != "half"] for r in (rank, ranks[0]))
            wrong |= own != other[:len(own)]
            peers = [r for r in ranks if r % 2 == rank % 2]
            wrong |= bool(peers) and sequences[rank] != sequences[peers[0]][:len(sequences[rank])]
        verdicts.append((wrong, bool(ended)))
        if not ended:
            reached |= here
    return all(w and not a for w, a in verdicts), any(w for w, _ in verdicts) or reached != places(main)


def make(seed, k):
    maker = Maker(seed)
    body = maker.block(3) + maker.block(2)
    return program(body, maker.helpers, k), body


def split(body):
    """The functions of a program, in two files by turns; each file declares them all."""
    functions = [f + "\n}" for f in body.replace("static void", "void").strip().split("\n}\n")]
    functions[-1] = functions[-1].removesuffix("\n}")
    declared = [re.match(r"(.*)\{\n", f)[1].strip() + ";" for f in functions]
    return ["\n".join(declared + functions[at::2]) for at in (0, 1)]


def sources(seed, count, directory, compiler, made_by, head):
    """Compiles random programs, many in a file, or, behind --files, in two files that are linked. Gives number, body
    and kinds of warnings of each, and its file."""
    directory.mkdir(parents=True, exist_ok=True)
    is_split = compiler[0] == "--files"
    compiler = compiler[is_split:]
    for start in range(0, count, IN_FILE):
        paths = [directory / f"{seed}-{start}{part}.c" for part in (("-a", "-b") if is_split else ("",))]
        lines, bodies, owner, told = [list(head) for _ in paths], {}, {}, {}
        for k in range(start, min(start + IN_FILE, count)):
            whole, bodies[k] = made_by(f"{seed}.{k}", k)
            for path, to, text_of_it in zip(paths, lines, split(whole) if is_split else [whole]):
                for line in text_of_it.split("\n"):
                    to.append(line)
                    owner[path.name, len(to)] = k
        for path, to in zip(paths, lines):
            path.write_text("\n".join(to) + "\n")
        how = ["-shared", "-fPIC"] if is_split else ["-c"]
        done = subprocess.run([*compiler, *how, *map(str, paths), "-o", str(paths[0].with_suffix(".o"))],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        for name, number, kind in re.findall(r"([^/\n]*\.c):(\d+):\d+: warning: .*\[-Wmpicc-check-(.*)\]", done.stderr):
            told.setdefault(owner[name, int(number)], set()).add(kind)
        for k, body in bodies.items():
            yield k, body, told.get(k, set()), paths[0]


def main():
    seed, count, directory, compiler = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    right, wrong, missed, alarms = 0, 0, 0, 0
    head = ["#include <mpi.h>", "#include <stdio.h>", "static int x, y;"]
    for k, body, told, path in sources(seed, count, directory, compiler, make, head):
        is_told = "collective.divergence" in told
        always, not_right = judge(body)
        right += not not_right
        wrong += always
        if not not_right and is_told:
            alarms += 1
            print(f"{path}: {k}: a false alarm")
        if always and not is_told:
            missed += 1
            print(f"{path}: {k}: missed")
    print(f"{count} programs, {right} right, {wrong} wrong, {alarms} false alarms, {missed} missed")
    sys.exit(bool(alarms or missed) or (count >= 100 and (right < count // 20 or wrong < count // 20)))


if __name__ == "__main__":
    main()
