// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies where a buffer is: an object that recompiled code named, a heap block, or just mapped memory. A finding
// needs certainty: a buffer that begins in a known object and does not end in it, or bytes that no mapping has.
#include <link.h>
#include <string.h>
#include "base/memory-maps.h"
#include "record/buffer/heap.h"
#include "record/buffer/buffer-bytes.h"
#include "record/call/call.h"
#include "record/call/thread-memory.h"
#include "record/runtime.h"

struct object {
  const char *low, *high;
};

// Whether the bytes should lie in one object, and do not. Displacements that the program computed itself may lead
// from one variable to another: this is bad style (MPI-3.1 4.1.12), but not wrong in any way that we can see; then
// only repeated elements must stay together.
static bool is_beyond(const struct mck_use *u, struct object o) {
  if (u->low >= o.low && u->high <= o.high) return false;
  if (!u->element || !u->element->has_addresses) return true;
  return u->address + u->element->low >= o.low && u->address + u->element->high <= o.high;
}

static const struct mck_note *note_of(const struct mck_call *call, int argument) {
  const struct mck_use_state *state = &mck_use_state;
  for (unsigned i = 0; i < state->nnotes; i++) {
    const struct mck_note *n = &state->notes[i];
    if ((int)n->argument == argument && n->frame == *(const void *const *)call->frame) return n;
  }
  return NULL;
}

static const char *verb(const struct mck_use *u) { return u->is_written ? "written" : "read"; }

// A shorter message accesses fewer bytes (MPI-3.1 3.2.4): then the call is right only by luck.
static enum mck_check check_of(const struct mck_use *u) {
  return u->is_up_to ? MCK_CHECK_ARG_MEMORY_ROOM : MCK_CHECK_ARG_MEMORY;
}

// What lies behind the object is none of the buffer's: that it is used by another buffer follows from this finding.
static __attribute__((noinline, cold)) void report_beyond(struct mck_call *call, struct mck_use *u, const char *object,
                                                          const char *name, struct object o) {
  long long size = o.high - o.low, offset = u->low - o.low, length = u->high - u->low;
  mck_use_report_length(call, check_of(u), length, "%s of %s: %lld bytes at offset %lld of %s%s%s of %lld bytes",
                        u->what, mck_fn_names[call->fn], length, offset, object, *name ? " " : "", name, size);
  u->low = u->low < o.low ? o.low : u->low, u->high = u->high > o.high ? o.high : u->high;
  if (u->low > u->high) u->low = u->high;
}

