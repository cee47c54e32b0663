#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pointers.py SEED PROGRAMS WORK: is what is relevant always found?

Random C programs that pass pointers to small objects around, through members, arrays, copies of structures, functions,
integers, lists. Some objects are given to a function that is not compiled here, as to MPI. After that their accesses
must be signalled: those of the naive reference (Naive.cpp).
Compiled and compared by programs.py.
"""
import random

import programs

HEAD = """#include <stdlib.h>
#include <string.h>
void expose(char *); long opaque(long); void finish(int);
struct box { char *a; long n; char *b; struct box *next; char *c[4]; };
static inline char *choose(char *x, char *y, long which) { return which & 1 ? x : y; }
static __attribute__((noinline)) void swap(char **x, char **y) { char *t = *x; *x = *y; *y = t; }
static __attribute__((noinline)) char *first(struct box *b) { return b->a; }
static __attribute__((noinline)) void put(struct box *b, char *x) { b->b = x; }
static __attribute__((noinline)) struct box pass(struct box b) { return b; }
static char *through(char *(*f)(struct box *), struct box *b) { return f(b); }
static __attribute__((noinline)) void touch(char *x, long n) { for (long i = 0; i < n; i++) x[i] += 1; }
static char *fresh(void) { char *p = aligned_alloc(64, 64); memset(p, 0, 64); return p; }
static __attribute__((noinline)) void *checked(size_t n) { void *p = aligned_alloc(64, n); if (!p) abort(); memset(p,
    0, n); return p; }
"""


def program(rng, number):
    lines = []
    pick = rng.choice
    v = [f"v{i}" for i in range(6)]
    boxes = [f"(&g{number}_{i})" for i in range(3)] + ["(&l0)", "(&l1)", "h0", "h1"]
    out = [
        f"static struct box g{number}_0, g{number}_1, g{number}_2; "
        f"static _Alignas(64) char s{number}_0[64], s{number}_1[64];",
        f"static char *table{number}[4] = {{s{number}_0, s{number}_1, s{number}_0, s{number}_1}};",
        f"static struct box made{number} = {{s{number}_1, 1, s{number}_0, &g{number}_1, {{0}}}};",
    ]
    body = [
        "_Alignas(64) char b0[64] = {0}, b1[64] = {0}; struct box l0 = {0}, l1 = {0};",
        "struct box *h0 = checked(128), *h1 = checked(128);",
    ]
    for i, name in enumerate(v):
        body.append(
            f"char *{name} = {pick(['b0', 'b1', 'fresh()', 'fresh()', 'checked(64)', f's{number}_0', f's{number}_1'])};"
        )
    for b in boxes:
        body.append(
            f"{b}->a = {pick(v)}; {b}->b = {pick(v)}; {b}->next = {pick(boxes)}; "
            f"for (int i = 0; i < 4; i++) {b}->c[i] = {pick(v)};"
        )
    body.append(f"table{number}[opaque(2)] = {pick(v)};")
    for _ in range(rng.randint(15, 50)):
        x, y, b, d = pick(v), pick(v), pick(boxes), pick(boxes)
        body.append(
            pick(
                [
                    f"{x} = {y};",
                    f"{x} = fresh();",
                    f"{b}->a = {x};",
                    f"{b}->b = {x};",
                    f"{x} = {b}->a;",
                    f"{x} = {b}->b;",
                    f"{b}->next = {d};",
                    f"{x} = {b}->next->a;",
                    f"{b}->next->b = {x};",
                    f"{b}->c[opaque({rng.randint(0, 3)})] = {x};",
                    f"{x} = {b}->c[{rng.randint(0, 3)}];",
                    f"*{b} = *{d};",
                    f"memcpy({b}, {d}, sizeof *{b});",
                    f"memmove(&{b}->c, &{d}->c, sizeof {d}->c);",
                    f"{x} = choose({x}, {y}, opaque({rng.randint(0, 9)}));",
                    f"swap(&{x}, &{y});",
                    f"swap(&{b}->a, &{d}->b);",
                    f"{x} = first({b});",
                    f"put({b}, {x});",
                    f"*{b} = pass(*{d});",
                    f"{x} = through(first, {b});",
                    f"{x} = (char *)((unsigned long){y} ^ (unsigned long)opaque(0));",
                    f"{b}->n = (long){x};",
                    f"if ({b}->n) {x} = (char *){b}->n;",
                    f"{x} = table{number}[opaque({rng.randint(0, 3)})];",
                    f"table{number}[{rng.randint(0, 3)}] = {x};",
                    f"{x} = made{number}.b;",
                    f"made{number}.a = {x};",
                    f"{{ char **p = opaque(1) ? &{x} : &{b}->a; *p = {y}; }}",
                    f"{{ unsigned char raw[sizeof(char *)]; memcpy(raw, &{x}, sizeof raw); "
                    f"memcpy(&{y}, raw, sizeof raw); }}",
                    f"for (struct box *p = {b}; p; p = p->next == {b} ? 0 : p->next) "
                    f"{{ {x} = p->b; if (opaque(1)) break; }} {b}->n = 0;",
                    f"{x} = (char *)((unsigned long){y} / 64 * 64);",
                    f"{x} = {y} - (unsigned long){y} % 64;",
                    f"{x} = (char *)((long){y} * opaque(1));",
                    f"{{ unsigned __int128 two = (unsigned __int128)(unsigned long){x} << 64 | (unsigned long){y}; "
                    f"two ^= opaque(0); "
                    f"{x} = (char *)(unsigned long)two; {y} = (char *)(unsigned long)(two >> 64); }}",
                    f"{{ char *pair[2] = {{{x}, {y}}}; {x} = pair[opaque({rng.randint(0, 1)})]; }}",
                ]
            )
        )
        if rng.random() < 0.12:
            body.append(f"expose({pick(v + [f'{b}->a', f'{b}->b'])});")
        if rng.random() < 0.4:
            at = rng.randint(0, 7) * 8
            body.append(
                pick(
                    [
                        f"{x}[{at}] += 1;",
                        f"touch({x}, opaque({rng.randint(0, 63)}));",
                        f"*(long *)({x} + {at}) += 2;",
                        f"{b}->a[{at}] += 3;",
                        f"memset({b}->b + 8, 1, opaque(9));",
                    ]
                )
            )
    for x in v:
        body.append(f"touch({x}, 5); {x}[40] += 1;")
    for b in boxes:
        body.append(f"{b}->a[17] += 1; {b}->b[33] += 1;")
    return (
        "\n".join(out)
        + f"\nstatic void program_{number}(void) {{\n  "
        + "\n  ".join(body)
        + f"\n  finish({number});\n}}\n"
    )


programs.compare("pointers", HEAD, lambda seed, number: program(random.Random(seed), number))
