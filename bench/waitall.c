// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of checking requests. Two ranks send each other N messages, and each completes its 2 N requests with one
// MPI_Waitall. Blocks through MPI_ (our wrappers) and through the library's own functions alternate. Posting and
// completing are measured separately. One rank sends to itself, and all is complete before MPI_Waitall: then only our
// own cost remains. usage: mpirun -n 2 waitall [rounds, default 200]
#include <mpi.h>
#include <stdlib.h>
#include "measure.h"

enum { N = 500 };                              // 1,000 requests
static _Alignas(4096) int in[1024], out[1024]; // alone in their pages: a load beside a buffer in use is checked
                                               // (rt/record/access/signal.c)
static _Alignas(4096) MPI_Request requests[2 * N];

PLAIN(Isend)
PLAIN(Irecv)
PLAIN(Waitall)
PLAIN(Barrier)

// Measures seconds per request: [0] posting, [1] completing.
#define DEFINE_BLOCK(prefix)                                                                                           \
  static void prefix##block(int peer, double seconds[2]) {                                                             \
    plain_Barrier(MPI_COMM_WORLD);                                                                                     \
    double start = now();                                                                                              \
    for (int i = 0; i < N; i++) prefix##Irecv(&in[i], 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[i]);              \
    for (int i = 0; i < N; i++) prefix##Isend(&out[i], 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[N + i]);         \
    double posted = now();                                                                                             \
    prefix##Waitall(2 * N, requests, MPI_STATUSES_IGNORE);                                                             \
    seconds[0] = (posted - start) / (2 * N), seconds[1] = (now() - posted) / (2 * N);                                  \
  }
DEFINE_BLOCK(MPI_)
DEFINE_BLOCK(plain_)

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 200;
  if (rounds < 1) return fprintf(stderr, "usage: mpirun -n 2 waitall [rounds]\n"), 2;
  double *times[2][3]; // [checked, plain][posting, completing, both]
  for (int i = 0; i < 6; i++)
    if (!(times[i / 3][i % 3] = malloc(sizeof(double) * (size_t)rounds)))
      return fprintf(stderr, "waitall: out of memory\n"), 2;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int peer = size == 1 ? 0 : rank ^ 1;
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < 2; i++) {
      int which = (i + r) % 2;
      double seconds[2];
      (which ? plain_block : MPI_block)(peer, seconds);
      times[which][0][r] = seconds[0], times[which][1][r] = seconds[1], times[which][2][r] = seconds[0] + seconds[1];
    }
  }
  if (rank == 0) print_head("1,000 requests, each");
  if (rank == 0) print_comparison("Irecv and Isend", times[0][0], times[1][0], rounds);
  if (rank == 0) print_comparison("Waitall", times[0][1], times[1][1], rounds);
  if (rank == 0) print_comparison("both", times[0][2], times[1][2], rounds);
  for (int i = 0; i < 6; i++) free(times[i / 3][i % 3]);
  MPI_Finalize();
  return 0;
}
