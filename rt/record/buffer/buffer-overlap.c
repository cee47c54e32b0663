// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that overlap where one of them is written: two buffers of one call (MPI-3.1 2.3, 3.10, 5.1, 11.3.4), or a
// buffer of a call and one of an operation under way (3.7.2). Since MPI-3.0 it is right to send the same bytes twice
// at once. Buffers are compared byte by byte, through the type maps; of a map that is not known nothing is claimed.
#include "record/buffer/buffer-bytes.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

// count copies of a type map, or plain bytes.
struct bytes {
  const char *low, *high, *address;
  int64_t count;
  const struct mck_type *type;
  bool is_known;
};

static struct bytes of_use(const struct mck_use *u) {
  return (struct bytes){u->low,   u->high, u->address,
                        u->count, u->type, u->is_exact && (!u->type || u->type->generation == u->generation)};
}
static struct bytes of_buffer(const struct mck_buffer *b) {
  return (struct bytes){b->low,   b->high, b->address,
                        b->count, b->type, !b->type || b->type->generation == b->generation};
}

enum { STEPS_MAX = 1 << 16 };

// Elements of b that may overlap [low, high).
static void elements(const struct bytes *b, const char *low, const char *high, int64_t *first, int64_t *last) {
  const struct mck_type *t = b->type;
  int64_t from = low - b->address - t->high, to = high - b->address - t->low;
  *first = from < 0 ? 0 : from / t->extent;
  *last = to < 0 ? -1 : to / t->extent;
  if (*last >= b->count) *last = b->count - 1;
}

static bool overlaps_range(const struct bytes *b, const char *low, const char *high) {
  if (low >= b->high || high <= b->low) return false;
  if (!b->type) return true;
  const struct mck_type *t = b->type;
  int64_t first, last;
  elements(b, low, high, &first, &last);
  for (int64_t k = first; k <= last; k++) {
    int64_t from = low - b->address - k * t->extent, to = high - b->address - k * t->extent;
    uint32_t i = 0, n = t->nblocks;
    while (i < n) { // the first block that ends behind from
      uint32_t middle = (i + n) / 2;
      if (t->blocks[middle].offset + (int64_t)t->blocks[middle].length > from) n = middle;
      else i = middle + 1;
    }
    if (i < t->nblocks && t->blocks[i].offset < to) return true;
  }
  return false;
}

static bool overlaps(const struct bytes *a, const struct bytes *b) {
  if (!a->is_known || !b->is_known) return false;
  if (!a->type) return overlaps_range(b, a->low, a->high);
  if (!b->type) return overlaps_range(a, b->low, b->high);
  int64_t first, last, steps = 0;
  elements(a, b->low, b->high, &first, &last);
  for (int64_t k = first; k <= last; k++)
    for (uint32_t i = 0; i < a->type->nblocks; i++) {
      if (++steps > STEPS_MAX) return false;
      const char *low = a->address + k * a->type->extent + a->type->blocks[i].offset;
      if (overlaps_range(b, low, low + a->type->blocks[i].length)) return true;
    }
  return false;
}

// The hulls of interleaved columns overlap again in every iteration of a program, and the columns are found to be
// disjoint each time: this is remembered.
static bool overlaps_remembered(const struct bytes *a, const struct bytes *b) {
  enum { REMEMBERED = 1024 };
  static uint64_t disjoint[REMEMBERED];
  if ((a->type && a->type->extent <= 0) || (b->type && b->type->extent <= 0))
    return false; // copies on top of each other or backwards are not worth it
  if (!a->type && !b->type) return a->is_known && b->is_known;
  uint64_t words[] = {(uintptr_t)a->address,
                      (uint64_t)a->count,
                      (uintptr_t)a->type,
                      a->type ? a->type->generation : 0,
                      (uintptr_t)a->high,
                      (uintptr_t)b->address,
                      (uint64_t)b->count,
                      (uintptr_t)b->type,
                      b->type ? b->type->generation : 0,
                      (uintptr_t)b->high};
  uint64_t hash = mck_base_hash(words, sizeof words, 7) | 1;
  if (disjoint[hash >> 32 & (REMEMBERED - 1)] == hash) return false;
  if (overlaps(a, b)) return true;
  disjoint[hash >> 32 & (REMEMBERED - 1)] = hash;
  return false;
}

// The buffer posted first of all that overlap the bytes: the same one on all ranks, wherever their memory lies.
struct search {
  struct bytes *bytes;
  const struct mck_buffer *found;
};
static bool note_conflict(const struct mck_byte_range *range, void *context) {
  struct search *search = context;
  const struct mck_buffer *b = (const struct mck_buffer *)((const char *)range - offsetof(struct mck_buffer, range));
  if (search->found && search->found->site <= b->site) return false;
  struct bytes other = of_buffer(b);
  if (overlaps_remembered(search->bytes, &other)) search->found = b;
  return false; // go on
}

static const struct mck_buffer *find(struct bytes *bytes, bool is_written) {
  struct search search = {bytes, NULL};
  mck_range_set_find((uintptr_t)bytes->low, (uintptr_t)bytes->high, is_written, note_conflict, &search);
  return search.found;
}

static __attribute__((noinline, cold)) void report(const char *what, uint16_t fn, uint32_t site, bool is_written,
                                                   const struct mck_buffer *other) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_BUFFER_OVERLAP, site, other->site);
  mck_finding_text(f, "%s of %s %s a buffer that a pending %s %s", what, mck_fn_names[fn],
                   is_written ? "will be written over" : "is read from", mck_fn_names[other->fn],
                   other->is_written ? "will write" : "is sending from");
  mck_finding_place(f, mck_rt.rank, site, "%s on rank %d", mck_fn_names[fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, other->site, "in use since %s", mck_fn_names[other->fn]);
  mck_finding_why(f, "the buffers have bytes in common, and the operation is complete only when MPI_Wait or MPI_Test "
                     "says so (MPI-3.1 3.7.2)");
  mck_local_done(f);
}

void mck_overlap_check(struct mck_call *call, const struct mck_use *u) {
  if (mck_rt.is_profiler) return; // requests are completed where we cannot see it
  struct bytes bytes = of_use(u);
  mck_lock();
  const struct mck_buffer *other = find(&bytes, u->is_written);
  if (other) report(u->what, call->fn, mck_call_site(call), u->is_written, other);
  mck_unlock();
}

void mck_overlap_check_pair(struct mck_call *call, const struct mck_use *a, const struct mck_use *b) {
  if (a->low >= b->high || b->low >= a->high) return;
  struct bytes x = of_use(a), y = of_use(b);
  if (overlaps_remembered(&x, &y))
    mck_use_report(call, MCK_CHECK_BUFFER_OVERLAP, false, "%s and %s of %s overlap, and %s is written", a->what,
                   b->what, mck_fn_names[call->fn], a->is_written ? a->what : b->what);
}

void mck_overlap_begin(struct mck_buffer *b) {
  if (b->window || mck_rt.is_profiler || b->low >= b->high) return;
  if (mck_range_set_size) {
    struct bytes bytes = of_buffer(b);
    const struct mck_buffer *other = find(&bytes, b->is_written);
    if (other) report("buffer", b->fn, b->site, b->is_written, other);
  }
  b->range.is_written = b->is_written;
  mck_range_set_add(&b->range);
}
