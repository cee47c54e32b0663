// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index: the result of one pass over the log of a rank, shared by the files of this room. Local ids (of communicators,
// types, windows, sites) are the log's own.
#pragma once
#include "judge/collective/call-table.h"
#include "judge/judge.h"
#include "judge/parcel/parcel.h"
#include "base/hash-table.h"
#include "log/envelope.h"
#include "rma/open-operations.h"

// What a message looks like. Messages that look alike share a shape.
struct mck_shape {
  uint64_t count;
  uint32_t type, site;
  uint16_t fn;
};
// n operations of one shape in a row.
struct mck_run {
  uint32_t n, shape;
};
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
  uint64_t decided; // receives: those before this number have got the messages of theirs (standard/matching.h)
  uint64_t matched; // receives: messages that have come (message-match.c); at a cut, receives and sends: how many are
                    // settled
  uint64_t base;    // receives: how many were settled at earlier cuts
  struct mck_runs runs;
  bool is_open;            // threads leave the order of these sends or receives open
  uint32_t last;           // in index.c: the event of the last one, + 1, where several threads have called MPI
  struct mck_event latest; // in index.c: the event of the last message in runs; kind MCK_EV_PAD: there is none
};
// A receive with an unknown match, and which messages it could have taken. One entry stands for all receives that
// accept the same messages.
struct mck_wildcard {
  struct mck_std_pattern pattern; // sources are world ranks
  uint32_t site;
  uint16_t fn;
  bool is_cancelled;
};
// The collectives of a communicator, or the fences of a window over it. The shape of a run is the number of a call in
// calls. last: the latest event that differs from the one before it; settled: at a cut, how many are settled.
struct mck_sequence {
  uint64_t key, settled;
  uint32_t comm, last;
  bool is_open;      // threads, or calls that are not in the log, leave the order of these calls open
  uint32_t previous; // in index-collective.c: the latest event, + 1, where several threads have called MPI
  struct mck_runs runs;
};

// released: the last event before the fence that may tell other ranks "I am done".
struct mck_fence {
  uint32_t site, released, assertion, event;
};
struct mck_rma_op {
  uint32_t event, epoch;
  bool is_acquired;
};
// An access, or memory that is attached or detached.
struct mck_rma_access {
  uint32_t event, epoch;
};
struct mck_rma_window {    // [local id]
  bool is_used, is_locked; // is_locked: it is synchronized by more than fences
  bool is_freed;           // MPI_Win_free was called
  uint32_t base;           // fences settled at earlier cuts; epochs count these, too
  uint32_t acquired;       // the event of the last fence
  struct mck_fence *fences;
  size_t nfences, fences_capacity;
  struct mck_rma_op *ops;
  size_t nops, ops_capacity;
  struct mck_rma_access *accesses;
  size_t naccesses, accesses_capacity;
};

// By the key of the communicator and the world rank of the peer, as all ranks name it.
static inline struct mck_std_end mck_judge_end(const struct mck_channel *c) {
  return (struct mck_std_end){c->key, c->world, c->tag, c->direction == MCK_OUT};
}

struct mck_judge {
  const struct mck_reader *log; // index.c reads the part that was not read before
  uint32_t rank, size;
  bool is_multiple; // the order of a channel in the log may not be the order of posting: calls may have passed us by
  bool has_threads; // several threads have called MPI: their order says which channels are open
  bool may_be_open; // some channels or sequences are open
  bool is_partial;  // the log lacks something: nothing follows from an absent event
  bool is_short;    // out of memory
  struct mck_channel *channels;
  size_t nchannels, channels_capacity;
  struct mck_table channel_table, sends_table; // sends_table: for cut.c
  struct mck_shape *shapes;
  size_t nshapes, shapes_capacity;
  struct mck_table shape_table;
  struct mck_wildcard *wildcards;
  size_t nwildcards, wildcards_capacity;
  bool is_all_undecided; // there are too many wildcards
  struct mck_call_table calls;
  struct mck_sequence *sequences;
  size_t nsequences, sequences_capacity;
  uint32_t *of_comm;
  size_t ncomms, comms_capacity; // [communicator]: the number of its sequence + 1; log->ncomms entries
  uint32_t *of_win;
  size_t nwins, wins_capacity; // [window]: the same for its fences; log->nwins entries
  struct mck_rma_window *windows;
  size_t windows_capacity; // [window]
  uint8_t *seen;
  size_t nseen, seen_capacity; // [window]: mck_unshared_note of all its events together
  unsigned needs;              // what its events need: enum mck_whole_need
  bool has_shared_memory;      // two windows that are there at once have bytes in common
  bool has_open_pairs;         // once it is decided: of struct mck_decide
  uint32_t released;           // the last event that may tell other ranks something
  struct mck_parcels parcels;  // once they are asked for
  bool has_parcels;
  bool is_agreed; // all collectives agree (sequence-hash.h), so they are not packed
  bool is_cut;
  struct mck_rma_open open; // at a cut: what is not over of windows that rt/rma judges
  const uint32_t *pending;
  size_t npending;             // at a cut: the incomplete events, ascending; the caller owns them
  struct mck_parcels verdicts; // at a cut: to the ranks, made by the deciding files
};

