// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places that findings name: their own, and those within their texts. Rank 0 asks the ranks for the stacks of
// these.
#pragma once
#include "log/event.h"
#include "report/finding.h"

struct mck_site_place {
  int32_t rank;
  uint32_t site;
};
// Each once, ascending, of the ranks below size; malloced. NULL: out of memory.
struct mck_site_place *mck_places_of_findings(const struct mck_findings *findings, int size, size_t *n);
