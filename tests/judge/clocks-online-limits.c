// RUN: %mpicc-check %s -o %t
// RUN: %expect 0 %mpirun-check --check-options clocks=online:simulated_nodes=2 -n 3 %t 2>&1 | FileCheck %s --check-prefix=NODES --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect 0 %mpirun-check --check-options clocks=online -n 3 %t threads 2>&1 | FileCheck %s --check-prefix=THREADS --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect 0 %mpirun-check --check-options clocks=online --mca btl self,vader,tcp -n 3 %t world 2>&1 | FileCheck %s --check-prefix=WORLD --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect 0 %mpirun-check --mca btl self,vader,tcp -n 3 %t world 2>&1 | FileCheck %s --check-prefix=LOGS --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report says once what clocks=online does not follow. Races before that point are reported; behind it none, as they may be wrong.
// NODES: ==mpicc-check== NOTE [unchecked] clocks=online does not follow runs on several nodes: message races were not looked for
// NODES: ==mpicc-check== 0 errors, 0 warnings, 1 note
// THREADS: ==mpicc-check== NOTE [unchecked] clocks=online does not follow programs that ask for MPI_THREAD_MULTIPLE: message races were not looked for
// THREADS: ==mpicc-check== 0 errors, 0 warnings, 1 note
// WORLD: ==mpicc-check== NOTE [message.race]
// WORLD: 1 of 2 receives here could have got another message; up to 2 ranks could be first
// WORLD: ==mpicc-check== NOTE [unchecked] clocks=online could not follow this rank to its end (processes of another MPI_COMM_WORLD take part): message races behind that were not looked for
// WORLD: ==mpicc-check== 0 errors, 0 warnings, 2 notes
// The logs have all of this world, and nothing of another.
// LOGS: ==mpicc-check== NOTE [message.race]
// LOGS: processes of another MPI_COMM_WORLD take part; their messages are not seen, and may have ordered these
// LOGS: ==mpicc-check== NOTE [message.race]
// LOGS: processes of another MPI_COMM_WORLD take part; their messages are not seen, and may have ordered these
// LOGS: ==mpicc-check== 0 errors, 0 warnings, 2 notes
#include <mpi.h>
#include <string.h>

static void race(int rank) {
  int x;
  for (int i = 0; i < 2 && rank == 0; i++) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, provided;
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm other;
  MPI_Init_thread(&argc, &argv, argc > 1 && !strcmp(argv[1], "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  race(rank);
  if (argc > 1 && !strcmp(argv[1], "world")) {
    if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    if (rank == 1) MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    if (rank < 2) MPI_Comm_disconnect(&other);
    if (rank == 0) MPI_Close_port(port);
    race(rank);
  }
  MPI_Finalize();
  return 0;
}
