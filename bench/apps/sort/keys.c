// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts keys by buckets, divides the buckets among the ranks, exchanges keys, and ranks them by counting.
#include "keys.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

key *key_array, *key_sorted, *key_received;
long keys_here, keys_room, keys_received;
int max_key_log;
int bucket_size[BUCKETS], bucket_total[BUCKETS], bucket_start[BUCKETS];
int *send_count, *send_start, *receive_count, *receive_start;
int *key_rank;
key key_first, key_last;

static void *xmalloc(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "sort: no memory\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return memory;
}

void keys_make(long n, int log, int rank, int size) {
  unsigned long seed = 314159265ul + 271828183ul * (unsigned long)rank;
  keys_here = n, keys_room = n + n / 2 + 1000, max_key_log = log;
  key_array = xmalloc((size_t)n * sizeof *key_array);
  key_sorted = xmalloc((size_t)n * sizeof *key_sorted);
  key_received = xmalloc((size_t)keys_room * sizeof *key_received);
  key_rank = xmalloc(((size_t)1 << log) * sizeof *key_rank);
  send_count = xmalloc((size_t)size * 4 * sizeof *send_count);
  send_start = send_count + size, receive_count = send_start + size, receive_start = receive_count + size;
  for (long i = 0; i < n; i++) { // the mean of four random numbers
    unsigned long sum = 0;
    for (int k = 0; k < 4; k++) {
      seed = seed * 6364136223846793005ul + 1442695040888963407ul;
      sum += seed >> 33;
    }
    key_array[i] = (key)(sum >> (33 - log));
  }
}

void keys_release(void) { free(key_array), free(key_sorted), free(key_received), free(key_rank), free(send_count); }

static void fill_buckets(void) {
  int shift = max_key_log - BUCKETS_LOG;
  for (int b = 0; b < BUCKETS; b++) bucket_size[b] = 0;
  for (long i = 0; i < keys_here; i++) bucket_size[key_array[i] >> shift]++;
  bucket_start[0] = 0;
  for (int b = 1; b < BUCKETS; b++) bucket_start[b] = bucket_start[b - 1] + bucket_size[b - 1];
  for (long i = 0; i < keys_here; i++) {
    key k = key_array[i];
    key_sorted[bucket_start[k >> shift]++] = k;
  }
}

// Each rank gets buckets in sequence, until it has its part of all keys.
static void divide_buckets(int rank, int size) {
  long sum = 0, all = 0;
  int owner = 0, sent = 0, shift = max_key_log - BUCKETS_LOG;
  MPI_Allreduce(bucket_size, bucket_total, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int b = 0; b < BUCKETS; b++) all += bucket_total[b];
  for (int r = 0; r < size; r++) send_count[r] = 0;
  key_first = key_last = 0;
  for (int b = 0; b < BUCKETS; b++) {
    if (owner < size - 1 && sum >= all * (owner + 1) / size) {
      if (owner == rank) key_last = (key)b << shift;
      owner++;
      if (owner == rank) key_first = (key)b << shift;
    }
    send_count[owner] += bucket_size[b];
    sum += bucket_total[b];
  }
  for (int r = 0; r < size; r++) send_start[r] = sent, sent += send_count[r];
  if (owner == rank) key_last = 1 << max_key_log;
}

static void exchange_keys(int size) {
  int received = 0;
  MPI_Alltoall(send_count, 1, MPI_INT, receive_count, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) receive_start[r] = received, received += receive_count[r];
  if (received > keys_room) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Alltoallv(key_sorted, send_count, send_start, MPI_INT, key_received, receive_count, receive_start, MPI_INT,
                MPI_COMM_WORLD);
  keys_received = received;
}

void keys_rank(int rank, int size) {
  fill_buckets();
  divide_buckets(rank, size);
  exchange_keys(size);
  for (key k = 0; k < key_last - key_first; k++) key_rank[k] = 0;
  for (long i = 0; i < keys_received; i++) key_rank[key_received[i] - key_first]++;
  for (key k = 1; k < key_last - key_first; k++) key_rank[k] += key_rank[k - 1];
}

// Sorts by the ranks, and looks at the order, also between ranks, and at the sum and number of all keys.
int keys_are_sorted(int rank, int size, long sum, long n) {
  key *sorted = xmalloc((size_t)keys_received * sizeof *sorted), before = 0;
  long mine[2] = {0, keys_received}, all[2];
  int are_sorted = 1;
  for (long i = 0; i < keys_received; i++) sorted[--key_rank[key_received[i] - key_first]] = key_received[i];
  for (long i = 0; i < keys_received; i++) mine[0] += sorted[i];
  for (long i = 1; i < keys_received; i++) are_sorted &= sorted[i - 1] <= sorted[i];
  key last = keys_received ? sorted[keys_received - 1] : key_first;
  MPI_Sendrecv(&last, 1, MPI_INT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 0, &before, 1, MPI_INT,
               rank ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  are_sorted &= keys_received == 0 || before <= sorted[0];
  MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  free(sorted);
  return are_sorted && all[0] == sum && all[1] == n;
}
