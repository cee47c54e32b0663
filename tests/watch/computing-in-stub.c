// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=hang_time=1 %mpirun-check -n 2 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 is in the stub by which a program calls a library's function, which has no line and no frame of its own: the
// line is that of the call. This stub jumps to itself, until the signal.
// CHECK: NOTE [hang.computing] rank 1 has called no MPI function for long, and others wait
// CHECK: called from computing-in-stub.c:[[#@LINE+27]] in relax
// CHECK: called from computing-in-stub.c:[[#@LINE+38]] in main
// CHECK: done
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

void *volatile mck_test_target;
void mck_test_out(void);
void mck_test_stub(void);
#ifdef __x86_64__
__asm__(".text\nmck_test_out: ret\n"
        "mck_test_stub: jmp *mck_test_target(%rip)\n");
#else
void mck_test_out(void) {}
void mck_test_stub(void) {
  while (mck_test_target != (void *)mck_test_out) {}
}
#endif

static void stop(int signal_number) {
  (void)signal_number;
  mck_test_target = (void *)mck_test_out;
}

__attribute__((noinline)) static void relax(void) {
  mck_test_stub();
  __asm__ volatile("");
}

int main(int argc, char **argv) {
  int rank;
  mck_test_target = (void *)mck_test_stub;
  signal(SIGALRM, stop);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    alarm(4);
    relax();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
