// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flow: did the MPI library bring the right bytes to the right place (FlowChecker, Chen et al., SC 2010)? A function
// over the logs of a whole run in which the content of buffers was recorded (option flow). What was sent and what came
// are compared by the exact matches of rt/order; reductions are computed again. The library is blamed only where the
// program surely did nothing wrong with the buffers; else a note says what could not be decided
// (docs/design/flow.md). It knows no MPI and runs on the thread that judges.
#pragma once
#include "order/pairs.h"
#include "report/finding.h"

// Adds findings of kind flow.content, flow.wrong and flow.broken. What findings has already explains a difference
// first.
void mck_flow_judge(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                    struct mck_findings *findings);
// Where the traces of movements are, if they were recorded; the caller keeps the text. It is asked only where other
// bytes came.
void mck_flow_set_traces(const char *dir);

// How the program's own operations are computed, in the process of rank 0: inout = in o inout, of n elements of so many
// numbers of a basic type each, one behind the other. number: as in the CONTENT of its log. false: it cannot be called.
typedef bool mck_flow_compute(uint32_t number, uint32_t basic, uint32_t numbers, void *in, void *inout, uint64_t n);
void mck_flow_set_operations(mck_flow_compute *compute);

// The calls of these findings: numbers of logs, and events. Returns how many there are, at most max.
struct mck_flow_fault {
  uint32_t sender, send_event, receiver, receive_event;
};
size_t mck_flow_faults(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                       struct mck_flow_fault *faults, size_t max);
