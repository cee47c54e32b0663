// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts failed allocations (memory-failure.h). The program's allocator may be one of its own: it is called as always.
#include "base/memory-failure.h"
#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic unsigned failures;
static void (*_Atomic called)(void);

unsigned mck_memory_failures(void) { return atomic_load_explicit(&failures, memory_order_relaxed); }

void mck_memory_fail(void) {
  atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
  void (*hook)(void) = atomic_load(&called);
  if (hook) hook();
}

void mck_memory_set_hook(void (*hook)(void)) { atomic_store(&called, hook); }

// A library of tests/torment, loaded before the process, may let an allocation fail.
extern bool __mck_allocation_fails(void) __attribute__((weak));
static bool fails(void) { return __mck_allocation_fails && __mck_allocation_fails(); }

static void *count(void *memory) {
  if (!memory) mck_memory_fail();
  return memory;
}

// These fail for other reasons, too.
static void *count_errno(void *memory) {
  if (!memory && errno == ENOMEM) mck_memory_fail();
  return memory;
}

#define MCK_WRAP(type, name, parameters, arguments, counter)                                                           \
  type *__real_##name parameters; /* NOLINT(bugprone-reserved-identifier): the linker's names */                       \
  type *__wrap_##name parameters; /* NOLINT(bugprone-reserved-identifier) */                                           \
  type *__wrap_##name parameters { return counter(fails() ? NULL : __real_##name arguments); }

MCK_WRAP(char, strdup, (const char *text), (text), count)
MCK_WRAP(char, strndup, (const char *text, size_t length), (text, length), count)
MCK_WRAP(FILE, fopen, (const char *path, const char *mode), (path, mode), count_errno)
MCK_WRAP(DIR, opendir, (const char *path), (path), count_errno)
MCK_WRAP(FILE, open_memstream, (char **text, size_t *size), (text, size), count)

// malloc(0) and its kin may return NULL rightly.
#define MCK_WRAP_SIZED(name, parameters, arguments, size)                                                              \
  void *__real_##name parameters; /* NOLINT(bugprone-reserved-identifier) */                                           \
  void *__wrap_##name parameters; /* NOLINT(bugprone-reserved-identifier) */                                           \
  void *__wrap_##name parameters {                                                                                     \
    void *memory = fails() ? NULL : __real_##name arguments;                                                           \
    return (size) ? count(memory) : memory;                                                                            \
  }

MCK_WRAP_SIZED(malloc, (size_t size), (size), size)
MCK_WRAP_SIZED(calloc, (size_t n, size_t size), (n, size), n &&size)
MCK_WRAP_SIZED(aligned_alloc, (size_t alignment, size_t size), (alignment, size), size)
MCK_WRAP_SIZED(realloc, (void *old, size_t size), (old, size), size)
