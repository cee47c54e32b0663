// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t used 2>&1 | FileCheck %s
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --check-prefix=ASKED --implicit-check-not='ERROR ['
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that could not be opened: a program that goes on is told once, at the first use; one that asks is right,
// whether it looks at the result or at the handle.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_File fh;
  int x = 1;
  MPI_Init(&argc, &argv);
  if (argc > 1) {
    MPI_File_open(MPI_COMM_WORLD, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh); // 15
    MPI_File_read_at(fh, 0, &x, 1, MPI_INT, MPI_STATUS_IGNORE); // 16
    MPI_File_close(&fh);
  } else {
    MPI_File_open(MPI_COMM_WORLD, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
    if (fh == MPI_FILE_NULL) puts("first");
    if (MPI_File_open(MPI_COMM_WORLD, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh)) puts("second");
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ERROR [handle.null] fh of MPI_File_read_at is a null file handle: MPI_File_open has failed
// CHECK-NEXT: 2 times
// CHECK-NEXT: MPI_File_read_at on rank 0 {{.*}}unopened.c:16 in main
// CHECK-NEXT: MPI_File_open, which failed {{.*}}unopened.c:15 in main
// CHECK-NEXT: MPI_File_open returned MPI_ERR_NO_SUCH_FILE: no such file or directory
// CHECK-NEXT: files have MPI_ERRORS_RETURN by default
// CHECK: ==mpicc-check== 1 error, 0 warnings
// ASKED: first
// ASKED: second
