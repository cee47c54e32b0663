// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of checking a message. Two ranks play ping-pong. Blocks through the MPI_ names (our wrappers) and blocks
// through the library's own functions alternate in the same processes, so that other load on the machine slows both;
// which of them is first alternates, too. Bars: 4 B at most 1.15x, 64 KiB and above at most 1.02x (median).
// usage: mpirun -n 2 pingpong [rounds, default 200]
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include "measure.h"

static char *buffer[2];

// Plays n ping-pongs of size bytes with the calls of one prefix.
PLAIN(Send)
PLAIN(Recv)
PLAIN(Isend)
PLAIN(Irecv)
PLAIN(Wait)
PLAIN(Waitall)
PLAIN(Barrier)
#define DEFINE_BLOCKS(prefix)                                                                                          \
  static void prefix##_blocking(int rank, int size, int n) {                                                           \
    for (int i = 0; i < n; i++) {                                                                                      \
      if (rank == 0) {                                                                                                 \
        prefix##_Send(buffer[0], size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);                                                \
        prefix##_Recv(buffer[1], size, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                             \
      } else {                                                                                                         \
        prefix##_Recv(buffer[1], size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                             \
        prefix##_Send(buffer[0], size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);                                                \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  static void prefix##_nonblocking(int rank, int size, int n) {                                                        \
    for (int i = 0; i < n; i++) {                                                                                      \
      MPI_Request requests[2];                                                                                         \
      prefix##_Irecv(buffer[1], size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);                            \
      if (rank == 1) prefix##_Wait(&requests[0], MPI_STATUS_IGNORE);                                                   \
      prefix##_Isend(buffer[0], size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);                            \
      prefix##_Waitall(2, requests, MPI_STATUSES_IGNORE);                                                              \
    }                                                                                                                  \
  }
DEFINE_BLOCKS(MPI)
DEFINE_BLOCKS(plain)

typedef void block(int rank, int size, int n);

static double time_block(block *run, int rank, int size, int n) {
  plain_Barrier(MPI_COMM_WORLD);
  double start = now();
  run(rank, size, n);
  return (now() - start) / n / 2;
}

int main(int argc, char **argv) {
  static const struct {
    int size, n;
    const char *name;
  } sizes[] = {{4, 400, "4 B"}, {1 << 10, 400, "1 KiB"}, {1 << 16, 40, "64 KiB"}, {1 << 20, 4, "1 MiB"}};
  int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 200;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *checked = malloc(sizeof *checked * (size_t)(rounds > 0 ? rounds : 1)),
         *plain = malloc(sizeof *plain * (size_t)(rounds > 0 ? rounds : 1));
  buffer[0] = calloc(1, 1 << 20);
  buffer[1] = calloc(1, 1 << 20);
  if (size != 2 || rounds < 1 || !checked || !plain || !buffer[0] || !buffer[1]) {
    if (rank == 0) fprintf(stderr, "usage: mpirun -n 2 pingpong [rounds]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (rank == 0) print_head("ping-pong, one way");
  for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
    block *runs[2] = {nonblocking ? MPI_nonblocking : MPI_blocking, nonblocking ? plain_nonblocking : plain_blocking};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      for (int i = 0; i < 2; i++) time_block(runs[i], rank, sizes[s].size, sizes[s].n); // to warm up
      for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 2; i++) {
          int which = (i + r) % 2;
          (which ? plain : checked)[r] = time_block(runs[which], rank, sizes[s].size, sizes[s].n);
        }
      }
      char what[64];
      snprintf(what, sizeof what, "%s %s", nonblocking ? "Isend/Irecv" : "Send/Recv", sizes[s].name);
      if (rank == 0) print_comparison(what, checked, plain, rounds);
    }
  }
  free(checked);
  free(plain);
  free(buffer[0]);
  free(buffer[1]);
  MPI_Finalize();
  return 0;
}
