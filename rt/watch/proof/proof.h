// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The proof: data and functions that wait-graph.c, wait-part.c, collective-instance.c and deadlock-finding.c share.
// Private to the room watch. docs/design/watch.md says why each rule is sound.
//   1 wait-part.c      what each rank waits for: parts; then one pass over all logs counts channels and collectives
//   2 wait-part.c, collective-instance.c   a verdict for each part
//   3 wait-graph.c     parts become nodes and arcs, the graph is solved
//   4 deadlock-finding.c  the findings
#pragma once
#include "log/envelope.h"
#include "report/finding.h"
#include "waitfor/waitfor.h"
#include "watch/thread/standing-time.h"
#include "watch/watch.h"

enum mck_proof_state {
  MCK_PROOF_MOVES,      // in no blocking call, or unknown
  MCK_PROOF_BLOCKED,    // it stands in the call of its wait mark
  MCK_PROOF_FINALIZING, // in MPI_Finalize: it waits for all ranks that are not (MPI-3.1 8.7: collective over all)
  MCK_PROOF_FINISHED,   // it has left MPI_Finalize, or exited: it does nothing any more
  MCK_PROOF_THREADS,    // several of its threads may call MPI, and each one waits
};
struct mck_proof_rank {
  uint8_t state;           // enum mck_proof_state
  uint8_t mode;            // MCK_WAIT_*: which of its parts must complete
  bool is_polling;         // it is in no blocking call: it tests and probes for its parts, and does nothing else
  bool is_open;            // ... in a loop that something else than MPI may end
  uint32_t event;          // the event of the call that it is in, or MCK_NONE
  size_t part, nparts;     // in mck_proof.parts, sorted by event
  size_t open, nopens;     // in mck_proof.opens
  size_t thread, nthreads; // in mck_proof.threads; its parts are those of all of them
};

// A thread of such a rank. It waits for an MPI call of its own, or for another thread of its process.
struct mck_proof_thread {
  uint32_t rank, node; // node: in the graph
  uint32_t event;      // of its MPI call, or MCK_NONE
  uint8_t state, mode; // BLOCKED, FINALIZING or MOVES
  const struct mck_thread_wait *wait;
};

// One operation that a blocked rank waits for.
enum mck_proof_verdict {
  MCK_PROOF_MAY_COMPLETE, // or it is unknown
  MCK_PROOF_IS_COMPLETE,  // the log says that it has been completed
  MCK_PROOF_NEEDS_RANK,   // only that rank (target) can make it complete
  MCK_PROOF_NEEDS_ANY,    // wildcard: any member of its communicator can
  MCK_PROOF_NEEDS_ALL,    // collective: all members of instance that have not arrived must
  MCK_PROOF_NEEDS_SOME,   // collective: some member of instance that has not arrived must (not solid)
  MCK_PROOF_NEEDS_SET,    // one of its set of ranks, or with is_all all of them, must
};
struct mck_proof_part {
  uint32_t rank, event; // event MCK_NONE: a request that was not recorded
  uint32_t thread;      // in mck_proof.threads, + 1; 0: its rank has one
  uint8_t verdict;      // enum mck_proof_verdict
  // Solid: the part cannot complete without its targets, whatever the MPI library does. Not solid: a standard send,
  // which may be buffered, or a collective that may return early. That it blocks is known only because its rank stands
  // still in a call for which nothing else can be the reason.
  bool is_solid;
  bool is_hit;  // the scan has met its event
  bool is_slow; // not solid, and it may stand still for other reasons (a disk): it needs MCK_PATIENCE_LONG
  bool is_all;  // all ranks of the set are needed
  size_t set;
  uint32_t nset;    // in mck_proof.sets
  uint32_t polled;  // a probe that is repeated: its place in mck_proof.polled, + 1
  uint32_t target;  // world rank
  uint32_t channel; // index, or MCK_NONE
  size_t instance;
  // The number of sends, or of decided receives, of its channel before it; for a collective: the number of those of its
  // communicator (window) before it.
  uint64_t before;
};

struct mck_channel {
  uint64_t key;
  uint32_t source, dest;
  int32_t tag;
  uint64_t sends, receives, scratch;
};
static inline struct mck_std_envelope mck_proof_envelope(const struct mck_channel *c) {
  return (struct mck_std_envelope){c->key, (int32_t)c->source, c->tag};
}
// A posted receive whose match is unknown.
struct mck_open {
  struct mck_std_pattern pattern; // sources are world ranks
  uint32_t event;
};

