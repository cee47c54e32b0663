// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference of remote.py. It executes programs for 2 to 5 ranks and values of their unknown numbers, rank by rank,
// with what writes accesses down in place of MPI, and compares all accesses of all ranks byte by byte.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FENCED = 1, LOCKED };
enum { put, get, sum, max, load, store };
enum { MOST_ACCESSES = 4096, MOST_STATEMENTS = 128, MOST_RANKS = 5 };

struct access {
  int statement, kind, mode, when, window, target, first, behind, phase;
};
static struct access accesses[MOST_RANKS][MOST_ACCESSES];
static int counts[MOST_RANKS], rank, mode, epoch, phase;

static struct {
  bool is_always, is_met;
  unsigned sizes;
} pairs[MOST_STATEMENTS][MOST_STATEMENTS];
static bool has_conflict;

static void note(int statement, int kind, int target, int first, int count, int window) {
  if (count <= 0) return;
  struct access *a = &accesses[rank][counts[rank]++];
  *a = (struct access){statement, kind, mode, mode == FENCED ? epoch : phase, window, target, first, first + count,
                       phase};
}
static void begin_fenced(void) { epoch++, phase++, mode = FENCED; }
static void begin_locked(void) { phase++, mode = LOCKED; }
static void end_part(void) { phase++, mode = 0; }
static void barrier(void) { phase++; }

static bool is_local(const struct access *a) { return a->kind == load || a->kind == store; }
static bool is_conflict(const struct access *a, const struct access *b) {
  bool are_reads = (a->kind == get || a->kind == load) && (b->kind == get || b->kind == load);
  bool are_same = a->kind == b->kind && (a->kind == sum || a->kind == max);
  return !are_reads && !are_same && a->first < b->behind && b->first < a->behind;
}
// A barrier behind a load or store may order it before an operation.
static bool are_together(const struct access *a, const struct access *b) {
  if (a->mode != b->mode || a->when != b->when || a->window != b->window || a->target != b->target) return false;
  if (is_local(a) && is_local(b)) return false;
  if (is_local(a)) return b->phase <= a->phase;
  return !is_local(b) || a->phase <= b->phase;
}

static void execute(void (*start)(int, int, int, int), int size, int n, int m) {
  static struct {
    bool is_met, is_wrong;
  } here[MOST_STATEMENTS][MOST_STATEMENTS];
  memset(here, 0, sizeof here);
  for (rank = 0; rank < size; rank++) {
    counts[rank] = epoch = phase = mode = 0;
    start(rank, size, n, m);
  }
  for (int p = 0; p < size; p++)
    for (int q = p + 1; q < size; q++)
      for (int i = 0; i < counts[p]; i++)
        for (int k = 0; k < counts[q]; k++) {
          const struct access *a = &accesses[p][i], *b = &accesses[q][k];
          if (!are_together(a, b)) continue;
          int low = a->statement < b->statement ? a->statement : b->statement;
          int high = a->statement + b->statement - low;
          here[low][high].is_met = true;
          here[low][high].is_wrong |= is_conflict(a, b);
        }
  for (int i = 0; i < MOST_STATEMENTS; i++)
    for (int k = i; k < MOST_STATEMENTS; k++) {
      if (!here[i][k].is_met) continue;
      has_conflict |= here[i][k].is_wrong;
      if (size == 2) continue;
      pairs[i][k].is_always = here[i][k].is_wrong && (pairs[i][k].is_always || !pairs[i][k].is_met);
      pairs[i][k].is_met = true;
      pairs[i][k].sizes |= 1U << size;
    }
}

static bool judge(void (*start)(int, int, int, int), int count, const int values[][2]) {
  memset(pairs, 0, sizeof pairs);
  has_conflict = false;
  for (int size = 2; size <= MOST_RANKS; size++)
    for (int i = 0; i < count; i++) execute(start, size, values[i][0], values[i][1]);
  bool is_surely = false;
  for (int i = 0; i < MOST_STATEMENTS; i++)
    for (int k = i; k < MOST_STATEMENTS; k++)
      is_surely |= pairs[i][k].is_always && (pairs[i][k].sizes & (pairs[i][k].sizes - 1));
  return is_surely;
}

// Prints: the program's number, whether it is surely wrong, whether it has any conflict.
static void tell(int number, void (*start)(int, int, int, int)) {
  static const int few[][2] = {{0, 0}, {1, 2}, {2, 1}, {3, 3}, {5, 0}, {0, 6}};
  static int all[64][2];
  for (int i = 0; i < 64; i++) all[i][0] = i / 8, all[i][1] = i % 8;
  bool is_surely = judge(start, 6, few);
  if (is_surely || !has_conflict) is_surely = judge(start, 64, all);
  printf("%d %d %d\n", number, is_surely, has_conflict);
}
