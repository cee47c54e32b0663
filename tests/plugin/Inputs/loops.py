#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""loops.py SEED PROGRAMS WORK: the signals of random programs against the naive reference.

Makes C programs (PER_FILE to a file) of loops over several buffers: affine and not, nested, triangular, with
conditions, early exits,
calls that change which buffers are of interest, memory functions, structures, atomics. What is printed and compared
(programs.py) is a hash of the
touched bytes per phase. What is loaded is always used, so that no optimizer may leave it out.
"""
import random

import programs

TYPES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "f32": 4, "f64": 8}
BYTES = 24000


class Program:
    def __init__(self, rng, number):
        self.r, self.number, self.lines, self.depth, self.names = rng, number, [], 1, 0
        self.kernels = []

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def pointers(self):
        """What the kernel gets: a name per buffer, with a type."""
        return [(f"p{i}", self.r.choice(list(TYPES)), i) for i in range(6)]

    def pick(self):
        return self.r.choice(self.p)

    def limit(self, ctype):
        return BYTES // TYPES[ctype]

    def use(self, expression, ctype):
        """An expression of integer value whose load is never dead."""
        t = self.name("t")
        self.emit(f"{ctype} {t} = {expression};")
        self.emit(f"fsum += {t};" if ctype[0] == "f" else f"sum = sum * 3 + {t};")
        return t

    def load(self, index):
        p, c, _ = self.pick()
        return self.use(f"{p}[{index(c)}]", c)

    def affine(self, variables):
        """An index function that stays within any buffer: variables are (name, bound)."""
        chosen = [
            (v, self.r.choice([0, 1, 1, 1, 2, 3, 8, -1]) if len(variables) < 3 else self.r.choice([1, 1, 2]))
            for v in variables
        ]
        offset = self.r.randint(0, 40)

        def index(ctype):
            limit, low, terms, span = self.limit(ctype), 0, [], 0
            for (name, bound), factor in chosen:
                reach = abs(factor) * bound
                while factor and span + reach + 60 >= limit:
                    factor = factor // 2 if factor > 1 else 0
                    reach = abs(factor) * bound
                span += reach
                if factor < 0:
                    low += reach
                if factor:
                    terms.append(f"{factor} * {name}" if factor > 0 else f"{factor} * (long){name}")
            return " + ".join(terms + [str(low + offset)])

        return index

    def work(self, variables):
        """Loads and a store that depend on the loop's variables."""
        self.emit(f"long i_ = {variables[-1][0]}; (void)i_;")
        for _ in range(self.r.randint(1, 3)):
            index = self.affine(variables)
            if self.r.random() < 0.5 and len(variables) < 3:
                value = self.load(index)
            else:
                value = variables[-1][0]
            if self.r.random() < 0.75:
                store = self.affine(variables)
                p, c, _ = self.pick()
                self.emit(
                    f"{p}[{store(c)}] = ({c})({c})({value}) + ({c}){self.r.randint(1, 9)};"
                    if c[0] != "f" and not value.startswith("t")
                    else f"{p}[{store(c)}] {self.r.choice(['=', '+='])} {self.r.randint(2, 9)} + ({c})i_;"
                )

    def loop(self, variables, depth):
        v = self.name("i")
        bound = self.r.choice([3, 8, 17, 64, 200, 900]) if not variables else self.r.choice([2, 5, 16, 33])
        count = self.r.choice([bound, bound - 1, self.r.randint(0, bound)])
        n = f"opaque({count})" if self.r.random() < 0.7 else str(count)
        limit = self.name("n")
        kind = self.r.choice(["int", "long", "unsigned", "long"])
        self.emit(f"{kind} {limit} = {n};")
        form, is_do = self.r.random(), False
        if form < 0.6:
            self.emit(f"for ({kind} {v} = 0; {v} < {limit}; {v}++) {{")
        elif form < 0.7:
            self.emit(f"for ({kind} {v} = 0; {v} < {limit}; {v} += {self.r.randint(2, 5)}) {{")
        elif form < 0.8:
            self.emit(f"for (long {v} = (long){limit} - 1; {v} >= 0; {v}--) {{")
        elif form < 0.9 and variables:
            self.emit(f"for (long {v} = 0; {v} < {variables[-1][0]} && {v} < {bound}; {v}++) {{")
        else:
            is_do = True
            self.emit(f"{kind} {v} = 0; if ({limit} > 0) do {{")
        self.depth += 1
        inner = variables + [(v, bound)]
        what = self.r.random()
        if self.r.random() < 0.15:
            self.known(inner)
        if self.r.random() < 0.15:
            self.held(inner)
        if depth < 3 and what < 0.35:
            self.loop(inner, depth + 1)
            if self.r.random() < 0.3:
                self.work(inner)
        elif what < 0.6:
            self.work(inner)
        elif what < 0.7:  # a condition that the data decide
            c = self.load(self.affine(inner))
            self.emit(f"if (L({c}) % 3 {self.r.choice(['==', '!='])} 1) {{")
            self.depth += 1
            self.work(inner)
            self.depth -= 1
            self.emit("}")
        elif what < 0.76:  # early exit
            if self.r.random() < 0.5:
                self.work(inner)
            c = self.load(self.affine(inner))
            self.emit(f"if (L({c}) % 37 == {self.r.randint(0, 36)}) break;")
            self.emit("{")
            self.work(inner)
            self.emit("}")
        elif what < 0.84:  # indices from memory
            p, c, _ = self.pick()
            q, d, _ = self.pick()
            t = self.use(f"{p}[{self.affine(inner)(c)}]", c)
            self.emit(f"u64 x_{t} = (u64)L({t}) % {self.limit(d)};")
            if self.r.random() < 0.5:
                self.use(f"{q}[x_{t}]", d)
            else:
                self.emit(f"{q}[x_{t}] += 3;")
        elif what < 0.88:  # a call of MPI in the middle
            self.work(inner)
            self.emit(f"if ({v} == {self.r.randint(0, bound)}) {self.phase}")
            self.emit("{")
            self.work(inner)
            self.emit("}")
        elif what < 0.92:  # structures
            i = v if len(variables) == 0 else f"({variables[0][0]} + {v})"
            s = self.r.randint(0, 5)
            self.emit(f"struct cell *s = (struct cell *)p{s};")
            field = self.r.choice("abcd")
            self.emit(f"s[{i} % 900].{field} = {v} + 1; sum += s[{i} % 900].{self.r.choice('acd')};")
            if self.r.random() < 0.4:
                self.emit(
                    f"struct pair *q = (struct pair *)p{self.r.randint(0, 5)}; "
                    f"struct pair x = q[{i} % 1000]; sum += x.first ^ x.second;"
                    f" ((struct pair *)p{s})[({i} + 1) % 1000] = x;"
                )
        elif what < 0.95:  # either of two
            a, b = self.pick(), self.pick()
            index = self.affine(inner)
            t = self.load(self.affine(inner))
            self.emit(
                f"if (L({t}) & 1) sum += (u64)L({a[0]}[{index(a[1])}]); else sum += 7 * (u64)L({b[0]}[{index(b[1])}]);"
            )
        elif what < 0.97:  # the same place again and again
            p, c, _ = self.pick()
            at = self.r.randint(0, 900)
            self.emit(f"{p}[{at}] += {v} + 1;")
        else:
            p, c, _ = self.pick()
            self.emit(f"__atomic_fetch_add((u32 *){self.pick()[0]} + {v}, 1, __ATOMIC_SEQ_CST);")
            self.work(inner)
        self.depth -= 1
        self.emit("}" if not is_do else f"}} while (++{v} < {limit});")

    def known(self, inner):
        """The same place in each iteration, perhaps, in memory that is known to be there: what the optimizer would do
        ahead of the loop."""
        t = self.load(self.affine(inner))
        k, j, test = (
            self.r.randint(0, 15),
            self.r.randint(0, 15),
            f"L({t}) % {self.r.choice([3, 7, 1000003])} == {self.r.randint(1, 2)}",
        )
        v = inner[-1][0]
        # In a loop that another one may not enter it is unknown whether such a place was read (plugin/Promoted.h).
        looks = [
            f"if ((u64)L({t}) * 7 + {v} + 1 > known.w[{k}]) known.w[{k}] = {v};",
            f"if ((u64)L({t}) * 7 + {v} + 1 > known.n[{k}]) {{ known.n[{k}] = {v}; known.c[{j}].a = {v}; }}",
        ]
        self.emit(
            self.r.choice(
                (looks if len(inner) == 1 else [])
                + [
                    f"if ({test}) known.n[{k}] += {v} + 1;",
                    f"if ({test}) {{ known.w[{k}] += {v} + 1; known.n[{j}] = {v}; }}",
                    f"if ({test}) {{ sum = sum * 3 + known.n[{k}]; }}",
                    f"if ({test}) fsum += known.d[{k}]; else fsum += known.d[{j}] * 3;",
                    f"if ({test}) known.c[({v} + {k}) % 16].c++; else sum += known.c[{j}].d;",
                    f"sum += through(&known.n[{k}], (u64)L({t}));",
                    f"sum += through_cell(&known.c[{k}], (u64)L({t})) ^ through(&known.n[{j}], {v});",
                    f"known.d[{k}] += {v} + 1;",
                ]
            )
        )

    def held(self, inner):
        """Under a condition that is the same in all iterations, or nearly so, a pointer that is loaded in each one."""
        at = f"held.at[held.from + {self.affine(inner)('u32')}]"
        test = self.r.choice(["same", "same", "!same", f"same && {inner[0][0]} > 1", f"{inner[-1][0]} != same"])
        self.emit(f"if ({test}) " + self.r.choice([f"sum = sum * 3 + {at};", f"{at} += 3;"]))

    def memory(self):
        a, b = self.r.sample(range(6), 2)
        n, x, y = self.r.choice([7, 16, 100, 4000, 9000]), self.r.randint(0, 9000), self.r.randint(0, 9000)
        size = f"opaque({self.r.choice([0, n, n])})" if self.r.random() < 0.6 else str(n)
        form = self.r.randint(0, 3)
        if form == 0:
            self.emit(f"__builtin_memcpy((char *)p{a} + {x}, (char *)p{b} + {y}, {size});")
        elif form == 1:
            self.emit(f"__builtin_memmove((char *)p{a} + {x}, (char *)p{a} + {y}, {size});")
        elif form == 2:
            self.emit(f"__builtin_memset((char *)p{a} + {x}, {self.r.randint(0, 255)}, {size});")
        else:
            self.emit(f"*(volatile u32 *)((char *)p{a} + {x & ~3}) += 5;")

    def kernel(self):
        self.p = self.pointers()
        # restrict tells the optimizer that phase() cannot see the buffer: then it may leave out stores before it.
        qualifier = self.r.choice(["", "", " restrict"])
        self.phase = "(void)0;" if qualifier else "phase();"
        inline = self.r.choice(["static", "static __attribute__((noinline))", "__attribute__((noinline))"])
        name = f"kernel_{self.number}_{self.names}"
        parameters = ", ".join(f"{c} *{qualifier} {p}" for p, c, _ in self.p)
        self.lines.append(f"{inline} void {name}({parameters}) {{")
        self.emit(f"u64 sum = 1; f64 fsum = 0; const long same = opaque({self.r.randint(0, 1)}); (void)same;")
        self.emit(f"hold(p{self.r.randint(0, 5)}, {self.r.randint(0, 9)});")
        for _ in range(self.r.randint(1, 3)):
            self.emit("{")
            if self.r.random() < 0.85:
                self.loop([], 1)
            else:
                self.memory()
            self.emit("}")
            if self.r.random() < 0.3:
                self.emit(self.phase)
        self.emit("sink(sum, fsum);")
        for p, _, _ in self.p:
            self.emit(f"(void){p};")
        self.lines.append("}")
        # restrict is a promise: then each gets a buffer of its own; else two may have the same
        order = [i for _, _, i in self.p] if qualifier else [self.r.randint(0, 5) for _ in self.p]
        if qualifier:
            self.r.shuffle(order)
        self.kernels.append(f"{name}(" + ", ".join(f"buffer({i})" for i in order) + ");")

    def text(self):
        for _ in range(self.r.randint(1, 2)):
            self.kernel()
            self.names += 1
        calls = "\n  phase();\n  ".join(self.kernels)
        return (
            "\n".join(self.lines)
            + f"\nvoid program_{self.number}(void) {{\n  begin({self.number});\n  {calls}\n  finish();\n}}\n"
        )


programs.compare(
    "random",
    '#include "random.h"\n',
    lambda seed, number: Program(random.Random(seed), number).text(),
    "RANDOM_SHOW=<program> makes both print the ranges",
)
