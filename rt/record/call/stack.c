// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call stacks. A stack is walked by frame pointers (mpicc-check keeps them) and becomes a small number, its site, by a
// per-thread cache and a table. The log gets the frames of each site once. A walk never leaves [current frame, end of
// the thread's stack), so code without frame pointers gives wrong frames at worst, never a fault. Where such code makes
// the call, the frames are found by unwind tables (record/call/foreign-stack.h).
//
// A loop makes the same calls again, from frames at the same addresses. So the last walk from a frame is kept with all
// that it read; where all of that is still there, the site is the same.
#include <pthread.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "base/elf.h"
#include "record/call/callsite.h"
#include "record/call/foreign-stack.h"
#include "record/call/python-frame.h"
#include "record/call/stack.h"
#include "record/call/thread-memory.h"
#include "record/run/own-library.h"
#include "record/runtime.h"
#include "uthash.h"

enum { DEPTH_MAX = 64, CACHE = 512 };

struct stack {
  uint64_t hash;
  uint32_t id, depth, status;
  const uint64_t *frames;
  UT_hash_handle hh;
};
static struct stack *stacks;
static uint32_t next_id;

struct module {
  uintptr_t low, high, bias;
  char *path;
  uint32_t id;
  bool is_own, is_defined;
  bool is_foreign;  // it is not linked with us, so mpicc-check has not compiled it
  bool is_language; // the library of C or C++, in which abort and std::terminate are
};
static struct module *modules;
static size_t nmodules, module_capacity;

static __thread uintptr_t stack_end __attribute__((tls_model("initial-exec")));
struct cached {
  uint64_t hash;
  uint32_t id;
};

// What a walk from a frame has read: of each frame the next one and the return address there; and what ended it. Short
// walks are one cache line.
enum { WALK_BITS = 5, LINKS = 13 };
struct link {
  uintptr_t frame, pc;
};
struct walk {
  const void *pc, *frame; // the walk began there; NULL: unused
  const struct link *end;
  uint32_t site;
  struct link links[LINKS + 1]; // the frame of the end: what the last frame holds in place of the next one
};
_Static_assert(sizeof(struct walk) == 256, "a walk begins at a cache line");

// What a thread remembers. At first that is nothing, which no walk equals.
struct memory {
  struct walk walks[1 << WALK_BITS];
  struct cached cache[CACHE];
};
_Static_assert(MCK_THREAD_MEMORY_ALIGN >= 64, "a walk begins at a cache line");
static _Alignas(64) struct memory nothing;
static __thread void *own __attribute__((tls_model("initial-exec"))) = &nothing;

static inline struct walk *walk_of(const struct memory *m, const void *pc, const void *frame) {
  return (struct walk *)&m->walks[((uintptr_t)pc ^ (uintptr_t)frame << 7) * 0x9e3779b97f4a7c15u >> (64 - WALK_BITS)];
}

// Reads no more than the walk did: each frame is read only where the one before leads to it.
static inline bool is_same(const struct walk *walk) {
  const uintptr_t *fp = walk->frame;
  for (const struct link *l = walk->links, *end = walk->end; l != end; l++) {
    if (*fp != l->frame) return false;
    fp = (const uintptr_t *)l->frame;
    if (fp[1] != l->pc) return false;
  }
  return *fp == walk->end->frame;
}

static uintptr_t find_stack_end(void) {
  pthread_attr_t attr;
  void *low = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attr) == 0) {
    pthread_attr_getstack(&attr, &low, &size);
    pthread_attr_destroy(&attr);
  }
  return low ? (uintptr_t)low + size : 1;
}

bool mck_stack_is_own(const void *low, const void *high) {
  return (uintptr_t)low >= (uintptr_t)__builtin_frame_address(0) && (uintptr_t)high <= stack_end;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (start < low) low = start;
    if (start + p->p_memsz > high) high = start + p->p_memsz;
  }
  if (low >= high) return 0;
  for (size_t i = 0; i < nmodules; i++)
    if (modules[i].low == low) return 0;
  char program[PATH_MAX];
  const char *path = info->dlpi_name;
  if (!path[0] && nmodules == 0) { // the executable comes first and without a name
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    path = program;
  } else if (path[0] != '/' && realpath(path, program)) { // given to dlopen; the program may change its directory
    path = program;
  }
  struct module m = {low, high, info->dlpi_addr, strdup(path), (uint32_t)nmodules, .is_defined = false};
  m.is_own = mck_library_is_own(info, path);
  m.is_foreign = !mck_elf_needs(info, "libmpicc-check.so");
  m.is_language = strstr(path, "/libc.so.") || strstr(path, "/libstdc++.so.") || strstr(path, "/libc++");
  (void)!MCK_PUSH(modules, nmodules, module_capacity, m);
  return 0;
}

