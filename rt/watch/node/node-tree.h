// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tree: the watches of several nodes. The leader of each node is connected to the root, which is rank 0's watch
// (wire.h). The tree has depth one, since the root needs each byte. Nothing is sent while no rank stands still. It is
// used on the watch's thread only. docs/design/watch.md has the protocol, and why its two phases make one moment.
//   leader -> root   HELLO node; STILL: the picture of my node has changed; HANGS; SNAPPED; CONFIRMED; and copies of
//   logs (log-copy.h); PLACE: a text, the answer to WHERE
//   root -> leader   SNAP, CONFIRM; WHERE is a rank of yours; END: reported, the run ends
#pragma once
#include "watch/node/log-copy.h"
#include "watch/node/nodes.h"

// A rank of this node that stands still now, or will not go on (finalizing, finished).
// marks: is_multiple, is_incomplete and is_superseded of the header, a byte each. polls: enum mck_polls; the rank is
// in no blocking call, and the header of its log says what it polls for (polling.h).
struct mck_standing {
  uint32_t rank, state, patience, marks, polls, unused;
  uint64_t wait, units;
};
// The facts of one node for the notes about hangs (hang-note.h).
struct mck_hangs {
  uint32_t computing; // a rank that has called no MPI function for long, or MCK_NONE
  uint32_t nasked;    // how often a signal has asked for the graph
  bool is_waiting;    // some rank has stood still as long
};
// The services that the tree needs from the watch's thread.
struct mck_tree_host {
  void *context;
  // Writes at most one entry per rank of this node, as of now; returns their number.
  uint32_t (*find_standing)(void *context, struct mck_standing *standing);
  bool (*make_path)(void *context, uint32_t rank, char *path, size_t size);    // makes the path of its log
  size_t (*find_where)(void *context, uint32_t rank, char *text, size_t size); // watch.h
};
enum { MCK_TREE_TEXT = 1 << 15 };
struct mck_tree;

// NULL: out of memory, or this node is alone (rank 0 could not listen, and has said so).
struct mck_tree *mck_tree_open(const struct mck_nodes *nodes, const struct mck_tree_host *host, uint32_t size,
                               uint64_t job, size_t copies_limit, int stop);
void mck_tree_close(struct mck_tree *tree);
// Answers until that time (CLOCK_MONOTONIC); the root also returns when a leader says that its picture has changed.
// Returns true when stop has become readable.
bool mck_tree_wait(struct mck_tree *tree, int64_t until_ns);

// For leaders.
void mck_tree_tell_still(struct mck_tree *tree, uint64_t fingerprint);
void mck_tree_tell_hangs(struct mck_tree *tree, const struct mck_hangs *hangs);
bool mck_tree_has_ended(const struct mck_tree *tree);

// For the root.
uint64_t mck_tree_fingerprint(const struct mck_tree *tree); // of the leaders' pictures; 0: no rank stands still there
// Phase one: the logs of ranks that stand still on other nodes. Phase two: the ranks that stood in the same call all
// the time between. A node that does not answer counts as moving. Returns false for stop.
bool mck_tree_snap(struct mck_tree *tree);
bool mck_tree_confirm(struct mck_tree *tree);
// For a report after the proof: gets the logs of all other ranks, too, as a killed run leaves them.
bool mck_tree_snap_all(struct mck_tree *tree);
// After that: the confirmed entry of a rank, or NULL; and its log for mck_log_load_memory, or NULL.
const struct mck_standing *mck_tree_get_standing(const struct mck_tree *tree, uint32_t rank);
const void *mck_tree_get_log(const struct mck_tree *tree, uint32_t rank, size_t *size);
struct mck_hangs mck_tree_get_hangs(const struct mck_tree *tree, uint32_t node); // the last HANGS of its leader
// Where a rank of another node is now, as find_where of that node writes it. text has MCK_TREE_TEXT bytes; "": unknown.
// Returns false for stop.
bool mck_tree_ask_where(struct mck_tree *tree, uint32_t rank, char *text);
bool mck_tree_is_full(const struct mck_tree *tree); // copies_limit was reached
void mck_tree_end(struct mck_tree *tree);           // tells all leaders
