// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun -n 3 %t it\'s 2>&1 | FileCheck %s --check-prefix=COMMAND
// RUN: %mpirun -n 2 %t : -n 1 %t 2>&1 | FileCheck %s --check-prefix=PROGRAMS
// RUN: %mpirun-check --check-options clocks=online -n 3 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: env MPICC_CHECK_OPTIONS=clocks=lamport %mpirun-check -n 3 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two messages of different sizes; which of them comes first to the first receive depends on timing.
// CHECK: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes
// CHECK-SAME: first; their sizes differ
// Under plain mpirun, too, the command is whole, if there is one program only.
// COMMAND: mpirun-check --take {{[0-9:=]+}} -n 3 {{.*}} 'it'\''s'{{$}}
// PROGRAMS: mpirun-check --take {{[0-9:=]+$}}
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[2] = {0, 0};
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    // CHECK: MPI_Recv by rank 0 {{.*}}message-race.c:[[#@LINE+1]] in main
    MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    MPI_Recv(data, 2, MPI_INT, 3 - status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    // CHECK: got: MPI_Send from rank {{1|2}} {{.*}}message-race.c:[[#@LINE+2]] in main
    // CHECK: could have got: MPI_Send from rank {{1|2}} {{.*}}message-race.c:[[#@LINE+1]] in main
    MPI_Send(data, rank, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  // CHECK: 1 of 1 receive here could have got another message; up to 2 ranks could be first
  // CHECK: it got {{4|8}} bytes with tag 5, and could have got {{4|8}} bytes with tag 5
  // CHECK: help: nothing to mend if the program works whichever comes first;
  // CHECK-SAME: to run it the other way: mpirun-check --take 0:1={{1|2}}:5
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
