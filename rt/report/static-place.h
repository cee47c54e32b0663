// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that the compiler warned of, as findings of kind static.unexecuted in a form of their own: so they go from
// process to report the way that findings go. The report takes them out again (static-warning.h).
#pragma once
#include "report/finding.h"

struct mck_static_place {
  const char *kind, *file, *function, *text; // file: its whole path
  uint32_t line, column;                     // column 0: unknown
  bool is_part; // executed is told of another place that the warning names: if that was not, this was not
};
// The form of a finding. number: of the warning in the process (0xffffffff: nothing tells whether its place is
// executed).
void mck_static_fill(struct mck_finding *f, const struct mck_static_place *place, uint32_t number);
// Does the pattern fit a kind that only the compiler finds? It is none of checks.inc.
bool mck_static_is_kind(const char *pattern);
bool mck_static_is(const struct mck_finding *f); // is it of this form?
// The number, or 0xffffffff; the latter also for all other findings.
uint32_t mck_static_number(const struct mck_finding *f);
// Which places were executed, by number; n of them are known. Said in all findings of the list from the first on.
void mck_static_execute(struct mck_findings *list, size_t first, const uint8_t *executed, size_t n);
