// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks by unwind tables (foreign-stack.h). The unwinder is that of libgcc, which every C++ program has. It is loaded
// when the first such call is made, so that other programs do not have it.
#include "record/call/foreign-stack.h"
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <unwind.h>
#include "base/base.h"
#include "base/hash-table.h"
#include "log/event.h"
#include "record/call/thread-memory.h"

enum { SETS = 16, WAYS = 4, LINKS = 30 };
struct kept {
  const void *pc, *frame; // NULL: unused
  uint32_t site;
  unsigned n;
  struct {
    const uintptr_t *slot;
    uintptr_t pc;
  } links[LINKS];
};
static __thread void *own __attribute__((tls_model("initial-exec")));

// Calls of one function lie some ten bytes apart. One product would put many of those into one set: those whose
// distance is a Fibonacci number, as the factor is the golden ratio.
static struct kept *set_of(const void *pc, const void *frame) {
  uint64_t hash = mck_table_mix((uintptr_t)pc, (uintptr_t)frame);
  return (struct kept *)own + (hash >> 32) % SETS * WAYS;
}

struct walk {
  struct mck_foreign_stack *stack;
  uintptr_t pc, low, end, last; // last: where the last return address lies
  uintptr_t (*ip)(struct _Unwind_Context *);
  uintptr_t (*cfa)(struct _Unwind_Context *);
};

// In a callback the frame's CFA is that of its callee: the return address lies right below it.
static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data) {
  struct walk *w = data;
  struct mck_foreign_stack *s = w->stack;
  uintptr_t pc = w->ip(context), slot = w->cfa(context) - sizeof pc;
  if (!s->n && (pc != w->pc || slot != w->low + sizeof pc)) return _URC_NO_REASON; // our own frames
  if (pc < 4096 || slot < w->low || slot >= w->end || slot % sizeof pc || (s->n && slot <= w->last))
    return _URC_END_OF_STACK; // the tables are wrong: nothing more is read
  w->last = slot;
  s->slots[s->n] = *(const uintptr_t *)slot == pc ? (const uintptr_t *)slot : NULL;
  s->pcs[s->n++] = pc;
  return s->n < MCK_FOREIGN_DEPTH ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static struct {
  _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn, void *);
  uintptr_t (*ip)(struct _Unwind_Context *), (*cfa)(struct _Unwind_Context *);
} unwinder;

static bool load(void) { // under the runtime's lock
  static bool is_tried;
  if (is_tried) return unwinder.backtrace != NULL;
  is_tried = true;
  void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  *(void **)&unwinder.ip = dlsym(library, "_Unwind_GetIP");
  *(void **)&unwinder.cfa = dlsym(library, "_Unwind_GetCFA");
  if (unwinder.ip && unwinder.cfa) *(void **)&unwinder.backtrace = dlsym(library, "_Unwind_Backtrace");
  return unwinder.backtrace != NULL;
}

bool mck_foreign_stack_walk(struct mck_foreign_stack *stack, const void *pc, const void *frame, uintptr_t end) {
  stack->n = 0;
  if (!load()) return false;
  struct walk w = {.stack = stack, .pc = (uintptr_t)pc, .low = (uintptr_t)frame, .end = end};
  w.ip = unwinder.ip, w.cfa = unwinder.cfa;
  unwinder.backtrace(visit, &w);
  return stack->n > 0;
}

void mck_foreign_stack_prepare(void) { (void)load(); }

struct signal_walk {
  uintptr_t pc, low, end;
  uintptr_t *pcs;
  unsigned n, max;
};
static _Unwind_Reason_Code visit_signal(struct _Unwind_Context *context, void *data) {
  struct signal_walk *w = data;
  uintptr_t pc = unwinder.ip(context), cfa = unwinder.cfa(context);
  if (!w->n && pc != w->pc) return _URC_NO_REASON; // the handler's own frames
  if (pc < 4096 || cfa < w->low || cfa > w->end) return _URC_END_OF_STACK;
  w->low = cfa;
  w->pcs[w->n] = w->n ? pc : pc + 1; // as if it were behind a call
  return ++w->n < w->max ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// A process that dies may have overwritten its stack, which then leads the unwinder anywhere.
// What was found before that counts.
static sigjmp_buf before_walk;
static _Atomic pthread_t walker; // of signal_walk
static struct signal_walk signal_walk;
void mck_foreign_stack_escape(void) {
  if (pthread_equal(atomic_load(&walker), pthread_self())) siglongjmp(before_walk, 1);
}

unsigned mck_foreign_stack_of_signal(uintptr_t pc, uintptr_t low, uintptr_t end, uintptr_t *pcs, unsigned max) {
  pthread_t none = 0;
  if (!unwinder.backtrace || !atomic_compare_exchange_strong(&walker, &none, pthread_self())) return 0;
  signal_walk = (struct signal_walk){.pc = pc, .low = low, .end = end, .pcs = pcs, .max = max};
  if (!sigsetjmp(before_walk, 0)) unwinder.backtrace(visit_signal, &signal_walk);
  unsigned n = signal_walk.n;
  atomic_store(&walker, 0);
  return n;
}

uint32_t mck_foreign_stack_find(const void *pc, const void *frame) {
  if (!own) return MCK_NONE;
  for (const struct kept *k = set_of(pc, frame), *end = k + WAYS; k < end; k++) {
    if (k->pc != pc || k->frame != frame) continue;
    unsigned i = 0;
    while (i < k->n && *k->links[i].slot == k->links[i].pc) i++;
    if (i == k->n) return k->site;
  }
  return MCK_NONE;
}

void mck_foreign_stack_keep(const struct mck_foreign_stack *stack, const void *pc, const void *frame, uint32_t site) {
  if (stack->n > LINKS || (!own && !mck_thread_memory_make(&own, sizeof(struct kept) * SETS * WAYS))) return;
  struct kept *k = set_of(pc, frame) + site % WAYS;
  k->pc = NULL;
  for (unsigned i = 0; i < stack->n; i++) {
    if (!stack->slots[i]) return;
    k->links[i].slot = stack->slots[i], k->links[i].pc = stack->pcs[i];
  }
  k->pc = pc, k->frame = frame, k->site = site, k->n = stack->n;
}
