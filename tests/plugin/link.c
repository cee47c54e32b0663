// The same object with and without a runtime, in every way of linking. Without one it just runs.
// RUN: %clang -O2 -fPIE -pie -fpass-plugin=%plugin %s -o %t && %t
// RUN: %clang -O0 -fno-pie -no-pie -fpass-plugin=%plugin %s -o %t && %t
// RUN: %clang -O2 -fno-pie -no-pie -fpass-plugin=%plugin %s -o %t && %t
// RUN: %clang -O2 -static -fpass-plugin=%plugin %s -o %t && %t
// RUN: %clang -O2 -fPIE -static-pie -fpass-plugin=%plugin %s -o %t && %t
// RUN: %clang -O2 -fPIE -pie -fuse-ld=lld -fpass-plugin=%plugin %s -o %t && %t
// RUN: %clang -O2 -fno-pie -no-pie -fuse-ld=lld -fpass-plugin=%plugin %s -o %t && %t
// A library has a filter pointer of its own; so two of them are attached.
// RUN: %clang -O2 -fPIC -shared -Wl,--no-undefined -DLIBRARY -fpass-plugin=%plugin %s -o %t.so
// RUN: %clang -O2 -fpass-plugin=%plugin -DUSER %s %t.so -Wl,-rpath,%T -o %t && %t
// RUN: %clang -O2 -fPIC -shared -DRUNTIME -I%source/rt %s -o %t-runtime.so
// RUN: %clang -O2 -fPIC -shared -Wl,--no-undefined -DLIBRARY -fpass-plugin=%plugin %s %t-runtime.so -o %t.so
// RUN: %clang -O2 -fpass-plugin=%plugin -DUSER %s %t.so %t-runtime.so -Wl,-rpath,%T -o %t && %t | FileCheck %s
// RUN: %clang -O2 -fno-pie -no-pie -fpass-plugin=%plugin -DUSER %s %t.so %t-runtime.so -Wl,-rpath,%T -o %t && %t | FileCheck %s
// CHECK-COUNT-2: attached
// CHECK-NOT: attached
// CHECK: signals: 2
// Instrumented once with LTO, whether the plugin ran at compile time, at link time or both.
// RUN: %clang -O2 -flto -fuse-ld=lld -fpass-plugin=%plugin %s -o %t && %t
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -fpass-plugin=%plugin %s -o %t && %t
// RUN: %clang -O2 -flto -fuse-ld=lld -fpass-plugin=%plugin -Wl,--load-pass-plugin=%plugin -DUSER -DLIBRARY %s %t-runtime.so -Wl,-rpath,%T -o %t && %t | FileCheck %s --check-prefix=LTO
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -fpass-plugin=%plugin -Wl,--load-pass-plugin=%plugin -DUSER -DLIBRARY %s %t-runtime.so -Wl,-rpath,%T -o %t && %t | FileCheck %s --check-prefix=LTO
// RUN: %clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -DUSER -DLIBRARY %s %t-runtime.so -Wl,-rpath,%T -o %t && %t | FileCheck %s --check-prefix=LTO
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -DUSER -DLIBRARY %s %t-runtime.so -Wl,-rpath,%T -o %t && %t | FileCheck %s --check-prefix=LTO
// LTO-COUNT-1: attached
// LTO-NOT: attached
// LTO: signals: 2
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

int cell_of_library(int *p);
int signal_count(void) __attribute__((weak));
int printf(const char *, ...);

#if defined RUNTIME
#include "abi.h"
static uint8_t everything[MCK_FILTER_BYTES];
static uint8_t cells[MCK_CELLS + MCK_PAGES]; // nothing is recorded already
static int count;
void __mck_attach(uint32_t abi_version, const uint8_t **pages, const uint8_t **seen) {
  for (int i = 0; i < MCK_FILTER_BYTES; ++i)
    everything[i] = (MCK_WATCH_LOADS | MCK_WATCH_STORES) * (1 + (1 << MCK_WATCH_ORDERED));
  *pages = everything, *seen = cells;
  printf("attached %u\n", abi_version);
}
static void access_one(const volatile void *address, uint64_t size, uint32_t flags) {
  (void)address, (void)size, (void)flags;
  ++count;
}
void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame) {
  (void)place, (void)frame;
  access_one(address, size, flags);
}
void __mck_access_mapped(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame, const struct mck_map **map) {
  (void)map;
  __mck_access_at(address, size, flags, place, frame);
}
static void access_many(const volatile void *address, uint64_t size, int64_t stride, uint64_t n, uint32_t flags) {
  (void)address, (void)size, (void)stride, (void)n, (void)flags;
  ++count;
}
void __mck_access_range_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count, const void *place, const void *frame) {
  (void)place, (void)frame;
  access_many(address, what >> 8, stride, count, what & 255);
}
void __mck_access_grid_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count, int64_t stride2, uint64_t count2,
                          const void *place, const void *frame) {
  for (uint64_t k = 0; k < count2; k++)
    __mck_access_range_at((const char *)address + (int64_t)k * stride2, what, stride, count, place, frame);
}
uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) {
  return low != high && bits;
}
uint32_t __mck_watches_object(uintptr_t pointer, uint64_t second, uint32_t how) { return pointer && second + how; }
int signal_count(void) { return count; }
#endif

#if defined LIBRARY
__attribute__((noinline)) int cell_of_library(int *p) { return *p; }
#endif

#if defined USER
__attribute__((noinline)) static void set(int *p) { *p = 3; }
int global;
int main(void) {
  __asm__ volatile("" : : "r"(&global) : "memory"); // as if MPI got it
  set(&global);
  int value = cell_of_library(&global);
  if (signal_count)
    printf("signals: %d\n", signal_count());
  return value != 3;
}
#elif !defined LIBRARY && !defined RUNTIME
int global;
void touch(int *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] += i;
}
int main(void) {
  touch(&global, 1);
  return global;
}
#endif
