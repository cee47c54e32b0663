// RUN: rm -rf %t; mkdir %t; cd %t && %unit/call-paths-tool > out 2>&1 && FileCheck %s --match-full-lines < out
// RUN: grep -c '"id": "arg.tag"' all.json | FileCheck %s --check-prefix=JSON
// JSON:23
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An error in one function that is called at many places: three findings are whole, the others are their callers.
#include "stack.h"

static struct mck_findings list;

NOINLINE static void post(int tag) {
  uint32_t site = stack_here();
  struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_ARG_TAG, 0);
  mck_finding_text(f, "tag %d is negative", tag);
  mck_finding_place(f, 0, site, "MPI_Send");
  RETURN_HERE();
}

NOINLINE static void halo(int tag) {
  post(tag);
  post(tag);
  post(tag);
  post(tag);
  RETURN_HERE();
}

int main(void) {
  halo(-1);
  halo(-1);
  halo(-1);
  halo(-1);
  halo(-1);
  post(-2);  // three are whole
  post(-2);
  post(-2);
  // clang-format off
//      CHECK:==mpicc-check== ERROR [arg.tag] tag -1 is negative
// CHECK-NEXT:  MPI_Send  call-paths-tool.c:12 in post
// CHECK-NEXT:      called from call-paths-tool.c:20 in halo
// CHECK-NEXT:      called from call-paths-tool.c:28 in main
// CHECK-NEXT:  help: {{.*}}
//      CHECK:      called from call-paths-tool.c:21 in halo
// CHECK-NEXT:      called from call-paths-tool.c:28 in main
//      CHECK:      called from call-paths-tool.c:22 in halo
// CHECK-NEXT:      called from call-paths-tool.c:28 in main
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:  and the same by 17 other call paths:
// CHECK-NEXT:      called from call-paths-tool.c:23 in halo, call-paths-tool.c:28 in main
// CHECK-NEXT:      called from call-paths-tool.c:20 in halo, call-paths-tool.c:29 in main
// CHECK-NEXT:      called from call-paths-tool.c:21 in halo, call-paths-tool.c:29 in main
// CHECK-NEXT:      called from call-paths-tool.c:22 in halo, call-paths-tool.c:29 in main
// CHECK-NEXT:      called from call-paths-tool.c:23 in halo, call-paths-tool.c:29 in main
// CHECK-NEXT:      called from call-paths-tool.c:20 in halo, call-paths-tool.c:30 in main
// CHECK-NEXT:      called from call-paths-tool.c:21 in halo, call-paths-tool.c:30 in main
// CHECK-NEXT:      called from call-paths-tool.c:22 in halo, call-paths-tool.c:30 in main
// CHECK-NEXT:      called from call-paths-tool.c:23 in halo, call-paths-tool.c:30 in main
// CHECK-NEXT:      called from call-paths-tool.c:20 in halo, call-paths-tool.c:31 in main
// CHECK-NEXT:      and 7 more (option json writes all)
// CHECK-NEXT:==mpicc-check== ERROR [arg.tag] tag -2 is negative
//      CHECK:      called from call-paths-tool.c:35 in main
// CHECK-NEXT:  help: {{.*}}
// CHECK-NEXT:==mpicc-check== 23 errors, 0 warnings, 0 notes in paths on 1 rank (20 MPI calls)
  // clang-format on
  struct mck_report_run run = {.program = "paths", .size = 1, .calls = 20};
  struct mck_report_options options = {.json_path = "all.json"};
  int errors = mck_report_write(&list, &stack_source, &run, &options);
  mck_findings_free(&list);
  return errors == 23 ? 0 : 1;
}