static struct module *module_of(uintptr_t pc) {
  for (int again = 0; again < 2; again++) {
    for (size_t i = 0; i < nmodules; i++)
      if (pc >= modules[i].low && pc < modules[i].high) return &modules[i];
    dl_iterate_phdr(add_module, NULL); // a library may have been loaded since
  }
  return NULL;
}

static void define_module(struct module *m) {
  if (!mck_rt.log.header) return; // before MPI_Init: see mck_stack_rewrite
  m->is_defined = true;
  size_t length = m->path ? strlen(m->path) : 0;
  struct mck_event head = {.kind = MCK_EV_DEF_MODULE, .site = MCK_NONE};
  head.def.id = m->id, head.def.a = (uint32_t)length, head.def.b = 0, head.def.c = m->is_own;
  struct mck_piece piece = {m->path, length};
  mck_log_append(&mck_rt.log, &head, &piece, 1);
}

void mck_stack_define_own(void) {
  mck_base_check_lock();
  dl_iterate_phdr(add_module, NULL);
  for (size_t i = 0; i < nmodules; i++)
    if (modules[i].is_own && !modules[i].is_defined) define_module(&modules[i]);
}

static void write_stack(const struct stack *s) {
  if (!mck_rt.log.header) return;
  struct mck_event head = {.kind = MCK_EV_DEF_STACK, .site = MCK_NONE};
  head.def.id = s->id, head.def.a = s->depth, head.def.b = s->status;
  struct mck_piece piece = {s->frames, s->depth * sizeof *s->frames};
  mck_log_append(&mck_rt.log, &head, &piece, 1);
}

void mck_stack_rewrite(void) {
  for (size_t i = 0; i < nmodules; i++)
    if (!modules[i].is_defined) define_module(&modules[i]);
  for (struct stack *s = stacks; s; s = s->hh.next) write_stack(s);
}

// A function of Python takes the place of a module, and the line that of an offset.
static struct module *module_of_python(const struct mck_python_frame *frame) {
  enum { MODULES_MAX = 1 << 15 };
  char path[PATH_MAX];
  if (!mck_python_write(frame, path, sizeof path)) return NULL;
  for (size_t i = 0; i < nmodules; i++)
    if (modules[i].path && strcmp(modules[i].path, path) == 0) return &modules[i];
  struct module m = {.path = strdup(path), .id = (uint32_t)nmodules};
  if (nmodules >= MODULES_MAX || !m.path || !MCK_PUSH(modules, nmodules, module_capacity, m)) return NULL;
  return &modules[nmodules - 1];
}

// python: the frames behind those of C, where there are any.
static struct stack *define(uint64_t hash, const uintptr_t *pcs, unsigned depth, const struct mck_python_frame *python,
                            unsigned npython) {
  struct stack *s = calloc(1, sizeof *s + (depth + npython) * sizeof(uint64_t));
  if (!s) return NULL;
  uint64_t *frames = (uint64_t *)(s + 1);
  unsigned n = 0;
  for (unsigned i = 0; i < depth; i++) {
    struct module *m = module_of(pcs[i]);
    if (!m) break; // not code: the walk has lost the frames here
    if (!m->is_defined) define_module(m);
    frames[n++] = (uint64_t)m->id << 48 | ((pcs[i] - m->bias) & 0xffffffffffffu);
  }
  for (unsigned i = 0; i < npython; i++) {
    struct module *m = module_of_python(&python[i]);
    if (!m) break;
    if (!m->is_defined) define_module(m);
    frames[n++] = (uint64_t)m->id << 48 | (uint32_t)python[i].line;
  }
  uint32_t status = depth ? mck_callsite_status((const void *)pcs[0]) : 0;
  *s = (struct stack){.hash = hash, .id = next_id++, .depth = n, .status = status, .frames = frames};
  HASH_ADD(hh, stacks, hash, sizeof s->hash, s);
  write_stack(s);
  return s;
}

// One step up: the caller's return address and frame pointer; false: the walk ends here.
static inline bool step(const uintptr_t **fp, uintptr_t *at, uintptr_t end) {
  uintptr_t next = **fp; // fp: this frame; it holds the caller's
  if (next <= (uintptr_t)*fp || next + 16 > end || next & 7) return false;
  *fp = (const uintptr_t *)next;
  *at = (*fp)[1];
  return *at >= 4096;
}

