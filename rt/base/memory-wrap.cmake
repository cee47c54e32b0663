# The linker's part of base/memory-failure.h: which functions it replaces in all that links mck_core.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(MCK_MEMORY_WRAP)
foreach(name malloc calloc realloc aligned_alloc strdup strndup fopen opendir open_memstream)
  list(APPEND MCK_MEMORY_WRAP -Wl,--wrap=${name})
endforeach()
