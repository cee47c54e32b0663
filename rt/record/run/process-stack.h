// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call stack of the main thread of another process, taken without its help and without a signal: the process is
// stopped by ptrace for some microseconds.
#pragma once
#include "report/report.h"

enum { MCK_PROCESS_STACK_MAX = 32 };
// Return addresses, the innermost first; the first is one byte behind the place where the thread is.
struct mck_process_stack {
  unsigned n;
  uint64_t pcs[MCK_PROCESS_STACK_MAX];
};
// false: *why says what is known instead.
bool mck_process_stack_read(struct mck_process_stack *peek, long pid, const char **why);
// The module of an address of that process, and the address in the module. path: memory for the module's path. false:
// the address is in no file.
bool mck_process_stack_find(long pid, uint64_t pc, char *path, size_t size, uint64_t *offset);