static int is_device_library(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  static const char *const names[] = {"libcuda.so", "libamdhip64.so", "libze_loader.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (info->dlpi_name && strstr(info->dlpi_name, names[i])) return 1;
  return 0;
}

// Of a type with gaps only the bytes themselves must be mapped: those of the first and the last element are looked
// at.
static bool is_mapped_by_blocks(const struct mck_use *u) {
  const struct mck_type *t = u->type;
  if (t->nblocks == MCK_NONE) return true; // its bytes are not known
  for (int k = 0; k < 2; k++) {
    const char *element = u->address + (k ? (u->count - 1) * t->extent : 0);
    for (uint32_t i = 0; i < t->nblocks; i++) {
      uintptr_t low = (uintptr_t)element + (uintptr_t)t->blocks[i].offset, high = low + t->blocks[i].length;
      int64_t reach = mck_maps_reach(low, high, u->is_written);
      if (reach >= 0 && reach < (int64_t)(high - low)) return false;
    }
  }
  return true;
}

static bool check_mapped(struct mck_call *call, const struct mck_use *u) {
  int64_t size = u->high - u->low;
  uintptr_t low = (uintptr_t)u->low, high = (uintptr_t)u->high;
  mck_lock();
  int64_t reach = mck_maps_reach(low, high, u->is_written), readable = reach;
  bool is_wrong = reach >= 0 && reach < size && !(u->type && is_mapped_by_blocks(u)) && (u->is_exact || !reach);
  if (is_wrong && u->is_written) readable = mck_maps_reach(low, high, false);
  mck_unlock();
  // Memory of a device is passed by address, and is not mapped in this process.
  if (!is_wrong || (readable < size && dl_iterate_phdr(is_device_library, NULL))) return true;
  const char *fn = mck_fn_names[call->fn];
  if (readable == size && u->is_written)
    mck_use_report(call, MCK_CHECK_ARG_MEMORY, true, "%s of %s is in memory that cannot be written", u->what, fn);
  else if (!readable)
    mck_use_report(call, MCK_CHECK_ARG_MEMORY, true, "%s of %s is no memory of this process", u->what, fn);
  else
    mck_use_report(call, check_of(u), !u->is_up_to,
                   "%s of %s: %lld bytes are to be %s, but there is memory for %lld only", u->what, fn, (long long)size,
                   verb(u), (long long)readable);
  return u->is_up_to && readable;
}

// 1: within a block, 0: nothing is known, -1: wrong.
static int check_heap(struct mck_call *call, struct mck_use *u, struct mck_heap_shadow_block *block) {
  if (!mck_heap_find(u->low, block)) return 0;
  struct object o = {(const char *)block->low, (const char *)block->low + block->size};
  if (u->high <= o.high) return 1;
  if (!is_beyond(u, o)) return 0;
  mck_lock();
  bool is_certain = mck_maps_reach(block->low - 16, (uintptr_t)o.high, true) == (int64_t)block->size + 16 &&
                    mck_heap_is_certain(block);
  mck_unlock();
  if (!is_certain) return 0;
  report_beyond(call, u, "a heap block", "", o);
  return -1;
}

// true: nothing else needs to be looked at.
static bool check_note(struct mck_call *call, struct mck_use *u, const struct mck_note *note) {
  struct object o = {note->base, note->base + note->size};
  bool is_within = u->low >= o.low && u->high <= o.high, is_constant = note->is_constant && u->is_written;
  bool is_typed = is_within && u->element && (note->element || note->has_members);
  if (is_typed && note->has_members) {
    if (!mck_members_is_known(note, u->element, u->address, u->count)) mck_members_check(call, u, note);
    is_typed = false;
  }
  bool is_fitting = !is_typed || mck_element_fits(note->element, u->element) || !mck_element_is_meant(u, note);
  if (MCK_LIKELY(is_within && !is_constant && is_fitting)) return true;
  if (strcmp(note->fn, mck_fn_names[call->fn])) return false;
  if (!is_fitting) mck_element_report(call, u, note);
  if (is_within && !is_constant) return true;
  bool has_name = note->name[0];
  if (is_constant)
    mck_use_report(call, MCK_CHECK_ARG_MEMORY, true, "%s of %s is written, but %s is a constant", u->what,
                   mck_fn_names[call->fn], has_name ? note->name : "it");
  else if (is_beyond(u, o)) report_beyond(call, u, has_name ? "the variable" : "a variable", note->name, o);
  else return false;
  return true;
}

// Whether the block that was found is still allocated. (free forgets what was found last, not this.)
static bool is_current(const struct mck_checked *area) {
  size_t size;
  return !area->block || (mck_heap_shadow_at(area->block, &size) && size == (size_t)(area->high - area->low));
}

// Memory that is no heap block: the address up to which this is so, without another look. Where no block ever began,
// none that begins before low reaches beyond it.
static const char *end_of_area(const struct mck_use *u, bool is_heap_seen) {
  uintptr_t low = (uintptr_t)u->low, end = (low | 0xffff) + 1;
  if ((uintptr_t)u->high >= end || (is_heap_seen && !mck_heap_shadow_is_unused(low))) return u->high;
  mck_lock();
  int64_t reach = mck_maps_reach_known(low, end, u->is_written);
  mck_unlock();
  return u->low + reach > u->high ? u->low + reach : u->high;
}

// What was found to be right of several buffers in turn, by the 64 KiB in which they begin.
enum { AREAS = 64 };
static __thread void *own_areas __attribute__((tls_model("initial-exec")));
static struct mck_checked *area_of(const struct mck_use *u) {
  struct mck_checked(*areas)[AREAS] = own_areas ? own_areas : mck_thread_memory_make(&own_areas, 2 * sizeof *areas);
  return areas ? &areas[u->is_written][((uintptr_t)u->low >> 16) % AREAS] : NULL;
}

bool mck_memory_check(struct mck_call *call, struct mck_use *u, int argument) {
  struct mck_use_state *state = &mck_use_state;
  const struct mck_note *note = state->nnotes ? note_of(call, argument) : NULL;
  // The name of the function is compared only before a report. A note that was left by a call that we did not see
  // costs a check, no more.
  if (note && check_note(call, u, note)) return !call->nfindings;
  struct mck_checked *checked = &state->checked[u->is_written];
  if (u->low >= checked->low && u->high <= checked->high) return true;
  struct mck_checked unkept = {0}, *area = area_of(u);
  if (!area) area = &unkept;
  if (u->low < area->low || u->high > area->high || !is_current(area)) {
    struct mck_heap_shadow_block block;
    bool is_seen = mck_heap_is_seen();
    int found = is_seen ? check_heap(call, u, &block) : 0;
    if (found < 0) return true;
    if (found > 0)
      *area = (struct mck_checked){(const char *)block.low, (const char *)block.low + block.size, block.low};
    else {
      if (!check_mapped(call, u)) return false;
      *area = (struct mck_checked){u->low, end_of_area(u, is_seen), 0};
    }
  }
  *checked = *area;
  return true;
}

void mck_memory_forget(void) {
  if (own_areas) memset(own_areas, 0, 2 * sizeof(struct mck_checked[AREAS]));
  mck_use_state = (struct mck_use_state){0};
}
