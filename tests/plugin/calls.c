// What the pass makes of MPI calls, in every way of linking: without a runtime the library's own functions are called.
// RUN: %clang -O2 -c -DLIBRARY %s -o %t-library.o && %clang -O2 -c -DRUNTIME -I%source/rt %s -o %t-runtime.o
// RUN: %clang -O0 -fpass-plugin=%plugin %s %t-library.o -o %t && %t | FileCheck %s --check-prefix=ALONE
// RUN: %clang -O2 -static -fpass-plugin=%plugin %s %t-library.o -o %t && %t | FileCheck %s --check-prefix=ALONE
// RUN: %clang -O0 -fpass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// RUN: %clang -O3 -fpass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -static -fpass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -fno-pie -no-pie -fuse-ld=lld -fpass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -fno-integrated-as -fpass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections -fpass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -ffunction-sections -Wl,--gc-sections -fuse-ld=lld -fpass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -flto -fuse-ld=lld -fpass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -fpass-plugin=%plugin -Wl,--load-pass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s
// In a link step alone nothing is known of the source.
// RUN: %clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %s %t-library.o %t-runtime.o -o %t && %t | FileCheck %s --check-prefix=LINK
// ALONE: 10 10 10
// CHECK: redirected MPI_Barrier
// CHECK-NOT: redirected
// CHECK: first unused, second used, third unused
// CHECK: 10 20 20
// LINK: redirected MPI_Barrier
// LINK: first used, second used, third used
// LINK: 10 20 20
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int printf(const char *, ...);
int MPI_Barrier(int which);
int PMPI_Barrier(int which);

#if defined LIBRARY
__attribute__((weak)) void called_from(int which, const void *pc) { (void)which, (void)pc; }
int MPI_Barrier(int which) { return called_from(which, __builtin_return_address(0)), 10; }
int PMPI_Barrier(int which) { return called_from(which, __builtin_return_address(0)), 10; }
#elif defined RUNTIME
#include "abi.h"
static const struct mck_call_mark *first, *end;
static const char *uses[4];
void called_from(int which, const void *pc) {
  uintptr_t below = 0, above = UINTPTR_MAX;
  uint32_t before = 1, behind = 0;
  for (const struct mck_call_mark *m = first; m != end; m++) {
    uintptr_t at = (uintptr_t)&m->place + (uintptr_t)(intptr_t)m->place;
    if (at < (uintptr_t)pc && at >= below) below = at, before = m->what;
    if (at >= (uintptr_t)pc && at < above) above = at, behind = m->what;
  }
  uint32_t hash = mck_abi_hash("MPI_Barrier");
  uses[which] = before == (hash & ~1u) && behind == (hash | 1) ? "unused" : "used";
  if (which == 3) printf("first %s, second %s, third %s\n", uses[1], uses[2], uses[3]);
}
static int ours(int which) { return called_from(which, __builtin_return_address(0)), 20; }
void __mck_attach_calls(uint32_t version, const struct mck_call_mark *marks, const struct mck_call_mark *marks_end,
                        struct mck_profiled *profiled, struct mck_profiled *profiled_end) {
  first = marks, end = marks_end;
  for (struct mck_profiled *p = profiled; p != profiled_end; p++) printf("redirected %s\n", p->name), p->entry = (void (*)(void))ours;
  (void)version;
}
#else
static int (*volatile pointer)(int) = PMPI_Barrier;
static __attribute__((noinline)) void forget(int which) { PMPI_Barrier(which); }

int main(void) {
  MPI_Barrier(1);  // the same line of two results, by macros or by hand, is two places
  int result = PMPI_Barrier(2);
  forget(3);
  int direct = MPI_Barrier(0);
  printf("%d %d %d\n", direct, result, pointer(0));
  return 0;
}
#endif
