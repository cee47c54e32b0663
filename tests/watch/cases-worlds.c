// CASES: case (\d+):.*//!
// ONCE: %mpicc-check -Wno-mpicc-check-deadlock %s -o %t
// RUN: env OMPI_MCA_btl=self,vader,tcp python3 %S/cases.py %s %t %mpirun-check -k %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes that are started or met (MPI-3.1 10.3.2, 10.4.2, 10.4.3): only the root says which, so the others wait for it; rank 0 first wants a message that
// rank 1 sends behind the call.
#define _GNU_SOURCE
#include <errno.h>
#include "cases.h"

#define BEFORE() do { late(1); if (ok && rank == 1) send(0, 0); } while (0)
#define AFTER() do { if (!ok && rank == 1) send(0, 0); } while (0)
static char port[MPI_MAX_PORT_NAME], number_of_child[] = "0";

// Two halves of the job that do not know each other by any communicator but MPI_COMM_WORLD.
static MPI_Comm halve(void) {
  MPI_Comm half;
  MPI_Comm_split(world, rank / 2, 0, &half);
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, sizeof port, MPI_CHAR, 0, world);
  return half;
}

static void part(MPI_Comm half) {
  MPI_Comm_disconnect(&comm);
  MPI_Comm_free(&half);
  if (rank == 0) MPI_Close_port(port);
}

static void run(int number) {
  char *arguments[] = {number_of_child, NULL}, *commands[] = {program_invocation_name}, **lists[] = {arguments};
  int processes[] = {1};
  MPI_Info infos[] = {MPI_INFO_NULL};
  MPI_Comm half;
  switch (number) {
  case 0:   // a child
    MPI_Comm_get_parent(&comm);
    MPI_Comm_disconnect(&comm);
    break;
  case 1:  //! 3 deadlock
    BEFORE();
    if (rank == 0) recv(1, 0);                                                                                            //@ 0 MPI_Recv(source 1, tag 0) for rank 1
    MPI_Comm_spawn(program_invocation_name, arguments, 1, MPI_INFO_NULL, 0, world, &comm, MPI_ERRCODES_IGNORE);           //@ 1 MPI_Comm_spawn(root 0) for rank 0
    MPI_Comm_disconnect(&comm);
    AFTER();
    break;
  case 2:  //! 2 deadlock
    BEFORE();
    if (rank == 0) recv(1, 0);                                                                         //@ 0 MPI_Recv(source 1, tag 0) for rank 1
    MPI_Comm_spawn_multiple(1, commands, lists, processes, infos, 0, world, &comm, MPI_ERRCODES_IGNORE);   //@ 1 MPI_Comm_spawn_multiple(root 0) for rank 0
    MPI_Comm_disconnect(&comm);
    AFTER();
    break;
  case 3:  //! 4 deadlock
    half = halve();
    BEFORE();
    if (rank == 0) recv(1, 0);                                                     //@ 0 MPI_Recv(source 1, tag 0) for rank 1
    if (rank < 2) MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &comm);            //@ 1 MPI_Comm_accept(root 0) for rank 0
    else MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &comm);
    AFTER();
    part(half);
    break;
  case 4:  //! 4 deadlock
    half = halve();
    BEFORE();
    if (rank == 0) recv(1, 0);                                                     //@ 0 MPI_Recv(source 1, tag 0) for rank 1
    if (rank < 2) MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &comm);           //@ 1 MPI_Comm_connect(root 0) for rank 0
    else MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &comm);
    AFTER();
    part(half);
    break;
  case 5:  //! 2 collective.call
    // The calls do not go together: neither comes to the other's.
    //~ deadlock: 2 ranks wait for each other: MPI_Barrier on rank 0, MPI_Comm_spawn on rank 1
    late(0);
    if (ok || rank == 0) MPI_Barrier(world);
    if (ok || rank == 1) MPI_Comm_spawn(program_invocation_name, arguments, 1, MPI_INFO_NULL, 0, world, &comm, MPI_ERRCODES_IGNORE);
    if (ok) MPI_Comm_disconnect(&comm);
    break;
  }
}
