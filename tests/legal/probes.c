// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE .[^m]}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: probes and matched probes. What comes to its wildcards depends on timing: notes only.
// CHECK: done
// CHECK: ==mpicc-check== {{no errors found|0 errors, 0 warnings, [0-9]+ note}}
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, flag = 0, n, y[40], x[40] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Message m, m2;
  MPI_Status s;
  MPI_Request r, q;
  if (rank) {
    for (int tag = 0; tag < 8; tag++) MPI_Send(x, tag + 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Send(x, 3, MPI_INT, 0, 20, MPI_COMM_WORLD);
    MPI_Send(x, 5, MPI_INT, 0, 20, MPI_COMM_WORLD);
    MPI_Send(x, 1, MPI_INT, 0, 21, MPI_COMM_WORLD);
  } else {
    for (int k = 0; k < 8 * (size - 1); k++) {   // MPI-3.1 3.8.1
      if (k & 1) MPI_Probe(MPI_ANY_SOURCE, k / (size - 1), MPI_COMM_WORLD, &s);
      else do MPI_Iprobe(MPI_ANY_SOURCE, k / (size - 1), MPI_COMM_WORLD, &flag, &s); while (!flag);
      MPI_Get_count(&s, MPI_INT, &n);
      MPI_Recv(y, n, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int from = 1; from < size; from++) {    // 3.8.2, 3.8.3: received in another order than probed
      MPI_Mprobe(from, 20, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
      do MPI_Improbe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &m2, MPI_STATUS_IGNORE); while (!flag);
      MPI_Imrecv(y + 10, 5, MPI_INT, &m2, &r);
      MPI_Mrecv(y, 3, MPI_INT, &m, &s);
      MPI_Wait(&r, &s);
      MPI_Get_count(&s, MPI_INT, &n);
      if (n != 5) abort();
      MPI_Recv(y, 1, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  // MPI_PROC_NULL: a message of no process (3.8.2)
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &m, &s);
  MPI_Mrecv(NULL, 0, MPI_INT, &m, MPI_STATUS_IGNORE);
  MPI_Improbe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &m, MPI_STATUS_IGNORE);
  MPI_Imrecv(y, 40, MPI_INT, &m, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &s);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);   // may see the next rank's message
  // Large messages through a matched probe, both ways at once.
  static char big[1 << 20], out[1 << 20];
  int right = (rank + 1) % size;
  MPI_Isend(out, 1 << 20, MPI_CHAR, right, 30, MPI_COMM_WORLD, &q);
  MPI_Mprobe(MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &m, &s);
  MPI_Imrecv(big, 1 << 20, MPI_CHAR, &m, &r);
  MPI_Request both[2] = {r, q};
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  out[0] = big[0];
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
