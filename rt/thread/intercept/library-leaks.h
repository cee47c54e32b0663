// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LeakSanitizer, in a program that was compiled with it: what the MPI library keeps is no leak of the program's.
#pragma once
#include <stdbool.h>
// Around MPI_Init and MPI_Finalize: what the calling thread allocates there is never reported, nor what the threads
// allocate that it creates there (PMIx's, which goes on by itself).
void mck_library_leaks_begin(void);
void mck_library_leaks_end(void);
bool mck_library_leaks_are_hidden(void); // on this thread, now
bool mck_library_leaks_are_looked_for(void);
