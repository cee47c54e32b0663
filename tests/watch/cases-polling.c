// CASES: case (\d+):.*//!
// ONCE: %mpicc-check %s -o %t
// RUN: python3 %S/cases.py %s %t %mpirun-check -k %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of tests and probes (option polling_time), and wildcard receives whose match nobody knows (MUST VI).
#include <unistd.h>
#include "cases.h"

// In a right program, rank 0 works until the others have waited for long. No call of MPI is made.
static int flag, flags[8];
static MPI_Status statuses[8];
#define POLL(call) do { call; } while (!flag)

static void run(int number) {
  int other = 1 - rank;
  if (work == 100) work = 600;   // longer than polling_time
  switch (number) {
  case 1:  //! 2 deadlock.polling polling_time=1
    late(1);
    MPI_Irecv(&y, 1, MPI_INT, other, 3, world, req);
    if (ok) send(other, 3);
    POLL(MPI_Test(req, &flag, IGNORE));  //@ 0 MPI_Test for rank 1 | 1 MPI_Test for rank 0
    //~ rank 0 asks again and again for MPI_Irecv(source 1, tag 3)
    break;
  case 2:  //! 2 deadlock.polling polling_time=1
    late(1);
    if (rank == 1 && ok) send(0, 3);
    if (rank == 0) {
      POLL(MPI_Iprobe(MPI_ANY_SOURCE, 3, world, &flag, IGNORE));  //@ 0 MPI_Iprobe for rank 1
      recv(1, 3);
      send(1, 4);
    } else recv(0, 4);  //@ 1 MPI_Recv(source 0, tag 4) for rank 0
    break;
  case 3:  //! 2 deadlock.polling polling_time=1
    late(1);
    MPI_Irecv(&y, 1, MPI_INT, other, 3, world, req);
    MPI_Irecv(z, 1, MPI_INT, other, 4, world, req + 1);
    send(other, 3);
    if (ok) send(other, 4);
    POLL(MPI_Testall(2, req, &flag, statuses));  //@ 0 MPI_Testall for rank 1 | 1 MPI_Testall for rank 0
    break;
  case 4:  //! 2 deadlock.polling polling_time=1
    late(1);
    MPI_Irecv(&y, 1, MPI_INT, other, 3, world, req);
    MPI_Irecv(z, 1, MPI_INT, other, 4, world, req + 1);
    if (ok) send(other, 3), send(other, 4);
    POLL(MPI_Testany(2, req, &x, &flag, IGNORE));  //@ 0 MPI_Testany for rank 1 | 1 MPI_Testany for rank 0
    MPI_Waitall(2, req, statuses);
    break;
  case 5:  //! 2 deadlock.polling polling_time=1
    late(1);
    MPI_Irecv(&y, 1, MPI_INT, other, 3, world, req);
    MPI_Irecv(z, 1, MPI_INT, other, 4, world, req + 1);
    if (ok) send(other, 3), send(other, 4);
    POLL(MPI_Testsome(2, req, &flag, flags, statuses));  //@ 0 MPI_Testsome for rank 1 | 1 MPI_Testsome for rank 0
    MPI_Waitall(2, req, statuses);
    break;
  case 6:  //! 2 deadlock.polling polling_time=1
    // Each request by itself, in turn.
    late(1);
    for (int i = 0; i < 3; i++) MPI_Irecv(z + i, 1, MPI_INT, other, i, world, req + i);
    for (int i = 0; i < (ok ? 3 : 2); i++) send(other, i);
    for (int left = 3; left;)
      for (int i = 0; i < 3; i++) {
        MPI_Request was = req[i];
        MPI_Test(req + i, &flag, IGNORE);  //@ 0 MPI_Test for rank 1 | 1 MPI_Test for rank 0
        left -= flag && was != MPI_REQUEST_NULL;
      }
    break;
  case 7:  //! 3 deadlock.polling polling_time=1
    // Rank 2 waits in a barrier for those who poll.
    late(1);
    if (rank < 2) {
      MPI_Message message;
      if (ok) send(other, 1);
      POLL(MPI_Improbe(other, 1, world, &flag, &message, IGNORE));  //@ 0 MPI_Improbe for rank 1 | 1 MPI_Improbe for rank 0
      MPI_Mrecv(&y, 1, MPI_INT, &message, IGNORE);
    }
    break;
  case 8:  //! 2 deadlock.polling polling_time=1
    // A synchronous send that nobody receives.
    late(1);
    MPI_Issend(&x, 1, MPI_INT, other, 3, world, req);
    if (ok) recv(other, 3);
    POLL(MPI_Test(req, &flag, IGNORE));  //@ 0 MPI_Test for rank 1 | 1 MPI_Test for rank 0
    break;
  case 9:  //! 3 deadlock
    // MUST Fig. 7: the wildcard has taken the only message of rank 2, which the second receive wants.
    if (rank == 1) MPI_Irecv(&y, 1, MPI_INT, ok ? 0 : MPI_ANY_SOURCE, 0, world, req);
    if (rank == 1) MPI_Irecv(z, 1, MPI_INT, 2, 0, world, req + 1);
    MPI_Barrier(world);
    if (rank == 2) send(1, 0);
    MPI_Barrier(world);
    late(0);
    if (rank == 0) send(1, 0);
    if (rank == 1) MPI_Waitall(2, req, statuses);  //@ 1 MPI_Waitall(2 requests) for rank 2
    MPI_Barrier(world);                            //@ 2 MPI_Barrier for rank 1
    //~ probing: rank 1's MPI_Irecv(source any, tag 0) at cases-polling.c:
    break;
  case 10:  //! 3 deadlock
    // MUST Fig. 8 with a wait too many: the wildcard has one of two messages, and a third does not come.
    if (rank == 0)
      for (int i = 0; i < (ok ? 2 : 3); i++) MPI_Irecv(z + i, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, req + i);
    late(1);
    if (rank) MPI_Isend(&x, 1, MPI_INT, 0, 0, world, req);
    if (rank == 0) MPI_Waitall(ok ? 2 : 3, req, statuses);  //@ 0 MPI_Waitall(3 requests) for any of ranks 1,2
    else MPI_Wait(req, IGNORE);
    MPI_Barrier(world);                                     //@ 1 MPI_Barrier for rank 0 | 2 MPI_Barrier for rank 0
    break;
  case 11:  //! 2 deadlock.polling polling_time=1
    late(1);
    MPI_Irecv(&y, 1, MPI_INT, other, 3, world, req);
    if (ok) send(other, 3);
    POLL(MPI_Request_get_status(req[0], &flag, IGNORE));  //@ 0 MPI_Request_get_status for rank 1 | 1 MPI_Request_get_status for rank 0
    //~ rank 0 asks again and again for MPI_Irecv(source 1, tag 3)
    MPI_Wait(req, IGNORE);
    break;
  case 12:  //! 2 deadlock.polling polling_time=1
    // One of two, in turn: the other has come.
    late(1);
    for (int i = 0; i < 2; i++) MPI_Irecv(z + i, 1, MPI_INT, other, i, world, req + i);
    send(other, 0);
    MPI_Wait(req, IGNORE);
    if (ok) send(other, 1);
    do MPI_Request_get_status(req[1], &flag, IGNORE); while (!flag);  //@ 0 MPI_Request_get_status for rank 1 | 1 MPI_Request_get_status for rank 0
    MPI_Wait(req + 1, IGNORE);
    break;
  case 13:  //! 2 deadlock.polling polling_time=1
    // The end of an exposure that its origin does not end.
    {
      static int memory[4];
      int it = other;
      MPI_Win win;
      MPI_Group group, one;
      MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, world, &win);
      MPI_Comm_group(world, &group), MPI_Group_incl(group, 1, &it, &one);
      if (rank == 0) {
        MPI_Win_post(one, 0, win);
        POLL(MPI_Win_test(win, &flag));       //@ 0 MPI_Win_test for rank 1
        //~ rank 0 asks again and again for MPI_Win_post of
        send(1, 5);
      } else {
        MPI_Win_start(one, 0, win);
        MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        late(1);
        if (!ok) recv(0, 5);                  //@ 1 MPI_Recv(source 0, tag 5) for rank 0
        MPI_Win_complete(win);
        if (ok) recv(0, 5);
      }
      MPI_Group_free(&one), MPI_Group_free(&group), MPI_Win_free(&win);
      break;
    }
  case 14:  //! 2 deadlock.polling polling_time=1
    // Asleep between two probes.
    if (ok && rank == 1) for (int i = 0; i < 6; i++) late(1);
    if (rank == 1 && ok) send(0, 3);
    if (rank == 0) {
      do { usleep(2000); MPI_Iprobe(1, 3, world, &flag, IGNORE); } while (!flag);  //@ 0 MPI_Iprobe for rank 1
      recv(1, 3);
      send(1, 4);
    } else recv(0, 4);  //@ 1 MPI_Recv(source 0, tag 4) for rank 0
    break;
  }
}
