// CASES: case (\d+):.*//!
// ONCE: %mpicc-check -Wno-mpicc-check-deadlock -Wno-mpicc-check-message.unmatched-receive %s -o %t
// RUN: python3 %S/cases.py %s %t %mpirun-check -k %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The examples of the papers that concern deadlocks, in the schedules that the papers speak of; "ok" is the schedule (or program) that does not.
// MUST Fig. 1(a) to (c): cases-messages.c 1 and 2; Fig. 7 and a variant of Fig. 8: cases-polling.c 9 and 10.
#include "cases.h"

// Rank 1 has its first message before rank "second" sends: a token says so. It is no part of the papers' programs.
#define TOKEN 99
static void let_go(int second) { MPI_Send(&x, 1, MPI_INT, second, TOKEN, world); }
static void wait_for_token(void) { MPI_Recv(z, 1, MPI_INT, 1, TOKEN, world, IGNORE); }

static void run(int number) {
  switch (number) {
  case 1:  //! 3 deadlock
    // MUST Fig. 1(d) and 3(b): the wildcard gets the message of rank 2, or (ok) of rank 0.
    if (rank == (ok ? 2 : 0)) wait_for_token();
    if (rank != 1) send(1, 0);
    if (rank == 1) {
      recv(MPI_ANY_SOURCE, 0);
      let_go(ok ? 2 : 0);
      late(1);
      recv(2, 0);          //@ 1 MPI_Recv(source 2, tag 0) for rank 2
    }
    MPI_Barrier(world);    //@ 2 MPI_Barrier for rank 1
    break;
  case 2:  //! 3 deadlock
    // The same with an unbuffered send, as Fig. 3(b) draws it: rank 0 is in its send.
    if (rank == (ok ? 2 : 0)) wait_for_token();
    if (rank != 1) MPI_Ssend(&x, 1, MPI_INT, 1, 0, world);  //@ 0 MPI_Ssend(dest 1, tag 0) for rank 1
    if (rank == 1) {
      recv(MPI_ANY_SOURCE, 0);
      let_go(ok ? 2 : 0);
      late(1);
      recv(2, 0);          //@ 1 MPI_Recv(source 2, tag 0) for rank 2
    }
    MPI_Barrier(world);    //@ 2 MPI_Barrier for ranks 0,1
    break;
  case 3:  //! 2 deadlock
    // Fig. 3(c): a wildcard against a named receive.
    late(1);
    if (ok && rank == 1) send(0, 0);
    if (rank == 0) recv(MPI_ANY_SOURCE, 0);  //@ 0 MPI_Recv(source any, tag 0) for rank 1
    if (rank == 1) recv(0, 0);               //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    if (rank == 0) send(1, 0);
    break;
  case 4:  //! 4 deadlock
    // Fig. 1(e) as it is printed receives as many messages as there are ranks, one more than are sent.
    late(3);
    if (rank == 0)
      for (int i = 0; i < (ok ? size - 1 : size); i++) recv(MPI_ANY_SOURCE, 0);  //@ 0 MPI_Recv(source any, tag 0) for any of ranks 1-3
    else send(0, 0);
    MPI_Barrier(world);  //@ 1 MPI_Barrier for rank 0 | 2 MPI_Barrier for rank 0 | 3 MPI_Barrier for rank 0
    break;
  case 5:  //! 4 deadlock
    // Fig. 4 and 6: communicator A has ranks 0, 1 and 2, B has 0, 2 and 3.
    {
      MPI_Comm a, b;
      MPI_Comm_split(world, rank < 3 ? 0 : MPI_UNDEFINED, 0, &a);
      MPI_Comm_split(world, rank != 1 ? 0 : MPI_UNDEFINED, 0, &b);
      late(2);
      if (ok && rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, a);
      if (ok && rank == 3) MPI_Send(&x, 1, MPI_INT, 0, 0, b);
      if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, a, &req[0]);
        MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, b, &req[1]);
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);  //@ 0 MPI_Waitall(2 requests) for any of ranks 1-3
        if (ok) send(2, 0);
      }
      if (rank == 1 || rank == 3) recv(2, 0);      //@ 1 MPI_Recv(source 2, tag 0) for rank 2 | 3 MPI_Recv(source 2, tag 0) for rank 2
      if (rank == 2) recv(0, 0);                   //@ 2 MPI_Recv(source 0, tag 0) for rank 0
      if (rank == 2) send(1, 0), send(3, 0);
      if (rank < 3) MPI_Comm_free(&a);
      if (rank != 1) MPI_Comm_free(&b);
      break;
    }
  case 6:  //! 3 deadlock
    // MUST Fig. 7 with the deadlock on all ways: both messages are of rank 2, and the second receive wants rank 0's.
    if (rank == 1) MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, &req[0]);
    if (rank == 1) MPI_Irecv(&y, 1, MPI_INT, ok ? 2 : 0, 0, world, &req[1]);
    late(1);
    if (rank == 2) send(1, 0), send(1, 0);
    if (rank == 1) MPI_Waitall(2, req, MPI_STATUSES_IGNORE);  //@ 1 MPI_Waitall(2 requests) for rank 0
    MPI_Barrier(world);                                       //@ 0 MPI_Barrier for rank 1
    break;
  case 7:  //! 3 deadlock
    // Lazy clocks, Fig. 1: the receive posted before the barrier gets what rank 2 sends behind it. ERROR is a wait for a message that nobody
    // sends.
    if (rank == 1) MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, req);
    if (rank == 0 && ok) z[9] = 22, MPI_Isend(z + 9, 1, MPI_INT, 1, 0, world, req), MPI_Wait(req, IGNORE), MPI_Ssend(z, 1, MPI_INT, 1, 1, world);
    if (rank == 1 && ok) MPI_Recv(z, 1, MPI_INT, 0, 1, world, IGNORE);   // rank 0's message is there
    MPI_Barrier(world);
    if (rank == 2) z[9] = 33, MPI_Isend(z + 9, 1, MPI_INT, 1, 0, world, req), MPI_Wait(req, IGNORE), MPI_Ssend(z, 1, MPI_INT, 1, 1, world);
    if (rank == 1) MPI_Recv(z, 1, MPI_INT, 2, 1, world, IGNORE);         // rank 2's is there
    MPI_Barrier(world);
    if (rank == 0 && !ok) z[9] = 22, MPI_Isend(z + 9, 1, MPI_INT, 1, 0, world, req), MPI_Wait(req, IGNORE);
    if (rank == 1) {
      recv(MPI_ANY_SOURCE, 0);
      MPI_Wait(req, IGNORE);
      late(1);
      if (x == 33) recv(2, 5);  //@ 1 MPI_Recv(source 2, tag 5) for rank 2
    }
    MPI_Barrier(world);         //@ 2 MPI_Barrier for rank 1
    break;
  }
}
