// OpenMP's threads of whose order nothing is known: gcc's library, and another tool. With LLVM's library it is known.
// RUN: %mpicc -O1 -fopenmp %s -o %t.gcc
// RUN: %mpirun -n 1 env LD_PRELOAD=%rt %t.gcc 2>&1 | FileCheck %s --check-prefix=GCC
// GCC: NOTE [unchecked] the order of OpenMP's threads is not known (gcc's library does not tell it)
// RUN: %mpicc-check -O1 -fopenmp %s -o %t -L%openmp -Wl,-rpath,%openmp
// RUN: %mpirun -n 1 %t 2>&1 | FileCheck %s --check-prefix=KNOWN --implicit-check-not='order of OpenMP'
// KNOWN: ==mpicc-check== no errors found
// RUN: %mpirun -n 1 env OMP_TOOL=disabled %t 2>&1 | FileCheck %s --check-prefix=DISABLED
// DISABLED: NOTE [unchecked] the order of OpenMP's threads is not known (OMP_TOOL=disabled)
// Archer does nothing without ThreadSanitizer, and does not keep us from being told.
// RUN: %mpirun -n 1 env OMP_TOOL_LIBRARIES=%openmp/libarcher.so %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KNOWN --implicit-check-not='order of OpenMP'
// Of several tools one is told of OpenMP at a time.
// RUN: %mpirun -n 1 env OMP_TOOL_LIBRARIES=%openmp/libarcher.so:%t.other.so %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: NOTE [unchecked] the order of OpenMP's threads is not known ({{.*}} run once without OMP_TOOL_LIBRARIES)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>

int main(int argc, char **argv) {
  int given, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += 1;
  MPI_Finalize();
  return sum != 2;
}
