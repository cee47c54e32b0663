// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Finalize deletes the attributes of MPI_COMM_SELF first, the last one set first (MPI-3.1 8.7.1). One of them is
// ours, set at the end of MPI_Init: its callback comes after all of the program's. What those call is recorded like all
// that the program calls before MPI_Finalize. On the thread of MPI_Init or MPI_Finalize.
#pragma once
#include "record/call/call.h"

// MPI_Finalize is in the callbacks of the program, which are no part of a call.
extern _Atomic bool mck_self_is_deleting;
void mck_self_set(void);                    // at the end of MPI_Init
void mck_self_begin(struct mck_call *call); // MPI_Finalize begins, and callbacks of the program may run in it
bool mck_self_end(void); // it returns. Returns true where our callback was not called, since one before it has failed
