// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the arguments of lld ask for, those in response files included.
#pragma once
#include <stdbool.h>

struct mck_linker_words {
  bool traces;              // --trace
  bool is_relocatable;      // -r: the output is no program
  bool writes_dependencies; // --dependency-file
  const char *output;       // -o
};

struct mck_linker_words mck_linker_words_read(char *const *words);
