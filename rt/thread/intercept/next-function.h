// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function behind ours of the same name: that of libc, or of another tool.
#pragma once
#include <dlfcn.h>
#include <stdatomic.h>
#include "base/base.h"

void *mck_next_function(const char *name);
// DEFINE_NEXT(int, sem_post, (sem_t * s)) makes next_sem_post(), which is a pointer to it.
#define DEFINE_NEXT(result, name, parameters)                                                                          \
  static result(*next_##name(void)) parameters {                                                                       \
    static _Atomic(void *) found;                                                                                      \
    void *function = atomic_load_explicit(&found, memory_order_relaxed);                                               \
    if (MCK_UNLIKELY(!function)) {                                                                                     \
      function = mck_next_function(#name);                                                                             \
      atomic_store_explicit(&found, function, memory_order_relaxed);                                                   \
    }                                                                                                                  \
    return (result(*) parameters)function;                                                                             \
  }
