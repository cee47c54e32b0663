// RUN: %unit/merge-tool 2>&1 | FileCheck %s --match-full-lines --strict-whitespace --implicit-check-not=mpicc-check
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cause, one finding: equal but for the ranks that are named, and at stacks whose text is the same.
#include "stack.h"

static struct mck_findings list;

NOINLINE static void tag(int rank, uint32_t site, int value) {
  struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_ARG_TAG, rank);
  mck_finding_text(f, "tag %d is negative", value);
  mck_finding_place(f, rank, site, "MPI_Send from rank %d", rank);
}

static struct mck_finding *lost(int rank, int from, uint32_t count) {
  struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_MESSAGE_LOST, rank);
  mck_finding_text(f, "message from ranks %d and %d to rank %d, bytes 16..31", from, from + 1, rank);
  f->count = count;
  return f;
}

static struct mck_finding *race(int rank, uint32_t one, uint32_t other) {
  struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_RMA_RACE, rank);
  mck_finding_text(f, "race on a window of rank %d", rank);
  mck_finding_place(f, rank + 1, one, "MPI_Put from rank %d", rank + 1);
  mck_finding_place(f, rank + 2, other, "conflicts with MPI_Put from rank %d", rank + 2);
  return f;
}

int main(void) {
  uint32_t sites[3];
  sites[0] = stack_here(), sites[1] = stack_here();  // two places, one line: a statement that loads twice, a loop that was unrolled
  sites[2] = stack_here();
  RETURN_HERE();
  for (int rank = 7; rank >= 0; rank--)
    if (rank != 3 && rank != 5) tag(rank, sites[0], -1);
  tag(2, sites[0], -1);
  tag(1, sites[0], -2);  // another text
  tag(1, sites[1], -1);
  tag(1, sites[2], -1);  // another line
  lost(4, 1, 2);
  lost(6, 3, 1);
  lost(6, 1, 1)->text[48] = '9';  // bytes 16..91: not a rank, so another finding
  race(0, sites[0], sites[2]), race(1, sites[2], sites[0]);  // mirror images
  mck_finding_text(mck_findings_add(&list, MCK_CHECK_RUN_DIED, 7), "rank 7 was killed");
  struct mck_finding *cause = mck_findings_add(&list, MCK_CHECK_ARG_MEMORY_ROOM, 7);
  cause->role = MCK_ROLE_CAUSE;
  mck_finding_text(cause, "too long");
  // clang-format off
//      CHECK:==mpicc-check== WARNING [arg.memory-room] too long
// CHECK-NEXT:  on rank 7
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== ERROR [run.died] rank 7 was killed
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== ERROR [arg.tag] tag -1 is negative
// CHECK-NEXT:  on ranks 0-2,4,6,7, 8 times; shown as on rank 0
// CHECK-NEXT:  MPI_Send from rank 0  merge-tool.c:[[#@LINE-25]] in main
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== ERROR [rma.race] race on a window of rank 0
// CHECK-NEXT:  on ranks 0,1; shown as on rank 0
// CHECK-NEXT:  MPI_Put from rank 1                 merge-tool.c:[[#@LINE-29]] in main
// CHECK-NEXT:  conflicts with MPI_Put from rank 2  merge-tool.c:[[#@LINE-29]] in main
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== ERROR [arg.tag] tag -2 is negative
// CHECK-NEXT:  MPI_Send from rank 1  merge-tool.c:[[#@LINE-33]] in main
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== ERROR [arg.tag] tag -1 is negative
// CHECK-NEXT:  MPI_Send from rank 1  merge-tool.c:[[#@LINE-35]] in main
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== ERROR [message.lost] message from ranks 1 and 2 to rank 4, bytes 16..31
// CHECK-NEXT:  on ranks 4,6, 3 times; shown as on rank 4
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== ERROR [message.lost] message from ranks 1 and 2 to rank 6, bytes 16..91
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== 7 errors, 1 warning, 0 notes in merge on 8 ranks (1,234,567 MPI calls), incomplete
// CHECK-NOT:{{.}}
  // clang-format on
  struct mck_report_run run = {.program = "merge", .size = 8, .calls = 1234567, .is_incomplete = true};
  int errors = mck_report_write(&list, &stack_source, &run, NULL);
  mck_findings_free(&list);
  return errors == 7 ? 0 : 1;
}
