// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tree: the watches of several nodes. Each node's leader is connected with rank 0's watch, the root (wire.h): a tree of
// depth one, since the root needs every byte anyway. Nothing is sent while nothing stands still. Used on the watch's
// thread only; docs/design/watch.md has the protocol and why its two phases make one moment.
//   leader -> root   HELLO node; STILL: the picture of my node has changed; HANGS; SNAPPED; CONFIRMED; and copies of
//   logs (log-copy.h); PLACE: a text, the answer to WHERE
//   root -> leader   SNAP, CONFIRM; WHERE is a rank of yours; END: reported, the run ends
#pragma once
#include "watch/node/log-copy.h"
#include "watch/node/nodes.h"

// A rank of this node that stands still now, or will not go on (finalizing, finished).
// marks: the header's is_multiple, is_incomplete, is_superseded, a byte each. is_polling: it is in no call that blocks,
// and what it polls for is in the header of its log (polling.h).
struct mck_standing {
  uint32_t rank, state, patience, marks, is_polling, unused;
  uint64_t wait, units;
};
// What the notes about hangs are made from (hang-note.h), of one node.
struct mck_hangs {
  uint32_t computing; // a rank that has called nothing for long, or MCK_NONE
  uint32_t nasked;    // how often a signal has asked for the graph
  bool is_waiting;    // some rank stands as long
};
// What the tree needs of the watch's thread.
struct mck_tree_host {
  void *context;
  // Fills in at most one entry per rank of this node, as it is now; returns how many.
  uint32_t (*find_standing)(void *context, struct mck_standing *standing);
  bool (*make_path)(void *context, uint32_t rank, char *path, size_t size);    // of its log
  size_t (*find_where)(void *context, uint32_t rank, char *text, size_t size); // watch.h
};
enum { MCK_TREE_TEXT = 1 << 15 };
struct mck_tree;

// NULL: out of memory, or this node is alone (rank 0 could not listen: said).
struct mck_tree *mck_tree_open(const struct mck_nodes *nodes, const struct mck_tree_host *host, uint32_t size,
                               uint64_t job, size_t copies_limit, int stop);
void mck_tree_close(struct mck_tree *tree);
// Answers until the time (CLOCK_MONOTONIC) is there; at the root until a leader says that its picture has changed, too.
// True: stop has become readable.
bool mck_tree_wait(struct mck_tree *tree, int64_t until_ns);

// Leaders.
void mck_tree_tell_still(struct mck_tree *tree, uint64_t fingerprint);
void mck_tree_tell_hangs(struct mck_tree *tree, const struct mck_hangs *hangs);
bool mck_tree_has_ended(const struct mck_tree *tree);

// The root.
uint64_t mck_tree_fingerprint(const struct mck_tree *tree); // of the leaders' pictures; 0: nothing stands there
// Phase one: logs of what stands on the other nodes. Phase two: what stood in the same call all the time between. A
// node that does not answer has nobody that stands. False: stop.
bool mck_tree_snap(struct mck_tree *tree);
bool mck_tree_confirm(struct mck_tree *tree);
// For a report, when all is proved: the logs of all other ranks, too, as a killed run leaves them.
bool mck_tree_snap_all(struct mck_tree *tree);
// After that: its confirmed entry, or NULL; and its log for mck_log_load_memory, or NULL.
const struct mck_standing *mck_tree_get_standing(const struct mck_tree *tree, uint32_t rank);
const void *mck_tree_get_log(const struct mck_tree *tree, uint32_t rank, size_t *size);
struct mck_hangs mck_tree_get_hangs(const struct mck_tree *tree, uint32_t node); // that its leader has told last
// Where a rank of another node is now, as that node's find_where writes it; text has MCK_TREE_TEXT bytes, "": not
// known. False: stop.
bool mck_tree_ask_where(struct mck_tree *tree, uint32_t rank, char *text);
bool mck_tree_is_full(const struct mck_tree *tree); // copies_limit was reached
void mck_tree_end(struct mck_tree *tree);           // tells all
