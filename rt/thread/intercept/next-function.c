// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/intercept/next-function.h"
#include <string.h>

void *mck_next_function(const char *name) {
  // Of these, libc has an old version, too, with condition variables of another size: dlsym may find that one.
  void *found = !strncmp(name, "pthread_cond_", 13) ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : NULL;
  if (!found) found = dlsym(RTLD_NEXT, name);
  MCK_CHECK(found); // a program that calls it has it
  return found;
}
