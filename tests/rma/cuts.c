// CASES: // case (\d+):
// ONCE: rm -rf %t.d && mkdir %t.d && %mpicc-check -O1 %s -o %t.d/run
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t.d/run %s
// ONCE: env MPICC_CHECK_OPTIONS=log_budget=0 %python %source/tests/rma/cases.py --all 3 %mpirun-check %t.d/run %s
// ONCE: %expect66 %mpirun-check --check-options log_budget=0:stats=1 -n 3 %t.d/run 2>&1 | FileCheck %s --implicit-check-not=unchecked
// ONCE: env MPICC_CHECK_OPTIONS=log_budget=0 not %mpirun-check -n 3 %t.d/run forever 2>&1 | FileCheck %s --check-prefix=NOTE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs that are cut at each barrier where no exposure is open: races before a cut, behind it and over it; locks that are held and operations that are under
// way over many; and what a cut says when an exposure is open for ever.
// CHECK: judge: {{[1-9][0-9]+}} cuts
// NOTE: NOTE [unchecked] races on a window are not looked for from here on: an epoch of MPI_Win_post was open wherever the logs could have been cut
// NOTE: MPI_Win_post on rank 0 {{.*}}cuts.c:[[# @LINE + 116]]
#include <mpi.h>
#include <stdlib.h>

enum { N = 64 };
static int rank, x[64], *memory;
static MPI_Win win;
static MPI_Group world, origins, target;

static void cut(int n) { for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD); }
static void open_window(void) { MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win); }
static void close_window(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
}

// case 1: rma.race (over many cuts: nothing completes the put; the lock is older than all of them)
static void over(void) {
  open_window();
  MPI_Win_lock_all(0, win);
  cut(5);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @1
  cut(5);
  if (!rank) x[2] = memory[3];   // @1
  cut(5);
  MPI_Win_unlock_all(win);
  close_window();
}
// case 2: ok (a flush does)
static void over_ok(void) {
  open_window();
  MPI_Win_lock_all(0, win);
  cut(5);
  if (rank == 1) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @2
  if (rank == 1) MPI_Win_flush(0, win);
  cut(5);
  if (!rank) x[2] = memory[3];   // @2
  cut(5);
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);   // @2
  MPI_Win_unlock_all(win);
  close_window();
}
// case 3: rma.race (between two cuts, after many)
static void behind(void) {
  open_window();
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 20; i++) {
    MPI_Put(x, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Win_flush_all(win);
    cut(1);
  }
  MPI_Put(x, 1, MPI_INT, 0, 7, 1, MPI_INT, win);   // @3
  cut(20);
  MPI_Win_unlock_all(win);
  close_window();
}
// case 4: rma.race (a wait from before the cut completes a get, but not a put; a request is under way over it)
static void requests(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  open_window();
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Rput(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win, &request);   // @4
  cut(2);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  cut(2);
  if (!rank) memory[3] = 1;   // @4
  MPI_Win_unlock_all(win);
  close_window();
}
// case 5: ok (a get is over with its request)
static void requests_ok(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  open_window();
  MPI_Win_lock_all(0, win);
  if (rank == 1) MPI_Rget(x + 9, 1, MPI_INT, 0, 3, 1, MPI_INT, win, &request);   // @5
  cut(2);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  cut(2);
  if (!rank) memory[3] = 1;   // @5
  MPI_Win_unlock_all(win);
  close_window();
}
// case 6: rma.race (an exposure is open at some barriers: no cut there)
static void exposed(void) {
  open_window();
  for (int i = 0; i < 5; i++) {
    if (!rank) MPI_Win_post(origins, 0, win);
    cut(2);
    if (rank) MPI_Win_start(target, 0, win);
    if (rank == 1 && i == 3) MPI_Put(x, 1, MPI_INT, 0, 5, 1, MPI_INT, win);   // @6
    if (!rank && i == 3) memory[5] = 2;   // @6
    cut(1);
    if (rank) MPI_Win_complete(win);
    if (!rank) MPI_Win_wait(win);
    cut(2);
  }
  close_window();
}
// case 7: ok (in another epoch)
static void exposed_ok(void) {
  open_window();
  for (int i = 0; i < 5; i++) {
    if (!rank) MPI_Win_post(origins, 0, win);
    cut(2);
    if (rank) MPI_Win_start(target, 0, win);
    if (rank == 1 && i == 3) MPI_Put(x, 1, MPI_INT, 0, 5, 1, MPI_INT, win);   // @7
    cut(1);
    if (rank) MPI_Win_complete(win);
    if (!rank) MPI_Win_wait(win);
    if (!rank && i == 3) memory[5] = 2;   // @7
    if (i % 2) cut(2);
  }
  close_window();
}
static void forever(void) {
  open_window();
  if (!rank) MPI_Win_post(origins, 0, win);
  if (rank) MPI_Win_start(target, 0, win);
  for (int i = 0; i < 4500; i++) MPI_Barrier(MPI_COMM_WORLD);
  if (rank) MPI_Win_complete(win);
  if (!rank) MPI_Win_wait(win);
  close_window();
  over();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, (int[]){1, 2}, &origins);
  MPI_Group_incl(world, 1, (int[]){0}, &target);
  if (argc > 1) forever();
  else over(), over_ok(), behind(), requests(), requests_ok(), exposed(), exposed_ok();
  MPI_Group_free(&world), MPI_Group_free(&origins), MPI_Group_free(&target);
  MPI_Finalize();
  return 0;
}
