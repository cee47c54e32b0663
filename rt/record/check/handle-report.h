// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings about handles that are stale or unknown (check-handle.c, check-stale-handle.c).
#pragma once
#include "object/object.h"
#include "record/call/call.h"

extern const char *const mck_handle_nouns[MCK_OBJECT_KINDS]; // "communicator", ...
// end: "freed"; site and free_site: where the object was made by fn, and where it ended.
__attribute__((cold)) void mck_handle_report_stale(struct mck_call *call, const char *what, const char *noun,
                                                   const char *end, uint16_t fn, uint32_t site, uint32_t free_site);
// A handle that is NULL; no handle of Open MPI is NULL. From Fortran it is a number that stands for no object, or for
// one that was freed.
void mck_handle_unknown(struct mck_call *call, const char *what, enum mck_object_kind kind);
