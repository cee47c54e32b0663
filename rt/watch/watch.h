// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watch: a thread in the process with the lowest local rank of each node. It makes no MPI call; it reads the wait marks
// in the mapped logs of its node, and when marks stand still for two looks it builds the wait-for graph (waitfor.h)
// from the logs' unmatched operations and solves it. A deadlock is reported only when proved: every rank in the
// deadlocked set blocks in the same call in both snapshots and nothing that it waits for can come any more.
#pragma once
#include "log/log.h"
#include "report/finding.h"

// Called once, on the watch's thread, with the proved deadlock. It does not return to the program when it ends the run.
typedef void mck_watch_report(void *context, struct mck_findings *findings);
// Asked on the watch's thread, once, when no rank has moved for long and nothing is proved: is it known why? Then with
// a finding.
typedef bool mck_watch_suspect(void *context, struct mck_findings *findings);
// Told on the watch's thread while the run goes on: findings that are notes.
typedef void mck_watch_note(void *context, struct mck_findings *findings);
void mck_watch_set_note(mck_watch_note *note);          // before the start
void mck_watch_set_suspect(mck_watch_suspect *suspect); // before the start
// Asked on a node's watch thread: writes where a process of that node is now (text of the asker's own, NUL at its end);
// returns its length, 0: not known.
typedef size_t mck_watch_where(long pid, char *text, size_t size);
void mck_watch_set_where(mck_watch_where *where); // before the start
// On that thread, while it is told a note about a rank of another node: what its node has written so. "": nothing.
const char *mck_watch_heard_where(void);
struct mck_nodes;
void mck_watch_set_nodes(const struct mck_nodes *nodes); // before the start, where the job has several nodes (nodes.h);
                                                         // stays the caller's
// dir holds the logs of this node's ranks, rank-N.log; size is the world's.
int mck_watch_start(const char *dir, uint32_t size, unsigned period_ms, mck_watch_report *report, void *context);
void mck_watch_stop(void); // joins the thread

// The graph of the last deadlock that was proved, in graphviz's language; the caller's from now on. NULL: none.
char *mck_watch_take_graph(void);

// Pure part: what is proved from two snapshots of the logs. Returns whether a deadlock was found and added.
struct mck_snapshot {
  uint64_t wait;
  bool is_polling;
}; // is_polling: for long (polling.h), what for is in the log's header
bool mck_watch_prove(const struct mck_reader *logs, const struct mck_snapshot *marks, uint32_t size,
                     struct mck_findings *findings);
