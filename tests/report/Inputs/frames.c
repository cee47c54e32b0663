// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls at the end of functions: with -O2 they could be tail calls, which hide their function.
#include <mpi.h>

#define APART __attribute__((noinline))
static MPI_Comm kept;

APART static int copy(void) { return MPI_Comm_dup(MPI_COMM_WORLD, &kept); }
APART static int copy_once(void) { return copy(); }
APART static void send(int *value, int rank) {
  if (rank == 0) MPI_Send(value, 1, MPI_INT, 1, -5, MPI_COMM_WORLD);
}
APART static void exchange(int *value, int rank) { send(value, rank); }

// A recursion that needs no stack when it is compiled with -O2 stays so.
APART static long even(long n, long sum);
APART static long odd(long n, long sum) { return n ? even(n - 1, sum + 1) : sum; }
static long even(long n, long sum) { return n ? odd(n - 1, sum - 1) : sum; }

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#ifdef DEEP
  if (even(100000000, argc) != argc) return 3;
#endif
  copy_once();
  exchange(&rank, rank);
  return MPI_Finalize();
}
