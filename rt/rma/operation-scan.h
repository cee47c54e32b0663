// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the pass over one log, which operation-completion.c and section.c share.
#pragma once
#include "rma/rma-run.h"

struct mck_scan_window { // of one window in one log
  uint32_t *pending;     // by target: the last operation that is not complete, + 1
  size_t npending;
  uint32_t size;       // of the window's group
  uint8_t *locks;      // by target: enum mck_conflict_lock
  uint32_t *locked;    // by target: event
  uint32_t locked_all; // event, MCK_NONE: none
  bool is_all_nocheck;
  uint32_t start, post; // open exposures + 1 in exposures
};
struct mck_scan_read { // an event by which the rank may learn what others wrote; op: + 1, of an operation
  uint32_t event, op;
};
struct mck_scan {
  struct mck_rma_run *run;
  struct mck_rma_log *log;
  const struct mck_strands *strands; // of the log; NULL: it is one strand
  const struct mck_reader *reader;
  uint32_t number, at;
  uint32_t message;                // the send, receive or collective right before; MCK_NONE: none
  uint32_t first, last;            // ACCESS events without a call between them; MCK_NONE: none yet
  struct mck_scan_window *windows; // by the log's id of the window
  uint32_t *next;                  // by operation: the one before it in its list, + 1
  size_t next_capacity;
  struct mck_rma_exposures *exposures;
  struct mck_scan_read *reads; // by event
  size_t nreads, reads_capacity;
};

// section.c
// An event that may read what other ranks wrote: a get or fetch (op: its number + 1, 0: not known), a load, a call of a
// file.
void mck_section_note_read(struct mck_scan *p, const struct mck_event *e, size_t op);
// The lock of a target is released at this event.
void mck_section_add_lock(struct mck_scan *p, const struct mck_scan_window *s, uint32_t target, uint32_t begin,
                          uint8_t lock);
// An operation that may read what another one wrote, or be read so; op: its number.
void mck_section_add_atomic(struct mck_scan *p, const struct mck_event *e, size_t op);
// A load or store, if it polls.
void mck_section_add_polling(struct mck_scan *p, const struct mck_event *e);
// At the end of the log: locks that are never released, and the ends of atomic operations. first: the log's first one.
void mck_section_end_log(struct mck_scan *p, size_t first);
// Of all logs: sorts the sections, and leaves out those that order nothing.
void mck_section_sort(struct mck_rma_run *run);
