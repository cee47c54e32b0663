// CASES: // case (\d+):
// ONCE: %mpicc-check %s -o %t
// RUN: %python %source/tests/rma/cases.py 2 %mpirun-check %t %s %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be attached to a window, and detached from it (MPI-3.1 11.2.4).
#include <mpi.h>
#include <stdlib.h>

enum { N = 1000 };
static int rank, memory[N];
static MPI_Win win;

// case 1: rma.attach (bytes that are attached already)
static void again(void) {
  MPI_Win_attach(win, memory, 400);
  if (rank) MPI_Win_attach(win, memory + 99, 400);   // @1
}
// case 2: ok (the next bytes)
static void next(void) {
  MPI_Win_attach(win, memory, 400);
  MPI_Win_attach(win, memory + 100, 400);
}
// case 3: rma.attach (it was attached by another address)
static void inner(void) {
  MPI_Win_attach(win, memory, 400);
  if (rank) MPI_Win_detach(win, memory + 50);   // @3
}
// case 4: ok (in another order)
static void both(void) {
  MPI_Win_attach(win, memory, 400);
  MPI_Win_attach(win, memory + 100, 400);
  MPI_Win_detach(win, memory);
  MPI_Win_detach(win, memory + 100);
}
// case 5: rma.attach (it was detached already)
static void twice(void) {
  MPI_Win_attach(win, memory, 400);
  MPI_Win_detach(win, memory);
  if (rank) MPI_Win_detach(win, memory);   // @5
}
// case 6: ok (two windows may have the same memory)
static void shared(void) {
  MPI_Win other;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Win_attach(win, memory, 400);
  MPI_Win_attach(other, memory, 400);
  MPI_Win_detach(win, memory);
  MPI_Win_detach(other, memory);
  MPI_Win_free(&other);
}
// case 7: rma.attach (a window of fixed memory)
static void fixed(void) {
  MPI_Win other;
  MPI_Win_create(memory, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Win_set_errhandler(other, MPI_ERRORS_RETURN);
  if (rank) MPI_Win_attach(other, memory + 100, 400);   // @7
  MPI_Win_free(&other);
}
// case 8: ok (no bytes; freeing the window detaches the rest)
static void none(void) {
  MPI_Win_attach(win, memory, 0);
  MPI_Win_attach(win, memory, 4);
  MPI_Win_attach(win, memory + 1, 0);
  MPI_Win_attach(win, memory + 1, 4);
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {again, next, inner, both, twice, shared, fixed, none};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  cases[atoi(argv[1]) - 1]();
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
