// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function behind ours of the same name: libmpicc-check.so's, libc's, or that of another tool.
#pragma once
#include <dlfcn.h>
#include "flow/recorder/recorder.h"

// MCK_FLOW_NEXT(int, close, (int)) makes next_close(), a pointer to it.
#define MCK_FLOW_NEXT(result, name, parameters)                                                                        \
  static result(*next_##name(void)) parameters {                                                                       \
    static _Atomic(void *) found;                                                                                      \
    void *function = atomic_load_explicit(&found, memory_order_relaxed);                                               \
    if (MCK_UNLIKELY(!function)) {                                                                                     \
      function = dlsym(RTLD_NEXT, #name);                                                                              \
      MCK_CHECK(function); /* who calls it has it */                                                                   \
      atomic_store_explicit(&found, function, memory_order_relaxed);                                                   \
    }                                                                                                                  \
    return (result(*) parameters)function;                                                                             \
  }
