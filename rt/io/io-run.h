// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of this room share: the accesses of a run, and where their bytes are.
#pragma once
#include "base/hash-table.h"
#include "io/file-bytes.h"
#include "io/io.h"
#include "rma/completed-clock.h"

struct mck_io_access {
  uint32_t log, comm, event; // comm: the file, by the log's id
  uint32_t file;             // number of the collective open
  uint32_t done;             // it is over behind this event of its log; MCK_NONE: not known
  uint32_t epoch;            // how many calls that transfer came before it on its handle
  uint32_t transferred;      // the first such call behind its end; MCK_NONE: none
  uint32_t last;             // the last such call before it, as the event that it left in the log
  uint64_t name;             // equal for one file of one host; 0: not known
  uint32_t sizes; // how many calls that set the size of the file came before it on its handle, itself included
  bool is_write, is_atomic;
  bool is_size;    // it is such a call
  bool is_resized; // such a call comes behind it
  bool is_in_turn; // by the shared pointer, which was never set back: it meets no other such access
  bool is_old;     // it is before the cut of its log, so it was compared there with others before the cut
  bool is_late;    // it is old, and was over behind the cut only
  // When it was made: what its process knew, and what it had known at that last call. NULL: unknown.
  struct mck_clock *known, *current;
};
struct mck_io_piece {
  uint64_t low, high;
  uint32_t access;
};
struct mck_io_place { // of an access by the shared file pointer, in the bytes that the view shows
  uint32_t log, event;
  uint64_t offset;
};
struct mck_io_run {
  const struct mck_reader *logs;
  size_t nlogs;
  const struct mck_pairs *pairs;
  struct mck_findings *findings;
  struct mck_io_access *accesses; // by log and event
  size_t naccesses, accesses_capacity;
  struct mck_io_piece *pieces;
  size_t npieces, pieces_capacity;
  uint64_t *keys; // by file
  size_t nfiles, files_capacity;
  struct mck_table file_table;
  struct mck_io_place *places; // by log and event
  size_t nplaces, places_capacity;
  uint32_t *component; // of the clocks, by log
  bool has_clocks;
  bool is_threaded; // the order of a log is not that of the calls: there are no clocks, nor an order in one process
  bool is_hidden;   // something orders accesses in a way that no clock has
  uint32_t *hidden; // by log: the first event that may learn in this way
  bool is_alone;    // only one log is there: an access by the shared pointer may be anywhere
  bool is_partial;  // there was too much to look at all of it
  bool is_short;    // out of memory
  bool is_strict;   // a call over a file is no barrier (for mck_io_is_surely_before)
};

// shared-pointer.c: finds the places of accesses by the shared file pointer.
void mck_io_place(struct mck_io_run *run);
const struct mck_io_place *mck_io_place_of(const struct mck_io_run *run, uint32_t log, uint32_t event); // NULL: unknown
// access-list.c
void mck_io_list(struct mck_io_run *run);
void mck_io_free(struct mck_io_run *run);
static inline const struct mck_event *mck_io_event(const struct mck_io_run *run, const struct mck_io_access *a) {
  return &run->logs[a->log].events[a->event];
}
// file-order.c
void mck_io_make_clocks(struct mck_io_run *run);
// Is one pending while the other is made, by the same process?
bool mck_io_is_at_once(const struct mck_io_access *a, const struct mck_io_access *b);
// Of two accesses with the same bytes, at least one a write: does nothing order them?
bool mck_io_is_conflict(const struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b);
// Do barriers, messages or program order say that one was over before the other began? Both conflict nevertheless,
// since bytes may have been kept back.
bool mck_io_is_told(const struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b);
// Was a over, and its data to be seen, before b began, whatever the implementation does (13.6.1)?
bool mck_io_is_surely_before(const struct mck_io_run *run, const struct mck_io_access *a,
                             const struct mck_io_access *b);
// Did the process of b know, when it began b, that event index of log was over?
bool mck_io_surely_knows(const struct mck_io_run *run, const struct mck_io_access *b, uint32_t log, uint32_t index);
// file-overlap.c
void mck_io_find(struct mck_io_run *run);
// overlap-finding.c: if one of the two only reads, it is b. at: the piece of one of them that begins with their bytes
// [low, high), among the sorted ones.
void mck_io_report(struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b,
                   const struct mck_io_piece *at, uint64_t low, uint64_t high);
