// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A send is freed: that is usual where the answer shows that it arrived (MPI-3.1 3.7.3). A receive that is complete by MPI_Request_get_status
// may be freed (3.7.6); what it got is known.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y = 0;
  MPI_Request request;
  MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Request_free(&request);
  MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; i++) {
    MPI_Status status;
    int flag = 0;
    if (i < 2) MPI_Irecv(&y, 1, MPI_INT, i ? MPI_ANY_SOURCE : 0, i ? MPI_ANY_TAG : i, MPI_COMM_SELF, &request);
    else MPI_Recv_init(&y, 1, MPI_INT, 0, i, MPI_COMM_SELF, &request), MPI_Start(&request);
    MPI_Send(&x, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    while (!flag) MPI_Request_get_status(request, &flag, i % 2 ? MPI_STATUS_IGNORE : &status);
    y = 2;
    MPI_Request_free(&request);
  }
  MPI_Finalize();
  return 0;
}
