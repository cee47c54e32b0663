// CASES: case (\d+):.*//!
// ONCE: %mpicc-check -Wno-mpicc-check-deadlock %s -o %t
// RUN: python3 %S/cases.py %s %t %mpirun-check -k %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives, constructors of communicators, neighbourhoods (MPI-3.1 5, 6.4, 7): rank 1 first wants a message that rank 0 sends behind the call.
#include "cases.h"

#define BEFORE() do { late(0); if (ok && rank == 0) send(1, 0); } while (0)
#define AFTER() do { if (!ok && rank == 0) send(1, 0); } while (0)

static void run(int number) {
  switch (number) {
  case 1:  //! 3 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Barrier(world);         //@ 0 MPI_Barrier for rank 1
    AFTER();
    break;
  case 2:  //! 3 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, world);             //@ 0 MPI_Allreduce for rank 1
    AFTER();
    break;
  case 3:  //! 2 deadlock
    // The root of a reduction waits for what it reduces.
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 0, world);             //@ 0 MPI_Reduce(root 0) for rank 1
    AFTER();
    break;
  case 4:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Gather(&x, 1, MPI_INT, z, 1, MPI_INT, 0, world);           //@ 0 MPI_Gather(root 0) for rank 1
    AFTER();
    break;
  case 5:  //! 2 deadlock
    // The others wait for the root.
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Bcast(&x, 1, MPI_INT, 1, world);                           //@ 0 MPI_Bcast(root 1) for rank 1
    AFTER();
    break;
  case 6:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Scatter(z, 1, MPI_INT, &y, 1, MPI_INT, 1, world);          //@ 0 MPI_Scatter(root 1) for rank 1
    AFTER();
    break;
  case 7:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Allgather(&x, 1, MPI_INT, z, 1, MPI_INT, world);           //@ 0 MPI_Allgather for rank 1
    AFTER();
    break;
  case 8:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Alltoall(z, 1, MPI_INT, z + 8, 1, MPI_INT, world);         //@ 0 MPI_Alltoall for rank 1
    AFTER();
    break;
  case 9:  //! 2 deadlock
    // Scan: the higher rank waits for the lower one.
    late(0);
    if (ok && rank == 1) send(0, 0);
    if (rank == 0) recv(1, 0);                                     //@ 0 MPI_Recv(source 1, tag 0) for rank 1
    MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, world);                  //@ 1 MPI_Scan for rank 0
    if (!ok && rank == 1) send(0, 0);
    break;
  case 10:  //! 2 deadlock
    late(0);
    if (ok && rank == 1) send(0, 0);
    if (rank == 0) recv(1, 0);                                     //@ 0 MPI_Recv(source 1, tag 0) for rank 1
    MPI_Exscan(&x, &y, 1, MPI_INT, MPI_SUM, world);                //@ 1 MPI_Exscan for rank 0
    if (!ok && rank == 1) send(0, 0);
    break;
  case 11:  //! 2 deadlock
    // Counts for each rank: it stands because of some rank that has not come.
    {
      int counts[] = {1, 1}, displs[] = {0, 1};
      BEFORE();
      if (rank == 1) recv(0, 0);                                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Allgatherv(&x, 1, MPI_INT, z, counts, displs, MPI_INT, world);             //@ 0 MPI_Allgatherv for rank 1
      AFTER();
      break;
    }
  case 12:  //! 2 deadlock
    {
      int counts[] = {1, 1}, displs[] = {0, 1};
      BEFORE();
      if (rank == 1) recv(0, 0);                                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Alltoallv(z, counts, displs, MPI_INT, z + 8, counts, displs, MPI_INT, world);   //@ 0 MPI_Alltoallv for rank 1
      AFTER();
      break;
    }
  case 13:  //! 2 deadlock
    {
      int counts[] = {1, 1};
      BEFORE();
      if (rank == 1) recv(0, 0);                                       //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Reduce_scatter(z, &y, counts, MPI_INT, MPI_SUM, world);      //@ 0 MPI_Reduce_scatter for rank 1
      AFTER();
      break;
    }
  case 14:  //! 3 deadlock
    // A nonblocking barrier, waited for.
    MPI_Ibarrier(world, req);
    if (!ok) MPI_Wait(req, IGNORE), MPI_Ibarrier(world, req);
    late(0);
    if (ok && rank == 0) send(1, 0);
    if (rank == 1) {
      if (!ok) MPI_Wait(req, IGNORE);
      recv(0, 0);                                        //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    } else if (!ok) MPI_Wait(req, IGNORE), MPI_Ibarrier(world, req);
    MPI_Wait(req, IGNORE);                               //@ 0 MPI_Wait for rank 1
    AFTER();
    break;
  case 15:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_SUM, world, req);
    MPI_Wait(req, IGNORE);                                         //@ 0 MPI_Wait for rank 1
    AFTER();
    break;
  case 16:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Comm_dup(world, &comm);                                    //@ 0 MPI_Comm_dup for rank 1
    AFTER();
    MPI_Comm_free(&comm);
    break;
  case 17:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Comm_split(world, 0, 0, &comm);                            //@ 0 MPI_Comm_split for rank 1
    AFTER();
    MPI_Comm_free(&comm);
    break;
  case 18:  //! 2 deadlock
    {
      MPI_Group group;
      MPI_Comm_group(world, &group);
      BEFORE();
      if (rank == 1) recv(0, 0);                                   //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Comm_create(world, group, &comm);                        //@ 0 MPI_Comm_create for rank 1
      AFTER();
      MPI_Comm_free(&comm);
      MPI_Group_free(&group);
      break;
    }
  case 19:  //! 4 deadlock
    // Of ranks 0, 1 and 3 only; rank 2 is in no way part of it.
    {
      MPI_Group all, group;
      int ranks[] = {0, 1, 3};
      MPI_Comm_group(world, &all);
      MPI_Group_incl(all, 3, ranks, &group);
      BEFORE();
      if (rank == 1) recv(0, 0);                                            //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      if (rank != 2) MPI_Comm_create_group(world, group, 5, &comm);         //@ 0 MPI_Comm_create_group for rank 1
      AFTER();
      if (rank != 2) MPI_Comm_free(&comm);
      MPI_Group_free(&group), MPI_Group_free(&all);
      break;
    }
  case 20:  //! 4 deadlock
    // One side of an intercommunicator is not complete.
    {
      MPI_Comm half, inter;
      MPI_Comm_split(world, rank / 2, 0, &half);
      BEFORE();
      if (rank == 1) recv(0, 0);                                            //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Intercomm_create(half, 0, world, rank < 2 ? 2 : 0, 1, &inter);    //@ 0 MPI_Intercomm_create for rank 1
      AFTER();
      MPI_Comm_free(&inter), MPI_Comm_free(&half);
      break;
    }
  case 21:  //! 2 deadlock
    {
      MPI_Comm inter;
      MPI_Intercomm_create(MPI_COMM_SELF, 0, world, 1 - rank, 1, &inter);
      BEFORE();
      if (rank == 1) recv(0, 0);                                            //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Intercomm_merge(inter, 0, &comm);                                 //@ 0 MPI_Intercomm_merge for rank 1
      AFTER();
      MPI_Comm_free(&comm), MPI_Comm_free(&inter);
      break;
    }
  case 22:  //! 2 deadlock
    BEFORE();
    if (rank == 1) recv(0, 0);                                     //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_Comm_idup(world, &comm, req);
    MPI_Wait(req, IGNORE);                                         //@ 0 MPI_Wait for rank 1
    AFTER();
    MPI_Comm_free(&comm);
    break;
  case 23:  //! 2 deadlock
    {
      int dims[] = {2}, periods[] = {1};
      BEFORE();
      if (rank == 1) recv(0, 0);                                   //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Cart_create(world, 1, dims, periods, 0, &comm);          //@ 0 MPI_Cart_create for rank 1
      AFTER();
      MPI_Comm_free(&comm);
      break;
    }
  case 24:  //! 2 deadlock
    {
      int index[] = {1, 2}, edges[] = {1, 0};
      BEFORE();
      if (rank == 1) recv(0, 0);                                   //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Graph_create(world, 2, index, edges, 0, &comm);          //@ 0 MPI_Graph_create for rank 1
      AFTER();
      MPI_Comm_free(&comm);
      break;
    }
  case 25:  //! 4 deadlock
    // A ring: ranks 0 and 1 are neighbours.
    {
      int dims[] = {4}, periods[] = {1};
      MPI_Cart_create(world, 1, dims, periods, 0, &comm);
      BEFORE();
      if (rank == 1) recv(0, 0);                                                  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Neighbor_alltoall(z, 1, MPI_INT, z + 8, 1, MPI_INT, comm);              //@ 0 MPI_Neighbor_alltoall for rank 1
      AFTER();
      MPI_Comm_free(&comm);
      break;
    }
  case 26:  //! 4 deadlock
    {
      int dims[] = {4}, periods[] = {1};
      MPI_Cart_create(world, 1, dims, periods, 0, &comm);
      BEFORE();
      if (rank == 1) recv(0, 0);                                                  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Ineighbor_allgather(&x, 1, MPI_INT, z + 8, 1, MPI_INT, comm, req);
      MPI_Wait(req, IGNORE);                                                      //@ 0 MPI_Wait for rank 1
      AFTER();
      MPI_Comm_free(&comm);
      break;
    }
  case 27:  //! 2 collective.call
    // Rank 0 is one collective ahead.
    late(1);
    if (rank == 0 || ok) MPI_Barrier(world);
    if (rank == 1 || ok) MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, world);
    break;
  case 28:  //! 3 collective.comm-order
    {
      MPI_Comm a, b;
      MPI_Comm_dup(world, &a), MPI_Comm_dup(world, &b);
      late(1);
      MPI_Barrier(rank == 0 && !ok ? b : a);
      MPI_Barrier(rank == 0 && !ok ? a : b);
      MPI_Comm_free(&a), MPI_Comm_free(&b);
      break;
    }
  case 29:  //! 2 deadlock
    // The end of MPI waits for all (8.7).
    BEFORE();
    if (rank == 1) recv(0, 0);                 //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    if (!ok) MPI_Finalize(), exit(0);          //@ 0 MPI_Finalize for rank 1
    break;
  case 30:  //! 4 deadlock
    {
      MPI_Comm half, inter;
      MPI_Comm_split(world, rank / 2, 0, &half);
      MPI_Intercomm_create(half, 0, world, rank < 2 ? 2 : 0, 1, &inter);
      BEFORE();
      if (rank == 1) recv(0, 0);   //@ 1 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Barrier(inter);          //@ 0 MPI_Barrier for rank 1
      AFTER();
      MPI_Comm_free(&inter), MPI_Comm_free(&half);
      break;
    }
  case 31:  //! 2 deadlock
    // The leaders do not agree on a tag (6.6.2).
    {
      MPI_Comm inter, other;
      late(0);
      //~ near miss: rank 0 calls MPI_Intercomm_create with tag 1, rank 1 with tag 2
      MPI_Intercomm_create(MPI_COMM_SELF, 0, world, 1 - rank, ok ? 1 : 1 + rank, &inter);   //@ 0 MPI_Intercomm_create for rank 1 | 1 MPI_Intercomm_create for rank 0
      MPI_Intercomm_create(MPI_COMM_SELF, 0, world, 1 - rank, 2, &other);
      MPI_Comm_free(&inter), MPI_Comm_free(&other);
      break;
    }
  case 32:  //! 4 deadlock
    // A leader comes late: the other one waits for it, and both groups for their leaders.
    {
      MPI_Comm half, inter;
      MPI_Comm_split(world, rank / 2, 0, &half);
      late(2);
      if (ok && rank == 0) send(2, 0);
      if (rank == 2) recv(0, 0);                                            //@ 2 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Intercomm_create(half, 0, world, rank < 2 ? 2 : 0, 1, &inter);    //@ 0 MPI_Intercomm_create for rank 2
      if (!ok && rank == 0) send(2, 0);
      MPI_Comm_free(&inter), MPI_Comm_free(&half);
      break;
    }
  case 33:  //! 4 deadlock
    // Who is no leader waits for the other group by way of its own leader, here the last rank.
    {
      MPI_Comm half, inter;
      MPI_Comm_split(world, rank / 2, 0, &half);
      late(3);
      if (ok && rank == 0) send(3, 0);
      if (rank == 3) recv(0, 0);                                            //@ 3 MPI_Recv(source 0, tag 0) for rank 0
      MPI_Intercomm_create(half, 1, world, rank < 2 ? 3 : 1, 1, &inter);    //@ 0 MPI_Intercomm_create for rank 1 | 1 MPI_Intercomm_create for rank 3
      if (!ok && rank == 0) send(3, 0);
      MPI_Comm_free(&inter), MPI_Comm_free(&half);
      break;
    }
  }
}
