// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/intercept/next-function.h"
#include <link.h>
#include <string.h>

// A library that dlopen loads with RTLD_LOCAL brings functions that RTLD_NEXT does not see, and calls ours all the same
// (the C++ library behind a plugin of hwloc, in a program in C).
static void *find_in_local(const char *name) {
  Dl_info own, its;
  struct link_map *map = NULL;
  void *program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD), *found = NULL;
  if (!program || dlinfo(program, RTLD_DI_LINKMAP, &map) || !dladdr((void *)&mck_next_function, &own)) return NULL;
  for (; map && !found; map = map->l_next) {
    void *library = map->l_name[0] ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!library) continue;
    found = dlsym(library, name);
    if (found && (!dladdr(found, &its) || its.dli_fbase == own.dli_fbase)) found = NULL;
    dlclose(library);
  }
  dlclose(program);
  return found;
}

void *mck_next_function(const char *name) {
  // Of these, libc has an old version, too, with condition variables of another size: dlsym may find that one.
  void *found = !strncmp(name, "pthread_cond_", 13) ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : NULL;
  if (!found) found = dlsym(RTLD_NEXT, name);
  if (!found) found = find_in_local(name);
  MCK_CHECK(found); // a program that calls it has it
  return found;
}
