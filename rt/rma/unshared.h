// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unshared: operations, loads and stores that no judge needs. No other rank touches those bytes during the run, or no
// rank writes there; and the process itself does nothing there that its own calls do not order. Each rank finds its
// own, all ranks at once, and leaves them out of the log that rank 0 gets. There are four steps, with an exchange
// between them (judge/transport/reduced-log-gather.c):
//
//   windows   each rank says to all others which windows it has (mck_unshared_windows)
//   pack      one pass over the own log: which parts of whose memory it touches (mck_unshared_open), for each owner
//   answer    the owner says which of them are touched by several ranks and written (mck_unshared_answer)
//   reduce    the log without the other operations (mck_unshared_reduce)
//
// Parts are 64 bytes, by address at the owner. Two accesses that the judge could report overlap in some byte, so both
// are kept: the verdicts are the same (test-rma-random compares them). What is not known, large or strange is kept.
#pragma once
#include "rma/access-class.h"
#include "log/log.h"
#include "standard/constants.h"

// What is known of a window.
enum {
  MCK_UNSHARED_JUDGED = 1,    // rt/rma judges it
  MCK_UNSHARED_DOUBTFUL = 2,  // a call did not fit its epochs
  MCK_UNSHARED_DYNAMIC = 4,   // displacements are addresses
  MCK_UNSHARED_REORDERED = 8, // accumulates of one origin have no order
  MCK_UNSHARED_SEPARATE = 16, // the separate memory model
  MCK_UNSHARED_PROMISED = 32  // MPI_MODE_NOPUT was given: updates that nothing conflicts with matter, too
};
struct mck_unshared_window {
  uint64_t key, size;
  uint64_t base;        // less the shift that is common to all windows of its rank
  uint32_t world, rank; // rank: in the window's group
  uint32_t disp_unit, flags;
};
struct mck_unshared_bytes {
  uint8_t *data;
  size_t size, capacity;
};
struct mck_unshared;

// The windows of one log. flags: by window, those that its events give it (mck_unshared_note). The caller frees
// *windows. false: out of memory.
bool mck_unshared_windows(const struct mck_reader *log, const uint8_t *flags, struct mck_unshared_window **windows,
                          size_t *n);
// The flags that one event gives its window: MCK_UNSHARED_JUDGED, MCK_UNSHARED_DOUBTFUL (as in rma/window-table.c),
// MCK_UNSHARED_PROMISED.
static inline uint8_t mck_unshared_note(const struct mck_event *e) {
  bool is_walked = e->kind == MCK_EV_ACCESS && mck_access_is_walked(e),
       is_sync = e->kind == MCK_EV_SYNC || e->kind == MCK_EV_FENCE;
  return (uint8_t)((e->kind == MCK_EV_SYNC || is_walked ? MCK_UNSHARED_JUDGED : 0) |
                   (is_sync && e->flags & MCK_SYNC_DOUBTFUL ? MCK_UNSHARED_DOUBTFUL : 0) |
                   (is_sync && e->sync.assertion & MCK_MODE_NOPUT ? MCK_UNSHARED_PROMISED : 0));
}
// windows: of all nranks ranks; the array must stay. NULL: out of memory.
struct mck_unshared *mck_unshared_open(const struct mck_reader *log, const struct mck_unshared_window *windows,
                                       size_t n, uint32_t nranks);
void mck_unshared_close(struct mck_unshared *unshared);
// What an owner must know of this rank's log; empty: nothing. false: out of memory.
bool mck_unshared_pack(const struct mck_unshared *unshared, uint32_t owner, struct mck_unshared_bytes *bytes);
// At an owner, by rank: what came from all ranks, and the answers. false: out of memory. If something is malformed, all
// parts of that rank are shared.
bool mck_unshared_answer(const struct mck_unshared_bytes *from, uint32_t nranks, struct mck_unshared_bytes *to);
void mck_unshared_take_answer(struct mck_unshared *unshared, uint32_t owner, const uint8_t *data, size_t size);
// Writes the reduced log: memory has room for the header and all units of the log. Returns how many units it has; 0:
// out of memory. It may be called once.
uint64_t mck_unshared_reduce(struct mck_unshared *unshared, void *memory);
