// CASES: case (\d+):.*//!
// ONCE: %mpicc-check %s -o %t
// RUN: python3 %S/cases.py %s %t %mpirun-check -k %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages: sends, receives and probes of all kinds (MPI-3.1 3.2 to 3.11).
#include "cases.h"

static void run(int number) {
  int other = 1 - rank, to = (rank + 1) % size, from = (rank + size - 1) % size;
  switch (number) {
  case 1:  //! 2 deadlock
    // MUST Fig. 1(b), and right as Fig. 1(a).
    late(1);
    if (ok && rank == 1) send(0, 0);
    recv(other, 0);  //@ 0 MPI_Recv(source 1, tag 0) for rank 1 | 1 MPI_Recv(source 0, tag 0) for rank 0
    if (!ok || rank == 0) send(other, 0);
    break;
  case 2:  //! 2 deadlock
    // MUST Fig. 1(c), with messages that no library buffers.
    late(1);
    if (ok && rank == 1) MPI_Recv(other_big, BIG, MPI_INT, 0, 0, world, IGNORE);
    MPI_Send(big, BIG, MPI_INT, other, 0, world);  //@ 0 MPI_Send(dest 1, tag 0) for rank 1 | 1 MPI_Send(dest 0, tag 0) for rank 0
    if (!ok || rank == 0) MPI_Recv(other_big, BIG, MPI_INT, other, 0, world, IGNORE);
    break;
  case 3:  //! 2 deadlock
    late(1);
    if (ok && rank == 1) recv(0, 0);
    MPI_Ssend(&x, 1, MPI_INT, other, 0, world);  //@ 0 MPI_Ssend(dest 1, tag 0) for rank 1 | 1 MPI_Ssend(dest 0, tag 0) for rank 0
    if (!ok || rank == 0) recv(other, 0);
    break;
  case 4:  //! 2 deadlock
    late(1);
    MPI_Irecv(&y, 1, MPI_INT, other, ok ? 1 : 2, world, req);
    MPI_Isend(&x, 1, MPI_INT, other, 1, world, req + 1);
    MPI_Wait(req, IGNORE);  //@ 0 MPI_Wait for rank 1 | 1 MPI_Wait for rank 0
    MPI_Wait(req + 1, IGNORE);
    //~ near miss: rank 0 has sent rank 1 a message with tag 1 that is not received; rank 1 asks for tag 2
    break;
  case 5:  //! 2 deadlock
    late(1);
    MPI_Issend(&x, 1, MPI_INT, other, 1, world, req);
    MPI_Irecv(&y, 1, MPI_INT, other, ok ? 1 : 2, world, req + 1);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);  //@ 0 MPI_Waitall(2 requests) for rank 1 | 1 MPI_Waitall(2 requests) for rank 0
    //~ rank 0's MPI_Waitall lacks MPI_Issend(dest 1, tag 1), MPI_Irecv(source 1, tag 2)
    break;
  case 6:  //! 2 deadlock
    late(1);
    MPI_Irecv(&y, 1, MPI_INT, other, 5, world, req);
    MPI_Irecv(z, 1, MPI_INT, other, 6, world, req + 1);
    if (ok) send(other, 6);
    MPI_Waitany(2, req, &x, IGNORE);  //@ 0 MPI_Waitany(2 requests) for rank 1 | 1 MPI_Waitany(2 requests) for rank 0
    if (ok) send(other, 5), MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    break;
  case 7:  //! 2 deadlock
    late(1);
    MPI_Irecv(&y, 1, MPI_INT, other, 5, world, req);
    MPI_Irecv(z, 1, MPI_INT, other, 6, world, req + 1);
    if (ok) send(other, 6), send(other, 5);
    for (int n = 0, k, which[2]; n < 2; n += k)
      MPI_Waitsome(2, req, &k, which, MPI_STATUSES_IGNORE);  //@ 0 MPI_Waitsome(2 requests) for rank 1 | 1 MPI_Waitsome(2 requests) for rank 0
    break;
  case 8:  //! 2 deadlock
    // Null and inactive requests complete nothing: the third alone is waited for.
    late(1);
    req[0] = MPI_REQUEST_NULL;
    MPI_Recv_init(&y, 1, MPI_INT, other, 7, world, req + 1);
    MPI_Irecv(&y, 1, MPI_INT, other, 6, world, req + 2);
    if (ok) send(other, 6);
    MPI_Waitany(3, req, &x, IGNORE);  //@ 0 MPI_Waitany for rank 1 | 1 MPI_Waitany for rank 0
    MPI_Request_free(req + 1);
    break;
  case 9:  //! 3 deadlock
    // Each sends to its right and receives from its right.
    late(1);
    MPI_Sendrecv(big, BIG, MPI_INT, to, 0, other_big, BIG, MPI_INT, ok ? from : to, 0, world, IGNORE);  //@ 0 MPI_Sendrecv(dest 1, tag 0) for rank 1 | 1 MPI_Sendrecv(dest 2, tag 0) for rank 2 | 2 MPI_Sendrecv(dest 0, tag 0) for rank 0
    break;
  case 10:  //! 2 deadlock
    late(1);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, other, rank, other, ok ? other : 7, world, IGNORE);  //@ 0 MPI_Sendrecv_replace(dest 1, tag 0) for rank 1 | 1 MPI_Sendrecv_replace(dest 0, tag 1) for rank 0
    break;
  case 11:  //! 2 deadlock
    late(1);
    MPI_Recv_init(&y, 1, MPI_INT, other, 3, world, req);
    MPI_Start(req);
    if (ok) send(other, 3);
    MPI_Wait(req, IGNORE);  //@ 0 MPI_Wait for rank 1 | 1 MPI_Wait for rank 0
    MPI_Request_free(req);
    break;
  case 12:  //! 2 deadlock
    late(1);
    MPI_Ssend_init(&x, 1, MPI_INT, other, 3, world, req);
    MPI_Recv_init(&y, 1, MPI_INT, other, ok ? 3 : 4, world, req + 1);
    MPI_Startall(2, req);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);  //@ 0 MPI_Waitall(2 requests) for rank 1 | 1 MPI_Waitall(2 requests) for rank 0
    MPI_Request_free(req), MPI_Request_free(req + 1);
    break;
  case 13:  //! 2 deadlock
    late(1);
    if (ok) send(other, 4);
    MPI_Probe(other, 4, world, IGNORE);  //@ 0 MPI_Probe(source 1, tag 4) for rank 1 | 1 MPI_Probe(source 0, tag 4) for rank 0
    recv(other, 4);
    break;
  case 14:  //! 2 deadlock
    late(1);
    if (ok) send(other, 4);
    MPI_Message message;
    MPI_Mprobe(other, 4, world, &message, IGNORE);  //@ 0 MPI_Mprobe(source 1, tag 4) for rank 1 | 1 MPI_Mprobe(source 0, tag 4) for rank 0
    MPI_Mrecv(&y, 1, MPI_INT, &message, IGNORE);
    break;
  case 15:  //! 3 deadlock
    late(1);
    if (ok) send(to, 4);
    MPI_Probe(MPI_ANY_SOURCE, 4, world, IGNORE);  //@ 0 MPI_Probe(source any, tag 4) for any of ranks 1,2 | 1 MPI_Probe(source any, tag 4) for any of ranks 0,2 | 2 MPI_Probe(source any, tag 4) for any of ranks 0,1
    recv(MPI_ANY_SOURCE, 4);
    break;
  case 16:  //! 3 deadlock
    late(1);
    if (ok) send(to, 4);
    recv(MPI_ANY_SOURCE, MPI_ANY_TAG);  //@ 0 MPI_Recv(source any, tag any) for any of ranks 1,2 | 1 MPI_Recv(source any, tag any) for any of ranks 0,2 | 2 MPI_Recv(source any, tag any) for any of ranks 0,1
    break;
  case 17:  //! 3 deadlock
    // Rank 1 has a message, but from the wrong rank.
    late(1);
    if (rank == 2) send(1, 9);
    if (ok && rank < 2) send(other, 3);
    if (rank < 2) recv(other, MPI_ANY_TAG);  //@ 0 MPI_Recv(source 1, tag any) for rank 1 | 1 MPI_Recv(source 0, tag any) for rank 0
    if (rank == 1) recv(2, 9);
    break;
  case 18:  //! 2 deadlock
    // A buffered send waits for nobody: rank 0 is in its receive.
    {
      static char buffer[1000];
      MPI_Buffer_attach(buffer, sizeof buffer);
      late(1);
      MPI_Bsend(&x, 1, MPI_INT, other, ok ? 0 : 1, world);
      recv(other, 0);  //@ 0 MPI_Recv(source 1, tag 0) for rank 1 | 1 MPI_Recv(source 0, tag 0) for rank 0
      void *gone;
      MPI_Buffer_detach(&gone, &x);
      break;
    }
  case 19:  //! 2 deadlock
    MPI_Comm_dup(world, &comm);
    late(1);
    MPI_Isend(&x, 1, MPI_INT, other, 1, comm, req);
    MPI_Recv(&y, 1, MPI_INT, other, 1, ok ? comm : world, IGNORE);  //@ 0 MPI_Recv(source 1, tag 1) for rank 1 | 1 MPI_Recv(source 0, tag 1) for rank 0
    //~ near miss: rank 0 has sent rank 1 a message with tag 1 that is not received; it is on another communicator than the receive
    MPI_Wait(req, IGNORE);
    MPI_Comm_free(&comm);
    break;
  case 20:  //! 2 deadlock
    // The first receive takes whatever comes first, and that was what the second is meant for.
    late(1);
    if (rank == 1) send(0, 5);
    if (rank == 0) recv(MPI_ANY_SOURCE, MPI_ANY_TAG);
    if (rank == 0 && !ok) recv(1, 5);  //@ 0 MPI_Recv(source 1, tag 5) for rank 1
    if (rank == 1) recv(0, 6);  //@ 1 MPI_Recv(source 0, tag 6) for rank 0
    if (rank == 0) send(1, 6);
    break;
  case 21:  //! 1 deadlock
    if (ok) MPI_Irecv(&y, 1, MPI_INT, 0, 0, world, req);
    MPI_Ssend(&x, 1, MPI_INT, 0, 0, world);  //@ 0 MPI_Ssend(dest 0, tag 0) for itself
    MPI_Wait(req, IGNORE);
    break;
  case 22:  //! 1 deadlock
    if (ok) MPI_Isend(&x, 1, MPI_INT, 0, 0, world, req);
    recv(0, 0);  //@ 0 MPI_Recv(source 0, tag 0) for itself
    MPI_Wait(req, IGNORE);
    break;
  case 23:  //! 4 deadlock
    // Ranks 2 and 3 merely wait for the cycle.
    late(1);
    if (ok && rank < 2) send(other, 0), send(rank + 2, 0);
    if (rank < 2) recv(other, 0);  //@ 0 MPI_Recv(source 1, tag 0) for rank 1 | 1 MPI_Recv(source 0, tag 0) for rank 0
    else recv(rank - 2, 0);
    //~ for deadlocked ranks
    break;
  case 24:  //! 4 deadlock
    // An intercommunicator: 0 and 1 against 2 and 3.
    {
      MPI_Comm half, inter;
      MPI_Comm_split(world, rank / 2, 0, &half);
      MPI_Intercomm_create(half, 0, world, rank < 2 ? 2 : 0, 1, &inter);
      late(2);
      if (ok && rank % 2 == 0) MPI_Send(&x, 1, MPI_INT, 0, 0, inter);
      if (rank % 2 == 0) MPI_Recv(&y, 1, MPI_INT, 0, 0, inter, IGNORE);  //@ 0 MPI_Recv(source 0, tag 0) for rank 2 | 2 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Comm_free(&inter);
      MPI_Comm_free(&half);
      break;
    }
  case 25:  //! 2 deadlock
    // Rank 1 ends without sending.
    late(1);
    if (rank == 1 && ok) send(0, 2);
    if (rank == 0) recv(1, 2);  //@ 0 MPI_Recv(source 1, tag 2) for rank 1
    else if (!ok) MPI_Finalize(), exit(0);  //@ 1 MPI_Finalize for rank 0
    break;
  }
}
