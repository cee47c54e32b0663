// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two accumulates of one origin: they are in order only if they have one basic type and their elements are the same ones (MPI-3.1 11.7.1, 11.7.2).
#include <mpi.h>

static int rank;
static char *memory;
static MPI_Win win;
static long long x[4];
enum { SIZE = 256 };

#define ACCUMULATE(type, at, op) if (rank == 1) MPI_Accumulate(x, 1, type, 0, at, 1, type, op, win)
#define FETCH(type, at, op) if (rank == 1) MPI_Fetch_and_op(x, x + 1, type, 0, at, op, win)
#define FLUSH if (rank == 1) MPI_Win_flush(0, win)

// case 1: ok (one type, the same element, two operations)
static void case_1(void) {
  ACCUMULATE(MPI_INT, 0, MPI_SUM);     // @1
  ACCUMULATE(MPI_INT, 0, MPI_PROD);    // @1
}
// case 2: rma.atomicity (types of one size)
static void case_2(void) {
  ACCUMULATE(MPI_INT, 0, MPI_SUM);     // @2
  ACCUMULATE(MPI_FLOAT, 0, MPI_SUM);   // @2
}
// case 3: ok (completed between them)
static void case_3(void) {
  ACCUMULATE(MPI_INT, 0, MPI_SUM);     // @3
  FLUSH;
  ACCUMULATE(MPI_FLOAT, 0, MPI_SUM);   // @3
}
// case 4: rma.atomicity (types of two sizes)
static void case_4(void) {
  ACCUMULATE(MPI_DOUBLE, 8, MPI_SUM);  // @4
  ACCUMULATE(MPI_FLOAT, 12, MPI_SUM);  // @4
}
// case 5: rma.atomicity (elements that overlap in part)
static void case_5(void) {
  ACCUMULATE(MPI_INT, 16, MPI_SUM);    // @5
  ACCUMULATE(MPI_INT, 18, MPI_SUM);    // @5
}
// case 6: ok (elements side by side)
static void case_6(void) {
  ACCUMULATE(MPI_INT, 16, MPI_SUM);    // @6
  ACCUMULATE(MPI_INT, 20, MPI_PROD);   // @6
}
// case 7: rma.atomicity (a fetch of another type)
static void case_7(void) {
  ACCUMULATE(MPI_LONG, 24, MPI_SUM);   // @7
  FETCH(MPI_DOUBLE, 24, MPI_NO_OP);    // @7
}
// case 8: ok (both only read)
static void case_8(void) {
  FETCH(MPI_INT, 24, MPI_NO_OP);       // @8
  if (rank == 1) MPI_Win_flush_local(0, win);
  FETCH(MPI_FLOAT, 24, MPI_NO_OP);     // @8
}
// case 9: rma.atomicity (a fetch at a place between two elements)
static void case_9(void) {
  ACCUMULATE(MPI_INT, 32, MPI_SUM);    // @9
  FETCH(MPI_INT, 33, MPI_SUM);         // @9
}
// case 10: rma.atomicity (the same between two fences)
static void case_10(void) {
  ACCUMULATE(MPI_INT, 32, MPI_SUM);    // @10
  FETCH(MPI_INT, 34, MPI_SUM);         // @10
}

static void (*const cases[])(void) = {case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9, case_10};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    int is_fenced = i % 2 && i != 7; // a flush needs a lock
    MPI_Win_allocate(SIZE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (is_fenced) MPI_Win_fence(0, win);
    else MPI_Win_lock_all(0, win);
    cases[i]();
    if (is_fenced) MPI_Win_fence(0, win);
    else MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return 0;
}
