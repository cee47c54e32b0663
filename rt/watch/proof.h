// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The proof: what prove.c, scan.c, instance.c and describe.c share (private to room watch). docs/design/watch.md says
// why each rule is sound.
//   1 scan.c      what each rank waits for: parts; then one pass over all logs counts channels and collectives
//   2 scan.c, instance.c   a verdict for each part
//   3 prove.c     parts become nodes and arcs, the graph is solved
//   4 describe.c  the findings
#pragma once
#include "log/log.h"
#include "report/finding.h"
#include "waitfor/waitfor.h"
#include "watch/watch.h"

enum mck_proof_state {
  MCK_PROOF_MOVES,       // not in a blocking call, or we cannot tell
  MCK_PROOF_BLOCKED,     // stands in the call of its wait mark
  MCK_PROOF_FINALIZING,  // in MPI_Finalize: waits for all ranks that are not (MPI-3.1 8.7: collective over all)
  MCK_PROOF_FINISHED,    // behind MPI_Finalize, or exited: does nothing any more
};
struct mck_proof_rank {
  uint8_t state;         // enum mck_proof_state
  uint8_t mode;          // MCK_WAIT_*: which of its parts must complete
  uint32_t event;        // of the call that it is in, or MCK_NONE
  size_t part, nparts;   // in mck_proof.parts, sorted by event
  size_t open, nopens;   // in mck_proof.opens
};

// One operation that a blocked rank waits for.
enum mck_proof_verdict {
  MCK_PROOF_MAY_COMPLETE,   // or we cannot tell
  MCK_PROOF_IS_COMPLETE,    // the log says that it has been completed
  MCK_PROOF_NEEDS_RANK,     // only that rank (target) can make it complete
  MCK_PROOF_NEEDS_ANY,      // wildcard: any member of its communicator can
  MCK_PROOF_NEEDS_ALL,      // collective: all members of instance that have not arrived must
  MCK_PROOF_NEEDS_SOME,     // collective: some member of instance that has not arrived must (not solid)
};
struct mck_proof_part {
  uint32_t rank, event;   // event MCK_NONE: a request that is not one of ours
  uint8_t verdict;        // enum mck_proof_verdict
  // Solid: it cannot complete without its targets, whatever the MPI library does. Not solid: a standard send (it may
  // have been buffered), or a collective that may return early; evidence that it blocks is only that its rank stands
  // still in a call that nothing else holds up.
  bool is_solid;
  bool is_hit;            // the scan came across its event
  uint32_t target;        // world rank
  uint32_t channel;       // index, or MCK_NONE
  size_t instance;
  // Sends, or decided receives, of its channel before it; for a collective: how many of its communicator (window) came
  // before.
  uint64_t before;
};

struct mck_channel { uint64_t key; uint32_t source, dest; int32_t tag; uint64_t sends, receives, scratch; };
// A posted receive whose match is not known: source -1, is_any_tag: wildcards.
struct mck_open { uint64_t key; int64_t source; int32_t tag; bool is_any_tag; };

// The n-th collective of a communicator, or fence of a window, in which some rank is blocked.
struct mck_member { int64_t rank; bool has_arrived; uint16_t fn; int32_t root; uint32_t site; };
struct mck_instance {
  uint64_t key, ordinal;
  bool is_window, is_intercomm;
  struct mck_member *members; uint32_t nmembers, nmissing;
  bool is_mismatch;
  uint32_t odd[2];        // members, the first of two kinds of call that do not go together
  uint32_t all_node, some_node;
};

struct mck_proof {
  const struct mck_reader *logs;
  const struct mck_snapshot *marks;
  const bool *is_patient;   // [rank] has stood still long enough for conclusions that are not solid; NULL: all have
  uint32_t size;
  bool is_out_of_memory;
  struct mck_proof_rank *ranks;
  struct mck_proof_part *parts; size_t nparts, parts_capacity;
  struct mck_channel *channels; size_t nchannels, channels_capacity;
  uint32_t *slots; size_t nslots;   // hash table over channels: index + 1, 0 is free; nslots is a power of two
  struct mck_open *opens; size_t nopens, opens_capacity;
  struct mck_instance *instances; size_t ninstances, instances_capacity;
  struct mck_waitfor graph;
};

static inline bool mck_proof_is_patient(const struct mck_proof *proof, uint32_t rank) {
  return !proof->is_patient || proof->is_patient[rank];
}
// Whether the log can be believed as the rank's whole past.
static inline bool mck_proof_is_whole(const struct mck_reader *log) {
  return log->header && log->damaged == UINT64_MAX &&
         !atomic_load_explicit(&log->header->is_incomplete, memory_order_relaxed) &&
         !atomic_load_explicit(&log->header->is_multiple, memory_order_relaxed) &&
         !atomic_load_explicit(&log->header->is_superseded, memory_order_relaxed) &&
         atomic_load_explicit(&log->header->units, memory_order_acquire) == log->units;
}
static inline const struct mck_comm_def *mck_proof_comm(const struct mck_reader *log, uint32_t id) {
  return id < log->ncomms && log->comms[id].body ? &log->comms[id] : NULL;
}

void mck_proof_find_waits(struct mck_proof *proof);        // scan.c: ranks and parts from marks and states
// scan.c: channels, open receives, parts' places in their channels.
void mck_proof_count_events(struct mck_proof *proof);
void mck_proof_judge_messages(struct mck_proof *proof);    // match.c: verdicts of sends, receives and probes
void mck_proof_judge_collectives(struct mck_proof *proof); // instance.c
// The channel, added when new; NULL: out of memory.
struct mck_channel *mck_proof_get_channel(struct mck_proof *proof, uint64_t key, uint32_t source, uint32_t dest,
                                          int32_t tag);
// Of a SEND, RECV, PROBE or MPROBE event: key of its communicator and world rank of its peer (-1: any). False: not
// known.
bool mck_proof_get_peer(const struct mck_proof *proof, uint32_t rank, const struct mck_event *e, uint64_t *key,
                        int64_t *peer);
// instance.c: does this COLL event take a place in its communicator's sequence?
bool mck_proof_is_counted(const struct mck_event *e);
void mck_proof_describe(struct mck_proof *proof, struct mck_findings *findings);  // describe.c

// mck_watch_prove, told which ranks have stood still long enough (thread.c).
bool mck_watch_prove_patiently(const struct mck_reader *logs, const struct mck_snapshot *marks, const bool *is_patient,
                               uint32_t size, struct mck_findings *findings);
