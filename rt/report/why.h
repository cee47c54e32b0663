// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Option why: which rule decided a verdict. The judge, rt/rma and the deadlock watch call this where they make a
// finding, and where they dismiss a candidate for one. It costs one test of a byte while the option is not set. Never
// call it where calls are recorded: it writes to stderr.
#pragma once
#include "base/base.h"
#include "report/finding.h"

// One line on stderr: "==mpicc-check== why: ID: ...", or "==mpicc-check== why: ID dismissed: ...". Nothing while option
// why names neither this check nor "all". The arguments are computed only while the option is set.
#define mck_why(check, ...) (MCK_UNLIKELY(mck_options.why[0]) ? mck_why_print(check, false, __VA_ARGS__) : (void)0)
#define mck_why_not(check, ...) (MCK_UNLIKELY(mck_options.why[0]) ? mck_why_print(check, true, __VA_ARGS__) : (void)0)
__attribute__((format(printf, 3, 4))) void mck_why_print(enum mck_check check, bool is_dismissed, const char *format,
                                                         ...);
// For a caller that has to compute what it would print.
bool mck_why_is_asked(enum mck_check check);
// Is the value of option why empty, "all" or the id of a check? If not, error holds one line about it.
bool mck_why_is_valid(char *error, size_t size);
