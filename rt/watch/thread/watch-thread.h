// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the watch's thread, for watch-thread.c (the periods), mark-reader.c (headers and marks), proof-attempt.c
// (a proof) and waiting-for-rank.c (ranks that keep others waiting). It is used on that thread only.
#pragma once
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>
#include "watch/thread/hang-note.h"
#include "watch/thread/polling.h"
#include "watch/thread/thread-look.h"
#include "watch/proof/proof.h"
#include "watch/node/node-tree.h"

enum {
  LOOKS_STUCK = 2, // so many looks with the same mark: the rank stands still
  LOOKS_AGAIN = 2, // a proof over several nodes is repeated so often, a period later each time
  LOOKS_LEFT = 50, // so many looks after a rank left without MPI_Finalize: most launchers have ended the others by then
  LOOKS_HUNG = 60, // so many looks with all ranks standing: then the judge is asked whether they stand in a
                   // collective that they entered differently
  COST_FACTOR = 20,      // at most 1/20 of one core for proofs that fail
  COST_UNIT_NS = 20,     // the time to read and count a unit of the logs
  STACK_BYTES = 1 << 20, // the report runs here; untouched pages cost nothing
};

// What the last look found of a rank.
struct seen {
  uint64_t wait; // the mark; where several threads may call MPI: a number for what all of them wait for
  struct mck_thread_looks *threads; // then
  uint32_t looks, state;
  uint8_t patience;
  struct mck_stillness stillness;
  struct mck_polling polling;
  enum mck_polls polls;
  struct mck_hang hang, wrong; // wrong: a call that was found wrong (watch/thread/wrong-call.c)
};

struct mck_watch {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool is_started, is_stopping; // is_stopping: under lock
  pid_t pid;                    // the thread does not survive a fork
  char dir[4096];
  uint32_t size;
  unsigned period_ms;
  mck_watch_report *report;
  void *context;
  // Used by the thread alone. Tables have the ranks of this node only, by their places (mck_watch_rank).
  const struct mck_log_header **headers;
  uint32_t nhere, nopened;
  struct seen *seen;
  uint32_t *told; // ranks of other nodes that were told to keep others waiting
  size_t ntold, told_capacity;
  uint32_t looks_left; // looks since a rank left
  bool has_left;
  mck_watch_suspect *suspect;
  mck_watch_note *note;
  mck_watch_where *where;
  char heard[MCK_TREE_TEXT]; // the place of a rank of another node
  uint32_t nasked;           // how often a signal has asked for the graph
  uint32_t looks_hung;       // looks since all ranks stand still as they do now
  uint64_t hung;             // the fingerprint of that picture
  uint64_t tried;            // the fingerprint of the last attempt's picture
  int64_t next_ns;           // no attempt before
  int64_t last_ns;           // end of the last attempt
  // Several nodes (node-tree.h): this thread looks at the ranks of its node; the thread of rank 0's node makes the
  // proof.
  const struct mck_nodes *nodes; // NULL: all ranks are on this node
  struct mck_tree *tree;
  int stop; // readable when is_stopping, for a poll of sockets; -1: none
  uint32_t nproofs;
  bool is_full_told, is_early; // is_early: less than a period has passed since the last look
  bool is_polling_told;        // the note about open loops, once a run
};

static inline uint32_t mck_watch_rank(const struct mck_watch *w, uint32_t place) {
  return w->nodes ? mck_node_ranks_at(&w->nodes->here, place) : place;
}
// MCK_NONE: it is on another node.
static inline uint32_t mck_watch_place(const struct mck_watch *w, uint32_t rank) {
  return w->nodes ? mck_node_ranks_place(&w->nodes->here, rank) : rank;
}
static inline bool mck_watch_is_local(const struct mck_watch *w, uint32_t rank) {
  return mck_watch_place(w, rank) != MCK_NONE;
}

// --- mark-reader.c ---
bool mck_watch_path(const struct mck_watch *w, uint32_t rank, char *path,
                    size_t size); // the path of its log; false: too long
// Opens the logs that have appeared since, in order; one try a period while a log is missing. Returns false to give up.
bool mck_watch_open_headers(struct mck_watch *w);
// Takes a look at all marks. Returns true when an attempt is worth its cost: some rank stands still, and the picture is
// not that of the last attempt.
bool mck_watch_look(struct mck_watch *w, int64_t now, uint64_t *fingerprint);
// The mark of the call that the rank at this place still stands in, or 0.
uint64_t mck_watch_stands_in(const struct mck_watch *w, uint32_t place);
// Where several threads may call MPI and each of them still waits: for what. Returns the number of them, or 0.
uint32_t mck_watch_find_threads(const struct mck_watch *w, uint32_t place,
                                struct mck_thread_wait waits[MCK_THREADS_MAX]);
enum mck_polls mck_watch_polls(const struct mck_watch *w, uint32_t place); // still, and for the same
// May something that its log does not show set the process free?
bool mck_watch_has_hidden_calls(const struct mck_log_header *h);
// Lists the ranks of this node that stand still, or will not go on, for rank 0's watch (node-tree.h). context: the
// watch.
uint32_t mck_watch_find_standing(void *context, struct mck_standing *standing);

// --- proof-attempt.c ---
// Loads all logs between two looks at the marks, and proves from the ranks that stood still all the time. Returns true
// when it has reported. With another check than a deadlock it tells what all ranks do, about the rank.
bool mck_watch_attempt(struct mck_watch *w, enum mck_check check, int rank);
// The judge finds collectives whose arguments do not fit. When ranks stand in one of these, it is the reason. Returns
// true when it has reported.
bool mck_watch_ask_judge(struct mck_watch *w);
void mck_watch_remove_logs(struct mck_watch *w); // after the report of rank 0's watch: removes the logs of this
                                                 // node's ranks

// --- waiting-for-rank.c ---
struct mck_hangs mck_watch_find_hangs(struct mck_watch *w, int64_t now);
// A call that was found wrong and does not return is told while it hangs.
void mck_watch_tell_wrong_calls(struct mck_watch *w, int64_t now);
void mck_watch_tell_hangs(struct mck_watch *w, int64_t now);       // while the run goes on, by rank 0's watch
bool mck_watch_is_hung(struct mck_watch *w, uint64_t fingerprint); // nothing is proved, but no rank has moved for long
