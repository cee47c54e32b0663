// RUN: %mpicc-check -O2 -fcheck-explain -c %s -o %t.o 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of memory that come through a pointer, and by way of a wrapper of the program, are told apart by the place that
// asked for them: one that MPI never sees is not signalled, one that it uses is.
#include <mpi.h>
#include <stdlib.h>

static int get_aligned(void **at, size_t n) { return posix_memalign(at, 64, n); }
static void *get(size_t n) {
  void *block = malloc(n);
  if (!block) abort();
  return block;
}

// CHECK-NOT: allocators.c:[[@LINE+8]]:{{.*}} is signalled
// CHECK: allocators.c:[[@LINE+8]]:{{.*}} store is signalled {{.*}}: MPI uses it while the program goes on
double through_pointer(int n, int rank) {
  double *own = NULL, *halo = NULL, sum = 0;
  MPI_Request request;
  if (get_aligned((void **)&own, (size_t)n * sizeof *own) || get_aligned((void **)&halo, (size_t)n * sizeof *halo)) return 0;
  MPI_Irecv(halo, n, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &request);
  for (int i = 1; i < n; i++)
    own[i] += 3 * own[i - 1];
  halo[n / 2] = 1;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) sum += own[i];
  free(own), free(halo);
  return sum;
}

// CHECK-NOT: allocators.c:[[@LINE+7]]:{{.*}} is signalled
// CHECK: allocators.c:[[@LINE+7]]:{{.*}} store is signalled {{.*}}: MPI uses it while the program goes on
double through_wrapper(int n, int rank) {
  double *own = get((size_t)n * sizeof *own), *halo = get((size_t)n * sizeof *halo), sum = 0;
  MPI_Request request;
  MPI_Irecv(halo, n, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &request);
  for (int i = 1; i < n; i++)
    own[i] += 3 * own[i - 1];
  halo[n / 2] = 1;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) sum += own[i];
  free(own), free(halo);
  return sum;
}

// A block whose address another file has.
double *kept;
// CHECK: allocators.c:[[@LINE+3]]:{{.*}} store is signalled {{.*}}: comes from outside
void through_outside(int n) {
  if (get_aligned((void **)&kept, (size_t)n * sizeof *kept)) return;
  kept[n / 2] = 1;
}
