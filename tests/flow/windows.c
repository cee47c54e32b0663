// RUN: mkdir -p %t.d && %mpicc -w -O1 -shared -fPIC %S/Inputs/faulty-access.c -o %t.d/libmpi_faulty.so -ldl
// RUN: %mpicc-check %s -o %t
// RUN: rm -rf %t.d/logs && mkdir %t.d/logs
// RUN: %expect66 %mpirun-check --flow=content --keep-logs --check-options log_dir=%t.d/logs -n 3 --oversubscribe \
// RUN:   -x LD_PRELOAD=%t.d/libmpi_faulty.so %t 2>&1 | FileCheck %s
// RUN: %expect 0 %mpirun-check --flow=content -n 3 --oversubscribe %t 2>&1 | FileCheck %s --check-prefix=RIGHT
// A reproducer of a finding, by its number: wrong with the fault, right without it.
// RUN: %mpicc-check reproduce %t.d/logs/mpicc-check-* list > %t.d/list
// RUN: sh -c 'n=$(grep "MPI_Put of rank 0" %t.d/list | head -1 | cut -d: -f1); \
// RUN:   %mpicc-check reproduce %t.d/logs/mpicc-check-* $n > %t.d/again.c'
// RUN: %mpicc -Wall -Wextra -Werror -DMPI_Put=PMPI_Put %t.d/again.c -o %t.d/again
// RUN: %mpirun -n 2 %t.d/again 10 | FileCheck --check-prefix=AGAIN %s
// RUN: %expect 1 env FAULT=put-displaced %mpirun -n 2 -x FAULT -x LD_PRELOAD=%t.d/libmpi_faulty.so %t.d/again 10 \
// RUN:   2>&1 | FileCheck --check-prefix=WRONG %s
// AGAIN: all data is right
// WRONG: wrong data came
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-sided communication on a faulty library: each fault is found on its call, among calls that the same library
// carries out rightly. On the real library nothing is found.
// RIGHT: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 };
static int rank, size;
static int x[N], y[N];
static int *memory;
static MPI_Win win;
static MPI_Datatype spread;

static void fault(int of, const char *name) {
  if (rank == of && name) setenv("FAULT", name, 1);
  else unsetenv("FAULT");
}
static void fill(int seed) {
  for (int i = 0; i < N; i++) x[i] = seed * 100000 + rank * 10000 + i;
  memset(y, 0, sizeof y);
}
static void right(void) { // between the faults
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(x, 8, MPI_INT, 2, 0, 8, MPI_INT, win);
  if (rank == 0) MPI_Accumulate(x, 8, MPI_INT, 2, 8, 8, MPI_INT, MPI_SUM, win);
  if (rank == 2) MPI_Get(y, 4, MPI_INT, 0, 4, 4, MPI_INT, win);
  MPI_Win_fence(0, win);
}

static void puts_and_gets(void) {
  fill(1), right(), fault(0, "put-displaced");
  // CHECK-DAG: sent by MPI_Put of rank 0 {{.*}}windows.c:[[#@LINE+1]] in puts_and_gets
  if (rank == 0) MPI_Put(x, 4, MPI_INT, 1, 16, 4, MPI_INT, win);
  // CHECK-DAG: seen in the window at MPI_Win_fence on rank 1 {{.*}}windows.c:[[#@LINE+1]] in puts_and_gets
  MPI_Win_fence(0, win);
  // CHECK-DAG: the data is that of bytes 96 and on instead
  fault(0, NULL), fill(2), right(), fault(0, "put-lost");
  // CHECK-DAG: sent by MPI_Put of rank 0 {{.*}}windows.c:[[#@LINE+1]] in puts_and_gets
  if (rank == 0) MPI_Put(x, 4, MPI_INT, 1, 16, 4, MPI_INT, win);
  MPI_Win_fence(0, win);
  fault(0, NULL), fill(3), right(), fault(0, "put-tail");
  // CHECK-DAG: sent by MPI_Put of rank 0 {{.*}}windows.c:[[#@LINE+1]] in puts_and_gets
  if (rank == 0) MPI_Put(x, 4, MPI_INT, 1, 16, 4, MPI_INT, win);
  MPI_Win_fence(0, win);
  fault(0, NULL), fill(4), right(), fault(0, "put-as-contiguous");
  // CHECK-DAG: sent by MPI_Put of rank 0 {{.*}}windows.c:[[#@LINE+1]] in puts_and_gets
  if (rank == 0) MPI_Put(x, 12, MPI_INT, 1, 16, 2, spread, win);
  MPI_Win_fence(0, win);
  fault(0, NULL), fill(5);
  for (int i = 0; i < N; i++) memory[i] = 7000 * rank + i;
  right(), fault(0, "get-displaced");
  // CHECK-DAG: received by MPI_Get on rank 0 {{.*}}windows.c:[[#@LINE+1]] in puts_and_gets
  if (rank == 0) MPI_Get(y, 4, MPI_INT, 1, 20, 4, MPI_INT, win);
  MPI_Win_fence(0, win);
  fault(0, NULL), right();
}

