// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/elf.h"
#include "thread/intercept/caller.h"
#include "thread/intercept/ompt-tool.h"
#include "thread/intercept/unknown-order.h"

enum { BY_GCC = 1, BY_CLANG = 2 }; // whose calls begin the program's parallel regions

static bool look(const struct mck_elf *elf, const char *name, uintptr_t *place, void *context) {
  (void)elf, (void)place;
  if (!strncmp(name, "GOMP_parallel", 13)) *(int *)context |= BY_GCC;
  if (!strcmp(name, "__kmpc_fork_call")) *(int *)context |= BY_CLANG;
  return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context) {
  struct mck_elf elf;
  (void)size;
  if (mck_elf_read(info, &elf) && mck_caller_is_program((const void *)elf.low)) mck_elf_visit(&elf, look, context);
  return 0;
}

// LLVM's library takes gcc's calls, too, and tells of them.
bool mck_thread_write_unknown(char *text, size_t size) {
  if (mck_ompt_is_active) return false;
  int by = 0;
  dl_iterate_phdr(look_at, &by);
  const char *option = getenv("OMP_TOOL"), *tools = getenv("OMP_TOOL_LIBRARIES");
  const char *why = by & BY_GCC && !mck_ompt_was_asked ? "gcc's library does not tell it"
                    : mck_ompt_was_asked && tools && *tools
                        ? "another tool is told it: run once without OMP_TOOL_LIBRARIES"
                    : mck_ompt_was_asked ? "another tool is told it, as Archer beside ThreadSanitizer: run once without"
                    : by && option && !strcasecmp(option, "disabled") ? "OMP_TOOL=disabled"
                                                                      : NULL;
  if (!why || !by) return false;
  snprintf(text, size,
           "the order of OpenMP's threads is not known (%s): what only this order decides was not looked for", why);
  return true;
}
