# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random polling loops (closed.py) are made of: names of variables, things of the world, functions."""

NAMES = {
    "array": "{v}_[{i}]",
    "member": "{v}_.x",
    "through": "(*{v}p)",
    "heap": "{v}_[1]",
    "parameter": "n",
    "handled": "sh_{p}",
    "threaded": "st_{p}",
    "poked": "sp_{p}",
    "own": "sg_{p}",
    "shared": "c->a",
    "foreign": "gx[{i}]",
    "foreign-volatile": "gv[{i}]",
    "atomic": "ga[{i}]",
    "thread-local": "sl_{p}",
}
SOURCES = (
    "now()|unknown()|(u)time(0)|(u)clock()|(u)rand()|(u)(getenv(\"MCK_STOP\") != 0)|(u)access(\"stop\", 0)"
    "|f()|(u)MPI_Wtime()"
    "|(u)usleep(1)|(u)printf(\"x\")|step_{p}()|pure_{p}({e})|deep_{p}({e} % 5)|(u)strlen(\"abc\")"
    "|late_{p}()|give_{p}({e})"
    "|(u)read(0, &byte, 1)|(u)byte|(u)st.MPI_TAG|fixed[({e}) % 4]|via_{p}(&{l})|assembled({e})"
    "|stamp()|(u)(__builtin_readcyclecounter() >> 10)|(u)times(&spent)|(u)random()|(u)stat(\"stop\", &about)"
    "|(u)recv(0, &byte, 1, 0)|(u)poll(&asked, 1, 0)|(u)fgetc(stdin)|(u)sem_trywait(&semaphore)|(u)errno"
    "|(u)pthread_mutex_trylock(&mutex)|(u)sigpending(&pending)|even_{p}({e} % 9)|table_{p}[({e}) % 3]({e})"
    "|hook_{p}({e})|*(volatile u *)&{l}|__atomic_load_n(&{l}, __ATOMIC_RELAXED)|__sync_fetch_and_add(&sg_{p}, 1)"
    "|__atomic_fetch_add(&{l}, 1, __ATOMIC_SEQ_CST)|limited_{p}()|outer_{p}({e})"
).split("|")
CXX_SOURCES = (
    "[&] {{ return {l}++; }}()|[&] {{ return 0u + {e}; }}()|"
    "(u)std::chrono::steady_clock::now().time_since_epoch().count()|o.get()|o.next()"
    "|(u)std::chrono::system_clock::now().time_since_epoch().count()|counter.load()|counter.fetch_add(1u)|wrapped({e})"
    "|(u)(std::chrono::high_resolution_clock::now() > std::chrono::high_resolution_clock::time_point())"
    "|(u)vec.size()|vec[({e}) % 3]|thrower_{p}({e})|lambda({e})|(u)shared.use_count()"
).split("|")
FUNCTIONS = """static u sg_{p} = 1, sh_{p}, st_{p}, sp_{p};
static {tl} u sl_{p};
static void handler_{p}(int s) {{ sh_{p} = (u)s; }}
static void *thread_{p}(void *x) {{ st_{p}++; return x; }}
static u step_{p}(void) {{ static u k; return ++k; }}
static u pure_{p}(u v) {{ return v * 3 + 1; }}
static u step_of_{p}(u v) {{ return step_{p}() + v; }}
static u deep_{p}(u v) {{ return v ? deep_{p}(v - 1) + 1 : sg_{p}; }}
static u late_{p}(void) {{ return now() > 130; }}
static u give_{p}(u v) {{ u before = sg_{p}; sg_{p} = v; return before; }}
static u via_{p}(u *v) {{ return (*v)++; }}
static u odd_{p}(u v);
static u even_{p}(u v) {{ return v ? odd_{p}(v - 1) : 1u; }}
static u odd_{p}(u v) {{ return v ? even_{p}(v - 1) : 0u; }}
static u (*const table_{p}[3])(u) = {{pure_{p}, give_{p}, even_{p}}};
static u (*hook_{p})(u) = pure_{p};
static u limited_{p}(void) {{ static u left = {limit}; return left ? left-- : 0; }}
static u inner_{p}(u v) {{ return sg_{p} + v; }}
static u outer_{p}(u v) {{ return v & 1u ? inner_{p}(v) : inner_{p}(v + 1u) - late_{p}(); }}
static int ask_{p}(MPI_Request *r, int k) {{ int f; MPI_Test(r + k, &f, ASKED); return f || (k && ask_{p}(r, k - 1)); }}
static int (*const asker_{p})(MPI_Request *, int) = ask_{p};
static int (*any_asker_{p})(MPI_Request *, int) = ask_{p};
static void poke_{p}(u value) {{ sp_{p} = value, hook_{p} = value > 3 ? step_of_{p} : pure_{p}; }}
static int done_{p}(MPI_Request *r) {{ int f; MPI_Test(r, &f, ASKED); return f; }}
static int quiet_{p}(int tag) {{ int f; MPI_Iprobe(1, tag, MPI_COMM_WORLD, &f, ASKED); return !f; }}
static void all_{p}(MPI_Request *r, int k, int *all) {{
  *all = 1;
  for (int i = 0; i < k; i++) {{ int f; MPI_Test(r + i, &f, ASKED); *all &= f; }}
}}
"""
CXX_FUNCTIONS = """static u thrower_{p}(u v) {{ if (v == 1003) throw std::runtime_error("x"); return v; }}
"""
COMMON = """static inline u assembled(u v) { __asm__ volatile("" : "+r"(v)); return v; }
"""
CXX_COMMON = """struct Object { u x, y; u get() const { return x; } u next() { return ++y; } };
"""
