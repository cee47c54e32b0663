// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns of a lock. A holder that reads nothing does not know whether its turn is the first: what such turns alone order
// is a race, since another run may have them the other way. The two are marked with the number of their case.
#include <mpi.h>
#include <unistd.h>

static int rank, *memory, x[16];
static MPI_Win win, mutex;

static void lock(int who) {
  if (rank == who) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, mutex);
}
static void unlock(int who) {
  if (rank == who) MPI_Win_unlock(0, mutex);
}
#define TURN(who) lock(who), unlock(who)
#define PUT(who) if (rank == (who)) MPI_Put(x, 1, MPI_INT, 2, 3, 1, MPI_INT, win)
#define FLUSH(who) if (rank == (who)) MPI_Win_flush(2, win)
#define READ(who) if (rank == (who)) MPI_Get(x + 1, 1, MPI_INT, 0, 0, 1, MPI_INT, mutex)
#define WRITE(who) if (rank == (who)) MPI_Put(x + 2, 1, MPI_INT, 0, 0, 1, MPI_INT, mutex)

// case 1: rma.race (empty turns)
static void case_1(void) {
  PUT(0); // @1
  FLUSH(0);
  TURN(0);
  TURN(1);
  PUT(1); // @1
}
// case 2: ok (each put within a turn: whichever comes first)
static void case_2(void) {
  lock(0);
  PUT(0); // @2
  FLUSH(0);
  unlock(0);
  lock(1);
  PUT(1); // @2
  FLUSH(1);
  unlock(1);
}
// case 3: ok (the later holder reads what the earlier one wrote, and may decide by it)
static void case_3(void) {
  PUT(0); // @3
  FLUSH(0);
  lock(0);
  WRITE(0);
  unlock(0);
  lock(1);
  READ(1);
  unlock(1);
  PUT(1); // @3
}
// case 4: rma.race (turns that only write)
static void case_4(void) {
  PUT(0); // @4
  FLUSH(0);
  lock(0);
  WRITE(0);
  unlock(0);
  lock(1);
  WRITE(1);
  unlock(1);
  PUT(1); // @4
}
// case 5: rma.race (one put within a turn, the other behind one)
static void case_5(void) {
  lock(0);
  PUT(0); // @5
  FLUSH(0);
  unlock(0);
  TURN(1);
  PUT(1); // @5
}
// case 6: ok (a barrier between the turns)
static void case_6(void) {
  PUT(0); // @6
  FLUSH(0);
  TURN(0);
  MPI_Barrier(MPI_COMM_WORLD);
  TURN(1);
  PUT(1); // @6
}
// case 7: rma.race (the read comes behind the put)
static void case_7(void) {
  PUT(0); // @7
  FLUSH(0);
  lock(0);
  WRITE(0);
  unlock(0);
  lock(1);
  PUT(1); // @7
  READ(1);
  unlock(1);
}
// case 8: ok (a load of the own memory tells it)
static void case_8(void) {
  PUT(1); // @8
  FLUSH(1);
  lock(1);
  WRITE(1);
  unlock(1);
  lock(0);
  if (rank == 0) x[5] = memory[0];
  unlock(0);
  PUT(0); // @8
}
// case 9: ok (further along: rank 2 reads and writes in between)
static void case_9(void) {
  PUT(0); // @9
  FLUSH(0);
  lock(0);
  WRITE(0);
  unlock(0);
  lock(2);
  READ(2);
  if (rank == 2) MPI_Win_flush(0, mutex);
  WRITE(2);
  unlock(2);
  lock(1);
  READ(1);
  unlock(1);
  PUT(1); // @9
}
// case 10: rma.race (within one turn; turns of others before and behind do not order it)
static void case_10(void) {
  lock(0);
  WRITE(0);
  unlock(0);
  lock(2);
  READ(2); // @10
  WRITE(2); // @10
  unlock(2);
  lock(1);
  READ(1);
  unlock(1);
}

