// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The form of a warning, and the options: the last one counts, an error ends the compilation, clang gets none of them.
// RUN: %mpicc-check -Wall -Werror -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %mpicc-check -Wno-mpicc-check-collective.divergence -c %s -o %t.o 2>&1 | count 0
// RUN: %mpicc-check -Wno-mpicc-check -c %s -o %t.o 2>&1 | count 0
// RUN: %mpicc-check -w -c %s -o %t.o 2>&1 | count 0
// RUN: %mpicc-check -Wno-mpicc-check -Wmpicc-check -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %mpicc-check -Werror=mpicc-check-collective.divergence -c %s -o %t.o 2>&1 | \
// RUN:   FileCheck %s --check-prefix=ERROR
// RUN: not %mpicc-check -Werror=mpicc-check -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %mpicc-check -Werror=mpicc-check -Wno-error=mpicc-check -c %s -o %t.o 2>&1 | FileCheck %s
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: {{^}}[[FILE:.*options\.c]]:[[#LINE:@LINE+3]]:18: warning: MPI_Barrier is not called by all ranks
  // CHECK-SAME: [-Wmpicc-check-collective.divergence]
  // ERROR: options.c:[[#@LINE+1]]:18: error: {{.*}} [-Werror,-Wmpicc-check-collective.divergence]
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  // CHECK-NEXT: {{^}}   [[#LINE]] |   if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  // CHECK-NEXT: {{^}}      |                  ^
  // CHECK-NEXT: [[FILE]]:[[#LINE]]:7: note: ranks differ in this condition: of 2 ranks, rank 0 goes there and rank 1
  // CHECK: [[FILE]]:[[#LINE-4]]:3: note: because of what this call gives
  MPI_Finalize();
}
