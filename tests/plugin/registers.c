// RUN: %clang -O2 -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -mavx2 -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 -march=native -DQUICK -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s
// REQUIRES: x86_64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signal changes no register of the code around it, whatever the runtime does to them: sums in registers of vectors stay right, also in functions
// that use wider vectors than the rest of their file. Where nothing else is in the way, nothing is saved in the loop.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "abi.h"

#define RUNTIME __attribute__((disable_sanitizer_instrumentation, noinline))
static uint8_t filter[MCK_FILTER_BYTES], cells[MCK_CELLS + MCK_PAGES];
static int nsignals;

// All registers that a function may change (System V ABI).
RUNTIME static void spoil(void) {
  if (__builtin_cpu_supports("avx2"))
    __asm__ volatile("vpcmpeqd %%ymm0, %%ymm0, %%ymm0\n vmovdqa %%ymm0, %%ymm1\n vmovdqa %%ymm0, %%ymm2\n vmovdqa %%ymm0, %%ymm3\n"
                     "vmovdqa %%ymm0, %%ymm4\n vmovdqa %%ymm0, %%ymm5\n vmovdqa %%ymm0, %%ymm6\n vmovdqa %%ymm0, %%ymm7\n"
                     "vmovdqa %%ymm0, %%ymm8\n vmovdqa %%ymm0, %%ymm9\n vmovdqa %%ymm0, %%ymm10\n vmovdqa %%ymm0, %%ymm11\n"
                     "vmovdqa %%ymm0, %%ymm12\n vmovdqa %%ymm0, %%ymm13\n vmovdqa %%ymm0, %%ymm14\n vmovdqa %%ymm0, %%ymm15\n" ::
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                           "xmm14", "xmm15");
  __asm__ volatile("mov $-1, %%rax\n mov %%rax, %%rcx\n mov %%rax, %%rdx\n mov %%rax, %%rsi\n mov %%rax, %%rdi\n mov %%rax, %%r8\n mov %%rax, %%r9\n"
                   "mov %%rax, %%r10\n mov %%rax, %%r11\n pcmpeqd %%xmm0, %%xmm0\n pcmpeqd %%xmm1, %%xmm1\n pcmpeqd %%xmm7, %%xmm7\n" ::
                       : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm7", "cc");
}
RUNTIME void __mck_attach(uint32_t version, const uint8_t **pages, const uint8_t **seen) {
  (void)version;
  *pages = filter, *seen = cells;
}
RUNTIME void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame) {
  (void)address, (void)size, (void)flags, (void)place, (void)frame;
  nsignals++;
  spoil();
}
RUNTIME void __mck_access_mapped(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame,
                                 const struct mck_map **map) {
  (void)map;
  __mck_access_at(address, size, flags, place, frame);
}
#ifdef QUICK
// It may change general registers only.
RUNTIME __attribute__((weak)) bool __mck_access_quick(uintptr_t address, uint64_t what, const void *place) {
  static unsigned n;
  (void)place;
  nsignals++;
  __asm__ volatile("mov $-1, %%rcx\n mov %%rcx, %%rdx\n mov %%rcx, %%rsi\n mov %%rcx, %%rdi\n mov %%rcx, %%r8\n mov %%rcx, %%r9\n mov %%rcx, %%r10\n"
                   "mov %%rcx, %%r11\n" ::
                       : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
  bool is_noted = n++ % 3 && what >> 8 && address;
  nsignals -= !is_noted;
  return is_noted;
}
#endif
RUNTIME uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) {
  spoil();
  return bits && low < high;
}
RUNTIME uint32_t __mck_watches_object(uintptr_t pointer, uint64_t second, uint32_t how) {
  (void)pointer, (void)second;
  spoil();
  return how != 0;
}

enum { N = 3000, POINTS = 1000 };
#define KERNEL(NAME, ATTRIBUTE)                                                                     \
  __attribute__((noinline)) ATTRIBUTE static double NAME(double *x, double *f, const int *at, int n) { \
    double a = 0, b = 0, c = 0, d = 1, e = 2, product = 1;                                            \
    for (int i = 0; i < n; i++) {                                                                     \
      double p = x[3 * at[i]], q = x[3 * at[i] + 1];                                                  \
      double r = x[3 * at[i] + 2];                                                                    \
      a += p * q, b += q * r, c += p * r, d += p - q, e += q - r;                                     \
      if (p > 3) product = product * 0.5 + p, f[at[i]] += d;                                          \
    }                                                                                                 \
    return a + 2 * b + 3 * c + 5 * d + 7 * e + product;                                               \
  }
KERNEL(kernel, )
KERNEL(wide, __attribute__((target("avx2"))))

static double x[N], f[POINTS];
static int at[POINTS];

static double run(double (*what)(double *, double *, const int *, int), int is_watched) {
  for (int i = 0; i < N; i++) x[i] = i % 7 + (i % 11) * 0.5;
  for (int i = 0; i < POINTS; i++) f[i] = i, at[i] = i * 7 % POINTS;
  memset(filter, is_watched ? 15 : 0, sizeof filter);
  __asm__ volatile("" : : "r"(x), "r"(f), "r"(at) : "memory"); // as if MPI got them
  double sum = what(x, f, at, POINTS);
  memset(filter, 0, sizeof filter);
  for (int i = 0; i < POINTS; i++) sum += f[i] * i;
  return sum;
}

int main(void) {
  int has_wide = __builtin_cpu_supports("avx2");
  double plain = run(kernel, 0), watched = run(kernel, 1);
  printf("%s\n", plain == watched ? "same" : "DIFFERENT"); // CHECK: same
  plain = has_wide ? run(wide, 0) : 0, watched = has_wide ? run(wide, 1) : 0;
  printf("%s\n", plain == watched ? "same" : "DIFFERENT"); // CHECK-NEXT: same
  printf("%s\n", nsignals > POINTS ? "signalled" : "NOT SIGNALLED"); // CHECK-NEXT: signalled
  return 0;
}
