// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings that this process makes on the spot, one per check and site (local-finding.c).
#pragma once
#include <stdarg.h>
#include "record/call/call.h"
#include "record/runtime.h"

// A new finding, to be filled in. NULL: it is there already (and was counted), or memory is used up.
struct mck_finding *mck_local_add(enum mck_check check, uint32_t site, uint64_t also);
void mck_local_done(struct mck_finding *finding);       // writes it to the log
void mck_local_moved(const uint32_t *events, size_t n); // where the findings are in a recycled log

// What becomes of the call: it works; it may do its work, fail or kill the process, and is an event that other ranks'
// calls match; MPI will refuse it.
enum mck_outlook { MCK_WORKS, MCK_DOUBTFUL, MCK_REFUSED };
void mck_local_expect(struct mck_call *call, enum mck_outlook outlook); // under the lock
// cause: of the finding, or 0.
__attribute__((format(printf, 5, 0))) void mck_local_say(struct mck_call *call, enum mck_check check,
                                                         enum mck_outlook outlook, uint64_t cause, const char *format,
                                                         va_list list);
__attribute__((format(printf, 3, 4))) void mck_local_report(struct mck_call *call, enum mck_check check,
                                                            const char *format, ...);

// text_path: "" is stderr. Returns the number of errors.
int mck_local_print(struct mck_findings *findings, const struct mck_stack_source *stacks,
                    const struct mck_report_run *run, const char *text_path);
// The same while the run goes on.
void mck_local_print_now(struct mck_findings *findings, const struct mck_stack_source *stacks,
                         const struct mck_report_run *run);
struct mck_stack_source mck_local_stacks(void);
