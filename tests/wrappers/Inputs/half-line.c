// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last line has no newline at its end. With an argument it also leaks a communicator.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  if (argc > 1) MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  fputs("half", stderr);
  MPI_Finalize();
  return 0;
}
