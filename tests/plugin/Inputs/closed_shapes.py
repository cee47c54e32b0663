# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Polling loops that only MPI can end, for closed.py: program(rng, number, cxx) returns a text and the names of what is
in it."""

# name: (declarations, the body of an iteration, the condition to go on)
SHAPES = {
    "one": ("", "{ask}", "!flag"),
    "left": ("u left = {n};",
             "for (u i = 0; i < {n}; i++) if (done[i] == 0) {{ {each} if (flag) done[i] = 1, left--; }}",
             "left"),
    "all": ("int all = 0;", "all = 1; for (u i = 0; i < {n}; i++) {{ {each} all &= flag; }}", "!all"),
    "count": ("u count = 0;", "count = 0; for (u i = 0; i < {n}; i++) {{ if (!done[i]) {{ {each} done[i] = (u)flag; }} "
              "count += done[i]; }}",
              "count < {n}"),
    "robin": ("u i = 0;", "i = (i + 1) % {n}; {each}", "!flag"),
    "robin-wrap": ("u i = 0;", "if (++i == {n}) i = 0; {each}", "!flag"),
    "inner": ("u i = 0;", "for (i = 0; i < {n} && !flag; i++) {{ {each} }}", "!flag"),
    "nest": ("", "do {{ {ask} }} while (!flag);", "!flag"),
    "nest-left": ("u left = {n};", "for (u i = 0; i < {n}; i++) {{ while (!flag) {{ {each} }} left--; }}", "left"),
    "calls": ("", "flag = outer_{p}(r, 1);", "!flag"),
    "pointer": ("", "flag = asker_{p}(r);", "!flag"),
    "jumps": ("", "from_{p}: {ask} if (flag) goto to_{p}; goto from_{p}; to_{p}: ;", "!flag"),
    "two": ("int other = 0;", "{ask} if (!flag) MPI_Iprobe(2, 7, MPI_COMM_WORLD, &other, ASKED);", "!flag && !other"),
    "message": ("u got = 0;", "{ask} if (flag) {{ MPI_Recv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, ASKED); got = x == 7; "
                "if (unknown()) return; }}",
                "!got"),
    "state": ("int state = 0;", "switch (state) {{ case 0: {ask} if (flag) state = 1; break; "
              "case 1: {ask} if (flag) state = 2; break; default: break; }}",
              "state < 2"),
}
BOUNDS = {"constant": "3", "parameter": "n", "local": "many", "shared-bound": "c->n"}
ASKS = {
    "iprobe": "MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, ASKED);",
    "iprobe-context": "MPI_Iprobe(1, (int)c->tag, c->comm, &flag, ASKED);",
    "test": "MPI_Test(r, &flag, ASKED);",
    "testany": "MPI_Testany(3, r, &index, &flag, ASKED);",
    "testsome": "MPI_Testsome(3, r, &flag, indices, MPI_STATUSES_IGNORE);",
    "testall": "MPI_Testall((int){n}, r, &flag, MPI_STATUSES_IGNORE);",
    "win": "MPI_Win_test(win, &flag);",
    "function": "flag = done_{p}(r);",
    "improbe": "MPI_Improbe(1, 1, MPI_COMM_WORLD, &flag, &message, ASKED);",
}
EACH = {
    "each-test": "MPI_Test(r + i, &flag, ASKED);",
    "each-context": "MPI_Test(&c->requests[i], &flag, ASKED);",
    "each-probe": "MPI_Iprobe((int)i, 1, MPI_COMM_WORLD, &flag, ASKED);",
    "each-function": "flag = done_{p}(r + i);",
}
CXX_ASKS = {
    "vector": "MPI_Testall((int)vec.size(), vec.data(), &flag, MPI_STATUSES_IGNORE);",
    "lambda": "by_reference();",
    "member": "flag = o.ask();",
}
CXX_EACH = {"each-vector": "MPI_Test(&vec[i], &flag, ASKED);"}
NOISE = {
    "sleep": "usleep(1);",
    "pause": "__asm__ volatile(\"pause\");",
    "print": "if (tries++ % 100 == 0) printf(\"%u\", now());",
    "yield": "sched_yield();",
    "dead": "tries += now();",
    "on-success": "if (flag) {{ printf(\"got\"); if (unknown()) return; }}",
    "fence": "__asm__ volatile(\"\" ::: \"memory\");",
}
LOOPS = ["while ({go}) {{ {body} }}", "do {{ {body} }} while ({go});", "for (;;) {{ {body} if (!({go})) break; }}",
         "again: {{ {body} }} if ({go}) goto again;", "for (u z = 0; {go}; z++) {{ {body} }}"]
CXX_DECLARATIONS = {
    "vec": "std::vector<MPI_Request> vec(r, r + 3);",
    "by_reference": "auto by_reference = [&] { MPI_Test(r, &flag, ASKED); };",
    "o.ask": "struct { MPI_Request request; "
    "int ask() { int f; MPI_Test(&request, &f, ASKED); return f; } } o = {r[0]};",
}


def program(rng, number, cxx):
    shape = rng.choice(list(SHAPES))
    declared, body, go = SHAPES[shape]
    features = {shape}
    values = {"p": number}

    def pick(key, table):
        name = rng.choice(list(table))
        values[key] = table[name].format(**values)
        if "{" + key + "}" in declared + body + go or (key == "n" and "{n}" in str(values)):
            features.add(name)

    pick("n", BOUNDS)
    pick("ask", {**ASKS, **CXX_ASKS, **CXX_ASKS} if cxx else ASKS)
    pick("each", {**EACH, **CXX_EACH, **CXX_EACH} if cxx else EACH)
    if values["n"] == "c->n" and "testall" in features:
        features.add("shared-bound")
    text = body.format(**values)
    for _ in range(rng.randint(0, 2)):
        name = rng.choice(list(NOISE))
        features.add(name)
        text += " " + NOISE[name].format()
    way = rng.randrange(len(LOOPS))
    if LOOPS[way].startswith("again") and "switch" not in text and "for (" not in text and "break" in text:
        way = 0
    features.add(["while", "do", "for-ever", "goto", "for"][way])
    loop = LOOPS[way].format(go=go.format(**values), body=text)
    return f"""static int done_{number}(MPI_Request *r) {{ int f; MPI_Test(r, &f, ASKED); return f; }}