// Rank 1 says in a turn that it will put; x[9] of rank 0: whether it has said so.
static void say(void) {
  x[8] = 1;
  if (rank == 1) usleep(20000); // so that rank 0 is mostly first
  lock(1);
  if (rank == 1) MPI_Put(x + 8, 1, MPI_INT, 0, 8, 1, MPI_INT, mutex);
  unlock(1);
}
static void hear(void) {
  if (rank == 0) MPI_Get(x + 9, 1, MPI_INT, 0, 8, 1, MPI_INT, mutex), MPI_Win_flush(0, mutex);
}
// case 11: ok (rank 0 puts only if it has read that rank 1 has not yet had its turn)
static void case_11(void) {
  lock(0);
  hear();
  if (!x[9]) PUT(0); // @11
  FLUSH(0);
  unlock(0);
  say();
  PUT(1); // @11
}
// case 12: rma.race (it reads that behind its put)
static void case_12(void) {
  lock(0);
  PUT(0); // @12
  FLUSH(0);
  hear();
  unlock(0);
  say();
  PUT(1); // @12
}
// case 13: rma.race (it reads that while its put is under way)
static void case_13(void) {
  lock(0);
  PUT(0); // @13
  hear();
  FLUSH(0);
  unlock(0);
  say();
  PUT(1); // @13
}
static void count(int who) {
  if (rank == who) MPI_Fetch_and_op(x, x + 10, MPI_INT, 2, 8, MPI_SUM, win), MPI_Win_flush(2, win);
}
// case 14: rma.race (rank 1 has counted before its turn, so what it reads in it does not come back by the counter)
static void case_14(void) {
  PUT(0); // @14
  FLUSH(0);
  lock(0);
  READ(0);
  unlock(0);
  count(1);
  lock(1);
  PUT(1); // @14
  FLUSH(1);
  READ(1);
  unlock(1);
  TURN(2);
  count(2);
}

#define SHARE(who) if (rank == (who)) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, mutex)
// case 15: rma.race (each takes a turn and puts behind it, within one that may be shared: whichever turn is first)
static void case_15(void) {
  TURN(0);
  SHARE(0);
  PUT(0); // @15
  FLUSH(0);
  unlock(0);
  TURN(1);
  SHARE(1);
  PUT(1); // @15
  FLUSH(1);
  unlock(1);
}
// case 16: ok (one of them puts within a turn that cannot be shared)
static void case_16(void) {
  TURN(0);
  SHARE(0);
  PUT(0); // @16
  FLUSH(0);
  unlock(0);
  TURN(1);
  lock(1);
  PUT(1); // @16
  FLUSH(1);
  unlock(1);
}
// case 17: ok (what rank 0 reads in its turn may tell it that rank 1 has put before)
static void case_17(void) {
  lock(0);
  READ(0);
  unlock(0);
  SHARE(0);
  PUT(0); // @17
  FLUSH(0);
  unlock(0);
  lock(1);
  WRITE(1);
  unlock(1);
  SHARE(1);
  PUT(1); // @17
  FLUSH(1);
  unlock(1);
}
// case 18: ok (both shared turns, but rank 0 tells rank 1 from within its own, and rank 1's next turn waits for its end)
static void case_18(void) {
  TURN(1);
  TURN(0);
  SHARE(0);
  PUT(0); // @18
  if (rank == 0) MPI_Send(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  FLUSH(0);
  unlock(0);
  if (rank == 1) MPI_Recv(x + 7, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  TURN(1);
  SHARE(1);
  PUT(1); // @18
  FLUSH(1);
  unlock(1);
}

static void (*const cases[])(void) = {case_1,  case_2,  case_3,  case_4,  case_5,  case_6,  case_7,  case_8,  case_9,
                                      case_10, case_11, case_12, case_13, case_14, case_15, case_16, case_17, case_18};

int main(int argc, char **argv) {
  int *other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &mutex);
    MPI_Win_allocate(16 * sizeof *other, sizeof *other, MPI_INFO_NULL, MPI_COMM_WORLD, &other, &win);
    MPI_Win_lock_all(0, win);
    memory[8] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    cases[i]();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Win_free(&mutex);
  }
  MPI_Finalize();
  return 0;
}
