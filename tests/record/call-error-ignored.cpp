// RUN: %mpicxx-check -O0 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicxx-check -O2 -ffunction-sections -Wl,--gc-sections %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In C++ a call may be left by an exception, and templates are in several objects.
#include <mpi.h>
#include <string>

template <class T> void ignore(T *x, T *y, MPI_Datatype type) {
  std::string text(100, 'x');  // to be destroyed on both ways out
  // CHECK-DAG: ERROR [call.error-ignored] MPI_Allreduce
  // CHECK-DAG: MPI_Allreduce on rank 0 {{.*}}call-error-ignored.cpp:[[#@LINE+1]] in
  MPI_Allreduce(x, y, 1, type, MPI_SUM, MPI_COMM_WORLD);
  text += 'y';
}
template <class T> int look(T *x, T *y, MPI_Datatype type) {
  std::string text(100, 'x');
  // CHECK-DAG: ERROR [call.failed] MPI_Scan
  // CHECK-DAG: MPI_Scan on rank 0 {{.*}}call-error-ignored.cpp:[[#@LINE+1]] in
  int rc = MPI_Scan(x, y, 1, type, MPI_SUM, MPI_COMM_WORLD);
  return text.empty() ? 0 : rc;
}

int main(int argc, char **argv) {
  int x[2] = {1, 2}, y[2], n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  ignore(x, y, pair), n += look(x, y, pair) != MPI_SUCCESS;
  try {
    // CHECK-DAG: ERROR [call.error-ignored] MPI_Reduce
    // CHECK-DAG: MPI_Reduce on rank 0 {{.*}}call-error-ignored.cpp:[[#@LINE+1]] in main
    MPI_Reduce(x, y, 1, pair, MPI_SUM, 0, MPI_COMM_WORLD);
  } catch (...) { n = 5; }
  MPI_Type_free(&pair);
  MPI_Finalize();
  return n - 1;
}
// CHECK-DAG: ==mpicc-check== 3 errors, 0 warnings, 0 notes
