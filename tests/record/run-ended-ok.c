// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that handles a signal itself, and ends, was not ended from outside.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <signal.h>

static volatile sig_atomic_t is_asked;
static void on_signal(int number) { is_asked = number; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  signal(SIGTERM, on_signal);
  raise(SIGTERM);
  if (is_asked) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
