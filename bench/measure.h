// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the benchmarks: a clock, order statistics, and the line that prints a comparison.
#pragma once
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// plain_Send is the library's MPI_Send. A call of its PMPI_ name would not do: in recompiled code those calls are
// checked, too (docs/design/errors.md).
#define PLAIN(name)                                                                                                    \
  static __typeof(&MPI_##name) plain_##name;                                                                           \
  __attribute__((constructor)) static void find_##name(void) {                                                         \
    *(void **)&plain_##name = dlsym(RTLD_DEFAULT, "PMPI_" #name);                                                      \
  }

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The value below which a fraction of the n values lies; sorts them.
static inline double quantile(double *values, int n, double fraction) {
  qsort(values, (size_t)n, sizeof *values, compare_doubles);
  return values[(int)(fraction * (n - 1))];
}

// One line: both medians, both 10 % quantiles, and the ratios. Times in seconds, printed in ns.
static inline void print_comparison(const char *what, double *checked, double *plain, int n) {
  double cm = quantile(checked, n, 0.5), pm = quantile(plain, n, 0.5);
  double cl = quantile(checked, n, 0.1), pl = quantile(plain, n, 0.1);
  printf("%-26s %10.1f %10.1f %7.3fx %10.1f %10.1f %7.3fx\n", what, 1e9 * cm, 1e9 * pm, cm / pm, 1e9 * cl, 1e9 * pl,
         cl / pl);
}

static inline void print_head(const char *what) {
  printf("%-26s %10s %10s %8s %10s %10s %8s\n", what, "checked", "plain", "ratio", "checked", "plain", "ratio");
  printf("%-26s %10s %10s %8s %10s %10s %8s\n", "", "median ns", "median ns", "", "p10 ns", "p10 ns", "");
}
