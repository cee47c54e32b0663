// RUN: %mpicxx-check -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element more than a vector has, and one more than an array on the stack.
#include <array>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> numbers(10);
  // CHECK: ==mpicc-check== ERROR [arg.memory] buffer of MPI_Bcast: 88 bytes at offset 0 of a heap block of 80 bytes
  // CHECK: MPI_Bcast on rank 0 {{.*}}arg-memory-cxx.cpp:[[#@LINE+1]] in main
  MPI_Bcast(numbers.data(), (int)numbers.size() + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  std::array<int, 4> few = {};
  // CHECK: ==mpicc-check== ERROR [arg.memory] buffer of MPI_Bcast: 20 bytes at offset 0 of {{.*}} of 16 bytes
  // CHECK: MPI_Bcast on rank 0 {{.*}}arg-memory-cxx.cpp:[[#@LINE+1]] in main
  MPI_Bcast(few.data(), (int)few.size() + 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