// Sequences, which are counted separately: collectives of a communicator, fences of a window and its end,
// MPI_Intercomm_create of a local communicator.
enum mck_sequence { MCK_SEQUENCE_COMM, MCK_SEQUENCE_WINDOW, MCK_SEQUENCE_INTER, MCK_SEQUENCES, MCK_SEQUENCE_NONE };

// The n-th element of a sequence, in which some rank is blocked.
struct mck_member {
  int64_t rank;
  bool has_arrived;
  uint16_t fn;
  int32_t root;
  uint32_t site;
};
struct mck_instance {
  uint64_t key, ordinal;
  uint8_t sequence; // enum mck_sequence
  bool is_intercomm;
  struct mck_member *members;
  uint32_t nmembers, nmissing;
  bool is_mismatch;
  uint32_t odd[2]; // the first members with two calls that do not fit together
  uint32_t all_node, some_node;
};

struct mck_proof {
  const struct mck_reader *logs;
  const struct mck_snapshot *marks;
  const uint8_t *patience; // [rank] enum mck_patience: how long it has stood still; NULL: all ranks long enough
  uint32_t size;
  bool is_out_of_memory;
  bool has_open; // ranks in open loops count as waiting: what is found is no proof, and only for a note
  struct mck_proof_rank *ranks;
  struct mck_proof_part *parts;
  size_t nparts, parts_capacity;
  struct mck_proof_part *before; // the parts before messages were judged
  struct mck_channel *channels;
  size_t nchannels, channels_capacity;
  uint32_t *slots;
  size_t nslots; // hash table over channels: index + 1, 0 is free; nslots is a power of two
  struct mck_open *opens;
  size_t nopens, opens_capacity;
  struct mck_instance *instances;
  size_t ninstances, instances_capacity;
  uint32_t *sets;
  size_t nsets, sets_capacity; // world ranks
  struct mck_proof_thread *threads;
  size_t nthreads, threads_capacity;
  struct mck_proof_order *orders; // [rank] of several threads (thread-parts.c); NULL: no rank has several
  struct mck_event *polled;
  size_t npolled, polled_capacity;
  const struct mck_probing *probing; // NULL: no match had to be tried
  struct mck_waitfor graph;
};

static inline bool mck_proof_is_patient(const struct mck_proof *proof, uint32_t rank, enum mck_patience least) {
  return !proof->patience || proof->patience[rank] >= (uint8_t)least;
}
// The event of a part that has one.
static inline const struct mck_event *mck_proof_event(const struct mck_proof *proof,
                                                      const struct mck_proof_part *part) {
  return part->polled ? &proof->polled[part->polled - 1] : &proof->logs[part->rank].events[part->event];
}
// The log has been cut (log/log-recycle.h): it does not hold all that the rank has done.
static inline bool mck_proof_is_cut(const struct mck_reader *log) {
  return atomic_load_explicit(&log->header->generation, memory_order_relaxed) != 0;
}
static inline bool mck_proof_has_threads(const struct mck_reader *log) {
  return atomic_load_explicit(&log->header->is_multiple, memory_order_relaxed) & MCK_LOG_THREADS;
}
// Is the log the rank's whole past?
static inline bool mck_proof_is_whole(const struct mck_reader *log) {
  return log->header && log->damaged == UINT64_MAX &&
         !atomic_load_explicit(&log->header->is_incomplete, memory_order_relaxed) &&
         !(atomic_load_explicit(&log->header->is_multiple, memory_order_relaxed) & MCK_LOG_UNSEEN) &&
         !atomic_load_explicit(&log->header->is_superseded, memory_order_relaxed) &&
         atomic_load_explicit(&log->header->units, memory_order_acquire) == log->units;
}
static inline const struct mck_comm_def *mck_proof_comm(const struct mck_reader *log, uint32_t id) {
  return id < log->ncomms && log->comms[id].body ? &log->comms[id] : NULL;
}

