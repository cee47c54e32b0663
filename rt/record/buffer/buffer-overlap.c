// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that overlap where one of them is written: two buffers of one call (MPI-3.1 2.3, 3.10, 5.1, 11.3.4), or a
// buffer of a call and one of an operation under way (3.7.2, 11.3). Since MPI-3.0 it is right to send the same bytes
// twice at once.
#include "record/buffer/buffer-bytes.h"
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/buffer-map.h"
#include "record/buffer/byte-overlap.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/rma/local-race.h"
#include "record/rma/own-target-list.h"
#include "record/rma/own-target.h"
#include "record/runtime.h"
#include "record/strand/strand-checks.h"

// The buffer posted first of all that overlap the bytes: the same one on all ranks, wherever their memory lies.
struct search {
  struct mck_bytes *bytes;
  bool is_target; // two operations on the own part of a window: the judge knows which of them may be concurrent
  struct mck_buffer *found;
};
static bool note_conflict(const struct mck_byte_range *range, void *context) {
  struct search *search = context;
  struct mck_buffer *b = (struct mck_buffer *)((uintptr_t)range - offsetof(struct mck_buffer, range));
  if (search->found && search->found->site <= b->site) return false;
  if (search->is_target && b->is_target) return false;
  struct mck_bytes other = mck_bytes_of_buffer(b);
  if (mck_bytes_overlap(search->bytes, &other)) search->found = b;
  return false; // go on
}

static struct mck_buffer *find(struct mck_bytes *bytes, bool is_written, bool is_target) {
  struct search search = {bytes, is_target, NULL};
  if (!is_target && mck_own_target_is_near((uintptr_t)bytes->low, (uintptr_t)bytes->high)) mck_own_target_enter_all();
  mck_range_set_find((uintptr_t)bytes->low, (uintptr_t)bytes->high, is_written, note_conflict, &search);
  return search.found;
}

// what: the buffer's parameter, of a call that is not nonblocking.
static __attribute__((noinline, cold)) void report(const char *what, struct mck_local_use use,
                                                   struct mck_buffer *other) {
  if (use.is_written) other->hash = 0; // it is known what changes the buffer
  if (mck_strands_are_several() && mck_strand_use_is_told(use.site, other->site, MCK_STRAND_AT_ONCE)) return;
  if (use.is_rma || other->window) {
    mck_local_race_between(use, other);
    return;
  }
  struct mck_finding *f = mck_local_add(MCK_CHECK_BUFFER_OVERLAP, use.site, other->site);
  mck_finding_text(f, "%s of %s %s %s that a pending %s %s", what, mck_fn_names[use.fn],
                   use.is_written ? "will be written over" : "is read from", other->is_array ? "memory" : "a buffer",
                   mck_fn_names[other->fn], mck_buffer_role(other));
  mck_finding_place(f, mck_rt.rank, use.site, "%s on rank %d", mck_fn_names[use.fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, other->site, "in use since %s", mck_fn_names[other->fn]);
  mck_finding_why(f, "the buffers have bytes in common, and the operation is complete only when MPI_Wait or MPI_Test "
                     "says so (MPI-3.1 3.7.2)");
  struct mck_bytes bytes = mck_bytes_of_buffer(other);
  mck_buffer_map_add(f, other, (struct mck_map_side){.bytes = use.bytes}, (struct mck_map_side){.bytes = &bytes});
  mck_local_done(f);
}

void mck_overlap_check(struct mck_call *call, const struct mck_use *u) {
  if (mck_rt.is_profiler) return; // requests are completed where we cannot see it
  struct mck_bytes bytes = mck_bytes_of_use(u);
  mck_lock();
  struct mck_buffer *other = find(&bytes, u->is_written, false);
  if (other)
    report(u->what, (struct mck_local_use){mck_call_site(call), call->fn, u->is_written, false, false, &bytes}, other);
  mck_unlock();
}

static __attribute__((noinline, cold)) void report_pair(struct mck_call *call, const struct mck_use *a,
                                                        const struct mck_use *b, const struct mck_bytes *x,
                                                        const struct mck_bytes *y) {
  const char *words[] = {a->what, b->what, a->is_written ? a->what : b->what};
  struct mck_finding *f = mck_local_add(MCK_CHECK_BUFFER_OVERLAP, mck_call_site(call),
                                        mck_base_hash(words, sizeof words, 6));
  mck_finding_text(f, "%s and %s of %s overlap, and %s is written", words[0], words[1], mck_fn_names[call->fn],
                   words[2]);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_buffer_map_bytes(f, a->what, a->address ? a->address : a->low, (struct mck_map_side){.bytes = x},
                       (struct mck_map_side){.bytes = y});
  if (f) mck_map_name(f->map, 0, a->what), mck_map_name(f->map, 1, b->what);
  mck_local_done(f);
  mck_local_expect(call, MCK_DOUBTFUL);
}

void mck_overlap_check_pair(struct mck_call *call, const struct mck_use *a, const struct mck_use *b) {
  if (a->low >= b->high || b->low >= a->high) return;
  struct mck_bytes x = mck_bytes_of_use(a), y = mck_bytes_of_use(b);
  mck_lock();
  if (mck_bytes_overlap(&x, &y)) report_pair(call, a, b, &x, &y);
  mck_unlock();
}

static void look(const struct mck_buffer *b, bool is_target) {
  struct mck_bytes bytes = mck_bytes_of_buffer(b);
  struct mck_buffer *other = find(&bytes, b->is_written, is_target);
  if (other)
    report("buffer", (struct mck_local_use){b->site, b->fn, b->is_written, b->window != NULL, is_target, &bytes},
           other);
}
void mck_overlap_look(const struct mck_buffer *b) { look(b, false); }
void mck_overlap_look_at_target(const struct mck_buffer *target) { look(target, true); }
