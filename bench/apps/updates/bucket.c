// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buckets of updates: filling, exchanging and applying them.
#include "bucket.h"
#include <mpi.h>
#include <string.h>
#include "bench/apps/aligned.h"

enum { POLYNOMIAL = 7 };
static word step(word x) { return (x << 1) ^ ((int64_t)x < 0 ? POLYNOMIAL : 0); }

struct buckets *buckets_make(int size, int room) {
  struct buckets *b = aligned_get(sizeof *b);
  size_t n = (size_t)size;
  b->room = room;
  b->count = aligned_get(n * 5 * sizeof *b->count);
  b->sends = b->count + n, b->send_starts = b->sends + n;
  b->receives = b->send_starts + n, b->receive_starts = b->receives + n;
  b->updates = aligned_get(n * sizeof *b->updates);
  b->rows = aligned_get(n * (size_t)room * sizeof *b->rows);
  for (size_t r = 0; r < n; r++) b->updates[r] = b->rows + r * (size_t)room;
  b->sent = aligned_get((size_t)room * sizeof *b->sent);
  b->received = aligned_get(n * (size_t)room * sizeof *b->received);
  memset(b->count, 0, n * sizeof *b->count);
  return b;
}

void buckets_release(struct buckets *b) {
  aligned_release(b->count), aligned_release(b->updates), aligned_release(b->rows);
  aligned_release(b->sent), aligned_release(b->received), aligned_release(b);
}

void buckets_add(struct buckets *b, const struct table *t, word *state, long n) {
  for (long i = 0; i < n; i++) {
    *state = step(*state);
    int owner = (int)(*state >> t->shift) & (t->size - 1);
    b->updates[owner][b->count[owner]++] = *state;
  }
}

long buckets_exchange(struct buckets *b, const struct table *t) {
  int sent = 0, received = 0;
  for (int r = 0; r < t->size; r++) {
    b->sends[r] = b->count[r], b->send_starts[r] = sent;
    for (int k = 0; k < b->count[r]; k++) b->sent[sent + k] = b->updates[r][k];
    sent += b->count[r];
    b->count[r] = 0;
  }
  MPI_Alltoall(b->sends, 1, MPI_INT, b->receives, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < t->size; r++) {
    b->receive_starts[r] = received;
    received += b->receives[r];
  }
  MPI_Alltoallv(b->sent, b->sends, b->send_starts, MPI_UINT64_T, b->received, b->receives, b->receive_starts,
                MPI_UINT64_T, MPI_COMM_WORLD);
  return received;
}

void table_update(struct table *t, const struct buckets *b, long n) {
  for (long i = 0; i < n; i++) t->words[b->received[i] & (t->local - 1)] ^= b->received[i];
}

word random_start(long n) { // the squares of the step, as in HPCC
  word squares[64], x = 1, state = 2;
  int i = 62;
  if (n == 0) return 1;
  for (int k = 0; k < 64; k++) squares[k] = x, x = step(step(x));
  while (i >= 0 && !(n >> i & 1)) i--;
  while (i > 0) {
    word sum = 0;
    for (int k = 0; k < 64; k++)
      if (state >> k & 1) sum ^= squares[k];
    state = sum;
    if (n >> --i & 1) state = step(state);
  }
  return state;
}