void mck_proof_find_waits(struct mck_proof *proof); // wait-part.c: ranks and parts from marks and states
// wait-part.c: channels, open receives, parts' places in their channels.
void mck_proof_count_events(struct mck_proof *proof);
void mck_proof_judge_messages(struct mck_proof *proof);    // message-wait.c: verdicts of sends, receives and probes
void mck_proof_judge_collectives(struct mck_proof *proof); // collective-instance.c
void mck_proof_judge_syncs(struct mck_proof *proof);       // epoch-wait.c: post, start, complete, wait
void mck_proof_judge_locks(struct mck_proof *proof);       // lock-wait.c: locks, and what waits for them
// The call by which rank q has locked what the part waits for; MCK_NONE: none. It has returned.
uint32_t mck_proof_lock_of(struct mck_proof *proof, const struct mck_proof_part *part, uint32_t q);
void mck_proof_judge_groups(struct mck_proof *proof); // group-collective.c: MPI_Comm_create_group, leaders of
                                                      // MPI_Intercomm_create
// group-collective.c: the ranks that the call at index needs beside the members of its communicator, or NULL.
const struct mck_event *mck_proof_members(const struct mck_reader *log, uint64_t index);
// thread-parts.c: places that the log's order does not say, as several threads have called MPI.
void mck_proof_order_threads(struct mck_proof *proof);
void mck_proof_free_order(struct mck_proof *proof);
// How many messages of a channel into the rank have certainly been taken, or will be, by other receives before the one
// at event has its turn.
uint64_t mck_proof_count_ahead(const struct mck_proof *proof, uint32_t rank, uint32_t event, uint32_t channel);
// How users know a thread that is in an MPI call, and where it began; as in order/strands.h. length 0: not known.
struct mck_thread_label {
  const char *name;
  uint32_t length, site;
};
struct mck_thread_label mck_proof_label_thread(const struct mck_proof *proof, const struct mck_proof_thread *thread);
// Is the order of this sequence's elements not known in some log?
bool mck_proof_is_open_order(const struct mck_proof *proof, enum mck_sequence sequence, uint64_t key);
// A thread of the rank is in the call at event: it has not returned.
bool mck_proof_stands_in(const struct mck_proof *proof, uint32_t rank, uint64_t event);
// Finds the channel, or adds it; NULL: out of memory.
struct mck_channel *mck_proof_get_channel(struct mck_proof *proof, uint64_t key, uint32_t source, uint32_t dest,
                                          int32_t tag);
// Of a SEND, RECV, PROBE or MPROBE event: the key of its communicator, and the world rank of its peer (-1: any).
// Returns false where they are unknown.
bool mck_proof_get_peer(const struct mck_proof *proof, uint32_t rank, const struct mck_event *e, uint64_t *key,
                        int64_t *peer);
// What a receive or probe asks for; key and source: from mck_proof_get_peer.
static inline struct mck_std_pattern mck_proof_pattern(const struct mck_event *e, uint64_t key, int64_t source) {
  return (struct mck_std_pattern){key, (int32_t)source, e->msg.tag, source < 0, e->flags & MCK_FLAG_ANY_TAG};
}
static inline enum mck_std_place mck_proof_place(const struct mck_event *e) {
  return mck_std_place(mck_event_message(e, mck_event_flags(e)));
}
// collective-instance.c: the sequence that the event belongs to, and its slot there (the id of the communicator or
// window).
enum mck_sequence mck_proof_sequence(const struct mck_reader *log, const struct mck_event *e, uint32_t *slot);
// Adds a rank to the set at the end of mck_proof.sets. Begin with set = nsets, nset = 0.
void mck_proof_add_member(struct mck_proof *proof, struct mck_proof_part *part, uint32_t rank);
void mck_proof_describe(struct mck_proof *proof, struct mck_findings *findings); // deadlock-finding.c
void mck_proof_survey(struct mck_proof *proof, enum mck_check check, int rank,
                      struct mck_findings *findings); // deadlock-finding.c

// mck_watch_prove with the time that each rank has stood still (watch-thread.c).
bool mck_watch_prove_patiently(const struct mck_reader *logs, const struct mck_snapshot *marks, const uint8_t *patience,
                               uint32_t size, struct mck_findings *findings);
// The same with ranks in open loops. It adds notes only.
bool mck_watch_note_polling(const struct mck_reader *logs, const struct mck_snapshot *marks, const uint8_t *patience,
                            uint32_t size, struct mck_findings *findings);
