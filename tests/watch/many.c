// RUN: %mpicc-check %s -o %t
// RUN: python3 %S/cases.py %s %t %mpirun-check
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64 ranks on however few cores: a deadlock of three has exactly these as its core, while the others wait for them, or compute.
#include "cases.h"

static void run(int number) {
  switch (number) {
  case 1:  //! 64 deadlock
    // 7 waits for 30, 30 for 51, 51 for 7; all others are in the barrier behind.
    late(7);
    if (ok && rank == 7) send(51, 0);
    if (rank == 7) recv(30, 0);    //@ 7 MPI_Recv(source 30, tag 0) for rank 30
    if (rank == 30) recv(51, 0);   //@ 30 MPI_Recv(source 51, tag 0) for rank 51
    if (rank == 51) recv(7, 0);    //@ 51 MPI_Recv(source 7, tag 0) for rank 7
    if (ok && rank == 51) send(30, 0);
    if (ok && rank == 30) send(7, 0);
    //~ 3 ranks wait for each other: MPI_Recv on rank 7, MPI_Recv on rank 30, MPI_Recv on rank 51
    break;
  }
}
