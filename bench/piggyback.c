// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of clocks that are sent with the messages, as in the paper on lazy clocks (LLCP: one number). Our clocks
// send nothing. It compares plain ping-pong, ping-pong with a second message on a communicator of its own, and
// ping-pong with a datatype of clock and buffer. Link it with the plain mpicc. usage: mpirun -n 2 piggyback [rounds,
// default 200]
#include <mpi.h>
#include <stdlib.h>
#include "measure.h"

enum way { PLAIN_WAY, SECOND_MESSAGE, DATATYPE, WAYS };
static const char *const names[] = {"plain", "second message", "datatype"};
static MPI_Comm side;
static long long lamport;
static char *buffers[2];

static MPI_Datatype type_of(char *buffer, long long *clock, int size) {
  MPI_Datatype type;
  MPI_Aint at[2];
  MPI_Get_address(clock, &at[0]);
  MPI_Get_address(buffer, &at[1]);
  MPI_Type_create_struct(2, (int[]){8, size}, at, (MPI_Datatype[]){MPI_BYTE, MPI_BYTE}, &type);
  MPI_Type_commit(&type);
  return type;
}

static void send(enum way way, int size, int to, MPI_Datatype type) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (way == SECOND_MESSAGE) MPI_Isend(&lamport, 1, MPI_LONG_LONG, to, 0, side, &request);
  if (way == DATATYPE) MPI_Send(MPI_BOTTOM, 1, type, to, 0, MPI_COMM_WORLD);
  else MPI_Send(buffers[0], size, MPI_BYTE, to, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive(enum way way, int size, int from, MPI_Datatype type, long long *got) {
  if (way == DATATYPE) MPI_Recv(MPI_BOTTOM, 1, type, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Recv(buffers[1], size, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (way == SECOND_MESSAGE) MPI_Recv(got, 1, MPI_LONG_LONG, from, 0, side, MPI_STATUS_IGNORE);
  if (way != PLAIN_WAY && lamport < *got) lamport = *got;
}

static double time_block(enum way way, int rank, int size, int n, const MPI_Datatype types[2], long long *got) {
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = now();
  for (int i = 0; i < n; i++)
    for (int half = 0; half < 2; half++) {
      if (half == rank) send(way, size, 1 - rank, types[0]);
      else receive(way, size, 1 - rank, types[1], got);
    }
  return (now() - begin) / n / 2;
}

int main(int argc, char **argv) {
  static const struct {
    int size, n;
  } sizes[] = {{4, 400}, {1 << 10, 400}, {1 << 16, 40}, {1 << 20, 4}};
  int rank, rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 200;
  long long got = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &side);
  double *times[WAYS];
  for (int i = 0; i < 2; i++) buffers[i] = calloc(1, 1 << 20);
  for (int w = 0; w < WAYS; w++) times[w] = calloc((size_t)rounds + 1, sizeof *times[w]);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    MPI_Datatype types[2] = {type_of(buffers[0], &lamport, sizes[s].size), type_of(buffers[1], &got, sizes[s].size)};
    for (int r = 0; r < rounds; r++)
      for (int w = 0; w < WAYS; w++)
        times[w][r] = time_block((enum way)w, rank, sizes[s].size, sizes[s].n, types, &got);
    for (int w = 0; w < WAYS && rank == 0; w++) { // p10: other programs on the machine only make it slower
      double plain = quantile(times[PLAIN_WAY], rounds, 0.1), this = quantile(times[w], rounds, 0.1);
      printf("%8d B  %-15s %9.3f us  x%.2f\n", sizes[s].size, names[w], 1e6 * this, this / plain);
    }
    for (int i = 0; i < 2; i++) MPI_Type_free(&types[i]);
  }
  MPI_Comm_free(&side);
  MPI_Finalize();
  return 0;
}
