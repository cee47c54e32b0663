// RUN: %unit/places-tool 2>&1 | FileCheck %s --match-full-lines --strict-whitespace --implicit-check-not=mpicc-check
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places: lines, inlined functions, what is left out, and what stands in where nothing is known.
#include "stack.h"

static uint32_t sites[2];

__attribute__((always_inline)) static inline void exchange(void) {
  sites[0] = stack_here();
  RETURN_HERE();
}

NOINLINE static void relax(void) {
  exchange();
  RETURN_HERE();
}

// A C++ name, without C++.
NOINLINE void _ZN4halo5storeEi(int n);
NOINLINE void _ZN4halo5storeEi(int n) {
  sites[1] = stack_here();
  __asm__ volatile("" : "+r"(n));
}

static void *symbol(const char *name, int distance) { return (char *)dlsym(RTLD_DEFAULT, name) + distance; }

int main(void) {
  relax();
  _ZN4halo5storeEi(7);
  struct mck_findings list = {0};
  struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_RMA_RACE, 2);
  mck_finding_text(f, "race on window \"halo\" of rank 2, bytes 128..255");
  mck_finding_place(f, 1, sites[0], "MPI_Put from rank 1");
  mck_finding_place(f, 2, sites[1], "conflicts with store by rank 2");
  mck_finding_place(f, -1, MCK_NONE, "a label alone");
  mck_finding_why(f, "neither completed before the other");
  mck_finding_why(f, "both are in one epoch");
  // clang-format off
//      CHECK:==mpicc-check== ERROR [rma.race] race on window "halo" of rank 2, bytes 128..255
// CHECK-NEXT:  MPI_Put from rank 1             places-tool.c:[[#@LINE-31]] in exchange
// CHECK-NEXT:      called from places-tool.c:[[#@LINE-27]] in relax
// CHECK-NEXT:      called from places-tool.c:[[#@LINE-14]] in main
// CHECK-NEXT:  conflicts with store by rank 2  places-tool.c:[[#@LINE-22]] in halo::store(int)
// CHECK-NEXT:      called from places-tool.c:[[#@LINE-15]] in main
// CHECK-NEXT:  a label alone
// CHECK-NEXT:  neither completed before the other
// CHECK-NEXT:  both are in one epoch
// CHECK-NEXT:  help: separate the two accesses by a synchronization of the window
  // clang-format on

  // Our own frames go; a program that is not there is shown by its offset, and ends the stack.
  struct mck_frame gone[] = {
      {"/opt/lib/libmpicc-check.so", 64}, {"/nowhere/gone", 0x1234}, frame_of(symbol("json_integer", 5))};
  f = mck_findings_add(&list, MCK_CHECK_ARG_TAG, 3);
  mck_finding_text(f, "tag -7\x1b[31m\x01 \xff\nsecond line");
  mck_finding_place(f, 3, stack_add(gone, 3), "MPI_Send");
  mck_finding_help(f, "first\nsecond");
  // clang-format off
// CHECK-NEXT:==mpicc-check== ERROR [arg.tag] tag -7\x1b[31m\x01 \xff
// CHECK-NEXT:  second line
// CHECK-NEXT:  on rank 3
// CHECK-NEXT:  MPI_Send  gone+0x1234
// CHECK-NEXT:  help: first
// CHECK-NEXT:        second
  // clang-format on

  // An exported symbol of a library (one that the report itself needs; it has no debug information);
  // a function of a library that cannot be resolved is left out, one of a program with all behind it.
  struct mck_frame library[] = {frame_of(symbol("json_integer", 5)),
                                {"/nowhere/libgone.so", 0x1234},
                                frame_of(symbol("json_object", 5)),
                                {"/nowhere/gone", 0x1234},
                                frame_of(symbol("json_integer", 5))};
  f = mck_findings_add(&list, MCK_CHECK_LEAK_COMM, 0);
  mck_finding_text(f, "communicator of rank 0 not freed");
  mck_finding_place(f, 0, stack_add(library, 5), "made by MPI_Comm_dup");
  mck_findings_add(&list, MCK_CHECK_UNCHECKED, -1);  // without a text, as when out of memory
  // clang-format off
// CHECK-NEXT:==mpicc-check== WARNING [leak.comm] communicator of rank 0 not freed
// CHECK-NEXT:  made by MPI_Comm_dup  {{libjansson.so.[0-9.]+ in json_integer\+0x5|[a-z_-]+\.[a-z]+:[0-9]+ in .*json_integer.*}}
// CHECK-NEXT:      called from {{.*}}json_object{{.*}}
// CHECK-NEXT:  help: call MPI_Comm_free before MPI_Finalize
// CHECK-NEXT:==mpicc-check== NOTE [unchecked] (out of memory: no text)
// CHECK-NEXT:  help: nothing to mend: this says what was not checked
// CHECK-NEXT:==mpicc-check== 2 errors, 1 warning, 1 note in ./places on 4 ranks (1,234 MPI calls)
// CHECK-NOT:{{.}}
  // clang-format on
  struct mck_report_run run = {.program = "./places", .size = 4, .calls = 1234};
  int errors = mck_report_write(&list, &stack_source, &run, &(struct mck_report_options){0});
  mck_findings_free(&list);
  return errors == 2 ? 0 : 1;
}
