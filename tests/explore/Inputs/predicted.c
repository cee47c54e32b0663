// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs whose reports predict errors. The message of rank 2 comes first in the first run; in later ones, whose order
// file is there already, any.
// usage: predicted ORDER WAY, WAY: deadlock, other, long, twice, large, none
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include "../../judge/Inputs/hidden-order.h"

#define W MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

// That the data say whose message comes next is not seen where they have been sent.
static int sent(int x) {
  int y;
  MPI_Request request;
  MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, IGNORE);
  MPI_Wait(&request, IGNORE);
  return y;
}
static int next = 1;
static void expect(int source) { next = source; }
static int expected(void) { return next; }

int main(int argc, char **argv) {
  int rank, x, data[2] = {1, 1};
  const char *way = argv[argc - 1];
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(W, &rank);
  int turns = !strcmp(way, "none") ? 0 : !strcmp(way, "twice") ? 2 : 1, is_large = !strcmp(way, "large");
  for (int i = 0; i < turns; i++) {
    if (rank == 0) {
      if (i) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, i, W, IGNORE);
      else MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, i, W, IGNORE);
      hidden_done(i);
      if (!strcmp(way, "other") && sent(x) == 1) expect(2);  // the data say who it was
      else if (!strcmp(way, "long") && sent(x) == 1) sleep(1000);
      else expect(1);
      MPI_Recv(data, 2, MPI_INT, is_large ? MPI_ANY_SOURCE : expected(), i, W, IGNORE);
    } else if (rank < 3) {
      if (rank == 1) hidden_wait(i);
      data[0] = rank;
      MPI_Send(data, is_large && rank == 1 ? 2 : 1, MPI_INT, 0, i, W);
    }
    MPI_Barrier(W);
  }
  if (rank == 0) puts("the program's own output");
  MPI_Finalize();
  return 0;
}
