// RUN: %mpicxx-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers: a vector that dies and one that moves while MPI uses them. The library's frames between the access and the user's line are left out,
// however many they are; two places that differ only beyond them are two findings.
#include <mpi.h>
#include <vector>

static void post(int other, MPI_Request *request) {
  std::vector<int> copy(500);
  // CHECK-DAG: in use since MPI_Isend {{.*}}buffer-gone-cxx.cpp:[[#@LINE+1]] in post
  MPI_Isend(copy.data(), 500, MPI_INT, other, 0, MPI_COMM_WORLD, request);
  // CHECK-DAG: called from buffer-gone-cxx.cpp:[[#@LINE+1]] in post
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request[3];
  std::vector<int> from(500), to(500), again(500), in(500);
  post(1 - rank, &request[0]);
  MPI_Isend(from.data(), 500, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request[1]);
  MPI_Isend(to.data(), 500, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &request[2]);
  // CHECK-DAG: ERROR [buffer.modified-in-use] free of a buffer that a pending MPI_Isend is sending from
  // CHECK-DAG: called from buffer-gone-cxx.cpp:[[#@LINE+1]] in main
  from.push_back(1);
  // CHECK-DAG: called from buffer-gone-cxx.cpp:[[#@LINE+1]] in main
  to.push_back(1);
  for (int i = 0; i < 3; i++) MPI_Recv(in.data(), 500, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
// CHECK: ==mpicc-check== 3 errors, 0 warnings, 0 notes
