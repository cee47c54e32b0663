// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random updates of a distributed table, after HPCC's RandomAccess: updates go to their owners in buckets, by
// MPI_Alltoallv. usage: updates [log2 of the words of a rank] [updates for each word] [updates of an exchange]
#include <mpi.h>
#include <stdio.h>
#include "bench/apps/aligned.h"
#include "bench/apps/measured.h"
#include "bucket.h"

static void update_all(struct table *t, struct buckets *b, long n) {
  word state = random_start(t->rank * n);
  for (long done = 0; done < n; done += b->room) {
    buckets_add(b, t, &state, done + b->room < n ? b->room : n - done);
    table_update(t, b, buckets_exchange(b, t));
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  struct table t;
  MPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &t.size);
  t.shift = (int)measured_argument(argc, argv, 1, 21, 1);
  t.local = (word)1 << t.shift;
  long n = measured_argument(argc, argv, 2, 8, 1) * (long)t.local;
  struct buckets *b = buckets_make(t.size, (int)measured_argument(argc, argv, 3, 4096, 1));
  if (t.size & (t.size - 1)) {
    if (t.rank == 0) fprintf(stderr, "updates: the number of ranks must be a power of two\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  t.words = aligned_get(t.local * sizeof *t.words);
  for (word i = 0; i < t.local; i++) t.words[i] = (word)t.rank * t.local + i;
  measured_begin();
  update_all(&t, b, n);
  measured_end();
  // Some words have changed; the same updates once more undo that.
  long changed = 0, wrong = 0;
  for (word i = 0; i < t.local; i++) changed += t.words[i] != (word)t.rank * t.local + i;
  update_all(&t, b, n);
  for (word i = 0; i < t.local; i++) wrong += t.words[i] != (word)t.rank * t.local + i;
  int is_right = measured_print("updates", wrong == 0 && changed > 0);
  buckets_release(b);
  aligned_release(t.words);
  return measured_finish(is_right);
}
