// The time line of the HTML report: which pass through each place is shown, what stands around it, epochs, messages,
// and a call that does not return.
// RUN: rm -rf %t && mkdir %t && cd %t && %mpicc-check -O1 %s -o line
// RUN: %expect66 %mpirun-check --html line.html -n 3 ./line > log 2>&1
// RUN: %python %S/time-line.py line.html > lines && FileCheck %s --input-file=lines
// RUN: /usr/bin/python3 %S/html.py line.html %axe > page && FileCheck %s --check-prefixes=PAGE%,AXE --input-file=page
// REQUIRES: chromium
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>

static void step(MPI_Win win, int *cells, int rank, int is_wrong) {
  MPI_Win_fence(0, win); // 12
  if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win); // 13
  if (rank == 1 && is_wrong) cells[0]++; // 14
  MPI_Win_fence(0, win); // 15
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, *cells, value = 1;
  MPI_Win win;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win); // 23
  for (int i = 0; i < 12; i++) step(win, cells, rank, i == 8);
  MPI_Win_free(&win);
  if (rank == 1) MPI_Send(&value, 1, MPI_INT, 2, 5, MPI_COMM_WORLD); // 26
  float wrong;
  if (rank == 2) MPI_Recv(&wrong, 1, MPI_FLOAT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // 28
  if (rank != 1) MPI_Recv(&value, 1, MPI_INT, 2 - rank, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // 29
  MPI_Finalize();
}
// CHECK: deadlock
// CHECK-NEXT: rank 0:{{.*}} MPI_Win_free:25{{.*}} [MPI_Recv:29 from rank 2]!
// CHECK-NEXT: rank 2:{{.*}} MPI_Recv:28 from rank 1 [MPI_Recv:29 from rank 0]!
//
// The put of that step, between its fences; where the window was made is far before.
// CHECK: rma.race
// CHECK-NEXT: rank 0: {{.*}}MPI_Win_fence:12 {{(load:13 )?}}[MPI_Put:13 to rank 1] {{(load:13 )?}}MPI_Win_fence:15
// CHECK-SAME: | fence epoch
// CHECK-NEXT: rank 1:{{.*}} [MPI_Win_allocate:23] {{.*}}... {{.*}}[MPI_Win_fence:12] [{{load|store}}:14] {{.*}}MPI_Win_fence:15
// CHECK-SAME: | fence epoch
//
// CHECK: type.mismatch
// CHECK-NEXT: rank 1:{{.*}} [MPI_Send:26 to rank 2]
// CHECK-NEXT: rank 2:{{.*}} [MPI_Recv:28 from rank 1]
// CHECK: rank 1 MPI_Send -> rank 2 MPI_Recv
//
// PAGE: pictures {{[3-9]}}
// PAGE: times 3 lines, {{[1-9][0-9]*}} epochs
// PAGE: faults []
// AXE: axe []
