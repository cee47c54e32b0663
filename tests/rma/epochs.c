// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// RUN: %python %source/tests/rma/cases.py 2 %mpirun-check %t %s %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that do not fit the epochs of their window (MPI-3.1 11.5), and others that do. `// case N: what is found`; @N is its place.
#include <mpi.h>
#include <stdlib.h>

static int rank, *memory, x[8];
static MPI_Win win;
static MPI_Group all, other, me;

static void put(int target) {
  MPI_Put(x, 1, MPI_INT, target, rank, 1, MPI_INT, win);   // @3 @4 @5 @6
}

static void locked(int target) {
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
  put(target);
  MPI_Win_unlock(target, win);
}

static void run(int n) {
  MPI_Request request;
  int flag = 0;
  switch (n) {
    // case 1: ok
    case 1: MPI_Win_fence(0, win); put(1); MPI_Win_fence(0, win); break;
    // case 2: ok (a fence without operations opens nothing)
    case 2: MPI_Win_fence(0, win); MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); put(1); MPI_Win_unlock(1, win); break;
    // case 3: rma.outside-epoch
    case 3: if (!rank) put(1); break;
    // case 4: rma.outside-epoch
    case 4: MPI_Win_fence(0, win); MPI_Win_fence(MPI_MODE_NOSUCCEED, win); if (!rank) put(1); break;
    // case 5: rma.outside-epoch
    case 5: MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win); if (!rank) put(1); MPI_Win_unlock(rank, win); break;
    // case 6: rma.group
    case 6:
      MPI_Win_post(me, 0, win);
      MPI_Win_start(me, 0, win);
      if (!rank) put(1);
      MPI_Win_complete(win);
      MPI_Win_wait(win);
      break;
    // case 7: ok
    case 7:
      MPI_Win_post(other, 0, win);
      MPI_Win_start(other, 0, win);
      put(!rank);
      MPI_Win_complete(win);
      while (!flag) MPI_Win_test(win, &flag);
      break;
    // case 8: rma.epoch-unopened
    case 8:
      if (!rank) MPI_Win_complete(win);   // @8
      break;
    // case 9: rma.epoch-unopened
    case 9:
      if (!rank) MPI_Win_wait(win);   // @9
      break;
    // case 10: rma.epoch-unclosed
    case 10:
      MPI_Win_post(me, 0, win);
      MPI_Win_start(me, 0, win);
      if (!rank) MPI_Win_start(me, 0, win);   // @10
      MPI_Win_complete(win);
      MPI_Win_wait(win);
      break;
    // case 11: rma.epoch-unclosed
    case 11:
      MPI_Win_post(me, 0, win);
      if (!rank) MPI_Win_post(me, 0, win);   // @11
      MPI_Win_start(me, 0, win);
      MPI_Win_complete(win);
      MPI_Win_wait(win);
      break;
    // case 12: rma.epoch-mixed
    case 12:
      MPI_Win_fence(0, win);
      put(1);
      if (!rank) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);   // @12
      if (!rank) MPI_Win_unlock(0, win);
      MPI_Win_fence(0, win);
      break;
    // case 13: rma.epoch-mixed
    case 13:
      MPI_Win_post(me, 0, win);
      MPI_Win_start(me, 0, win);
      if (!rank) MPI_Win_lock_all(0, win);   // @13
      MPI_Win_complete(win);
      MPI_Win_wait(win);
      break;
    // case 14: rma.epoch-mixed
    case 14:
      MPI_Win_lock_all(0, win);
      MPI_Win_fence(0, win);   // @14
      MPI_Win_unlock_all(win);
      break;
    // case 15: rma.epoch-mixed
    case 15:
      if (!rank) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      if (!rank) MPI_Win_post(me, 0, win);   // @15
      if (!rank) MPI_Win_unlock(0, win);
      break;
    // case 16: rma.lock-twice
    case 16:
      if (!rank) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
      if (!rank) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);   // @16
      if (!rank) MPI_Win_unlock(1, win);
      break;
    // case 17: rma.lock-twice
    case 17:
      MPI_Win_lock_all(0, win);
      if (!rank) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);   // @17
      MPI_Win_unlock_all(win);
      break;
    // case 18: rma.unlock-unlocked
    case 18:
      if (!rank) MPI_Win_unlock(1, win);   // @18
      break;
    // case 19: rma.unlock-unlocked
    case 19:
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      if (!rank) MPI_Win_unlock(1, win);   // @19
      MPI_Win_unlock(0, win);
      break;
    // case 20: rma.unlock-unlocked
    case 20:
      if (!rank) MPI_Win_unlock_all(win);   // @20
      break;
    // case 21: rma.flush-active-target
    case 21:
      MPI_Win_fence(0, win);
      if (!rank) MPI_Win_flush(1, win);   // @21
      MPI_Win_fence(0, win);
      break;
    // case 22: rma.flush-active-target
    case 22:
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      if (!rank) MPI_Win_flush_local(1, win);   // @22
      MPI_Win_unlock(0, win);
      break;
    // case 23: rma.flush-active-target
    case 23:
      if (!rank) MPI_Win_sync(win);   // @23
      break;
    // case 24: arg.assert
    case 24:
      MPI_Win_fence(0, win);
      if (!rank) put(1);
      MPI_Win_fence(MPI_MODE_NOPRECEDE, win);   // @24
      break;
    // case 25: ok
    case 25:
      MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
      put(0);
      MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, win);
      break;
    // case 26: ok
    case 26:
      MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
      put(1);
      MPI_Win_flush(1, win);
      MPI_Win_flush_local_all(win);
      MPI_Win_sync(win);
      MPI_Win_unlock_all(win);
      break;
    // case 27: rma.outside-epoch
    case 27:
      MPI_Win_fence(0, win);
      MPI_Rput(x, 1, MPI_INT, 1, rank, 1, MPI_INT, win, &request);   // @27
      MPI_Win_fence(0, win);
      break;
    // case 28: rma.free-in-epoch
    case 28: MPI_Win_fence(0, win); if (!rank) put(1); break;
    // case 30: ok (epochs follow each other, and locks on two targets overlap)
    case 30:
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
      put(0);
      MPI_Win_flush_all(win);
      put(1);
      MPI_Win_unlock(0, win);
      MPI_Win_unlock(1, win);
      MPI_Win_fence(0, win);
      put(0);
      MPI_Win_fence(0, win);
      MPI_Win_post(other, 0, win);
      MPI_Win_start(other, 0, win);
      MPI_Win_complete(win);
      MPI_Win_wait(win);
      MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
      MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
      MPI_Win_complete(win);
      MPI_Win_wait(win);
      break;
    // case 31: ok (nothing to complete)
    case 31: MPI_Win_lock_all(0, win); MPI_Put(x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win); MPI_Win_unlock_all(win); break;
    // case 32: rma.fence-mixed (an operation of a lock epoch lies between two fences)
    case 32:
      MPI_Win_fence(0, win);
      locked(1);
      MPI_Win_fence(0, win);   // @32
      break;
    // case 33: ok (the first fence opens nothing)
    case 33: MPI_Win_fence(MPI_MODE_NOSUCCEED, win); locked(1); MPI_Win_fence(0, win); break;
    // case 34: ok (the second fence closes nothing)
    case 34: MPI_Win_fence(0, win); locked(1); MPI_Win_fence(MPI_MODE_NOPRECEDE, win); break;
    // case 35: ok (no operations, or none that reaches a process)
    case 35:
      MPI_Win_fence(0, win);
      MPI_Win_lock_all(0, win);
      MPI_Put(x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
      MPI_Win_unlock_all(win);
      MPI_Win_fence(0, win);
      break;
    // case 36: rma.fence-mixed (start and complete)
    case 36:
      MPI_Win_fence(0, win);
      MPI_Win_post(other, 0, win);
      MPI_Win_start(other, 0, win);
      put(!rank);
      MPI_Win_complete(win);
      MPI_Win_wait(win);
      MPI_Win_fence(0, win);   // @36
      break;
    // case 37: ok (the fences come before and behind)
    case 37:
      MPI_Win_fence(0, win);
      put(1);
      MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
      locked(1);
      locked(0);
      MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
      put(1);
      MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
      break;
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int n = argc > 1 ? atoi(argv[1]) : 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, (int[]){!rank}, &other);
  MPI_Group_incl(all, 1, (int[]){rank}, &me);
  MPI_Win_allocate(8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  run(n);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);   // @28
  MPI_Group_free(&all);
  MPI_Group_free(&other);
  MPI_Group_free(&me);
  MPI_Finalize();
  return 0;
}
