// RUN: %mpicc-check -fopenmp %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads call collectives of one communicator. In this run they come in a certain order, and nothing says so.
// CHECK: ==mpicc-check== ERROR [thread.collective] MPI_Barrier and MPI_Bcast of one communicator are called by two
// threads, and nothing says which comes first
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int level, x = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  // CHECK-NEXT: on ranks 0,1; shown as on rank 0
  // CHECK-NEXT: MPI_Barrier on rank 0 by OpenMP thread 0 of 2 {{.*}}collective.c:[[#@LINE+6]] in main{{$}}
  // CHECK: MPI_Bcast by OpenMP thread 1 of 2 {{.*}}collective.c:[[#@LINE+8]] in main{{$}}
  // CHECK: both began {{.*}}collective.c:[[#@LINE+1]] in main
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      MPI_Barrier(MPI_COMM_WORLD);
    } else {
      usleep(1000);
      MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 1 note
