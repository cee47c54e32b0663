// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source does with results and statuses of calls, found by the marks that the pass sets around them
// (rt/abi.h). Results are looked up only when a call has failed, statuses once for each call stack.
#include "abi.h"
#include "base/elf.h"
#include "record/call/call.h"
#include "record/call/callsite.h"
#include "record/call/profiling.h"
#include "record/call/rank-flow.h"
#include "record/runtime.h"

static struct table {
  const struct mck_call_mark *first, *end;
} *tables, *statuses, *receives; // one per recompiled program or library
static size_t ntables, tables_capacity, nstatuses, statuses_capacity, nreceives, receives_capacity;
// Bytes from the mark before a call to the mark after it; between them, arguments are put into registers and on the
// stack.
enum { CALL_MAX = 256 };

void mck_callsite_attach(const struct mck_call_mark *first, const struct mck_call_mark *end) {
  (void)!MCK_PUSH(tables, ntables, tables_capacity, ((struct table){first, end}));
}

// A forged section may have a part of a mark at its end.
static struct table make_table(const struct mck_call_mark *first, const struct mck_call_mark *end) {
  size_t n = end > first ? ((uintptr_t)end - (uintptr_t)first) / sizeof *first : 0;
  return (struct table){first, first ? first + n : NULL};
}

MCK_EXPORT void __mck_attach_statuses(uint32_t version, const struct mck_call_mark *first,
                                      const struct mck_call_mark *end) {
  struct table table = make_table(first, end);
  if (version != MCK_STATUSES_VERSION || table.first == table.end) return;
  mck_lock();
  (void)!MCK_PUSH(statuses, nstatuses, statuses_capacity, table);
  mck_unlock();
}

MCK_EXPORT void __mck_attach_received(uint32_t version, const struct mck_call_mark *first,
                                      const struct mck_call_mark *end) {
  struct table table = make_table(first, end);
  if (version != MCK_RANKS_VERSION || table.first == table.end) return;
  mck_lock();
  (void)!MCK_PUSH(receives, nreceives, receives_capacity, table);
  mck_unlock();
}

static int find_object(struct dl_phdr_info *info, size_t size, void *object) {
  (void)size;
  struct {
    uintptr_t pc;
    struct mck_elf elf;
  } *wanted = object;
  return mck_elf_read(info, &wanted->elf) && mck_elf_has(&wanted->elf, wanted->pc);
}

// The nearest marks on both sides must be the two marks of one call. Then no other marked call lies between them, and
// no unmarked one can, since marks and calls keep their order. Returns what the second one says; 0: they are not.
static uint32_t find_mark(struct table t, uintptr_t pc) {
  uintptr_t below = 0, above = UINTPTR_MAX;
  uint32_t before = 0, behind = 0;
  for (const struct mck_call_mark *m = t.first; m != t.end; m++) {
    uintptr_t at = (uintptr_t)&m->place + (uintptr_t)(intptr_t)m->place;
    if (at < pc && at >= below) below = at, before = m->what;
    if (at >= pc && at < above) above = at, behind = m->what;
  }
  return below && above - below <= CALL_MAX && !(before & 1) && behind == (before | 1u) ? behind : 0;
}

// A table may belong to a library that was unloaded since. So only tables of the object that holds the call are read.
static uint32_t find_in(const struct table *all, size_t n, const void *pc) {
  struct {
    uintptr_t pc;
    struct mck_elf elf;
  } here = {.pc = (uintptr_t)pc};
  if (!n || !dl_iterate_phdr(find_object, &here)) return 0;
  for (size_t i = 0; i < n; i++) {
    struct table t = all[i];
    bool is_here = mck_elf_has(&here.elf, (uintptr_t)t.first) && mck_elf_has(&here.elf, (uintptr_t)t.end - 1);
    uint32_t what = is_here ? find_mark(t, here.pc) : 0;
    if (what) return what;
  }
  return 0;
}

bool mck_callsite_is_unused(const struct mck_call *call) {
  return find_in(tables, ntables, call->pc) == (mck_abi_hash(mck_fn_names[call->fn]) | 1u);
}

#define SAME(name) _Static_assert((int)MCK_STATUS_##name == (int)MCK_TOLD_##name << 1, "abi.h is as log/event.h")
SAME(KNOWN);
SAME(SOURCE);
SAME(TAG);
SAME(COUNT);
SAME(PASSED);
SAME(NAMES);
SAME(NAMES_TAG);
_Static_assert((int)MCK_STATUS_FUNCTION_SHIFT == (int)MCK_TOLD_FUNCTION_SHIFT + 1, "abi.h is as log/event.h");

// What another module makes of the data: a receive with its source, and so no longer one with that of a probe.
static uint32_t add_data(uint32_t told, const void *pc) {
  uint32_t received = find_in(receives, nreceives, pc);
  if (!received || !mck_rank_flow_names(received >> 1)) return told;
  if (!told) return MCK_TOLD_KNOWN | MCK_TOLD_ALL;
  return (told & ~(uint32_t)(MCK_TOLD_NAMES | MCK_TOLD_NAMES_TAG)) | MCK_TOLD_SOURCE;
}

// Many stacks end in few calls: the last answers are kept.
uint32_t mck_callsite_status(const void *pc) {
  static struct {
    const void *pc;
    uint32_t what;
  } kept[256];
  if (!nstatuses && !nreceives) return 0;
  unsigned slot = (uintptr_t)pc / 4 % 256;
  if (kept[slot].pc != pc) {
    kept[slot].what = add_data(find_in(statuses, nstatuses, pc) >> 1, pc);
    kept[slot].pc = pc;
  }
  return kept[slot].what;
}
