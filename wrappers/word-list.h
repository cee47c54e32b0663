// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A NULL-terminated vector of arguments that grows, and the directory where we are installed. The commands share it.
// They are short-lived processes: memory is freed by exec or exit, and a process that runs out of memory prints one
// line and ends.
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct mck_words {
  char **items;
  size_t count, capacity;
};

void mck_words_push(struct mck_words *words, const char *word); // stores the pointer, not a copy
__attribute__((format(printf, 2, 3))) void mck_words_format(struct mck_words *words, const char *format, ...);
__attribute__((format(printf, 1, 2))) char *mck_words_print(const char *format, ...); // returns a new string
void mck_words_split(struct mck_words *words, const char *text); // at blanks, as Open MPI does with OMPI_CC
// Splits the text of a response file as GNU and clang do: at blanks, except behind a backslash or inside quotes.
void mck_words_split_response(struct mck_words *words, const char *text);
// The words of a response file. False: it cannot be read.
bool mck_words_read_response(struct mck_words *words, const char *path);
const char *mck_words_basename(const char *path);

// The directory of the runtime and the plugin: ../lib/mpicc-check (installed) or ../lib (build tree) from our own
// executable's directory. It is the one that has this file; NULL: neither has it.
const char *mck_words_find_libdir(const char *file);
