// RUN: %mpicc-check -Wno-mpicc-check-type.mismatch -Wno-mpicc-check-message.truncated %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t comm > %t.comm 2>&1
// RUN: FileCheck %s --check-prefix=COMM --input-file=%t.comm --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 2 %t win > %t.win 2>&1
// RUN: FileCheck %s --check-prefix=WIN --input-file=%t.win --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 2 %t file > %t.file 2>&1
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.file --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 2 %t short > %t.short 2>&1
// RUN: FileCheck %s --check-prefix=SHORT --input-file=%t.short --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 2 %t types > %t.types 2>&1
// RUN: FileCheck %s --check-prefix=TYPES --input-file=%t.types \
// RUN:   --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// The same exit code as without us, and the library's own words.
// RUN: %mpicc %s -o %t.plain
// RUN: %python %source/tests/record/Inputs/same-end.py %mpirun %t.plain %t
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_ERRORS_ARE_FATAL ends the run; the finding was made before, and the other rank, which mpirun killed, is none.
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0}, y[4];
  double wide[2] = {0};
  float narrow[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm work;
  MPI_Comm_dup(MPI_COMM_WORLD, &work);
  MPI_Comm_set_name(work, "work");
  if (strcmp(argv[1], "comm") == 0) {
    // COMM: ERROR [call.failed] MPI_Allreduce failed: MPI_ERR_OP: invalid reduce operation
    // COMM: MPI_Allreduce on rank {{[01] .*}}call-failed-fatal.c:[[#@LINE+4]] in main
    // COMM: the reduction operation MPI_SUM is not defined on the MPI_FLOAT_INT datatype
    // COMM: called with count=1, datatype=MPI_FLOAT_INT, op=MPI_SUM, comm=work
    // COMM: 1 error, 0 warnings, 0 notes
    MPI_Allreduce(x, y, 1, MPI_FLOAT_INT, MPI_SUM, work);
  } else if (strcmp(argv[1], "win") == 0) {
    MPI_Win win;
    MPI_Win_create(x, sizeof x, 1, MPI_INFO_NULL, work, &win);
    MPI_Win_set_name(win, "cells");
    MPI_Win_fence(0, win);
    // WIN: ERROR [call.failed] MPI_Accumulate failed: MPI_ERR_OP
    // WIN: MPI_Accumulate on rank {{[01] .*}}call-failed-fatal.c:[[#@LINE+3]] in main
    // WIN: called with {{.*}}win=cells
    // WIN: 1 error, 0 warnings, 0 notes
    MPI_Accumulate(y, 1, MPI_FLOAT_INT, 0, 0, 1, MPI_FLOAT_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
  } else if (strcmp(argv[1], "file") == 0) {
    MPI_File file;
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    // FILE: ERROR [call.failed] MPI_File_open failed: MPI_ERR_NO_SUCH_FILE
    // FILE: MPI_File_open on rank {{[01] .*}}call-failed-fatal.c:[[#@LINE+3]] in main
    // FILE: called with comm=work, filename="/no such/file", amode={{[0-9]+}}, info=MPI_INFO_NULL
    // FILE: 1 error, 0 warnings, 0 notes
    MPI_File_open(work, "/no such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
  } else if (strcmp(argv[1], "types") == 0 && rank == 0) {
    MPI_Send(wide, 2, MPI_DOUBLE, 1, 7, work);
  } else if (strcmp(argv[1], "types") == 0) {
    // TYPES: ERROR [type.mismatch] MPI_DOUBLE is sent where MPI_FLOAT is received
    // TYPES: MPI_Recv on rank 1 {{.*}}call-failed-fatal.c:[[#@LINE+3]] in main
    // TYPES: MPI ended rank 1 in MPI_Recv
    // TYPES: 1 error, 0 warnings, 0 notes
    MPI_Recv(narrow, 2, MPI_FLOAT, 0, 7, work, MPI_STATUS_IGNORE);
  } else if (rank == 0) {
    MPI_Send(x, 4, MPI_INT, 1, 7, work);
  } else {
    // One cause, one finding: the judge knows the sender.
    // SHORT: ERROR [message.truncated] a message of 16 bytes comes to a receive of 12
    // SHORT: MPI_Recv on rank 1 {{.*}}call-failed-fatal.c:[[#@LINE+3]] in main
    // SHORT: MPI ended rank 1 in MPI_Recv
    // SHORT: 1 error, 0 warnings, 0 notes
    MPI_Recv(x, 3, MPI_INT, 0, 7, work, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&work);
  MPI_Finalize();
  return 0;
}