// m NULL: there was no memory.
static __attribute__((noinline, cold)) uint32_t find_or_define(struct memory *m, uint64_t hash, uintptr_t at,
                                                               const uintptr_t *fp) {
  uintptr_t pcs[DEPTH_MAX];
  unsigned depth = 0, max = (unsigned)mck_options.stack_depth;
  do pcs[depth++] = at;
  while (depth < max && step(&fp, &at, stack_end));
  struct stack *s;
  HASH_FIND(hh, stacks, &hash, sizeof hash, s);
  if (!s && !(s = define(hash, pcs, depth, NULL, 0))) return MCK_NONE;
  if (m) m->cache[(hash >> 40) % CACHE] = (struct cached){hash, s->id};
  return s->id;
}

// Modules of Python's interpreter, and extensions: behind them the frames are those of Python.
static bool is_of_python(const struct module *m) {
  const char *slash = m->path ? strrchr(m->path, '/') : NULL, *name = slash ? slash + 1 : m->path;
  return name && (strncmp(name, "python3", 7) == 0 || strncmp(name, "libpython3", 10) == 0 ||
                  strstr(name, ".cpython-") || strstr(name, ".abi3.so"));
}

// The place of a call that Python code has caused: frames of libraries that an extension calls, then those of Python.
// MCK_NONE: no Python code runs in this thread. The walk is not kept (is_same would not see another line of Python).
static uint32_t find_python(uintptr_t at, const uintptr_t *fp) {
  enum { LIBRARIES_MAX = 8 };
  struct mck_python_frame python[DEPTH_MAX];
  uintptr_t pcs[LIBRARIES_MAX];
  unsigned depth = 0, max = (unsigned)mck_options.stack_depth;
  unsigned n = mck_python_frames(python, max < DEPTH_MAX ? max : DEPTH_MAX);
  if (!n) return MCK_NONE;
  uint64_t hash = 1;
  do {
    const struct module *m = module_of(at);
    if (!m || is_of_python(m)) break;
    pcs[depth++] = at;
  } while (depth < LIBRARIES_MAX && step(&fp, &at, stack_end));
  hash = mck_base_hash(pcs, depth * sizeof *pcs, hash);
  for (unsigned i = 0; i < n; i++) hash = hash * 0xd1342543de82ef95u + mck_python_hash(&python[i]);
  struct stack *s;
  HASH_FIND(hh, stacks, &hash, sizeof hash, s);
  if (!s) s = define(hash, pcs, depth, python, n);
  return s ? s->id : MCK_NONE;
}

static bool is_foreign(uintptr_t pc) {
  const struct module *m = module_of(pc);
  return m && m->is_foreign;
}

// The place of a call that foreign code makes: its frames, and up to stack_depth of those behind them. MCK_NONE: there
// are no unwind tables.
static uint32_t find_foreign(const void *pc, const void *frame) {
  struct mck_foreign_stack stack;
  if (!mck_foreign_stack_walk(&stack, pc, frame, stack_end)) return MCK_NONE;
  unsigned depth = 0, max = (unsigned)mck_options.stack_depth;
  while (depth < stack.n && nmodules && module_of(stack.pcs[depth]) != &modules[0] && is_foreign(stack.pcs[depth]))
    depth++;
  depth = depth + max < stack.n ? depth + max : stack.n;
  uint64_t hash = mck_base_hash(stack.pcs, depth * sizeof *stack.pcs, 2);
  struct stack *s;
  HASH_FIND(hh, stacks, &hash, sizeof hash, s);
  if (!s && !(s = define(hash, stack.pcs, depth, NULL, 0))) return MCK_NONE;
  mck_foreign_stack_keep(&stack, pc, frame, s->id);
  return s->id;
}

