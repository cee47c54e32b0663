// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include "thread/intercept/caller.h"
#include "thread/intercept/ompt-tool.h"
#include "thread/strand-times.h"

_Atomic uint64_t mck_caller_pages[MCK_CALLER_PAGES];
enum { ADDED_MAX = 256 };
static _Atomic uintptr_t added[ADDED_MAX]; // an address in each recompiled object
static _Atomic uint32_t nadded;

void mck_caller_add(const void *inside) {
  uint32_t i = atomic_fetch_add_explicit(&nadded, 1, memory_order_relaxed);
  if (i < ADDED_MAX) atomic_store_explicit(&added[i], (uintptr_t)inside, memory_order_release);
  for (i = 0; i < MCK_CALLER_PAGES; i++) atomic_store_explicit(&mck_caller_pages[i], 0, memory_order_relaxed);
}

// Without a lock: the caller may hold one that a constructor of a library that is being loaded waits for.
static const struct link_map *object_of(uintptr_t place) {
  struct dl_find_object found;
  return _dl_find_object((void *)place, &found) ? NULL : found.dlfo_link_map;
}

// Libraries whose synchronization is their own affair.
static bool is_private(const char *name) {
  static const char *const prefixes[] = {
      "libmpicc-check", "libc.so",    "ld-linux",  "libpthread",  "libmpi",      "libopen-",   "libompi", "mca_",
      "libmca_",        "liboshmem",  "libpmix",   "libprrte",    "libevent",    "libhwloc",   "libuc",   "libfabric",
      "libpsm",         "libibverbs", "librdmacm", "libefa",      "libomp",      "libgomp",    "libiomp", "libarcher",
      "libtsan",        "libasan",    "libubsan",  "libjemalloc", "libtcmalloc", "libmimalloc"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

static bool is_openmp(const char *name) {
  static const char *const prefixes[] = {"libomp.so", "libomp-", "libiomp5", "libgomp.so"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context) {
  static const char *const own_order[] = {"libglib-2.0", "libQt5Core", "libQt6Core",   "libtbb",
                                          "libdispatch", "libfolly",   "libabsl_sync", "libboost_fiber"};
  (void)size;
  const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
  *(bool *)context |= is_openmp(name);
  for (size_t i = 0; i < sizeof own_order / sizeof *own_order; i++)
    if (!strncmp(name, own_order[i], strlen(own_order[i]))) mck_times_lose();
  return 0;
}

void mck_caller_look_at_libraries(void) {
  static atomic_bool is_done;
  bool has_openmp = false;
  if (atomic_load(&is_done) || atomic_exchange(&is_done, true)) return;
  dl_iterate_phdr(look_at, &has_openmp);
  // A sanitizer takes pthread_create first, and calls it from the executable: then the threads of an OpenMP library
  // that tells nothing look like the program's, which never joins them.
  bool is_sanitized = dlsym(RTLD_DEFAULT, "__tsan_init") || dlsym(RTLD_DEFAULT, "__asan_init");
  if (has_openmp && !mck_ompt_is_active && is_sanitized) mck_times_lose();
}

unsigned mck_caller_find(uintptr_t place) {
  const struct link_map *object = object_of(place);
  if (!object) return 0; // code that was made while the program runs, or an object that is being loaded
  const char *slash = strrchr(object->l_name, '/'), *name = slash ? slash + 1 : object->l_name;
  bool is_program = !object->l_prev; // the executable
  is_program |= !strncmp(name, "libstdc++.so", 12) || !strncmp(name, "libc++.so", 9);
  for (uint32_t i = 0; i < ADDED_MAX && !is_program && added[i]; i++)
    is_program = object_of(atomic_load_explicit(&added[i], memory_order_acquire)) == object;
  unsigned counts = is_program          ? MCK_CALLER_PROGRAM | MCK_CALLER_SYNCHRONIZES
                    : !is_private(name) ? MCK_CALLER_SYNCHRONIZES
                                        : 0;
  uint64_t page = place >> 12;
  atomic_store_explicit(&mck_caller_pages[page % MCK_CALLER_PAGES], page << MCK_CALLER_BITS | counts,
                        memory_order_relaxed);
  return counts;
}
