// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call stack of the main thread of another process, taken without its help and without a signal: the process is
// stopped by ptrace for some microseconds.
#pragma once
#include "report/report.h"

enum { MCK_PEEK_MAX = 32 };
// Return addresses, the innermost first; the first is one byte behind the place where the thread is.
struct mck_peek {
  unsigned n;
  uint64_t pcs[MCK_PEEK_MAX];
};
// false: *why says what is known instead.
bool mck_peek_stack(struct mck_peek *peek, long pid, const char **why);
// The module of an address of that process, and the address in the module. path: memory for the module's path. false:
// the address is in no file.
bool mck_peek_find(long pid, uint64_t pc, char *path, size_t size, uint64_t *offset);
