// RUN: rm -rf %t && mkdir %t && cd %t && %unit/many-tool | FileCheck %s
// RUN: grep -c '"id": "rma.race"' many.json | FileCheck %s --check-prefix=COUNT
// CHECK: 1000 findings of 64 ranks, text and JSON: less than 1 s
// COUNT: {{^}}1000{{$}}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the report of a large run takes: 64 ranks have 1,000 findings each, with stacks of the program.
#include <stdio.h>
#include <time.h>
#include "stack.h"

NOINLINE static uint32_t inner(void) {
  uint32_t site = stack_here();
  RETURN_HERE();
  return site;
}
NOINLINE static uint32_t outer(void) {
  uint32_t site = inner();
  RETURN_HERE();
  return site;
}

int main(void) {
  enum { RANKS = 64, KINDS = 1000 };
  uint32_t sites[2] = {outer(), inner()};
  struct mck_findings list = {0};
  for (int rank = 0; rank < RANKS; rank++)
    for (int i = 0; i < KINDS; i++) {
      struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_RMA_RACE, rank);
      mck_finding_text(f, "race on window \"w%c%c\" of rank %d", 'a' + i % 26, 'a' + i / 26, rank);
      mck_finding_place(f, rank, sites[0], "MPI_Put from rank %d", rank);
      mck_finding_place(f, (rank + 1) % RANKS, sites[1], "conflicts with store by rank %d", (rank + 1) % RANKS);
      mck_finding_why(f, "neither completed before the other: both in fence epoch 1");
    }
  struct mck_report_run run = {.program = "./many", .size = RANKS, .calls = 1000000};
  struct mck_report_options options = {.text_path = "many.txt", .json_path = "many.json"};
  clock_t begin = clock();
  int failing = mck_report_write(&list, &stack_source, &run, &options);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  mck_findings_free(&list);
  fprintf(stderr, "%.2f s of processor time\n", seconds);
  printf("%d findings of %d ranks, text and JSON: %s 1 s\n", failing, RANKS, seconds < 1 ? "less than" : "more than");
  return 0;
}
