// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of mpicc-check itself, which the compiler must not get.
#pragma once
#include <stdbool.h>

struct mck_own_options {
  bool explains, is_whole, is_apart; // -fcheck-explain, -fcheck-whole-program, -fno-check-whole-program
  const char *suppressions;          // a file, or NULL
  const char *checks;                // those that concern the static checks, with spaces between
};

// Takes them out of the command line.
struct mck_own_options mck_own_options_take(int *argc, char **argv);
// Tells the pass, and ccache, which must not take an object from its cache that other options made.
void mck_own_options_tell(const struct mck_own_options *own);
