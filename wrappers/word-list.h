// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words: a growing, NULL-terminated argument vector, and where we are installed. Shared by mpicc-check and
// mpirun-check, which run as short-lived processes: what is allocated here lives until exec or exit, and running out of
// memory ends the process with one line.
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct mck_words {
  char **items;
  size_t count, capacity;
};

void mck_words_push(struct mck_words *words, const char *word); // keeps the pointer
__attribute__((format(printf, 2, 3))) void mck_words_format(struct mck_words *words, const char *format, ...);
__attribute__((format(printf, 1, 2))) char *mck_words_print(const char *format, ...); // a new string
void mck_words_split(struct mck_words *words, const char *text); // at blanks, as Open MPI splits OMPI_CC
// Splits the text of a response file as GNU and clang do: blanks separate, backslash and both quotes protect.
void mck_words_split_response(struct mck_words *words, const char *text);
const char *mck_words_basename(const char *path);

// The directory of the runtime and the plugin: beside our own executable, ../lib/mpicc-check (installed) or ../lib
// (build tree), whichever has file; NULL: neither.
const char *mck_words_find_libdir(const char *file);
