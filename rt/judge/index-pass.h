// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of index.c over one log, shared with the files that index collectives and windows.
#pragma once
#include "judge/index.h"

enum { MCK_PASS_WAYS = 256 }; // channels that were used last, by a few bits of their names

struct mck_pass {
  struct mck_judge *judge;
  struct mck_reader *log;
  uint32_t ways[MCK_PASS_WAYS]; // number + 1
  uint32_t index;               // of the event at hand
  uint32_t released, acquired;  // last event that may tell others something / tell us something of others
  struct {
    uint32_t event, channel;
    size_t run;
    uint64_t number;
  } *probes; // matched probes whose receive has not come yet
  size_t nprobes, probes_capacity;
  size_t pending; // at a cut: the next one
};

// index-collective.c
void mck_pass_add_collective(struct mck_pass *pass, const struct mck_event *e);
void mck_pass_add_fence(struct mck_pass *pass, const struct mck_event *e);
// index-window.c
void mck_pass_add_rma(struct mck_pass *pass, const struct mck_event *e); // PUT to FENCE, SYNC, ACCESS
// Memory is attached to a dynamic window, or detached.
void mck_pass_add_attach(struct mck_pass *pass, const struct mck_event *e);
