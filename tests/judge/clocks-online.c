// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --check-options clocks=online --take 1:1=0 -n 3 %t 1 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=online --take 0:1=1 -n 3 %t 2 2>&1 | FileCheck %s --check-prefix=TWO --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=online --take 2:1=0 -n 3 %t 3 2>&1 | FileCheck %s --check-prefix=THREE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=online --take 1:1=0 -n 3 %t 5 2>&1 | FileCheck %s --check-prefix=FIVE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=online --take 2:1=1 -n 3 %t 7 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --take 2:1=1 -n 3 %t 7 2>&1 | FileCheck %s --check-prefix=SEVEN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=online --take 1:1=0 -n 3 %t 9 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The figures of the lazy clocks' paper, with clocks that go with the messages; the last one is its C9', a synchronous send. Figure 7 is what
// LLCP misses and LVCP finds.
// ONE: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they {{look alike|are sent by different calls}}
// ONE: 1 of 1 receive here could have got another message; up to 2 ranks could be first
// ONE: to run it the other way: mpirun-check --take 1:1=2:0
// TWO: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they {{look alike|are sent by different calls}}
// TWO: 1 of 2 receives here could have got another message
// TWO: to run it the other way: mpirun-check --take 0:1=2:0
// THREE: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they {{look alike|are sent by different calls}}
// THREE: 1 of 1 receive here could have got another message
// THREE: to run it the other way: mpirun-check --take 2:1=1:0
// FIVE: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they {{look alike|are sent by different calls}}
// FIVE: 1 of 2 receives here could have got another message
// FIVE: to run it the other way: mpirun-check --take 1:1=2:0
// SEVEN: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they {{look alike|are sent by different calls}}
// SEVEN: to run it the other way: mpirun-check --take 2:1=0:0
// ONE: ==mpicc-check== 0 errors, 0 warnings, 1 note
// TWO: ==mpicc-check== 0 errors, 0 warnings, 1 note
// THREE: ==mpicc-check== 0 errors, 0 warnings, 1 note
// FIVE: ==mpicc-check== 0 errors, 0 warnings, 1 note
// SEVEN: ==mpicc-check== 0 errors, 0 warnings, 1 note
// NONE: no errors found
#include <mpi.h>
#include <stdlib.h>

static int rank, x;
static MPI_Request request = MPI_REQUEST_NULL;
static void any(int me) { if (rank == me) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void iany(int me) { static int y; if (rank == me) MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); }
static void take(int me, int from) { if (rank == me) MPI_Recv(&x, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void give(int me, int to) { if (rank == me) MPI_Send(&rank, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  int figure = argc > 1 ? atoi(argv[1]) : 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  switch (figure) {
  case 1: iany(1), give(0, 1), MPI_Barrier(MPI_COMM_WORLD), give(2, 1); any(1); break;
  case 2: give(1, 0), give(1, 2), take(2, 1), give(2, 0); for (int i = 0; i < 2; i++) any(0); break;
  case 3: give(0, 2), give(1, 2), iany(2), any(2), give(2, 0), take(0, 2); break;
  case 5: give(0, 1), give(2, 1); for (int i = 0; i < 2; i++) any(1); give(1, 0), take(0, 1); break;
  case 7: give(1, 0), any(0), give(0, 2), give(1, 2), any(2), take(2, 0); break;
  default:
    iany(1);
    if (rank == 0) MPI_Ssend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    give(0, 2), take(2, 0), give(2, 1), any(1);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
