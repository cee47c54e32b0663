// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t %t.data 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=deadlock --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that write nothing call another collective of the file than the one that writes. That is wrong
// (MPI-3.1 13.6.4), yet the library lets it go:
// the run goes on to its end, though two of them stand there for long before the third comes.
// CHECK: done
// CHECK: ==mpicc-check== ERROR [io.collective] ranks of one file call different collectives
// CHECK: MPI_File_write_at_all on rank 0 {{.*}}file-mixed.c:[[#@LINE+14]] in main
// CHECK: MPI_File_write_all on ranks 1,2 {{.*}}file-mixed.c:[[#@LINE+15]] in main
#include <mpi.h>
#include <stdio.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, x = 5;
  MPI_File f;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  for (int i = 0; i < 8 && rank == 2; i++) compute();
  if (rank == 0)
    MPI_File_write_at_all(f, 0, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
  else
    MPI_File_write_all(f, NULL, 0, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  if (rank == 0) printf("done\n"), fflush(stdout); // the first rank that exits may end the others
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
