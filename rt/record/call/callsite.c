// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls whose result the source does not use, found by the marks that the pass sets around them (rt/abi.h). They are
// looked up only when a call has failed.
#include "abi.h"
#include "base/elf.h"
#include "record/call/call.h"
#include "record/call/callsite.h"
#include "record/call/profiling.h"

static struct table {
  const struct mck_call_mark *first, *end;
} *tables; // one per recompiled program or library
static size_t ntables, tables_capacity;
// Bytes from the mark before a call to the mark after it; between them, arguments are put into registers and on the
// stack.
enum { CALL_MAX = 256 };

void mck_callsite_attach(const struct mck_call_mark *first, const struct mck_call_mark *end) {
  (void)!MCK_PUSH(tables, ntables, tables_capacity, ((struct table){first, end}));
}

static int find_object(struct dl_phdr_info *info, size_t size, void *object) {
  (void)size;
  struct {
    uintptr_t pc;
    struct mck_elf elf;
  } *wanted = object;
  return mck_elf_read(info, &wanted->elf) && mck_elf_has(&wanted->elf, wanted->pc);
}

// The nearest marks on both sides must be the two marks of one call of this function. Then no other marked call lies
// between them, and no unmarked one can, since marks and calls keep their order.
static bool is_marked(const struct mck_call_mark *first, const struct mck_call_mark *end, uintptr_t pc, uint32_t hash) {
  uintptr_t below = 0, above = UINTPTR_MAX;
  uint32_t before = 0, behind = 0;
  for (const struct mck_call_mark *m = first; m != end; m++) {
    uintptr_t at = (uintptr_t)&m->place + (uintptr_t)(intptr_t)m->place;
    if (at < pc && at >= below) below = at, before = m->what;
    if (at >= pc && at < above) above = at, behind = m->what;
  }
  return below && above - below <= CALL_MAX && before == (hash & ~1u) && behind == (hash | 1u);
}

bool mck_callsite_is_unused(const struct mck_call *call) {
  struct {
    uintptr_t pc;
    struct mck_elf elf;
  } here = {.pc = (uintptr_t)call->pc};
  if (!ntables || !dl_iterate_phdr(find_object, &here)) return false;
  // A table may belong to a library that was unloaded since. So only tables of the object that holds the call are
  // read.
  for (size_t i = 0; i < ntables; i++) {
    struct table t = tables[i];
    bool is_here = mck_elf_has(&here.elf, (uintptr_t)t.first) && mck_elf_has(&here.elf, (uintptr_t)t.end - 1);
    if (is_here && is_marked(t.first, t.end, here.pc, mck_abi_hash(mck_fn_names[call->fn]))) return true;
  }
  return false;
}
