// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a callback does in MPI_Finalize is checked like the rest of the program: a race, a leak.
// CHECK: ==mpicc-check== ERROR [rma.race]
#include <mpi.h>

static int memory[2], rank;
static MPI_Win win;

static int at_end(MPI_Comm comm, int key, void *value, void *extra) {   // MPI-3.1 8.7.1
  MPI_Comm made;
  (void)comm, (void)key, (void)value, (void)extra;
  MPI_Win_fence(0, win);
  // CHECK: MPI_Put {{.*}}finalize-callback.c:[[#@LINE+1]] in at_end
  if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  // CHECK: conflicts with store by rank 1 {{.*}}finalize-callback.c:[[#@LINE+1]] in at_end
  if (rank == 1) memory[0] = 5;
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  // CHECK: ==mpicc-check== WARNING [leak.comm]
  // CHECK: MPI_Comm_dup {{.*}}finalize-callback.c:[[#@LINE+1]] in at_end
  return MPI_Comm_dup(MPI_COMM_WORLD, &made);
}

int main(int argc, char **argv) {
  int key;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 1 warning, 0 notes
