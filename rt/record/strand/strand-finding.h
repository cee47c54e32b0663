// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings about two calls that nothing orders. Which of the two comes first in a run is luck, and so is which pair of
// several threads is seen first. The report must not depend on it: so there is one finding for each pair of places, and
// it names the calls in the order of their places, and the threads that come first by their names.
#pragma once
#include "record/strand/strand-call.h"

// Sets *first and *second to a and b in the order of the report. The finding has its places; the caller adds headline
// and reason, and ends it with mck_local_done. NULL: it is there already.
struct mck_finding *mck_strand_finding(enum mck_check check, const struct mck_strand_call *a,
                                       const struct mck_strand_call *b, const struct mck_strand_call **first,
                                       const struct mck_strand_call **second);
