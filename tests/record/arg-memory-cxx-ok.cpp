// RUN: %mpicxx-check -O2 %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As many elements as a vector has, and an array on the stack.
#include <array>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> numbers(10);
  MPI_Bcast(numbers.data(), (int)numbers.size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  std::array<int, 4> few = {};
  MPI_Bcast(few.data(), (int)few.size(), MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
