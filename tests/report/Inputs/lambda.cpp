// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defects in lambdas: in a function, in an inline one, in one that a template gets. fingerprints.py puts more above.
#include <mpi.h>

#define APART __attribute__((noinline))
template <class F> APART void each(F f) {
  f(-1);
}

inline void inner() {
  // above
  auto send = [](int count) { MPI_Send(&count, count, MPI_INT, 0, 0, MPI_COMM_SELF); };
  send(-1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  // above
  each([](int count) { MPI_Ssend(&count, count, MPI_INT, 0, 0, MPI_COMM_SELF); });
  [] { MPI_Probe(MPI_PROC_NULL, -5, MPI_COMM_SELF, MPI_STATUS_IGNORE); }();
  inner();
  return MPI_Finalize();
}
