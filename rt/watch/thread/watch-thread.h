// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the watch's thread is made of: watch-thread.c (periods, and what is done in one), mark-reader.c (headers and
// marks), proof-attempt.c (a proof), waiting-for-rank.c (who keeps others waiting). All of it is used on that thread
// only.
#pragma once
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>
#include "watch/thread/hang-note.h"
#include "watch/thread/polling.h"
#include "watch/proof/proof.h"
#include "watch/node/node-tree.h"

enum {
  LOOKS_STUCK = 2,       // the same odd mark at so many looks: the rank stands still
  LOOKS_AGAIN = 2,       // a proof over several nodes is made so often again, a period later each
  LOOKS_LEFT = 50,       // ... and so long after a rank left without MPI_Finalize: most launchers end the others then
  LOOKS_HUNG = 60,       // ... all ranks, and so long that we ask whether they stand in a collective that they entered
                         // differently
  COST_FACTOR = 20,      // at most 1/20 of one core for proofs that fail
  COST_UNIT_NS = 20,     // of reading and counting a unit of the logs
  STACK_BYTES = 1 << 20, // the report runs here; pages that are not touched cost nothing
};

// What the last look saw of a rank.
struct seen {
  uint64_t wait;
  uint32_t looks, state;
  uint8_t patience;
  struct mck_stillness stillness;
  struct mck_polling polling;
  bool is_polling;
  struct mck_hang hang;
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
  // The thread's own.
  const struct mck_log_header **headers;
  uint32_t nopened;
  struct seen *seen;
  uint32_t looks_left; // since a rank left
  bool has_left;
  mck_watch_suspect *suspect;
  mck_watch_note *note;
  mck_watch_where *where;
  char heard[MCK_TREE_TEXT]; // where a rank of another node is
  uint32_t nasked;           // how often a signal has asked for the graph
  uint32_t looks_hung;       // since all ranks stand still as they do
  uint64_t hung;             // fingerprint of that
  uint64_t tried;            // fingerprint of what the last attempt saw
  int64_t next_ns;           // no attempt before
  int64_t last_ns;           // end of the last attempt
  // Several nodes (node-tree.h): this thread looks at the ranks of its node, and that of rank 0 proves.
  const struct mck_nodes *nodes; // NULL: all ranks are on this node
  struct mck_tree *tree;
  int stop; // readable when is_stopping, for who waits for messages; -1
  uint32_t nproofs;
  bool is_full_told, is_early; // is_early: this look is no period after the last one
};

static inline bool mck_watch_is_local(const struct mck_watch *w, uint32_t rank) {
  return !w->nodes || w->nodes->node_of[rank] == w->nodes->mine;
}

// --- mark-reader.c ---
bool mck_watch_path(const struct mck_watch *w, uint32_t rank, char *path, size_t size); // of its log; false: too long
// Opens what has appeared since, in order; one try a period while one is missing. False: give up.
bool mck_watch_open_headers(struct mck_watch *w);
// One look at all marks. Returns whether an attempt is worth its cost: someone stands still, and the picture is not
// that of the last attempt.
bool mck_watch_look(struct mck_watch *w, int64_t now, uint64_t *fingerprint);
// Does it stand in the call in which the last looks saw it? Then in which: its mark, or 0.
uint64_t mck_watch_stands_in(const struct mck_watch *w, uint32_t rank);
bool mck_watch_polls(const struct mck_watch *w, uint32_t rank); // still, for the same
// May something that its log does not show set the process free?
bool mck_watch_has_hidden_calls(const struct mck_log_header *h);
// The ranks of this node that stand still, or will not go on, for rank 0's watch (node-tree.h). context: the watch.
uint32_t mck_watch_find_standing(void *context, struct mck_standing *standing);

// --- proof-attempt.c ---
// Loads all logs between two looks at the marks, and proves from ranks that stood still across. True: reported. With
// another check than a deadlock: tells what all do, about the rank.
bool mck_watch_attempt(struct mck_watch *w, enum mck_check check, int rank);
// The judge knows of collectives with arguments that do not fit: when ranks stand in one of those, that is why. True:
// reported.
bool mck_watch_ask_judge(struct mck_watch *w);
void mck_watch_remove_logs(struct mck_watch *w); // rank 0's watch has reported: what the ranks of this node leave
                                                 // behind

// --- waiting-for-rank.c ---
struct mck_hangs mck_watch_find_hangs(struct mck_watch *w, int64_t now);
void mck_watch_tell_hangs(struct mck_watch *w, int64_t now);       // while the run goes on, by rank 0's watch
bool mck_watch_is_hung(struct mck_watch *w, uint64_t fingerprint); // nothing is proved, but no rank has moved for long
