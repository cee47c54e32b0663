// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts integers by buckets, after NPB's IS. usage: sort [keys of a rank] [log2 of the largest key] [iterations]
#include <mpi.h>
#include "bench/apps/measured.h"
#include "keys.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long n = measured_argument(argc, argv, 1, 2000000, 1), sum = 0, counts[2], all[2];
  keys_make(n, (int)measured_argument(argc, argv, 2, 19, BUCKETS_LOG), rank, size);
  long iterations = measured_argument(argc, argv, 3, 20, 1);
  measured_begin();
  for (long i = 0; i < iterations; i++) {
    key_array[i % n] = (key)i; // as in IS: each iteration has other keys
    key_array[(i + iterations) % n] = (1 << max_key_log) - 1 - (key)i;
    keys_rank(rank, size);
  }
  measured_end();
  for (long i = 0; i < n; i++) sum += key_array[i];
  counts[0] = sum, counts[1] = n;
  MPI_Allreduce(counts, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  int is_right = measured_print("sort", keys_are_sorted(rank, size, all[0], all[1]));
  keys_release();
  return measured_finish(is_right);
}
