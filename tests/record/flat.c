// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made and freed again leaves no memory behind: neither in the heap nor, but for the events of calls that are logged, in the log.
// CHECK: flat
// CHECK: ==mpicc-check== no errors found
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>

static void make(int n) {
  MPI_Group all, group;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int i = 0; i < n; i++) {
    int x = 0, y, first = 0;
    MPI_Request requests[2];
    MPI_Datatype type;
    MPI_Info info;
    MPI_Errhandler handler;
    void *memory;
    MPI_Recv_init(&y, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Group_incl(all, 1, &first, &group);
    MPI_Group_free(&group);
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Group_free(&group);
    MPI_Info_create(&info);
    MPI_Info_free(&info);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    MPI_Errhandler_free(&handler);
    MPI_Alloc_mem(16 + (MPI_Aint)(i % 100) * 64, MPI_INFO_NULL, &memory);
    MPI_Free_mem(memory);
  }
  MPI_Group_free(&all);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  make(1000);
  size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  make(100000);
  size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  if (after < before + (1 << 18)) printf("flat\n");
  else printf("grew by %zu bytes\n", after - before);
  MPI_Finalize();
  return 0;
}
