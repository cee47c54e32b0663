// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that this process runs.
#pragma once
#include <stddef.h>

// Writes its absolute path. Without /proc it is the name that execve got (getauxval(3)), from the working directory of
// now. Returns its length; 0, and an empty path: it is not known. Any thread; needs no memory.
size_t mck_own_program(char *path, size_t size);
