// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loaded objects are the application's own: of these the report says whether their loads and stores are checked.
#pragma once
#include <link.h>
#include <stdbool.h>

// Libraries of Open MPI, by their names: they call MPI for the program.
bool mck_library_is_of_mpi(const char *path);
// Libraries of the compiler, the system and MPI, by their names.
bool mck_library_is_of_system(const char *path);
// The program itself; a library that was recompiled, calls MPI, or lies beside the program. path is info's, or that of
// the program.
bool mck_library_is_own(const struct dl_phdr_info *info, const char *path);
