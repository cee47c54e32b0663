// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls by PMPI_ names (MPI-3.1 14.2). In recompiled code they go through a table (rt/abi.h) that gets the addresses
// of our wrappers. Other code makes them unseen; the report names it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "abi.h"

struct mck_own {
  const char *name;
  void (*wrapper)(void);
  uint16_t fn;
}; // "MPI_Send", and our function of that name: another library may have one, too
extern const struct mck_own mck_owns[]; // generated (api/generate.py), sorted by name
extern const unsigned mck_nowns;

void mck_callsite_attach(const struct mck_call_mark *first, const struct mck_call_mark *end); // callsite.c
void mck_profiling_look(void); // which code calls PMPI_ unseen: sets is_profiler, marks the log's header
// Does the function move data between ranks, so that matches and collectives are not known where it is not seen?
bool mck_profiling_is_message(uint16_t fn);
// The name of a function that callbacks have called within another call of MPI, where it is not recorded. NULL: none.
extern const char *_Atomic mck_profiling_hidden;
void mck_profiling_hide(uint16_t fn);
bool mck_profiling_write(char *text, size_t size); // which code calls which PMPI_ functions unseen; false: none does