static int inner_{number}(MPI_Request *r) {{ return done_{number}(r) || done_{number}(r + 1); }}
static int outer_{number}(MPI_Request *r, int k) {{ return k ? inner_{number}(r) : done_{number}(r); }}
static int (*const asker_{number})(MPI_Request *) = done_{number};
static void program_{number}(struct ctx *c, u n, u (*f)(void)) {{
  int flag = 0, index = 0, indices[4] = {{0}}, x = 0; u done[4] = {{0}}, tries = 0, many = n;
  MPI_Request r[4]; MPI_Win win; MPI_Message message;
  static u memory[4];
  for (int i = 0; i < 4; i++) MPI_Irecv(memory, 1, MPI_INT, 1, i, MPI_COMM_WORLD, r + i);
  MPI_Win_create(memory, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  {' '.join(text for name, text in CXX_DECLARATIONS.items() if name in loop)}
  {declared.format(**values)}
  {loop}
  (void)index, (void)indices, (void)x, (void)done, (void)tries, (void)many, (void)message;
}}
""", sorted(features)

# How a variable of each kind is declared.
DECLARATIONS = {
    "local": "u {v} = {k};",
    "array": "u {v}_[4] = {{{k}, 1, 2, 3}};",
    "member": "struct {{ u x, y; }} {v}_ = {{{k}, 1}};",
    "through": "u {v}_ = {k}, *{v}p = {which};",
    "escaped": "u {v} = {k}; escape(&{v});",
    "received": "u {v} = {k}; MPI_Request {v}r; MPI_Irecv(&{v}, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &{v}r);",
    "window": "u {v} = {k}; MPI_Win {v}w; MPI_Win_create(&{v}, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &{v}w);",
    "volatile": "volatile u {v} = {k};",
    "heap": "u *{v}_ = (u *)calloc(4, 4); escape({v}_);",
    "static": "static u {v} = {k};",
    "parameter": "",
    "handled": "",
    "threaded": "",
    "poked": "",
    "own": "",
    "shared": "",
    "foreign": "",
    "foreign-volatile": "",
    "atomic": "",
    "thread-local": "",
}
