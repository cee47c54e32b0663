// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call stack of another process's main thread, taken without its help and without a signal: it is stopped by ptrace
// for some microseconds.
#pragma once
#include "report/report.h"

enum { MCK_PEEK_MAX = 32 };
struct mck_peek {
  unsigned n;
  uint64_t pcs[MCK_PEEK_MAX];
}; // innermost first; return addresses (the first: one behind where it is)
// false, with *why: what is known instead.
bool mck_peek_stack(struct mck_peek *peek, long pid, const char **why);
// Module and address in it, of an address of that process; path is written to. false: of no file.
bool mck_peek_find(long pid, uint64_t pc, char *path, size_t size, uint64_t *offset);
