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
#include <string.h>
#include <ucontext.h>
#include "record/call/callsite.h"
#include "record/call/foreign-stack.h"
#include "record/call/module.h"
#include "record/call/python-frame.h"
#include "record/call/stack.h"
#include "record/call/thread-memory.h"
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

static __thread uintptr_t stack_end __attribute__((tls_model("initial-exec")));
struct cached {
  uint64_t hash;
  uint32_t id;
};

// What a walk from a frame has read: of each frame the next one and the return address there; and what ended it. Short
// walks are one cache line.
enum { WALK_BITS = 5, WAYS = 2, LINKS = 13 };
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

// What a thread remembers. At first that is nothing, which no walk equals. A walk has two places: with one, the calls
// of a loop of four often share one (18 of 100 times) and forget each other.
struct memory {
  struct walk walks[1 << WALK_BITS][WAYS];
  struct cached cache[CACHE];
  unsigned turn; // the next walk that finds both places taken forgets this one
};
_Static_assert(MCK_THREAD_MEMORY_ALIGN >= 64, "a walk begins at a cache line");
static _Alignas(64) struct memory nothing;
static __thread void *own __attribute__((tls_model("initial-exec"))) = &nothing;

static inline const struct walk *walks_of(const struct memory *m, const void *pc, const void *frame) {
  return m->walks[((uintptr_t)pc ^ (uintptr_t)frame << 7) * 0x9e3779b97f4a7c15u >> (64 - WALK_BITS)];
}

