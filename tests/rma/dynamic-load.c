// RUN: %mpicc-check %s -o %t
// RUN: rm -rf %t.logs && mkdir %t.logs
// RUN: env MPICC_CHECK_OPTIONS=keep_logs=1:log_dir=%t.logs %expect 0 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %mpicc-check-log %t.logs/mpicc-check-* | grep '^0:' | FileCheck %s --implicit-check-not=' store '
// RUN: %mpicc-check-log --verify %t.logs/mpicc-check-*
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of memory that is attached to a dynamic window are noted by their address, as the window has no base (MPI-3.1 11.2.4).
// CLEAN: no errors found
// CHECK: ATTACH address=[[ADDRESS:[0-9]+]] size=400
// CHECK: MPI_Win_fence
// CHECK: store offset=[[ADDRESS]] size=400 {{.*}}dynamic-load.c:[[#@LINE+13]] in main
// CHECK: ATTACH address=[[ADDRESS]] flags=detached
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Win win;
  int *memory = calloc(100, sizeof *memory);
  MPI_Init(&argc, &argv);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  memory[0] = 1;
  MPI_Win_attach(win, memory, 100 * sizeof *memory);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 100; i++) memory[i] = i;
  MPI_Win_fence(0, win);
  MPI_Win_detach(win, memory);
  memory[1] = 1;
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  free(memory);
  return 0;
}
