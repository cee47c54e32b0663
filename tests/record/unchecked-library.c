// RUN: %clang -O1 -shared -fPIC -DLIBRARY %s -o %t-filler.so
// RUN: %mpicc-check %s -o %t %t-filler.so -Wl,-rpath,%T
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -DHEAP %s -o %t %t-filler.so -Wl,-rpath,%T
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check %s -o %t %t-filler.so -Wl,-rpath,%T
// RUN: %mpicc-check -O1 -shared -fPIC -DLIBRARY %s -o %t-filler.so
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --check-prefix=SEEN --implicit-check-not='==mpicc-check== {{WARNING|NOTE}}'
// RUN: %clang -O1 -x c++ -shared -fPIC -DLIBRARY %s -o %t-filler.so
// RUN: %mpicxx-check -x c++ %s -x none -o %t %t-filler.so -Wl,-rpath,%T
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefix=CXX
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that was not recompiled stores to a buffer that is being sent: the report says that it does not see it, and
// names the buffer. When the library is recompiled, it does.
// CHECK: ==mpicc-check== NOTE [unchecked]
// CHECK-SAME: -filler.so was not recompiled, its loads and stores are not seen: fill
// CHECK: fill gets x at unchecked-library.c:42
// CXX: -filler.so was not recompiled, its loads and stores are not seen: fill(int*, int)
// CXX: fill(int*, int) gets x at unchecked-library.c:42
// SEEN: ERROR [buffer.modified-in-use]
void fill(int *to, int n);
#ifdef LIBRARY
// SEEN: store by rank {{[01]}} {{.*}}unchecked-library.c:[[#@LINE+2]] in fill
void fill(int *to, int n) {
  for (int i = 0; i < n; i++) to[i] = 3;
}
#else
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
#ifdef HEAP // nothing of this file is signalled
  int rank, *x = calloc(2, sizeof *x), y[2];
#else
  int rank, x[2] = {1, 2}, y[2];
#endif
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isend(x, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
  MPI_Recv(y, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fill(x, 2);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
#endif
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
// SEEN: ==mpicc-check== {{[12]}} error
