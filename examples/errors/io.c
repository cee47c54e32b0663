// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks 0 and 1 write to the same bytes of a file at the same time: which of them stays is open.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  if (MPI_File_open(MPI_COMM_WORLD, "numbers.dat", mode, MPI_INFO_NULL, &file)) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank < 2 && MPI_File_write_at(file, 4, &rank, 1, MPI_INT, MPI_STATUS_IGNORE)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_File_close(&file);
  MPI_Finalize();
}
