// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A completion that fails has completed the operation that failed, and perhaps others (MPI-3.1 3.7.5): their requests are no longer in use, their buffers
// are free. What each of them got is known, of a wildcard receive too.
#include <mpi.h>
#include <stdio.h>

static int big[4], small[2];

static int complete(int how, MPI_Request *r, MPI_Status *statuses) {
  int flag = 0, rc = 0, n = 0, which[2];
  switch (how) {
    case 0: return MPI_Waitall(2, r, statuses);
    case 1: while (!flag && !rc) rc = MPI_Testall(2, r, &flag, statuses); return rc;
    case 2: return MPI_Waitany(2, r, &n, statuses);
    case 3: while (!flag && !rc) rc = MPI_Testany(2, r, &n, &flag, statuses); return rc;
    case 4: return MPI_Waitsome(2, r, &n, which, statuses);
    case 5: while (!n && !rc) rc = MPI_Testsome(2, r, &n, which, statuses); return rc;
    case 6: return MPI_Wait(&r[0], statuses);
    default: while (!flag && !rc) rc = MPI_Test(&r[0], &flag, statuses); return rc;
  }
}

int main(int argc, char **argv) {
  int rank, nfailed = 0, nothing;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  // CHECK: {{^}}32 failed
  // CHECK: ERROR [message.truncated]
  // CHECK-NEXT: 32 times
  for (int i = 0; i < 32; i++) {   // each with and without status, from one or any
    MPI_Request r[2];
    MPI_Status statuses[2], *ignored = i / 8 % 2 ? i % 8 < 2 || i % 8 == 4 || i % 8 == 5 ? MPI_STATUSES_IGNORE : MPI_STATUS_IGNORE : statuses;
    if (rank == 0) {
      MPI_Send(big, 4, MPI_INT, 1, 2 * i, MPI_COMM_WORLD);
      MPI_Send(big, 1, MPI_INT, 1, 2 * i + 1, MPI_COMM_WORLD);
      continue;
    }
    MPI_Irecv(&small[0], 1, MPI_INT, i < 16 ? 0 : MPI_ANY_SOURCE, 2 * i, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&small[1], 1, MPI_INT, 0, 2 * i + 1, MPI_COMM_WORLD, &r[1]);
    while (r[0] != MPI_REQUEST_NULL) nfailed += complete(i % 8, r, ignored) != MPI_SUCCESS;
    small[0] = 0;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  // Persistent ones: what was received without an error may be started again. (Open MPI frees the other.)
  if (rank == 0) {
    for (int tag = 100; tag < 103; tag++) MPI_Send(big, tag == 100 ? 4 : 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    for (int tag = 100; tag < 102; tag++) MPI_Send(big, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  } else {
    MPI_Request r[2];
    MPI_Status statuses[2];
    for (int k = 0; k < 2; k++) MPI_Recv_init(&small[k], 1, MPI_INT, 0, 100 + k, MPI_COMM_WORLD, &r[k]);
    // CHECK: ERROR [message.truncated]
    // CHECK: MPI_Recv_init {{.*}}request-failed.c:[[#@LINE+1]] in main
    MPI_Startall(2, r);
    MPI_Recv(&nothing, 1, MPI_INT, 0, 102, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   // the others have come
    MPI_Waitall(2, r, statuses);
    if (r[0] == MPI_REQUEST_NULL) MPI_Recv_init(&small[0], 1, MPI_INT, 0, 100, MPI_COMM_WORLD, &r[0]);
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[0]), MPI_Request_free(&r[1]);
    printf("%d failed\n", nfailed), fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 2 errors
