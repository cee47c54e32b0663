// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a race on window memory, whichever way the two accesses were found: by the walk (race-explanation.c adds
// what its clocks say) or by the sweep over a fence epoch (judge/window).
#pragma once
#include "report/byte-map.h"
#include "report/finding.h"
#include "rma/access-class.h"
#include "rma/access-order.h"
#include "rma/attachment.h"

struct mck_race {
  enum mck_conflict conflict;
  const struct mck_access_class *first, *second;
  int first_rank, second_rank, owner;      // owner: the rank whose memory it is
  const struct mck_win_def *win;           // the owner's; NULL: not known
  const struct mck_attachment *attachment; // of a dynamic window, if it is known
  uint64_t low, high;                      // bytes behind the window's base, of a dynamic window addresses
  const struct mck_reader *strands; // the log of both, where several strands made it: their order, and the numbers of
                                    // their sites, are only those of this run; else NULL
};

// Which bytes, in words. Returns text.
const char *mck_race_range(char text[MCK_RANGE_SIZE], const struct mck_race *race);
// Puts the two into the order of the report: operations before loads and stores, then by rank and place. Returns
// whether they change places.
bool mck_race_sort(struct mck_race *race);
// The headline and the places of the two. NULL: no finding is made.
struct mck_finding *mck_race_begin(struct mck_findings *findings, const struct mck_race *race);
// Its byte map. The pieces of the two are added by mck_race_map_add, in the finder's addresses. NULL: none.
struct mck_race_map {
  struct mck_byte_map *map;
  uint64_t base;       // offsets count from here
  unsigned use, steps; // which of the two is added, and how many pieces of it there were
};
struct mck_race_map mck_race_map_begin(struct mck_finding *finding, const struct mck_race *race, uint64_t base);
bool mck_race_map_add(void *map, uint64_t low, uint64_t high); // struct mck_race_map; false: no more are wanted
// Where the memory comes from.
void mck_race_end(struct mck_finding *finding, const struct mck_race *race);
// All of it, for a race within one fence epoch. opened: the place of the fence that opened it. NULL: as above.
struct mck_finding *mck_race_tell_in_epoch(struct mck_findings *findings, const struct mck_race *race, uint32_t epoch,
                                           uint32_t opened);
// Option why: the order of two accesses that conflict. how: by what, in the words of the finder.
void mck_race_why(enum mck_access_order order, const struct mck_access_class *a, uint32_t rank_a, uint32_t event_a,
                  const struct mck_access_class *b, uint32_t rank_b, uint32_t event_b, const char *how);

const char *mck_access_name(const struct mck_access_class *access);
// The place of an access, after lead.
void mck_access_place(struct mck_finding *finding, const struct mck_access_class *access, int rank, const char *lead);

// MPI_MODE_NOPUT of a fence or post is not true: an operation that writes reached the window before the call that ends
// the epoch (MPI-3.1 11.5.5).
void mck_untrue_tell_noput(struct mck_finding *finding, uint16_t fn, int rank, uint32_t site,
                           const struct mck_access_class *access, int origin);

// An operation that touches bytes which its target does not have (rma.range). low, high: as above.
struct mck_beyond {
  const struct mck_access_class *access;
  int rank, owner;
  const struct mck_win_def *win;
  const struct mck_attachments *attachments; // of a dynamic window; else NULL
  uint64_t low, high;
  uint32_t after, before; // the events of the owner between which it took place
};
void mck_beyond_tell(struct mck_finding *finding, const struct mck_beyond *beyond);
