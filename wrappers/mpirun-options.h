// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of mpirun-check itself on its command line.
#pragma once
#include <stdbool.h>
#include "exploration.h"

// Options of the report: each is an option of MPICC_CHECK_OPTIONS, too. Those of outputs come first.
struct mck_own_form {
  const char *flag, *option;
  enum { MCK_FORM_OUTPUT, MCK_FORM_INPUT, MCK_FORM_WORD } what;
  const char *value; // where a run finds it
};
enum { MCK_OWN_FORMS = 10 };
extern const struct mck_own_form mck_own_forms[MCK_OWN_FORMS];

struct mck_own {
  const char *forms[MCK_OWN_FORMS], *options, *file, *judge, *replay, *take;
  bool keeps_logs, prints_rules, explores, confirms, records;
  struct mck_explore explore;
};

// Reads our options, which stand before mpirun's or among them, up to the program (of each application context), or
// before "--". Ends the process on --help, --version and wrong values. Returns where mpirun's own words begin, from
// which ours are removed.
char **mck_own_read(char **words, struct mck_own *own);
// One line to stderr, and exit code 2.
_Noreturn void mck_own_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
