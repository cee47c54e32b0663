// RUN: mkdir -p %t.d && %mpicc -g -O1 %s -o %t && %mpicc -O1 -fno-builtin -shared -fPIC %S/Inputs/faulty-copy.c -o %t.d/faulty-copy.so
// RUN: env FAULTY_COPY=short FAULTY_SIZE=776 %expect66 %mpirun-check --flow -n 2 -x FAULTY_COPY -x FAULTY_SIZE -x LD_PRELOAD=%t.d/faulty-copy.so %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: env FAULTY_COPY=source FAULTY_SIZE=776 %expect66 %mpirun-check --flow -n 2 -x FAULTY_COPY -x FAULTY_SIZE -x LD_PRELOAD=%t.d/faulty-copy.so --mca btl_vader_single_copy_mechanism none %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: env FAULTY_COPY=late FAULTY_SIZE=776 %expect66 %mpirun-check --flow -n 2 -x FAULTY_COPY -x FAULTY_SIZE -x LD_PRELOAD=%t.d/faulty-copy.so %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: env OMPI_MCA_btl=tcp,self FAULTY_COPY=bit FAULTY_SIZE=776 %expect66 %mpirun-check --flow -n 2 -x FAULTY_COPY -x FAULTY_SIZE -x LD_PRELOAD=%t.d/faulty-copy.so %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --flow -n 2 -x LD_PRELOAD=%t.d/faulty-copy.so %t 2>&1 | FileCheck %s --check-prefix=RIGHT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A right program, over a memcpy that makes mistakes in copies of 776 bytes: too short, from a wrong place, too late,
// one bit. Only the messages of that length are named, and the function that copied.
// CHECK: ERROR [flow.wrong] other data came than was sent
// CHECK: sent by MPI_Send of rank 0 {{.*}}miscopied.c:[[#@LINE+22]] in main
// CHECK: received by MPI_Recv on rank 1 {{.*}}miscopied.c:[[#@LINE+23]] in main
// CHECK: here it goes wrong: a copy of 776 bytes on rank {{[01]}}{{.*}}memcpy {{of|in}} faulty-copy.so
// CHECK: 1 error, 0 warnings, 0 notes
// RIGHT: no errors found
#include <mpi.h>

static void fill(unsigned char *buffer, int n, unsigned seed) {
  for (int i = 0; i < n; i++) buffer[i] = (unsigned char)((seed = seed * 1103515245 + 12345) >> 16);
}

int main(int argc, char **argv) {
  static const int sizes[] = {8, 100, 776, 1000, 5000, 100000};
  static unsigned char out[100000], in[100000];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 0; turn < 3; turn++)
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      MPI_Barrier(MPI_COMM_WORLD);
      fill(out, sizes[i], i + 10 * (unsigned)turn + 100 * (unsigned)rank);
      if (rank == 0)
        MPI_Send(out, sizes[i], MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      else
        MPI_Recv(in, sizes[i], MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  MPI_Finalize();
  return 0;
}
