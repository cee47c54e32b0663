// RUN: rm -rf %t.logs && mkdir %t.logs && %mpicc-check -O1 %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=keep_logs=1:log_dir=%t.logs %mpirun-check -n 2 %t 2>&1 | FileCheck %s
// RUN: %mpicc-check-log %t.logs/mpicc-check-* | FileCheck --check-prefix=LOG %s
// CHECK: ==mpicc-check== no errors found
// LOG: 0:{{[0-9]+}} load flags=atomic offset=4160 size=4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic and volatile accesses are noted although all of their page is noted already: they order others. Rank 0 loads
// all of its memory, and asks by a flag that lies in it.
#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { PAGE = 4096, PAGES = 4 };
struct memory {
  char before[PAGE];
  atomic_int go; // in pages that rank 0 has loaded as a whole
  _Alignas(64) atomic_int done;
  char behind[PAGES * PAGE];
  int data[PAGE];
};

static unsigned sum_of(const unsigned char *bytes, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) sum += bytes[i];
  return sum;
}

int main(int argc, char **argv) {
  int rank, unit;
  struct memory *own, *m; // that of rank 0
  MPI_Aint size;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate_shared(rank ? 0 : sizeof *m, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
  MPI_Win_shared_query(win, 0, &size, &unit, &m);
  MPI_Win_lock_all(0, win);
  if (rank == 0) memset((void *)m, 0, sizeof *m);
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  unsigned sum = 0;
  for (int round = 1; round <= 3; round++) {
    if (rank == 0) {
      sum += sum_of((const unsigned char *)m, offsetof(struct memory, data)); // the flags, too; nobody stores to them now
      atomic_store(&m->go, round);
      while (atomic_load(&m->done) != round) {}
      for (int i = 0; i < PAGE; i++) sum += (unsigned)(m->data[i] != round);
    } else {
      while (atomic_load(&m->go) != round) {}
      for (int i = 0; i < PAGE; i++) m->data[i] = round;
      atomic_store(&m->done, round);
    }
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return rank == 0 && sum != 2 * (1 + 2); // what the flags held when they were summed
}
