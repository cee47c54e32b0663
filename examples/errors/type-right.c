// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is expected is what is sent.
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, table[4][4] = {{1}, {2}, {3}, {4}};
  int column[4];
  MPI_Datatype column_type;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(4, 1, 4, MPI_INT, &column_type);
  MPI_Type_set_name(column_type, "column");
  MPI_Type_commit(&column_type);
  if (rank == 0) MPI_Send(table, 1, column_type, 1, 80, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(column, 4, MPI_INT, 0, 80, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column_type);
  MPI_Finalize();
}
