// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler warns of and no rank executes is said once, at the end; the exit code stays 0. Ignored places,
// and those of kinds that are switched off, are not said.
// RUN: %mpicc-check -Wno-mpicc-check-arg.count %s -o %t 2>/dev/null
// RUN: %mpirun-check --json %t.json -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: %mpirun-check --check-options compiler_warnings=0 -n 2 %t 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: ==mpicc-check== no errors found
// Each is a result in SARIF. A report that is read has them again, and of two runs only what neither executed is said.
// RUN: %mpicc-check-report --sarif %t.sarif --json %t.again.json %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.again.json
// RUN: FileCheck %s --check-prefix=SARIF --input-file=%t.sarif
// RUN: sed 's/"executed": false/"executed": true/' %t.json > %t.other.json
// RUN: %mpicc-check-report %t.other.json %t.json | FileCheck %s --check-prefix=OFF
// Rules of the run count for them, by their kinds.
// RUN: echo 'arg.tag:report (known)' > %t.rules && echo 'collective.divergence:fun=main (known)' >> %t.rules
// RUN: %mpicc-check-report --suppressions %t.rules --json %t.known.json %t.json | FileCheck %s --check-prefix=KNOWN
// RUN: FileCheck %s --check-prefix=REASON --input-file=%t.known.json
#include <mpi.h>

static void report(int rank, int *value) {
  // CHECK: ==mpicc-check== NOTE [static.unexecuted] the compiler warned of 2 places that no rank executed in this run
  // CHECK-NEXT: unexecuted.c:[[#@LINE+1]] in report: {{.*}}MPI_Barrier is not called by all{{.*}} [collective.divergence]
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  // CHECK-NEXT: unexecuted.c:[[#@LINE+1]] in report: tag of MPI_Send is negative (-2) [arg.tag]
  MPI_Send(value, 1, MPI_INT, 0, -2, MPI_COMM_WORLD);
  MPI_Send(value, 1, MPI_INT, 0, -2, MPI_COMM_WORLD); // mpicc-check: ignore arg.tag
  MPI_Send(value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, size, value[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1) report(rank, value);
  if (rank == 1) MPI_Recv(value, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Send(value, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
// CHECK-NEXT: help:
// CHECK-NEXT: ==mpicc-check== 0 errors, 0 warnings, 1 note
// JSON: "warnings": [
// JSON: "executed": false
// JSON: "executed": false
// JSON-NOT: "executed"
// SARIF: "text": "{{.*}}The compiler warned of it; no rank executed it in this run."
// SARIF: "ruleId": "collective.divergence"
// SARIF: "startColumn": 18
// SARIF: "ruleId": "arg.tag"
// SARIF-NOT: "ruleId"
// KNOWN: [static.unexecuted] the compiler warned of 1 place that no rank executed in this run
// KNOWN-NEXT: [collective.divergence]
// KNOWN-NOT: unused
// KNOWN: 0 errors, 0 warnings, 1 note
// REASON: "id": "arg.tag"
// REASON: "suppressed": {
// REASON-NEXT: "reason": "known"