static void updates(void) {
  fill(10), right(), fault(1, "update-lost");
  // CHECK-DAG: sent by MPI_Accumulate of rank 1 {{.*}}windows.c:[[#@LINE+1]] in updates
  if (rank == 1) MPI_Accumulate(x, 4, MPI_INT, 0, 16, 4, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  fault(1, NULL), fill(11), right(), fault(1, "update-doubled");
  // CHECK-DAG: sent by MPI_Accumulate of rank 1 {{.*}}windows.c:[[#@LINE+1]] in updates
  if (rank == 1) MPI_Accumulate(x, 4, MPI_INT, 0, 24, 4, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  fault(1, NULL), right(), fault(1, "update-operation");
  // CHECK-DAG: sent by MPI_Accumulate of rank 1 {{.*}}windows.c:[[#@LINE+1]] in updates
  if (rank == 1) MPI_Accumulate(x, 4, MPI_INT, 0, 30, 4, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  fault(1, NULL), right();
}

// Rank `of` goes on when the others have left the barrier, and looked at their windows.
static void turn(int of) {
  int token = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) {
    if (r == of) continue;
    if (rank == r) MPI_Send(&token, 1, MPI_INT, of, 9, MPI_COMM_WORLD);
    if (rank == of) MPI_Recv(&token, 1, MPI_INT, r, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void passive(void) {
  int one = 1, got, compare = 5, new = 9;
  MPI_Win_lock_all(0, win);
  memory[40] = memory[41] = memory[42] = 0;
  MPI_Win_sync(win), MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 5; k++) { // a counter, all ranks at once
    MPI_Fetch_and_op(&one, &got, MPI_INT, 0, 40, MPI_SUM, win);
    MPI_Win_flush(0, win);
  }
  turn(1), fault(1, "fetch-wrong");
  // CHECK-DAG: MPI_Fetch_and_op {{.*}} rank 1 {{.*}}windows.c:[[#@LINE+1]] in passive
  if (rank == 1) MPI_Fetch_and_op(&one, &got, MPI_INT, 0, 40, MPI_SUM, win), MPI_Win_flush(0, win);
  fault(1, NULL), turn(1), fault(1, "fetch-lost");
  // CHECK-DAG: MPI_Fetch_and_op {{.*}} rank 1 {{.*}}windows.c:[[#@LINE+1]] in passive
  if (rank == 1) MPI_Fetch_and_op(&one, &got, MPI_INT, 2, 41, MPI_SUM, win), MPI_Win_flush(2, win);
  fault(1, NULL), turn(1), fault(1, "swap-always");
  // CHECK-DAG: MPI_Compare_and_swap {{.*}} rank 1 {{.*}}windows.c:[[#@LINE+1]] in passive
  if (rank == 1) MPI_Compare_and_swap(&new, &compare, &got, MPI_INT, 2, 42, win), MPI_Win_flush(2, win);
  fault(1, NULL), turn(2);
  MPI_Request request;
  fill(20), fault(2, "rput-displaced");
  // CHECK-DAG: sent by MPI_Rput of rank 2 {{.*}}windows.c:[[#@LINE+1]] in passive
  if (rank == 2) MPI_Rput(x, 4, MPI_INT, 0, 10, 4, MPI_INT, win, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 2) MPI_Win_flush(0, win), MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  // CHECK-DAG: seen in the window at MPI_Recv on rank 0 {{.*}}windows.c:[[#@LINE+1]] in passive
  if (rank == 0) MPI_Recv(&got, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fault(2, NULL), turn(2), fault(2, "rget-displaced");
  // CHECK-DAG: received by MPI_Rget on rank 2 {{.*}}windows.c:[[#@LINE+1]] in passive
  if (rank == 2) MPI_Rget(y, 2, MPI_INT, 0, 43, 2, MPI_INT, win, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  fault(2, NULL), MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(win);
}

// The data of one origin's put comes back by the get of another one. Then the target looks, too.
static void between_origins(void) {
  int token = 0;
  fill(30), fault(0, "put-displaced");
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
    // CHECK-DAG: sent by MPI_Put of rank 0 {{.*}}windows.c:[[#@LINE+1]] in between_origins
    MPI_Put(x, 4, MPI_INT, 2, 50, 4, MPI_INT, win);
    MPI_Win_unlock(2, win);
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  if (rank == 1) {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
    // CHECK-DAG: received by MPI_Get on rank 1 {{.*}}windows.c:[[#@LINE+1]] in between_origins
    MPI_Get(y, 4, MPI_INT, 2, 50, 4, MPI_INT, win);
    MPI_Win_unlock(2, win);
  }
  fault(0, NULL);
  // CHECK-DAG: seen in the window at MPI_Barrier on rank 2 {{.*}}windows.c:[[#@LINE+1]] in between_origins
  MPI_Barrier(MPI_COMM_WORLD); // before, it would look while the put is under way
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < N; i++) memory[i] = 0;
  MPI_Type_vector(2, 3, 5, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  puts_and_gets();
  updates();
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  passive();
  MPI_Barrier(MPI_COMM_WORLD);
  between_origins();
  MPI_Type_free(&spread);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 15 errors, 0 warnings, 0 notes
