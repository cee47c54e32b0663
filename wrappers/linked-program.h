// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program: whether what mpirun starts was linked by mpicc-check, read from its ELF file.
#pragma once
#include <stdbool.h>

// name as given to mpirun, found as mpirun finds it (dir: option -wdir, or NULL). true only when it is an ELF file that
// needs our runtime itself; a script, something not found or a program never recompiled: false, and preloading the
// runtime is right.
bool mck_program_is_linked(const char *name, const char *dir);
