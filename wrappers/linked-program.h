// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program that mpirun starts was linked with. Its ELF file says so.
#pragma once
#include <stdbool.h>

// name: as given to mpirun, and looked up as mpirun does it (dir: option -wdir, or NULL). Returns true only for an ELF
// file that needs our runtime itself, and finds it. A script, a name without a file, a program that was not recompiled,
// and one whose runtime is gone from where it was linked are false: then the runtime is preloaded.
bool mck_program_is_linked(const char *name, const char *dir);
// The library of another MPI than Open MPI that the program was linked with; NULL: none.
const char *mck_program_foreign(const char *name, const char *dir);
// A set-user-ID MPI program of another user: PMIx lets no other user in, MPI_Init fails, and mpirun waits for ever.
bool mck_program_is_of_other_user(const char *name, const char *dir);
// gcc's AddressSanitizer and its kin, which refuse to run where another library is loaded before them; NULL: none.
const char *mck_program_sanitizer(const char *name, const char *dir);
bool mck_program_has_memory_sanitizer(const char *path); // clang's, which ends the program in MPI's library
// Its file, whether it is there or not.
const char *mck_program_find(const char *name, const char *dir);
