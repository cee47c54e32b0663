// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer keys that are sorted by buckets, after NPB's IS. The arrays are global, as there.
#pragma once

typedef int key;
enum { BUCKETS_LOG = 10, BUCKETS = 1 << BUCKETS_LOG };

extern key *key_array, *key_sorted, *key_received; // own keys; in the order of buckets; those of our buckets
extern long keys_here, keys_room, keys_received;   // keys_room: of key_received
extern int max_key_log;
extern int bucket_size[BUCKETS], bucket_total[BUCKETS], bucket_start[BUCKETS];
extern int *send_count, *send_start, *receive_count, *receive_start;
extern int *key_rank; // how many of the received keys are not greater; by key, from key_first on
extern key key_first, key_last;

void keys_make(long n, int log, int rank, int size);
void keys_release(void);
void keys_rank(int rank, int size);
int keys_are_sorted(int rank, int size, long sum, long n);
