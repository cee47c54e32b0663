// RUN: %mpicc-check %s -o %t 
// RUN: %mpirun-check --mca btl self,vader,tcp -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: spawned processes are a world of their own, with a report of their own.
// CHECK-DAG: child done 44
// CHECK-DAG: parent done 44
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 2 ranks
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 2 ranks
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, x = 0, y[2];
  MPI_Comm parent, child, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    int codes[2];
    MPI_Info nonsense = (MPI_Info)codes;   // significant at the root only (10.3.2)
    MPI_Comm_spawn(rank ? NULL : argv[0], MPI_ARGV_NULL, rank ? -1 : 2, rank ? nonsense : MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, codes);
    x = 11;
    MPI_Bcast(&x, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, child);
    MPI_Intercomm_merge(child, 0, &all);
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, all);
    if (rank == 0) MPI_Recv(y, 2, MPI_INT, 1, 5, child, MPI_STATUS_IGNORE);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&child);
    if (!rank) printf("parent done %d\n", x);
  } else {
    MPI_Bcast(&x, 1, MPI_INT, 0, parent);
    MPI_Intercomm_merge(parent, 1, &all);
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, all);
    if (rank == 1) MPI_Send(&y, 2, MPI_INT, 0, 5, parent);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&parent);
    if (!rank) printf("child done %d\n", x);
  }
  MPI_Finalize();
}
