// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler warned of and the run confirms is one finding with both parts: judged in MPI_Finalize (1), and from
// the files of a run that dies (2) or hangs (3).
// RUN: %mpicc-check %s -o %t 2>/dev/null
// RUN: %expect66 %mpirun-check --json %t.json -n 2 %t 1 2>&1 | \
// RUN:   FileCheck %s --check-prefix=LIVES --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: %expect66 %mpirun-check -n 2 %t 2 2>&1 | \
// RUN:   FileCheck %s --check-prefix=DIES --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check --check-options graph=none -n 2 %t 3 2>&1 | \
// RUN:   FileCheck %s --check-prefix=HANGS --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check --check-options compiler_warnings=0 -n 2 %t 1 2>&1 | FileCheck %s --check-prefix=OFF
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  long n = 3;
  int rank, mode = argc > 1 ? atoi(argv[1]) : 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (mode == 1) MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (mode == 2) MPI_Send(&n, 1, MPI_LONG, 1 - rank, -9, MPI_COMM_WORLD);
  if (mode == 3 && rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
// LIVES: ==mpicc-check== ERROR [type.buffer]
// LIVES-NEXT: on ranks 0,1
// LIVES: the compiler warned of it at confirmed.c:21:18 [type.buffer]
// LIVES: ==mpicc-check== NOTE [static.unexecuted] the compiler warned of 2 places
// LIVES-NEXT: confirmed.c:23 in main: {{.*}}[collective.divergence]
// LIVES-NEXT: confirmed.c:22 in main: {{.*}}[arg.tag]
// LIVES-NEXT: help:
// LIVES-NEXT: ==mpicc-check== 1 error, 0 warnings, 1 note

// JSON: "warned": {
// JSON-NEXT: "id": "type.buffer"
// JSON: "line": 21
// JSON-NEXT: "column": 18
// JSON-NEXT: "function": "main"
// JSON: "warnings": [
// JSON: "line": 23
// JSON: "executed": false
// JSON-NEXT: "confirmed": false
// JSON: "line": 21
// JSON: "executed": true
// JSON-NEXT: "confirmed": true

// DIES: ==mpicc-check== ERROR [arg.tag]
// DIES: the compiler warned of it at confirmed.c:22:18 [arg.tag]
// DIES: ==mpicc-check== NOTE [static.unexecuted] the compiler warned of 2 places
// HANGS: ==mpicc-check== ERROR [collective.call]
// HANGS: the compiler warned of it at confirmed.c:23:31 [collective.divergence]
// HANGS: ==mpicc-check== NOTE [static.unexecuted] the compiler warned of 2 places
// OFF: ==mpicc-check== ERROR [type.buffer]
// OFF-NOT: the compiler
// OFF: ==mpicc-check== 1 error, 0 warnings, 0 notes