bool mck_runs_append(struct mck_runs *runs, uint32_t n, uint32_t shape);
void mck_runs_cut(struct mck_runs *runs, uint64_t n); // leaves the first n
const struct mck_comm_def *mck_judge_comm(const struct mck_judge *judge, uint32_t id);
const struct mck_win_def *mck_judge_win(const struct mck_judge *judge, uint32_t id);
const struct mck_type_def *mck_judge_type(const struct mck_judge *judge, uint32_t id); // NULL: a basic type, or unknown
// The number of the open epoch, to which the next operation belongs.
static inline uint32_t mck_rma_epoch(const struct mck_rma_window *w) { return w->base + (uint32_t)w->nfences; }
// The world rank of the communicator's home, where its collectives are compared; -1: unknown.
int mck_judge_home(const struct mck_comm_def *comm);
const char *mck_judge_fn(uint32_t fn); // the name of a function; a forged number has one, too
// Notes a receive or matched probe of which it is unknown whether, or from which channel, it took a message
// (undecided-match.c).
void mck_judge_add_unknown(struct mck_judge *judge, const struct mck_event *e);
// Could one of these receives have taken this message?
bool mck_judge_is_undecided(const struct mck_judge *judge, struct mck_std_envelope message);
// The channel of the event of a message, or NULL.
struct mck_channel *mck_judge_find_channel(const struct mck_judge *judge, const struct mck_event *e,
                                           enum mck_direction direction);
// Does this call have a place in the sequence of a communicator? MPI_Comm_create_group has none: it is collective over
// a group of the members only (MPI-3.1 6.4.2).
bool mck_judge_is_counted(const struct mck_comm_def *comm, uint16_t fn);

bool mck_judge_pack(struct mck_judge *judge); // fills parcels (parcel-pack.c); false: out of memory

// A parcel, unpacked as far as all deciding files need it (parcel-unpack.c). Each of them reads its own section.
struct mck_delivery {
  int rank;
  bool is_there, is_multiple, is_partial, may_be_open;
  struct mck_type_def *types;
  uint32_t ntypes; // as in a reader: the id of type i is MCK_TYPE_USER + i
  struct mck_shape *shapes;
  uint32_t nshapes;
  struct mck_call_table calls;
  struct mck_parcel_in channels, sequences, windows;
  void **pieces;
  size_t npieces, pieces_capacity; // allocated memory
};
// Returns false when the parcel is malformed, or out of memory: then is_there is false, and the parcel reads as empty.
bool mck_delivery_open(struct mck_delivery *delivery, int rank, const struct mck_parcel *parcel);
void mck_delivery_close(struct mck_delivery *delivery);
bool mck_runs_unpack(struct mck_runs *runs, struct mck_parcel_in *in, uint32_t nshapes); // empties runs first

// What the deciding files share.
struct mck_decide {
  struct mck_judge *judge;
  const struct mck_parcels *parcels;
  struct mck_delivery *from; // of the ranks that have sent something, ascending: few in a large run
  uint32_t nfrom, size;
  bool is_complete; // an absent event never happened
  bool is_cut;
  bool has_open_pairs; // in fence epochs: accesses of which only the order of the whole run says whether they race
  struct mck_findings *findings;
};
// What a rank has sent; NULL: nothing, as it has nothing to say, or no log.
const struct mck_delivery *mck_decide_find(const struct mck_decide *decide, int rank);
bool mck_decide_has_log(const struct mck_decide *decide, int rank); // of which what it sent is well-formed
void mck_decide_messages(struct mck_decide *decide);
void mck_decide_collectives(struct mck_decide *decide);
void mck_decide_rma(struct mck_decide *decide);

enum { MCK_FINDINGS_MAX = 200 }; // limit of findings of one kind at one rank: nobody reads more