static __attribute__((noinline)) uint32_t find(const void *pc, const void *frame) {
  if (MCK_UNLIKELY(!stack_end)) stack_end = find_stack_end();
  uint32_t site = MCK_UNLIKELY(mck_python_is_here) ? find_python((uintptr_t)pc, frame) : MCK_NONE;
  if (site == MCK_NONE) site = mck_foreign_stack_find(pc, frame); // it has foreign code's only
  if (site == MCK_NONE && MCK_UNLIKELY(is_foreign((uintptr_t)pc))) site = find_foreign(pc, frame);
  if (site != MCK_NONE) return site;
  struct memory *m = own;
  if (MCK_UNLIKELY(m == &nothing)) m = mck_thread_memory_make(&own, sizeof *m);
  struct link links[LINKS + 1];
  // The hash is a sum of products with odd constants. The products do not wait for each other, as the steps of a
  // chained hash would.
  uint64_t hash = 0, factor = 0x9e3779b97f4a7c15u;
  const uintptr_t *fp = frame, *last = fp;
  uintptr_t at = (uintptr_t)pc, end = stack_end;
  unsigned left = (unsigned)mck_options.stack_depth, n = 0;
  for (;; n++) {
    hash += at * factor;
    factor *= 0xd1342543de82ef95u;
    last = fp;
    if (!--left || !step(&fp, &at, end)) break;
    if (n < LINKS) links[n] = (struct link){(uintptr_t)fp, at};
  }
  const struct cached *cached = m ? &m->cache[(hash >> 40) % CACHE] : NULL;
  site = MCK_LIKELY(cached && cached->hash == hash) ? cached->id : find_or_define(m, hash, (uintptr_t)pc, frame);
  // fp: a return address that is none has ended it
  if (!m || n > LINKS || fp != last || site == MCK_NONE) return site;
  struct walk *walk = walk_of(m, pc, frame);
  links[n] = (struct link){.frame = *fp};
  walk->pc = pc, walk->frame = frame, walk->end = walk->links + n, walk->site = site;
  memcpy(walk->links, links, (n + 1) * sizeof *links);
  return site;
}

// The usual way stores nothing, because in a ping-pong the store buffer is still busy with the last message.
MCK_HOT uint32_t mck_stack_site(const void *pc, const void *frame) {
  mck_base_check_lock();
  const struct walk *walk = walk_of(own, pc, frame);
  return MCK_LIKELY(walk->pc == pc && walk->frame == frame && is_same(walk)) ? walk->site : find(pc, frame);
}

uint32_t mck_stack_site_at(const void *pc) {
  uintptr_t at = (uintptr_t)pc;
  uint64_t hash = mck_base_hash(&at, sizeof at, 8);
  struct stack *s;
  HASH_FIND(hh, stacks, &hash, sizeof hash, s);
  if (!s) s = define(hash, &at, 1, NULL, 0);
  return s ? s->id : MCK_NONE;
}

unsigned mck_stack_frames(uint32_t site, struct mck_frame *frames, unsigned max) {
  for (struct stack *s = stacks; s; s = s->hh.next) {
    if (s->id != site) continue;
    unsigned n = s->depth < max ? s->depth : max;
    for (unsigned i = 0; i < n; i++) {
      frames[i].module = modules[s->frames[i] >> 48].path;
      frames[i].offset = s->frames[i] & 0xffffffffffffu;
    }
    return n;
  }
  return 0;
}

static const struct module *known_module_of(uintptr_t pc) {
  for (size_t i = 0; i < nmodules; i++)
    if (pc >= modules[i].low && pc < modules[i].high) return &modules[i];
  return NULL;
}

// Async-signal-safe. Only modules count that the log has, which are the program and its libraries, and the library
// of a language does not come first: of a fault in memcpy, or an abort, the first frame is that of its caller. Code of
// others keeps no frame pointers, so the walk begins with unwind tables there.
unsigned mck_stack_of_signal(const void *context, uint64_t *frames, unsigned max) {
  unsigned n = 0;
#ifdef __x86_64__
  const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
  uintptr_t low = (uintptr_t)registers[REG_RSP], at = (uintptr_t)registers[REG_RIP];
  const uintptr_t *fp = (const uintptr_t *)registers[REG_RBP];
  uintptr_t pcs[DEPTH_MAX], end = stack_end ? stack_end : UINTPTR_MAX;
  const struct module *m = known_module_of(at);
  unsigned depth = m && !m->is_foreign ? 0 : mck_foreign_stack_of_signal(at, low, end, pcs, DEPTH_MAX);
  if (depth < 2) {
    bool has_frame = (uintptr_t)fp >= low && (uintptr_t)fp % 8 == 0 && (uintptr_t)fp + 16 <= stack_end;
    depth = 0;
    // A call of a wild pointer has left its return address on top. Else: as if it were behind a call.
    pcs[depth++] = !m && low % 8 == 0 && low < stack_end ? *(const uintptr_t *)low : at + 1;
    if (has_frame) {
      at = fp[1];
      do pcs[depth++] = at;
      while (depth < DEPTH_MAX && step(&fp, &at, stack_end));
    }
  }
  unsigned first = 0;
  while (first < depth && (!(m = known_module_of(pcs[first])) || m->is_language || !m->is_defined)) first++;
  for (unsigned i = first < depth ? first : 0; i < depth && n < max; i++)
    if ((m = known_module_of(pcs[i])) && m->is_defined)
      frames[n++] = (uint64_t)m->id << 48 | ((pcs[i] - m->bias) & 0xffffffffffffu);
#else
  (void)context, (void)frames, (void)max;
#endif
  return n;
}
