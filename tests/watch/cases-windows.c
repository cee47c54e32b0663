// CASES: case (\d+):.*//!
// ONCE: %mpicc-check -Wno-mpicc-check-deadlock %s -o %t
// RUN: python3 %S/cases.py %s %t %mpirun-check -k %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows: fences, locks, and what makes and frees them (MPI-3.1 11.2, 11.5).
#include "cases.h"

static int memory[64];
static MPI_Win win, win2;
static void make(MPI_Win *w) { MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, world, w); }
#define BEFORE() do { late(0); if (ok && rank == 0) send(1, 0); } while (0)
#define AFTER() do { if (!ok && rank == 0) send(1, 0); } while (0)

static void run(int number) {
  switch (number) {
  case 1:  //! 2 deadlock
    make(&win);
    BEFORE();
    if (rank == 1) recv(0, 0);    //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Win_fence(0, win);        //@ 0 MPI_Win_fence for rank 1
    AFTER();
    MPI_Win_free(&win);
    break;
  case 2:  //! 2 deadlock
    make(&win);
    late(1);
    if (rank == 0 && !ok) MPI_Barrier(world);  //@ 0 MPI_Barrier for rank 1
    MPI_Win_fence(0, win);                     //@ 1 MPI_Win_fence for rank 0
    MPI_Win_free(&win);
    break;
  case 3:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);    //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, world, &win);  //@ 0 MPI_Win_create for rank 1
    AFTER();
    MPI_Win_free(&win);
    break;
  case 4:  //! 2 deadlock
    {
      int *base;
      BEFORE();
      if (rank == 1) recv(0, 0);    //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Win_allocate(64, 4, MPI_INFO_NULL, world, &base, &win);  //@ 0 MPI_Win_allocate for rank 1
      AFTER();
      MPI_Win_free(&win);
      break;
    }
  case 5:  //! 2 deadlock
    {
      int *base;
      BEFORE();
      if (rank == 1) recv(0, 0);    //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, world, &base, &win);  //@ 0 MPI_Win_allocate_shared for rank 1
      AFTER();
      MPI_Win_free(&win);
      break;
    }
  case 6:  //! 2 deadlock
    make(&win);
    BEFORE();
    if (rank == 1) recv(0, 0);    //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Win_free(&win);           //@ 0 MPI_Win_free for rank 1
    AFTER();
    break;
  case 7:  //! 2 deadlock
    // One fence too many: Open MPI takes the end of the window for the second.
    make(&win);
    MPI_Win_fence(0, win);
    late(1);
    if (rank == 0 || ok) MPI_Win_fence(0, win);
    MPI_Win_free(&win);                           //@ 0 MPI_Win_free for rank 1
    MPI_Barrier(world);                           //@ 1 MPI_Barrier for rank 0
    break;
  case 8:  //! 2 deadlock
    // Each holds what the other asks for.
    make(&win), make(&win2);
    late(1);
    if (rank == 0 || ok) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);    //~ rank 0 has called MPI_Win_lock(target 0, exclusive) at
      if (!ok) MPI_Sendrecv(&x, 1, MPI_INT, 1, 1, &y, 1, MPI_INT, 1, 1, world, IGNORE);
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win2);    //@ 0 MPI_Win_lock(target 0, exclusive) for rank 1
      MPI_Win_unlock(0, win2), MPI_Win_unlock(0, win);
    } else {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win2);
      MPI_Sendrecv(&x, 1, MPI_INT, 0, 1, &y, 1, MPI_INT, 0, 1, world, IGNORE);
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);     //@ 1 MPI_Win_lock(target 0, exclusive) for rank 0
      MPI_Win_unlock(0, win), MPI_Win_unlock(0, win2);
    }
    MPI_Win_free(&win), MPI_Win_free(&win2);
    break;
  case 9:  //! 3 deadlock
    // Rank 0 waits for a message while it holds the lock that rank 1 needs first.
    make(&win);
    late(1);
    if (rank == 0) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
      send(1, 4);
      if (ok) MPI_Win_unlock(2, win);
      recv(1, 5);                                     //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      if (!ok) MPI_Win_unlock(2, win);
    } else if (rank == 1) {
      recv(0, 4);
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);    //@ 1 MPI_Win_lock(target 2, exclusive) for any of ranks 0,2
      send(0, 5);
      MPI_Win_unlock(2, win);
    }
    if (rank == 2 || ok) MPI_Barrier(world);          //@ 2 MPI_Barrier for ranks 0,1
    MPI_Win_free(&win);
    break;
  case 10:  //! 2 deadlock
    // A shared lock waits for an exclusive one.
    make(&win);
    late(1);
    if (rank == 0) {
      MPI_Win_lock(ok ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 0, 0, win);
      send(1, 4);
      recv(1, 5);                                     //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      MPI_Win_unlock(0, win);
    } else {
      recv(0, 4);
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);       //@ 1 MPI_Win_lock(target 0, shared) for rank 0
      send(0, 5);
      MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    break;
  case 11:  //! 2 deadlock
    // An exclusive one for a shared one.
    make(&win);
    MPI_Win_set_name(win, "table");   //~ MPI_Win_lock(target 0, exclusive) of window table for rank 0
    late(1);                          //~ help: let the rank that has the lock unlock it before it waits for others
    if (rank == 0) {
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      send(1, 4);
      recv(1, 5);                                     //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      MPI_Win_unlock(0, win);
    } else {
      recv(0, 4);
      int type = ok ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
      MPI_Win_lock(type, 0, 0, win);    //@ 1 MPI_Win_lock(target 0, exclusive) for rank 0
      send(0, 5);
      MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    break;
  case 12:  //! 2 deadlock
    // A start that nobody posts for. Open MPI waits at once; another library may wait in the complete.
    {
      MPI_Group group, one;
      int peer = 1;
      make(&win);
      MPI_Comm_group(world, &group);
      MPI_Group_incl(group, 1, &peer, &one);
      late(1);
      if (rank == 0) {
        MPI_Win_start(one, 0, win);            //@ 0 MPI_Win_start for rank 1
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
      } else {
        MPI_Group zero;
        peer = 0;
        MPI_Group_incl(group, 1, &peer, &zero);
        if (!ok) recv(0, 8);                   //@ 1 MPI_Recv(source 0, tag 8) for rank 0
        MPI_Win_post(zero, 0, win);
        MPI_Win_wait(win);
        MPI_Group_free(&zero);
      }
      MPI_Group_free(&one), MPI_Group_free(&group);
      MPI_Win_free(&win);
      break;
    }
  case 13:  //! 2 deadlock
    // A wait without its complete.
    {
      MPI_Group group, one;
      int peer = 1 - rank;
      make(&win);
      MPI_Comm_group(world, &group);
      MPI_Group_incl(group, 1, &peer, &one);
      late(0);
      if (rank == 0) {
        MPI_Win_start(one, 0, win);
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        if (ok) MPI_Win_complete(win);
        recv(1, 8);                            //@ 0 MPI_Recv(source 1, tag 8) for rank 1
        if (!ok) MPI_Win_complete(win);
      } else {
        MPI_Win_post(one, 0, win);
        MPI_Win_wait(win);                     //@ 1 MPI_Win_wait for rank 0
        send(0, 8);
      }
      MPI_Group_free(&one), MPI_Group_free(&group);
      MPI_Win_free(&win);
      break;
    }
  case 14:  //! 3 deadlock
    // Ranks 0 and 1 write to rank 2; rank 1 waits for rank 2 first.
    {
      MPI_Group group, origins, target;
      int both[] = {0, 1}, two = 2;
      make(&win);
      MPI_Comm_group(world, &group);
      MPI_Group_incl(group, 2, both, &origins), MPI_Group_incl(group, 1, &two, &target);
      late(0);
      if (rank < 2) {
        if (rank == 1 && !ok) recv(2, 8);      //@ 1 MPI_Recv(source 2, tag 8) for rank 2
        MPI_Win_start(target, 0, win);
        MPI_Put(&x, 1, MPI_INT, 2, rank, 1, MPI_INT, win);
        MPI_Win_complete(win);
        if (rank == 1 && ok) recv(2, 8);
      } else {
        MPI_Win_post(origins, 0, win);
        MPI_Win_wait(win);                     //@ 2 MPI_Win_wait for rank 1
        send(1, 8);
      }
      MPI_Group_free(&origins), MPI_Group_free(&target), MPI_Group_free(&group);
      MPI_Win_free(&win);
      break;
    }
  case 15:  //! 2 deadlock
    // A shared lock on all waits for an exclusive one on one.
    make(&win);
    late(1);
    if (rank == 0) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
      send(1, 4);
      if (ok) MPI_Win_unlock(0, win);
      recv(1, 5);                                     //@ 0 MPI_Recv(source 1, tag 5) for rank 1
      if (!ok) MPI_Win_unlock(0, win);
    } else {
      recv(0, 4);
      MPI_Win_lock_all(0, win);                       //@ 1 MPI_Win_lock_all for rank 0
      MPI_Get(&y, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
      MPI_Win_flush(0, win);
      send(0, 5);
      MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win);
    break;
  }
}
