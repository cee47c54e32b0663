// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A distributed table of 64-bit words, and the buckets in which updates wait until they are exchanged.
#pragma once
#include <stdint.h>

typedef uint64_t word;

struct table {
  word *words;
  word local; // words of each rank, a power of two, as is the number of ranks
  int shift;  // the owner of a word is in the bits above these
  int rank, size;
};

struct buckets {
  int room;       // updates between two exchanges
  int *count;     // of each rank
  word **updates; // of each rank: a row
  word *rows;     // all rows
  int *sends, *send_starts, *receives, *receive_starts;
  word *sent, *received;
};

struct buckets *buckets_make(int size, int room);
void buckets_release(struct buckets *b);
void buckets_add(struct buckets *b, const struct table *t, word *state, long n);
long buckets_exchange(struct buckets *b, const struct table *t); // how many updates of own words came
void table_update(struct table *t, const struct buckets *b, long n);
word random_start(long n); // the state after n steps
