// RUN: %mpicc-check -O1 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers in use are found by page (rt/record/access/signal.c): within one page, across two, over many, and by an access that is larger
// than all of them. 2000 small ones lie between; the bytes beside a buffer are free.
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Isend is sending from
// CHECK: store by rank 0 {{.*}}buffer-pages.c:49 in main
// CHECK: in use since MPI_Isend {{.*}}buffer-pages.c:40 in main
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Isend is sending from
// CHECK: store by rank 0 {{.*}}buffer-pages.c:50 in main
// CHECK: in use since MPI_Isend {{.*}}buffer-pages.c:41 in main
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Isend is sending from
// CHECK: store by rank 0 {{.*}}buffer-pages.c:51 in main
// CHECK: in use since MPI_Isend {{.*}}buffer-pages.c:42 in main
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Isend is sending from
// CHECK: on rank 0, 2,000 times
// CHECK: store by rank 0 {{.*}}buffer-pages.c:53 in main
// CHECK: in use since MPI_Isend {{.*}}buffer-pages.c:44 in main
// CHECK: ==mpicc-check== 4 errors, 0 warnings, 0 notes
#include <mpi.h>
#include <string.h>

enum { PAGE = 4096, SMALL = 2000 };
static char data[64 * PAGE] __attribute__((aligned(PAGE))), gone[64 * PAGE];

int main(int argc, char **argv) {
  MPI_Request r[3 + SMALL];
  int rank, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(gone, 64, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(gone, 128, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(gone, 20 * PAGE, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < SMALL; i++) MPI_Recv(gone, 4, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    char *one = data + 64, *two = data + 3 * PAGE - 64, *many = data + 8 * PAGE + 5, *small = data + 40 * PAGE;
    // The three kinds of place.
    MPI_Isend(one, 64, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &r[n++]);
    MPI_Isend(two, 128, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &r[n++]);
    MPI_Isend(many, 20 * PAGE, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &r[n++]);
    // Every other word: what lies between them is free.
    for (int i = 0; i < SMALL; i++) MPI_Isend(small + 8 * i, 4, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &r[n++]);
    one[-1] = one[64] = two[-1] = two[128] = many[-1] = many[20 * PAGE] = small[-1] = 1;
    for (int i = 0; i < SMALL; i++) small[8 * i + 4] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    // Wrong.
    one[63] = 1;
    two[127] = 1;
    many[11 * PAGE] = 1;
    // One access that covers all of the small ones.
    memset(small, 0, 8 * SMALL);
    MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
