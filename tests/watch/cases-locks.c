// CASES: case (\d+):.*//!
// ONCE: %mpicc-check %s -o %t
// RUN: env OMPI_MCA_osc=pt2pt python3 %S/cases.py %s %t %mpirun-check -k %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks where MPI_Win_lock returns at once and the library waits later (MPI-3.1 11.5.3; Open MPI's osc/pt2pt)).
// Where MPI_Win_lock waits itself: cases-windows.c.
#include "cases.h"

static int memory[64];
static MPI_Win win, win2;
static void make(MPI_Win *w) { MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, world, w); }
static void take(int type, int target, MPI_Win w) {
  MPI_Win_lock(type, target, 0, w);
  MPI_Put(&x, 1, MPI_INT, target, 0, 1, MPI_INT, w);
}
// Rank 0 takes a lock and has it before rank 1 goes on; wrong, it keeps it until rank 1 has sent.
#define HOLD(type, target)                                           \
  do {                                                               \
    take(type, target, win);                                         \
    MPI_Win_flush(target, win);                                      \
    if (ok) MPI_Win_unlock(target, win);                             \
    send(1, 4);                                                      \
  } while (0)
#define EX MPI_LOCK_EXCLUSIVE
#define SH MPI_LOCK_SHARED

static void run(int number) {
  make(&win), make(&win2);
  switch (number) {
  case 1:  //! 3 deadlock
    // Both have one lock and ask for the other's.
    late(1);
    if (rank < 2) {
      MPI_Win mine = rank && !ok ? win2 : win, other = rank && !ok ? win : win2;
      take(EX, 2, mine);
      MPI_Win_flush(2, mine);
      if (!ok) MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 1, &y, 1, MPI_INT, 1 - rank, 1, world, IGNORE);
      take(EX, 2, other);
      if (rank) MPI_Win_unlock(2, other);  //@ 1 MPI_Win_unlock(target 2) for any of ranks 0,2
      else MPI_Win_unlock(2, other);       //@ 0 MPI_Win_unlock(target 2) for any of ranks 1,2
      MPI_Win_unlock(2, mine);
    }
    MPI_Barrier(world);                  //@ 2 MPI_Barrier for ranks 0,1
    break;
  case 2:  //! 3 deadlock
    late(1);
    if (rank == 0) {
      HOLD(SH, 2);
      recv(1, 5);                        //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      if (!ok) MPI_Win_unlock(2, win);
    } else if (rank == 1) {
      recv(0, 4);
      take(EX, 2, win);
      MPI_Win_flush(2, win);             //@ 1 MPI_Win_flush(target 2) for any of ranks 0,2
      send(0, 5);
      MPI_Win_unlock(2, win);
    }
    MPI_Barrier(world);                  //@ 2 MPI_Barrier for ranks 0,1
    break;
  case 3:  //! 3 deadlock
    late(1);
    if (rank == 0) {
      HOLD(EX, 2);
      recv(1, 5);                        //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      if (!ok) MPI_Win_unlock(2, win);
    } else if (rank == 1) {
      recv(0, 4);
      take(SH, 2, win);
      MPI_Win_flush_all(win);            //@ 1 MPI_Win_flush_all for any of ranks 0,2
      send(0, 5);
      MPI_Win_unlock(2, win);
    }
    MPI_Barrier(world);                  //@ 2 MPI_Barrier for ranks 0,1
    break;
  case 4:  //! 3 deadlock
    late(1);
    if (rank == 0) {
      HOLD(EX, 2);
      recv(1, 5);                        //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      if (!ok) MPI_Win_unlock(2, win);
    } else if (rank == 1) {
      recv(0, 4);
      MPI_Win_lock_all(0, win);
      MPI_Put(&x, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
      MPI_Win_unlock_all(win);           //@ 1 MPI_Win_unlock_all for any of ranks 0,2
      send(0, 5);
    }
    MPI_Barrier(world);                  //@ 2 MPI_Barrier for ranks 0,1
    break;
  case 5:  //! 3 deadlock
    // An operation waits.
    late(1);
    if (rank == 0) {
      HOLD(EX, 2);
      recv(1, 5);                        //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      if (!ok) MPI_Win_unlock(2, win);
    } else if (rank == 1) {
      recv(0, 4);
      MPI_Win_lock(SH, 2, 0, win);
      MPI_Rget(&y, 1, MPI_INT, 2, 0, 1, MPI_INT, win, req);   //@ 1 MPI_Rget(target 2) for any of ranks 0,2
      MPI_Wait(req, IGNORE);
      send(0, 5);
      MPI_Win_unlock(2, win);
    }
    MPI_Barrier(world);                  //@ 2 MPI_Barrier for ranks 0,1
    break;
  case 6:  //! 2 deadlock
    // One's own lock is waited for at once.
    late(1);
    if (rank == 0) {
      HOLD(EX, 1);
      recv(1, 5);                        //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      if (!ok) MPI_Win_unlock(1, win);
    } else {
      recv(0, 4);
      MPI_Win_lock(EX, 1, 0, win);       //@ 1 MPI_Win_lock(target 1, exclusive) for rank 0
      send(0, 5);
      MPI_Win_unlock(1, win);
    }
    break;
  case 7:  //! 2 deadlock
    // The target has its own lock, and more is written than a moment takes.
    late(1);
    if (rank == 0) {
      HOLD(EX, 0);
      recv(1, 5);                        //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      if (!ok) MPI_Win_unlock(0, win);
    } else {
      recv(0, 4);
      MPI_Win_lock(EX, 0, 0, win);
      for (int i = 0; i < 5000; i++) MPI_Accumulate(z, 64, MPI_INT, 0, 0, 64, MPI_INT, MPI_SUM, win);
      MPI_Win_unlock(0, win);            //@ 1 MPI_Win_unlock(target 0) for rank 0
      send(0, 5);
    }
    break;
  }
  MPI_Win_free(&win), MPI_Win_free(&win2);
}
