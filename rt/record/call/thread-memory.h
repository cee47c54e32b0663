// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a thread that is too large for thread-local variables. These are found fast (initial-exec), and so lie in
// the static block of the thread. A program that loads the runtime late, by dlopen of a recompiled plugin, has some
// hundred bytes left there for all libraries (glibc, rtld.optional_static_tls).
#pragma once
#include <stddef.h>

enum { MCK_THREAD_MEMORY_ALIGN = 64 };
// Zeroed memory until the thread ends. own: the thread-local variable that will hold its address; when the thread ends
// it gets its present value again. NULL: no memory.
void *mck_thread_memory_make(void **own, size_t size);
