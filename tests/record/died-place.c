// RUN: %mpicc-check -O1 %s -o %t
// RUN: not %mpirun-check -n 2 %t crash 2>&1 | FileCheck %s --check-prefix=CRASH
// RUN: not %mpirun-check -n 2 %t leave 2>&1 | FileCheck %s --check-prefix=LEAVE
// RUN: not %mpirun-check -n 2 %t abort 2>&1 | FileCheck %s --check-prefix=ABORT
// RUN: not %mpirun-check -n 2 %t jump 2>&1 | FileCheck %s --check-prefix=JUMP
// RUN: not %mpirun-check -n 2 %t deep 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not %mpirun-check -n 2 %t exec 2>&1 | FileCheck %s --check-prefix=EXEC
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a crash is that of the fault, with its callers, and not that of the last MPI call. _exit, which calls no
// handler, is an exit with a code and no kill; a child of vfork that ends so is not the rank. An abort is where the
// program calls what aborts, and not in the C library; a jump to nowhere is where it comes from.
// What replaces the program by exec is no kill, and where exec fails, or a child of vfork does it, nothing is noted.
// EXEC: ERROR [init.no-finalize] rank 1 replaced its program by exec without calling MPI_Finalize
// EXEC-NEXT: it called exec here {{.*}}died-place.c:[[#@LINE+44]] in leave
// EXEC-NEXT: called from {{.*}}died-place.c:{{[0-9]+}} in main
// A stack that overflows is reported from another stack.
// CRASH: ERROR [run.died] rank 1 was killed by SIGSEGV (signal 11)
// CRASH-NEXT: it died here {{.*}}died-place.c:[[#STORE:]] in store
// CRASH-NEXT: called from {{.*}}died-place.c:[[#STORE+3]] in step
// CRASH-NEXT: called from {{.*}}died-place.c:{{[0-9]+}} in main
// CRASH-NEXT: last recorded MPI call, MPI_Bcast {{.*}}died-place.c:[[#STORE+32]] in main
// ABORT: ERROR [run.died] rank 1 was killed by SIGABRT (signal 6)
// ABORT-NEXT: it died here {{.*}}died-place.c:[[#@LINE+31]] in leave
// ABORT-NEXT: called from {{.*}}died-place.c:{{[0-9]+}} in main
// ABORT-NEXT: last recorded MPI call
// JUMP: ERROR [run.died] rank 1 was killed by SIGSEGV (signal 11)
// JUMP-NEXT: it died here {{.*}}died-place.c:[[#@LINE+26]] in leave
// JUMP-NEXT: called from {{.*}}died-place.c:{{[0-9]+}} in main
// DEEP: ERROR [run.died] rank 1 was killed by SIGSEGV (signal 11)
// DEEP-NEXT: it died here {{.*}}died-place.c:{{[0-9]+}} in recurse
// DEEP-NEXT: called from {{.*}}died-place.c:{{[0-9]+}} in recurse
// LEAVE: ERROR [init.no-finalize] rank 1 exited with code 7 without calling MPI_Finalize
// LEAVE: last recorded MPI call, MPI_Bcast
#pragma clang diagnostic ignored "-Winfinite-recursion"
#include <assert.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) static void store(int *at) {
  *at = 3;
}
__attribute__((noinline)) static void step(int *at) {
  store(at);
  at[0]++;
}
__attribute__((noinline)) static int recurse(int n) {
  volatile char room[4096];
  room[0] = (char)n;
  return recurse(n + 1) + room[0];
}
__attribute__((noinline)) static void leave(const char *how) {
  void (*volatile nowhere)(void) = NULL;
  if (strcmp(how, "jump") == 0) nowhere();
  if (strcmp(how, "abort") == 0) assert(!how);
  if (strcmp(how, "deep") == 0) recurse(0);
  if (strcmp(how, "exec") == 0) {
    execl("/no/such/program", "program", "word", NULL);
    execlp("true", "true", NULL);
  }
  _exit(7);
}
int main(int argc, char **argv) {
  int rank, value = 1;
  MPI_Init(&argc, &argv);
  if (vfork() == 0) _exit(3);
  if (vfork() == 0) execlp("true", "true", "a word", NULL), _exit(3);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  volatile int none = 0;
  step(&value);
  for (int i = 0; i < 2; i++)
    // a loop, so that the last call is not the first one
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1 && strcmp(argv[1], "crash") == 0) step((int *)(long)none);
  if (rank == 1) leave(argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
