// RUN: %mpicc-check -O1 %s -o %t
// RUN: %expect 0 %mpirun-check --flow=content -n 3 --oversubscribe %t 150 7 2>&1 | FileCheck %s
// RUN: %expect 0 %mpirun-check --flow=content -n 2 --mca btl self,tcp %t 60 8 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random right programs: arguments are the number of epochs and a seed. In each epoch each block of each window belongs
// to one kind of access, which all ranks know, so that nothing races. Epochs are those of fences, of post and start, of
// locks and of flushes. The MPI library is right, so nothing is found.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 12, BLOCK = 64, KINDS = 7 };
static int rank, size;
static uint64_t shared, own; // random numbers: equal on all ranks, or not
static int *memory, *buffer;
static MPI_Win win;
static MPI_Datatype types[4];
static int counts[4], elements[4]; // elements: of BLOCK integers that the type touches, in all

static uint32_t next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static void make_types(void) {
  int lengths[] = {3, 1, 5}, displs[] = {0, 4, 9};
  MPI_Datatype pair[] = {MPI_INT, MPI_INT}, inner;
  MPI_Aint at[] = {0, 12};
  types[0] = MPI_INT, counts[0] = BLOCK, elements[0] = BLOCK;
  MPI_Type_vector(8, 2, 4, MPI_INT, &types[1]), counts[1] = 1, elements[1] = 16;
  MPI_Type_indexed(3, lengths, displs, MPI_INT, &types[2]), counts[2] = 2, elements[2] = 18;
  MPI_Type_create_struct(2, (int[]){1, 2}, at, pair, &inner);
  MPI_Type_create_resized(inner, 0, 24, &types[3]), counts[3] = 5, elements[3] = 15;
  for (int i = 1; i < 4; i++) MPI_Type_commit(&types[i]);
  MPI_Type_free(&inner);
}

// What rank does in this epoch to block b of a target.
static void operate(int kind, int target, int b, int actor, MPI_Op op, int is_locked) {
  int t = (int)(next(&own) % 4), *mine = buffer + (target * BLOCKS + b) * 2 * BLOCK;
  MPI_Aint disp = b * BLOCK;
  MPI_Request request = MPI_REQUEST_NULL;
  for (int i = 0; i < BLOCK; i++) mine[i] = (int)(next(&own) % 1000) + 1;
  if (kind == 0 && actor == rank) { // one rank puts
    if (is_locked && t == 0) MPI_Rput(mine, elements[t], MPI_INT, target, disp, counts[t], types[t], win, &request);
    else MPI_Put(mine, elements[t], MPI_INT, target, disp, counts[t], types[t], win);
  } else if (kind == 1) // all ranks do one operation
    MPI_Accumulate(mine, elements[t], MPI_INT, target, disp, counts[t], types[t], op, win);
  else if (kind == 2) { // all ranks get
    if (is_locked && t == 1) MPI_Rget(mine, elements[t], MPI_INT, target, disp, counts[t], types[t], win, &request);
    else MPI_Get(mine, elements[t], MPI_INT, target, disp, counts[t], types[t], win);
  } else if (kind == 3)
    MPI_Get_accumulate(mine, 8, MPI_INT, mine + BLOCK, 8, MPI_INT, target, disp, 8, MPI_INT, op, win);
  else if (kind == 4) {
    int n = is_locked ? 3 : 1;
    for (int k = 0; k < n; k++) {
      MPI_Fetch_and_op(mine + k, mine + BLOCK + k, MPI_INT, target, disp + b % 4, MPI_SUM, win);
      if (is_locked) MPI_Win_flush(target, win);
    }
  } else if (kind == 5 && actor == rank)
    MPI_Compare_and_swap(mine, mine + 1, mine + BLOCK, MPI_INT, target, disp, win);
  if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void epoch(void) {
  static const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BXOR};
  int how = (int)(next(&shared) % 4), n = size * BLOCKS, kinds[8 * BLOCKS], actors[8 * BLOCKS], op = 0;
  for (int i = 0; i < n; i++) kinds[i] = (int)(next(&shared) % KINDS), actors[i] = (int)(next(&shared) % (uint32_t)size);
  op = (int)(next(&shared) % 3);
  MPI_Group all;
  MPI_Win_get_group(win, &all);
  if (how == 0) MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  if (how == 1) MPI_Win_post(all, 0, win), MPI_Win_start(all, 0, win);
  if (how == 2) MPI_Win_lock_all(0, win), MPI_Win_sync(win), MPI_Barrier(MPI_COMM_WORLD);
  for (int target = 0; target < size; target++) {
    if (how == 3) MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    for (int b = 0; b < BLOCKS; b++)
      operate(kinds[target * BLOCKS + b], target, b, actors[target * BLOCKS + b], ops[op], how >= 2);
    if (how == 3) MPI_Win_unlock(target, win);
  }
  if (how == 0) MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  if (how == 1) MPI_Win_complete(win), MPI_Win_wait(win);
  if (how == 2) MPI_Win_unlock_all(win);
  MPI_Group_free(&all);
  if (how >= 2) MPI_Barrier(MPI_COMM_WORLD);
  // The owner loads and stores between two epochs.
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  for (int b = 0; b < BLOCKS; b++)
    for (int i = 0; i < BLOCK; i++)
      if (next(&own) % 8 == 0) memory[b * BLOCK + i] = (int)(next(&own) % 1000) + memory[b * BLOCK + i] % 7;
  MPI_Win_unlock(rank, win);
  MPI_Barrier(MPI_COMM_WORLD);
}

// One put of a size up to 8 MiB.
static void large(size_t bytes) {
  char *there, *here = malloc(bytes);
  MPI_Win w;
  MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &there, &w);
  for (size_t i = 0; i < bytes; i++) here[i] = (char)(i * 7 + bytes);
  MPI_Win_fence(0, w);
  if (rank == 0) MPI_Put(here, (int)bytes, MPI_BYTE, size - 1, 0, (int)bytes, MPI_BYTE, w);
  MPI_Win_fence(0, w);
  if (rank == 0) MPI_Get(here, (int)bytes, MPI_BYTE, size - 1, 0, (int)bytes, MPI_BYTE, w);
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  free(here);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int epochs = argc > 1 ? atoi(argv[1]) : 100;
  shared = (uint64_t)(argc > 2 ? atoll(argv[2]) : 1), own = shared * 1000 + (uint64_t)rank;
  buffer = malloc(sizeof(int) * 2 * BLOCK * BLOCKS * (size_t)size);
  MPI_Win_allocate(BLOCKS * BLOCK * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < BLOCKS * BLOCK; i++) memory[i] = i;
  MPI_Barrier(MPI_COMM_WORLD);
  make_types();
  for (int k = 0; k < epochs; k++) epoch();
  for (size_t bytes = 1; bytes <= 8 << 20; bytes *= 32) large(bytes);
  for (int i = 1; i < 4; i++) MPI_Type_free(&types[i]);
  MPI_Win_free(&win);
  free(buffer);
  MPI_Finalize();
  return 0;
}
