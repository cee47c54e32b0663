// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watch: a thread in the process with the lowest local rank of each node. It makes no MPI call. It reads the wait marks
// in the mapped logs of its node. When marks are unchanged for two looks, it builds the wait-for graph (waitfor.h) from
// the unmatched operations in the logs and solves it. A deadlock is reported only when it is proved: each deadlocked
// rank blocks in the same call in both snapshots, and nothing that it waits for can come any more.
#pragma once
#include "log/log.h"
#include "report/finding.h"

// It is called once, on the watch's thread, with the proved deadlock. It does not return when it ends the run.
typedef void mck_watch_report(void *context, struct mck_findings *findings);
// It is called once, on the watch's thread, when no rank has moved for long and nothing is proved. It adds a finding if
// it knows the reason.
typedef bool mck_watch_suspect(void *context, struct mck_findings *findings);
// It is called on the watch's thread while the run goes on, with findings that are notes.
typedef void mck_watch_note(void *context, struct mck_findings *findings);
void mck_watch_set_note(mck_watch_note *note);          // before the start
void mck_watch_set_suspect(mck_watch_suspect *suspect); // before the start
// It is called on a node's watch thread, and writes where a process of that node is now (text, with a NUL at its end).
// It returns the length; 0: unknown.
typedef size_t mck_watch_where(long pid, char *text, size_t size);
void mck_watch_set_where(mck_watch_where *where); // before the start
// On that thread, during a note about a rank of another node: the text that its node has written. "": none.
const char *mck_watch_heard_where(void);
struct mck_nodes;
void mck_watch_set_nodes(const struct mck_nodes *nodes); // before the start, where the job has several nodes (nodes.h);
                                                         // the caller owns it
// dir holds the logs of this node's ranks, rank-N.log; size is the world's.
int mck_watch_start(const char *dir, uint32_t size, unsigned period_ms, mck_watch_report *report, void *context);
void mck_watch_stop(void); // joins the thread

// The graph of the last proved deadlock, in graphviz's language; the caller frees it. NULL: none.
char *mck_watch_take_graph(void);

// A rank that has polled for long (polling.h); the log's header says for what. Something else than MPI may end an open
// loop, or nothing is known of it; nothing else can end a closed one (abi.h).
enum mck_polls { MCK_POLLS_NOT, MCK_POLLS_OPEN, MCK_POLLS_CLOSED };
// The pure part: proves from two snapshots of the logs. Returns true when a deadlock was found and added. A rank in an
// open loop moves.
// A thread of a process of which several threads may call MPI.
struct mck_thread_wait {
  uint64_t wait, object; // wait: the mark of its MPI call; object: as in its slot
  uint32_t slot;         // + 1
  uint32_t tid;
  uint8_t what; // enum mck_slot_wait: it waits for something else than MPI, also within an MPI call
  bool is_main, is_worker;
};
struct mck_snapshot {
  uint64_t wait;
  enum mck_polls polls;
  // All threads of the process that may call MPI; each of them waits. none: only one thread calls MPI, or it moves.
  const struct mck_thread_wait *threads;
  uint32_t nthreads;
};
bool mck_watch_prove(const struct mck_reader *logs, const struct mck_snapshot *marks, uint32_t size,
                     struct mck_findings *findings);
