// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of the inline test of the page filter when no page is marked: nanoseconds per element of three loops.
// access.sh builds this file with and without the plugin. A stand-in for the runtime is below.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOT_SIGNALLED __attribute__((disable_sanitizer_instrumentation, noinline))
#define LOOP __attribute__((noinline)) static void
enum { CELLS = 1024, WIDTH = 32, BATCH = 200, ROUNDS = 101 };

#ifdef ATTACHED
static uint8_t filter[(1 << 20) + 64]; // MCK_FILTER_BYTES
void __mck_attach(uint32_t version, const uint8_t **pages, const uint8_t **seen) {
  (void)version;
  (void)seen;
  *pages = filter; // it replaces the filter of the object; both are empty
}
void __mck_access(const volatile void *address, uint64_t size, uint32_t flags) {
  (void)address, (void)size, (void)flags;
}
void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place,
                     const void *frame) {
  (void)address, (void)size, (void)flags, (void)place, (void)frame;
}
void __mck_access_range(const volatile void *address, uint64_t size, int64_t stride, uint64_t count, uint32_t flags) {
  (void)address, (void)size, (void)stride, (void)count, (void)flags;
}
uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) {
  return low == high && bits;
}
uint32_t __mck_watches_object(uintptr_t pointer, uint64_t second, uint32_t how) { return !pointer && second && how; }
#endif

static double a[CELLS], b[CELLS], c[CELLS];
static int order[CELLS];

LOOP triad(double *to, const double *x, const double *y) {
  for (int i = 0; i < CELLS; ++i) to[i] = x[i] + 3 * y[i];
}

LOOP stencil(double *to, const double *x, const double *y) {
  (void)y;
  for (int i = WIDTH; i < CELLS - WIDTH; ++i) to[i] = 0.2 * (x[i] + x[i - 1] + x[i + 1] + x[i - WIDTH] + x[i + WIDTH]);
}

LOOP gather(double *to, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < CELLS; ++i) sum += x[order[i]];
  to[0] = sum + y[0];
}

NOT_SIGNALLED static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *x, const void *y) {
  double difference = *(const double *)x - *(const double *)y;
  return (difference > 0) - (difference < 0);
}

NOT_SIGNALLED static void measure(const char *name, void (*loop)(double *, const double *, const double *)) {
  static double rounds[ROUNDS];
  for (int round = 0; round < ROUNDS; ++round) {
    double start = now();
    for (int i = 0; i < BATCH; ++i) loop(a, b, c);
    rounds[round] = (now() - start) / BATCH / CELLS;
  }
  qsort(rounds, ROUNDS, sizeof *rounds, compare);
  printf("%s %.3f\n", name, rounds[ROUNDS / 10]); // other programs on the machine only add time
}

int main(void) {
  for (int i = 0; i < CELLS; ++i) order[i] = i * 389 % CELLS;
  measure("triad", triad);
  measure("stencil", stencil);
  measure("gather", gather);
  return 0;
}
