// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index: what one pass over one rank's log leaves, shared by the files of this room. Local ids (communicators, types,
// windows, sites) are the log's own.
#pragma once
#include "judge/collective/call-table.h"
#include "judge/judge.h"
#include "judge/parcel/parcel.h"
#include "base/hash-table.h"
#include "rma/open-operations.h"

// What a message looked like; those that look alike share one.
struct mck_shape {
  uint64_t count;
  uint32_t type, site;
  uint16_t fn;
};
struct mck_run {
  uint32_t n, shape;
}; // n operations of one shape in a row
struct mck_runs {
  struct mck_run *items;
  size_t count, capacity;
  uint64_t n;
};

enum mck_direction { MCK_OUT, MCK_IN };
struct mck_channel {
  uint64_t key; // of the communicator
  uint32_t comm;
  int32_t peer, tag; // peer: rank in comm
  int32_t world;     // the peer's world rank
  enum mck_direction direction;
  uint64_t undecided; // receives: from this number on their matches are not known
  uint64_t matched; // receives: message-match.c's count of messages that came; at a cut, also of sends: what is settled
  uint64_t base;    // receives: how many were settled at earlier cuts
  struct mck_runs runs;
  struct mck_event latest; // index.c: the event behind the end of runs; kind MCK_EV_PAD: none
};
// A wildcard receive whose match is not known: what it could have taken.
// The first of its kind stands for all.
struct mck_wildcard {
  uint64_t key;
  uint32_t comm, site;
  int32_t world, tag;
  uint16_t fn;
  bool any_tag, is_cancelled;
}; // world -1: any
// The collectives of a communicator, or the fences of a window over it; a run's shape is a number in colls. last: the
// event of the latest; settled: at a cut.
struct mck_sequence {
  uint64_t key, settled;
  uint32_t comm, last;
  struct mck_runs runs;
};

struct mck_fence {
  uint32_t site, released, assertion, event;
}; // released: last event before it that may tell others "I am done"
struct mck_rma_op {
  uint32_t event, epoch;
  bool is_acquired;
};
struct mck_rma_access {
  uint32_t event, epoch;
}; // or memory that comes or goes (ATTACH)
struct mck_rma_window {    // by local id
  bool is_used, is_locked; // is_locked: synchronized by more than fences
  uint32_t base;           // fences settled at earlier cuts; epochs count them
  uint32_t acquired;       // event of the last fence
  struct mck_fence *fences;
  size_t nfences, fences_capacity;
  struct mck_rma_op *ops;
  size_t nops, ops_capacity;
  struct mck_rma_access *accesses;
  size_t naccesses, accesses_capacity;
};

struct mck_judge {
  const struct mck_reader *log; // read by index.c as far as it was not
  uint32_t rank, size;
  bool is_multiple; // channels may be logged in another order than they were posted
  bool is_partial;  // something is missing in this log: nothing follows from absence
  bool is_short;    // out of memory
  struct mck_channel *channels;
  size_t nchannels, channels_capacity;
  struct mck_table channel_table, sends_table; // sends_table: cut.c's
  struct mck_shape *shapes;
  size_t nshapes, shapes_capacity;
  struct mck_table shape_table;
  struct mck_wildcard *wildcards;
  size_t nwildcards, wildcards_capacity;
  bool is_all_undecided; // too many of them
  struct mck_colls colls;
  struct mck_sequence *sequences;
  size_t nsequences, sequences_capacity;
  uint32_t *of_comm;
  size_t ncomms, comms_capacity; // sequence of each communicator, by id: index + 1; log->ncomms
  uint32_t *of_win;
  size_t nwins, wins_capacity; // of each window's fences, by id; log->nwins
  struct mck_rma_window *windows;
  size_t windows_capacity; // by id
  uint8_t *seen;
  size_t nseen, seen_capacity; // by window id: mck_unshared_note, of its events together
  unsigned needs;              // of its events: enum mck_whole_need
  uint32_t released;           // last event that may tell others something
  struct mck_parcel *parcels;  // size, once asked for
  bool is_agreed;              // all collectives are alike (sequence-hash.h): they are not packed
  bool is_cut;
  struct mck_rma_open open; // at a cut: what of windows that rt/rma judges is not over
  const uint32_t *pending;
  size_t npending;             // at a cut: events of what is not complete, ascending; the caller's
  struct mck_parcel *verdicts; // at a cut: size, made by those who decide
};

bool mck_runs_append(struct mck_runs *runs, uint32_t n, uint32_t shape);
void mck_runs_cut(struct mck_runs *runs, uint64_t n); // to the first n
const struct mck_comm_def *mck_judge_comm(const struct mck_judge *judge, uint32_t id);
const struct mck_win_def *mck_judge_win(const struct mck_judge *judge, uint32_t id);
const struct mck_type_def *mck_judge_type(const struct mck_judge *judge, uint32_t id); // NULL: basic or unknown
// The epoch that is open: that of the next operation.
static inline uint32_t mck_rma_epoch(const struct mck_rma_window *w) { return w->base + (uint32_t)w->nfences; }
// World rank of the communicator's home, where its collectives are compared; -1: unknown.
int mck_judge_home(const struct mck_comm_def *comm);
const char *mck_judge_fn(uint32_t fn); // its name; a forged number has one too
// A receive or matched probe whose match is not known (undecided-match.c).
void mck_judge_add_wildcard(struct mck_judge *judge, const struct mck_event *e);
// Whether a message (key, source, tag) could have been taken by one.
bool mck_judge_is_undecided(const struct mck_judge *judge, uint64_t key, int world, int tag);
// The channel of a message's event, or NULL.
struct mck_channel *mck_judge_find_channel(const struct mck_judge *judge, const struct mck_event *e,
                                           enum mck_direction direction);
// A place in a communicator's sequence? Comm_create_group is collective over a group of its members only
// (MPI-3.1 6.4.2).
bool mck_judge_is_counted(const struct mck_comm_def *comm, uint16_t fn);

void mck_judge_pack(struct mck_judge *judge); // fills parcels (parcel-pack.c)

// A parcel, unpacked as far as everybody needs it (parcel-unpack.c). The three sections are read by those who decide.
struct mck_delivery {
  int rank;
  bool is_there, is_multiple, is_partial;
  struct mck_type_def *types;
  uint32_t ntypes; // in the shape of a reader's: id MCK_TYPE_USER + i
  struct mck_shape *shapes;
  uint32_t nshapes;
  struct mck_colls colls;
  struct mck_parcel_in channels, sequences, windows;
  void **pieces;
  size_t npieces, pieces_capacity; // allocations
};
// false: malformed, or out of memory; is_there is then false and reads as empty.
bool mck_delivery_open(struct mck_delivery *delivery, int rank, const struct mck_parcel *parcel);
void mck_delivery_close(struct mck_delivery *delivery);
bool mck_runs_unpack(struct mck_runs *runs, struct mck_parcel_in *in, uint32_t nshapes); // runs is emptied first

// What the deciders share.
struct mck_decide {
  struct mck_judge *judge;
  struct mck_delivery *from; // size, by rank
  uint32_t size;
  bool is_complete; // what is missing never happened
  bool is_cut;
  struct mck_findings *findings;
};
void mck_decide_messages(struct mck_decide *decide);
void mck_decide_collectives(struct mck_decide *decide);
void mck_decide_rma(struct mck_decide *decide);

enum { MCK_FINDINGS_MAX = 200 }; // of one kind at one rank; more than that nobody reads
