#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""closed.py SEED PROGRAMS WORK: is a loop that the plugin marks as closed (plugin/ClosedLoops.h) really closed?

Makes polling loops, PER_FILE to a file, in C and C++ in turn, and compiles them at a level in turn. They are run with
an MPI for which nothing ever comes (closed-recorder.c), in a world that changes all that MPI does not: clocks, memory
of others, handlers, threads, files. A loop that ends, or asks for something new, while its calls have the marks of a
closed loop is an error. Of the loops that are made so that only MPI can end them, a share must have the marks.
"""
import argparse
import collections
import os
import random
import subprocess
import sys

import closed_shapes
from closed_parts import COMMON, CXX_COMMON, CXX_FUNCTIONS, CXX_SOURCES, FUNCTIONS, NAMES, SOURCES
from closed_shapes import DECLARATIONS

PER_FILE = 40
HEAD = """#include "closed.h"
u gx[4];
volatile u gv[4];
Atomic ga[4];
static volatile u pulse;
static const u fixed[4] = {1, 2, 3, 4};
"""


class Random:
    """A loop of random statements over variables of all kinds. Whether it ends, its run will tell."""

    def __init__(self, rng, number, cxx):
        self.r, self.p, self.cxx, self.labels = rng, number, cxx, 0
        self.wild = rng.choice([0, 0, 1, 1, 2, 4])  # how much of what is unknown
        kinds = ["local", "local", "array", "member", "own", "static", "through", "parameter"]
        if self.wild:
            kinds += list(DECLARATIONS)
        self.kinds = [rng.choice(kinds) for _ in range(rng.randint(2, 5))]
        self.sources = SOURCES + (CXX_SOURCES * 2 if cxx else [])
        self.turns = rng.random() < 0.12  # one variable goes round
        self.focus = not self.turns and rng.random() < 0.5  # one thing of the world, on which the end depends
        if self.focus:
            self.wild = 1
            self.kinds = [rng.choice(list(DECLARATIONS)), "local"]
            self.sources = [rng.choice(self.sources)]

    def name(self, i):
        index = self.r.choice("0123") if self.wild else i % 4
        return NAMES.get(self.kinds[i], "{v}").format(v=f"v{i}", i=index, p=self.p)

    def writable(self):
        return [i for i, k in enumerate(self.kinds) if k != "parameter"]

    def locals_(self):
        return [f"v{i}" for i, k in enumerate(self.kinds) if k in ("local", "escaped")] + ["spare"]

    def expression(self, depth=0):
        r = self.r
        pick = r.random()
        if pick < 0.5 or depth > 2:
            return self.name(r.randrange(len(self.kinds)))
        if pick < 0.65:
            return str(r.choice([0, 1, 2, 3, 5, 100, 200, 500])) + "u"
        if pick < 0.7:
            return r.choice(["(u)flag", "(u)(r[0] == MPI_REQUEST_NULL)", "c->n", "c->b"])
        if pick < 0.7 + 0.06 * self.wild:
            return self.unknown(depth)
        operator = r.choice(["+", "+", "-", "*", "&", "|", "^", "==", "!=", "<", ">", "&&", "||", "% 7u +", ">> 1 ^"])
        return f"({self.expression(depth + 1)} {operator} {self.expression(depth + 1)})"

    def unknown(self, depth):
        text = self.r.choice(self.sources)
        return text.format(p=self.p, e=self.expression(depth + 1), l=self.r.choice(self.locals_()))

    def focused(self):
        what = self.unknown(1) if self.r.random() < 0.5 else self.name(0)
        return f"0u + {what} {self.r.choice(['>', '>', '==', '!='])} {self.r.choice([0, 1, 2, 3, 110, 300])}u"

    def condition(self):
        r = self.r
        other = self.expression(1) if r.random() < 0.4 else f"{r.choice([0, 0, 1, 2, 3, 90, 150, 400])}u"
        return f"{self.expression(1)} {r.choice(['==', '!=', '>', '>', '<', '>='])} {other}"

    def assign(self):
        if not self.writable():
            return ";"
        v = self.name(self.r.choice(self.writable()))
        if self.r.random() < 0.25:
            return self.r.choice([f"{v}++;", f"{v} += 2;", f"{v}--;", f"{v} = {v} * 5 % 1009;"])
        return f"{v} = 0u + {self.expression()};"

    def tag(self):
        """No other thread changes what a call is given while the loop waits (instrumentation.md); the world neither."""
        own = [self.name(i) for i, kind in enumerate(self.kinds) if kind in ("local", "array", "member", "parameter")]
        if own and self.r.random() < 0.15:
            return self.r.choice(["{}", "{} + 1", "{} % 7u", "{} & 3"]).format(self.r.choice(own))
        return self.r.choice(["1", "(int)c->tag", "(int)n", "2"])

    def ask(self):
        r = self.r
        request = r.choice(["r", "r + 1", "&c->requests[2]", "r + k" if r.random() < 0.3 else "r"])
        return r.choice([
            f"MPI_Iprobe(1, {self.tag()}, MPI_COMM_WORLD, &flag, ASKED);",
            f"MPI_Iprobe({r.choice(['MPI_ANY_SOURCE', 'k', '(int)n'])}, 1, c->comm, &flag, &st);",
            f"MPI_Test({request}, &flag, ASKED);",
            f"MPI_Test({request}, &flag, &st);",
            "MPI_Testall(3, r, &flag, MPI_STATUSES_IGNORE);",
            "MPI_Testany((int)n, r, &k, &flag, ASKED); k = 0;" if r.random() < 0.5 else
            "MPI_Testany(3, r, &index, &flag, &st); if (index == 1) break;",
            "MPI_Testsome(3, r, &flag, indices, MPI_STATUSES_IGNORE);",
            "MPI_Win_test(win, &flag);",
            "MPI_Request_get_status(r[1], &flag, ASKED);",
            f"flag = done_{self.p}({request});",
            f"flag = !quiet_{self.p}({self.tag()});",
            f"all_{self.p}(r, 3, &flag);",
            "if (MPI_Test(r, &flag, ASKED) != MPI_SUCCESS) exit(1);",
            "for (k = 0; k < 3; k++) { MPI_Test(r + k, &flag, ASKED); if (flag) break; }",
            f"flag = {r.choice(['ask', 'asker', 'any_asker'])}_{self.p}(r, {r.choice(['0', '2', 'k & 3'])});",
            f"do {{ MPI_Test(r, &flag, ASKED); }} while (!flag && {self.condition()});",
            f"if ({self.condition()}) MPI_Iprobe(2, 1, MPI_COMM_WORLD, &flag, ASKED);",
        ])

    def leave(self):
        ways = ["break;", "break;", "return;", "continue;", "goto out;"]
        if self.wild > 1:
            ways += ["exit(0);", "longjmp(way_out, 1);"] + (["throw 1;"] if self.cxx else [])
        return self.r.choice(ways)

    def block(self, depth):
        return "{ " + " ".join(self.statement(depth + 1) for _ in range(self.r.randint(1, 2))) + " }"

    def statement(self, depth=0):
        r = self.r
        pick = r.random()
        if depth > 2 or pick < 0.45:
            return self.assign()
        if pick < 0.55:
            return f"if ({self.condition()}) {self.leave()}"
        if pick < 0.65:
            return f"if ({self.condition()}) {self.block(depth)} else {self.block(depth)}"
        if pick < 0.7:
            return f"if (flag) {self.block(depth)}"
        if pick < 0.75:
            end = r.choice(["3u", "n", self.expression(2) + " % 9u"])
            return f"for (u i{depth} = 0; i{depth} < {end}; i{depth}++) {self.block(depth)}"
        if pick < 0.8:
            ends = ["break;", "", "break;"]
            cases = " ".join(f"case {i}: {self.assign()} {r.choice(ends)}" for i in range(r.randint(1, 3)))
            return f"switch ({self.expression(1)}) {{ {cases} default: {self.assign()} }}"
        if pick < 0.88:
            return self.ask()
        if pick < 0.92:
            return self.jumps()
        return r.choice([
            "usleep(1);", "printf(\"x\");", "sched_yield();", "memset(&spare, 0, 4);",
            f"give_{self.p}({self.expression(2)});",
            "__asm__ volatile(\"pause\");", "__asm__ volatile(\"\" ::: \"memory\");",
            "__atomic_thread_fence(__ATOMIC_SEQ_CST);", "poll(NULL, 0, 1);", "fflush(stdout);", "kill(0, 0);",
            "{ struct timespec t = {0, 1}, left; nanosleep(&t, &left); spare = (u)left.tv_nsec; }",
            f"{{ u save = spare; spare = sg_{self.p}; sg_{self.p} = save; }}" if self.wild > 2 else "spare = 1;",
            "r[2] = r[1];" if r.random() < 0.5 else "spare = c->b;", f"memcpy(&spare, &{r.choice(self.locals_())}, 4);",
        ])

    def jumps(self):
        """Labels of a statement of its own: a loop of gotos, a goto out of nested loops, a computed goto."""
        self.labels += 1
        at, r = f"{self.p}_{self.labels}", self.r
        return r.choice([
            f"at_{at}: {self.assign()} if ({self.condition()}) {{ {self.ask()} if (!flag) goto at_{at}; }}",
            f"for (u a = 0; a < 3u; a++) for (u b = 0; b < 3u; b++) if ({self.condition()}) goto out_{at}; out_{at}: ;",
            f"{{ static void *const to[2] = {{&&one_{at}, &&two_{at}}}; goto *to[({self.expression(2)}) & 1u]; "
            f"one_{at}: {self.assign()} two_{at}: {self.assign()} }}",
            f"if ({self.condition()}) goto low_{at}; {self.assign()} low_{at}: {self.assign()}",
        ])

    def in_turn(self):
        r, size = self.r, self.r.choice(["3u", "n", "9u", "20u", "50u", "63u", "64u", "65u", "100u", "600u", "1500u"])
        quotient = f"v / {r.choice([2, 4, 30])}u"
        what = r.choice(["v", "v", "v + 7u", quotient, "v % 5u", "v * v", "v - 3u", "(v > 2u)", "other"])
        turn = r.choice([f"v = (v + {r.choice([1, 1, 1, 2, 7])}u) % {size};", f"if (++v == {size}) v = 0;",
                         f"v = v + 1 < {size} ? v + 1 : 2u;",
                         f"v = v * 5u % {size};", f"v = (v + other) % {size};", "v++;"])
        ask = f"MPI_Iprobe(1, (int)({what}), MPI_COMM_WORLD, &flag, ASKED);"
        if r.random() >= 0.7:
            ask = f"MPI_Test(&many[({what}) % 64u], &flag, ASKED);"
        if r.random() < 0.2:
            ask = f"if (v != {r.choice([1, 40])}u) {{ {ask} }}"
        extra = r.choice(["", "", "other = v;", "other++;", "other = (other + 1u) % 4u;", "seen[v % 8u] = v;",
                          "if (seen[v % 8u] > 30) break; seen[v % 8u] = v;",
                          f"if (v == {r.choice([8, 19, 49, 400])}u) break;",
                          "MPI_Iprobe(2, 2, MPI_COMM_WORLD, &flag, ASKED);"])
        body = [turn, ask, extra]
        r.shuffle(body)
        more = "static MPI_Request many[64];" if "many" in ask else ""
        fill = "for (int i = 0; i < 64; i++) many[i] = (MPI_Request)&many[i];" if more and r.random() < 0.8 else ""
        fill += "for (int i = 9; i < 64; i++) many[i] = MPI_REQUEST_NULL;" if more and r.random() < 0.5 else ""
        text = " ".join(["pulse = 1;"] + body)
        return f"{more} {fill} u v = 0, other = 1, seen[8] = {{0}}; while (!flag) {{ {text} }} (void)other, (void)seen;"

    def loop(self):
        if self.turns:
            return "{ " + self.in_turn() + " }"
        body = [self.statement() for _ in range(self.r.randint(0, 1 if self.focus else 3))] + [self.ask()]
        body += [self.statement() for _ in range(self.r.randint(0, 0 if self.focus else 2))]
        if self.focus:
            body.append(f"if ({self.focused()}) {self.leave()}")
        self.r.shuffle(body)
        text = " ".join(["pulse = 1;"] + body)  # a loop without any effect is undefined
        condition = "!flag" + (f" && {self.condition()}" if self.r.random() < 0.5 else "")
        shape = self.r.randrange(6)
        if shape == 0:
            return f"while ({condition}) {{ {text} }}"
        if shape == 1:
            return f"do {{ {text} }} while ({condition});"
        if shape == 2:
            limit = self.r.choice(["", f"i < {self.r.choice([70, 120, 300])}", self.condition()])
            return f"for (u i = 0; {limit}; i++) {{ {text} }}" if limit else f"for (;;) {{ {text} if (flag) break; }}"
        if shape == 3 and "continue" not in text and "break" not in text:
            return f"again: {{ {text} }} if ({condition}) goto again;"
        if shape == 4:
            inner = " ".join(self.ask() for _ in range(self.r.randint(0, 1)))
            return f"while ({condition}) {{ {inner} do {{ {text} }} while ({self.condition()}); {self.statement()} }}"
        return f"for (; {condition}; {self.assign().rstrip(';')}) {{ {text} }}"

    def program(self):
        declared = " ".join(
            DECLARATIONS[k].format(v=f"v{i}", k=self.r.choice([0, 0, 1, 3]),
                                   which=self.r.choice([f"&v{i}_", "&c->b", "&spare"]))
            for i, k in enumerate(self.kinds)
        )
        loop = self.loop()
        calls = f"signal(SIGUSR1, handler_{self.p}); {{ pthread_t t; pthread_create(&t, 0, thread_{self.p}, 0); }}"
        scope = "static " if self.r.random() < 0.8 else ""
        extra = ""
        if self.cxx:
            extra = (
                "Object o{0, 0}; std::vector<u> vec{1, 2, 3}; auto shared = std::make_shared<u>(1); "
                "auto lambda = [&](u x) { return x + spare; }; std::atomic<u> counter{0}; "
                "std::function<u(u)> wrapped = [&](u x) { return x + counter.load(); };"
            )
        functions = FUNCTIONS.format(p=self.p, tl="thread_local" if self.cxx else "_Thread_local",
                                     limit=self.r.choice([70, 120, 300, 900]))
        if self.cxx:
            functions += CXX_FUNCTIONS.format(p=self.p)
        return f"""{functions}{scope}void program_{self.p}(struct ctx *c, u n, u (*f)(void)) {{
  int flag = 0, index = 0, indices[4] = {{0}}, k = 0; char byte = 0;
  struct tms spent; struct stat about; struct pollfd asked = {{0}}; sem_t semaphore; sigset_t pending;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; MPI_Status st = {{0}}; MPI_Request r[4];
  MPI_Win win = MPI_WIN_NULL; jmp_buf way_out; u spare = 0, landing = 0;
  for (int i = 0; i < 4; i++) MPI_Irecv(&landing, 1, MPI_INT, 1, i, MPI_COMM_WORLD, r + i);
  {extra} {declared} {calls if self.wild else ''}
  {'if (setjmp(way_out)) return;' if 'way_out,' in loop else ''}
  {loop}
out:
  (void)spare, (void)index, (void)spent, (void)about, (void)asked, (void)semaphore,
  (void)pending, (void)mutex, (void)indices, (void)byte, (void)st, (void)way_out;
}}
"""


def source(seed, numbers, cxx):
    text, calls, pokes, certain = HEAD + COMMON + (CXX_COMMON if cxx else ""), "", "", {}
    for n in numbers:
        rng = random.Random(f"{seed}-{n}")
        if n % 4 == 3:
            body, certain[n] = closed_shapes.program(rng, n, cxx)
        else:
            made = Random(rng, n, cxx)
            body = made.program()
            pokes += f"case {n}: poke_{n}(value); break; "
        if cxx and "goto out" not in body:
            body = body.replace("out:\n", "")
        line = text.count("\n") + 1
        text += body
        run = f"if (!setjmp(mck_stop)) program_{n}(&c, world_size(), world_function());"
        calls += f"  world_begin({rng.randrange(1 << 30)}u, &c);\n"
        guarded = "try { " + run + " } catch (...) {}" if cxx else run
        calls += f"  {guarded}\n  world_end({n}, {line}, {int(n in certain)});\n"
    first = numbers[0]
    which = f"{first} + which % {len(numbers)}"
    text += f"void poke(u which, u value) {{ switch ({which}) {{ {pokes} default: break; }} }}\n"
    return text + f"int main(void) {{\n  static struct ctx c;\n{calls}  return 0;\n}}\n", certain


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr


def parse():
    options = argparse.ArgumentParser()
    options.add_argument("seed", type=int)
    options.add_argument("programs", type=int)
    options.add_argument("work")
    options.add_argument("--clang", default="clang-19")
    options.add_argument("--plugin", required=True)
    options.add_argument("--source", required=True, help="rt/")
    options.add_argument("--mpi", required=True, help="mpi.h")
    options.add_argument("--levels", default="-O0 -O1 -O2 -O3 -Os")
    options.add_argument("--share", type=int, default=0, help="per cent of the certain loops that must be found")
    options.add_argument("--features", action="store_true", help="print which of the certain loops are found")
    return options.parse_args()


def main():
    o = parse()
    os.makedirs(o.work, exist_ok=True)
    here = os.path.dirname(os.path.abspath(__file__))
    flags = ["-w", "-g1", "-I" + o.source, "-I" + here, "-I" + os.path.dirname(o.mpi), "-DOMPI_SKIP_MPICXX"]
    recorder = os.path.join(o.work, "closed-recorder.o")
    command = [o.clang, "-O1", "-fno-builtin", "-c", os.path.join(here, "closed-recorder.c"), "-o", recorder]
    subprocess.run(command + flags, check=True)
    levels, seen, features = o.levels.split(), collections.Counter(), collections.defaultdict(lambda: [0, 0])
    print(f"seed {o.seed}", flush=True)
    for first in range(0, o.programs, PER_FILE):
        number = first // PER_FILE
        cxx, level = number % 3 == 2, levels[number % len(levels)]
        numbers = range(first, min(first + PER_FILE, o.programs))
        base = os.path.join(o.work, f"closed-{o.seed}-{first}")
        text, certain = source(o.seed, numbers, cxx)
        name = base + (".cpp" if cxx else ".c")
        with open(name, "w") as f:
            f.write(text)
        how = [o.clang, level, "-fpass-plugin=" + o.plugin, name, recorder, "-o", base + ".bin"] + flags
        code, err = run(how + (["-std=c++17", "-lstdc++"] if cxx else []))
        if code:
            sys.exit(f"{name}: does not compile ({level}):\n{err[-3000:]}")
        code, err = run([base + ".bin"])
        lines = [line.split() for line in err.splitlines()]
        if code or len(lines) != len(numbers):
            sys.exit(f"{name} at {level}: ends with {code} after {len(lines)} of {len(numbers)} programs")
        for program, line, kind, what, mark, verdict, _ in lines:
            if verdict != "fine" or (kind == "certain" and what != "stays"):
                sys.exit(f"{name}:{line} at {level}: program {program} ({kind}) {what}, but is marked as {mark}")
            seen[kind, what, mark] += 1
            if o.features and kind == "certain" and mark != "closed":
                print(f"  missed at {level}: {' '.join(certain[int(program)])}")
            for feature in certain.get(int(program), ()):
                features[feature][mark != "closed"] += 1
        for made in (name, base + ".bin"):
            os.unlink(made)
    if o.features:
        for feature, (found, missed) in sorted(features.items()):
            print(f"  {feature}: {found} of {found + missed}")
    known, open_ = seen["certain", "stays", "closed"], seen["certain", "stays", "open"]
    open_ones = sum(n for (_, what, _), n in seen.items() if what in ("ends", "new"))
    print(f"{o.programs} loops: {open_ones} ended or asked for "
          f"something new, none of them marked; of {known + open_} that only MPI can end {known} are marked, of "
          f"{seen['random', 'stays', 'closed'] + seen['random', 'stays', 'open']} others that did not end "
          f"{seen['random', 'stays', 'closed']}")
    if known * 100 < o.share * (known + open_):
        sys.exit(f"fewer than {o.share} % of the closed loops are marked")


if __name__ == "__main__":
    main()
