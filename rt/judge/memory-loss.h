// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the report says where memory was short (base/memory-failure.h).
#pragma once
#include "report/finding.h"

// An error: the run was not checked, which must not pass for success. nshort: the ranks that were short of memory.
// Returns the number of errors in the list, which is at least 1 then, also if there is no memory for the finding.
uint32_t mck_memory_loss_say(struct mck_findings *findings, uint32_t nshort);
