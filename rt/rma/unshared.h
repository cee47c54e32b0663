// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lone: operations, loads and stores that no judge need look at, because nobody else touches those bytes during the
// run, or nobody writes there, and because the process itself does nothing there that its own calls do not order. Every
// rank finds its own, all at once, and leaves them out of what rank 0 gets. Three steps, with an exchange between them
// (judge/thinning.c):
//
//   windows   each rank says what windows it has (mck_unshared_windows), to all
//   tell      one pass over the own log: which parts of whose memory it touches (mck_unshared_open), to each owner
//   answer    the owner says which of them are touched by several and written (mck_unshared_answer)
//   thin      the log without the rest (mck_unshared_reduce)
//
// Parts are 64 bytes, by address at the owner. A pair that the judge could report overlaps in some byte, so both would
// be kept: it comes to the same verdicts (test-rma-random compares them). What is not known, large or strange is kept.
#pragma once
#include "log/log.h"

enum {
  MCK_UNSHARED_JUDGED = 1,
  MCK_UNSHARED_DOUBTFUL = 2,
  MCK_UNSHARED_DYNAMIC = 4,
  MCK_UNSHARED_REORDERED = 8,
  MCK_UNSHARED_SEPARATE = 16
}; // REORDERED: accumulates of one origin have no order
// base: less what all bases of its rank are shifted by.
struct mck_unshared_window {
  uint64_t key, base, size;
  uint32_t world, rank, disp_unit, flags;
}; // rank: in the window's group
struct mck_unshared_bytes {
  uint8_t *data;
  size_t size, capacity;
};
struct mck_unshared;

// Of one log; seen: by window what its events tell of it (mck_unshared_note); *windows is the caller's to free. false:
// out of memory.
bool mck_unshared_windows(const struct mck_reader *log, const uint8_t *seen, struct mck_unshared_window **windows,
                          size_t *n);
// What one event tells of its window: MCK_UNSHARED_JUDGED, MCK_UNSHARED_DOUBTFUL (rma/operation-completion.c).
static inline uint8_t mck_unshared_note(const struct mck_event *e) {
  bool is_of_other = e->kind == MCK_EV_ACCESS && e->fn, is_sync = e->kind == MCK_EV_SYNC || e->kind == MCK_EV_FENCE;
  return (uint8_t)((e->kind == MCK_EV_SYNC || is_of_other ? MCK_UNSHARED_JUDGED : 0) |
                   (is_sync && e->flags & MCK_SYNC_DOUBTFUL ? MCK_UNSHARED_DOUBTFUL : 0));
}
// windows: of all nranks ranks; kept by reference. NULL: out of memory.
struct mck_unshared *mck_unshared_open(const struct mck_reader *log, const struct mck_unshared_window *windows,
                                       size_t n, uint32_t nranks);
void mck_unshared_close(struct mck_unshared *unshared);
// What this rank has to tell an owner; empty: nothing. false: out of memory.
bool mck_unshared_pack(const struct mck_unshared *unshared, uint32_t owner, struct mck_unshared_bytes *bytes);
// from, to: by rank; what all have told this owner, what it answers. false: out of memory. What is malformed makes all
// of it shared.
bool mck_unshared_answer(const struct mck_unshared_bytes *from, uint32_t nranks, struct mck_unshared_bytes *to);
void mck_unshared_take_answer(struct mck_unshared *unshared, uint32_t owner, const uint8_t *data, size_t size);
// The thin log: memory has room for the header and all units of the log, and gets as many as this says; 0: out of
// memory. Once.
uint64_t mck_unshared_reduce(struct mck_unshared *unshared, void *memory);