static inline bool is_from(const struct walk *walk, const void *pc, const void *frame) {
  return walk->pc == pc && walk->frame == frame;
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

static void write_stack(const struct stack *s) {
  if (!mck_rt.log.header) return;
  struct mck_event head = {.kind = MCK_EV_DEF_STACK, .site = MCK_NONE};
  head.def.id = s->id, head.def.a = s->depth, head.def.b = s->status;
  struct mck_piece piece = {s->frames, s->depth * sizeof *s->frames};
  mck_log_append(&mck_rt.log, &head, &piece, 1);
}

void mck_stack_rewrite(void) {
  mck_module_define_all(false);
  for (struct stack *s = stacks; s; s = s->hh.next) write_stack(s);
}

// python: the frames behind those of C, where there are any.
static struct stack *define(uint64_t hash, const uintptr_t *pcs, unsigned depth, const struct mck_python_frame *python,
                            unsigned npython) {
  struct stack *s = calloc(1, sizeof *s + (depth + npython) * sizeof(uint64_t));
  if (!s) return NULL;
  uint64_t *frames = (uint64_t *)(s + 1);
  unsigned n = 0;
  for (unsigned i = 0; i < depth; i++) {
    struct mck_module *m = mck_module_of(pcs[i]);
    if (!m) break; // not code: the walk has lost the frames here
    mck_module_define(m);
    frames[n++] = (uint64_t)m->id << 48 | ((pcs[i] - m->bias) & 0xffffffffffffu);
  }
  for (unsigned i = 0; i < npython; i++) {
    struct mck_module *m = mck_module_of_python(&python[i]);
    if (!m) break;
    mck_module_define(m);
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

// The place of a call that Python code has caused: frames of libraries that an extension calls, then those of Python.
// MCK_NONE: no Python code runs in this thread. The walk is not kept (is_same would not see another line of Python).
static uint32_t find_python(uintptr_t at, const uintptr_t *fp) {
  enum { LIBRARIES_MAX = 8 };
  struct mck_python_frame python[DEPTH_MAX];
  uintptr_t pcs[LIBRARIES_MAX];
  unsigned depth = 0, max = (unsigned)mck_options.stack_depth;
  unsigned n = mck_python_frames(python, max < DEPTH_MAX ? max : DEPTH_MAX);
  // mpi4py's MPI_Finalize: the interpreter calls it by itself.
  if (!n && mck_module_is_interpreter(mck_module_of(at)) && mck_python_end(python)) n = 1;
  if (!n) return MCK_NONE;
  uint64_t hash = 1;
  do {
    const struct mck_module *m = mck_module_of(at);
    if (!m || mck_module_is_of_python(m)) break;
    pcs[depth++] = at;
  } while (depth < LIBRARIES_MAX && step(&fp, &at, stack_end));
  hash = mck_base_hash(pcs, depth * sizeof *pcs, hash);
  for (unsigned i = 0; i < n; i++) hash = hash * 0xd1342543de82ef95u + mck_python_hash(&python[i]);
  struct stack *s;
  HASH_FIND(hh, stacks, &hash, sizeof hash, s);
  if (!s) s = define(hash, pcs, depth, python, n);
  return s ? s->id : MCK_NONE;
}

// The place of a call that foreign code makes: its frames, and up to stack_depth of those behind them. MCK_NONE: there
// are no unwind tables.
static uint32_t find_foreign(const void *pc, const void *frame) {
  struct mck_foreign_stack stack;
  if (!mck_foreign_stack_walk(&stack, pc, frame, stack_end)) return MCK_NONE;
  unsigned depth = 0, max = (unsigned)mck_options.stack_depth;
  while (depth < stack.n && mck_module_is_foreign(stack.pcs[depth]) && mck_module_of(stack.pcs[depth])->id != 0)
    depth++;
  depth = depth + max < stack.n ? depth + max : stack.n;
  uint64_t hash = mck_base_hash(stack.pcs, depth * sizeof *stack.pcs, 2);
  struct stack *s;
  HASH_FIND(hh, stacks, &hash, sizeof hash, s);
  if (!s && !(s = define(hash, stack.pcs, depth, NULL, 0))) return MCK_NONE;
  mck_foreign_stack_keep(&stack, pc, frame, s->id);
  return s->id;
}

static struct walk *place_for(struct memory *m, const void *pc, const void *frame) {
  struct walk *walks = (struct walk *)walks_of(m, pc, frame);
  for (int way = 0; way < WAYS; way++)
    if (!walks[way].pc || is_from(&walks[way], pc, frame)) return &walks[way];
  return &walks[m->turn++ % WAYS];
}

static __attribute__((noinline)) uint32_t find(const void *pc, const void *frame) {
  if (MCK_UNLIKELY(!stack_end)) stack_end = find_stack_end();
  uint32_t site = MCK_UNLIKELY(mck_python_is_here) ? find_python((uintptr_t)pc, frame) : MCK_NONE;
  if (site == MCK_NONE) site = mck_foreign_stack_find(pc, frame); // it has foreign code's only
  if (site == MCK_NONE && MCK_UNLIKELY(mck_module_is_foreign((uintptr_t)pc))) site = find_foreign(pc, frame);
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
  struct walk *walk = place_for(m, pc, frame);
  links[n] = (struct link){.frame = *fp};
  walk->pc = pc, walk->frame = frame, walk->end = walk->links + n, walk->site = site;
  memcpy(walk->links, links, (n + 1) * sizeof *links);
  return site;
}

// The usual way stores nothing, because in a ping-pong the store buffer is still busy with the last message.
MCK_HOT uint32_t mck_stack_site(const void *pc, const void *frame) {
  mck_base_check_lock();
  const struct walk *walk = walks_of(own, pc, frame);
  if (!is_from(walk, pc, frame)) walk++;
  return MCK_LIKELY(is_from(walk, pc, frame) && is_same(walk)) ? walk->site : find(pc, frame);
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
      frames[i].module = mck_module_path((uint32_t)(s->frames[i] >> 48));
      frames[i].offset = s->frames[i] & 0xffffffffffffu;
    }
    return n;
  }
  return 0;
}

// Async-signal-safe. Only modules count that the log has, which are the program and its libraries, and the library
// of a language does not come first: of a fault in memcpy, or an abort, the first frame is that of its caller. Code of
// others keeps no frame pointers, so the walk begins with unwind tables there.
unsigned mck_stack_of_signal(const void *context, bool is_of_program, uint64_t *frames, unsigned max) {
  unsigned n = 0;
#ifdef __x86_64__
  const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
  uintptr_t low = (uintptr_t)registers[REG_RSP], at = (uintptr_t)registers[REG_RIP];
  const uintptr_t *fp = (const uintptr_t *)registers[REG_RBP];
  uintptr_t pcs[DEPTH_MAX], end = stack_end ? stack_end : UINTPTR_MAX;
  const struct mck_module *m = mck_module_known(at);
  // Functions of the C library that call back, such as qsort, keep no frame pointers. So the unwinder comes first.
  unsigned depth = mck_foreign_stack_of_signal(at, low, end, pcs, DEPTH_MAX);
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
  while (first < depth &&
         (!(m = mck_module_known(pcs[first])) || m->is_language || !m->is_defined || (is_of_program && !m->is_own)))
    first++;
  if (first == depth && is_of_program) return 0;
  for (unsigned i = first < depth ? first : 0; i < depth && n < max; i++)
    if ((m = mck_module_known(pcs[i])) && m->is_defined && !(m->is_language && first < depth))
      frames[n++] = (uint64_t)m->id << 48 | ((pcs[i] - m->bias) & 0xffffffffffffu);
#else
  (void)context, (void)is_of_program, (void)frames, (void)max;
#endif
  return n;
}
