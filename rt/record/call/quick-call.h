// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests and probes that find nothing (quick-call.c): they leave no event, take no look at the call stack, and look up
// nothing but the request itself. begin: the arguments allow the quick way, and the library is to be called. end: the
// library has returned.
#pragma once
#include <mpi.h>
#include <stdbool.h>

struct mck_request;
struct mck_request *mck_quick_test_begin(const MPI_Request *request, const int *flag, const void *pc,
                                         const void *frame);
void mck_quick_test_end(struct mck_request *r, MPI_Request *request, int *flag, MPI_Status *status, int rc,
                        const void *pc, const void *frame);
bool mck_quick_iprobe_begin(int source, int tag, MPI_Comm comm, const int *flag, const MPI_Status *status,
                            const void *pc, const void *frame);
void mck_quick_iprobe_end(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status, int rc, const void *pc,
                          const void *frame);
