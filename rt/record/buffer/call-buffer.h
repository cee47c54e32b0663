// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a call's buffers (buffer-bytes.c). The wrappers name each buffer after the checks, when those found
// nothing. argument: the buffer's number among the function's parameters, as the pass counts them.
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"

enum mck_use_flags {
  MCK_USE_WRITTEN = 1, // else only read
  MCK_USE_KEPT = 2,    // beyond the call: nonblocking, persistent
  MCK_USE_ONLY = 4,    // by itself, as the call's only buffer is: nothing of it needs to be remembered
  MCK_USE_UP_TO = 8,   // what comes may be shorter (MPI-3.1 3.2.4, 13.4.1)
};
void mck_use(struct mck_call *call, const char *what, int argument, const void *buffer, MPI_Aint count,
             MPI_Datatype type, unsigned flags);
// count elements for each of n neighbors, one behind the other.
void mck_use_blocks(struct mck_call *call, const char *what, int argument, const void *buffer, MPI_Aint count, int n,
                    MPI_Datatype type, unsigned flags);
// counts[i] elements of type at displs[i] extents, for each of n peers.
void mck_use_v(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
               const int *displs, int n, MPI_Datatype type, unsigned flags);
// counts[i] elements of types[i] at displs[i] bytes; wide: displs are MPI_Aint.
void mck_use_w(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
               const int *displs, int n, const MPI_Datatype *types, unsigned flags);
void mck_use_wide(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
                  const MPI_Aint *displs, int n, const MPI_Datatype *types, unsigned flags);
void mck_used(struct mck_call *call, unsigned flags); // all of them: among each other, and against the buffers in use
MPI_Aint mck_sum(const int *counts, int n);
MPI_Aint mck_own(const struct mck_args *a, const int *counts); // the entry of this process
