// RUN: %mpicxx-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error handlers that leave the failing call by longjmp or an exception: each is reported, and what comes after is seen again.
// CHECK-DAG: done
// CHECK-DAG: ERROR [arg.rank] dest of MPI_Send is 5
// CHECK-DAG: ERROR [arg.rank] dest of MPI_Isend is 5
// CHECK-DAG: ERROR [arg.count] count of MPI_Recv is negative
// CHECK-DAG: ERROR [arg.root] root of MPI_Bcast is 2
// CHECK-DAG: WARNING [leak.comm] communicator made by MPI_Comm_dup
// CHECK-DAG: ==mpicc-check== 4 errors, 1 warning, 0 notes
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <setjmp.h>

static jmp_buf back;
static void jump(MPI_Comm *, int *, ...) { longjmp(back, 1); }
static void thrower(MPI_Comm *, int *code, ...) { throw *code; }

static __attribute__((noinline)) void deeper(int size, MPI_Comm comm,
                                             int *sum) { // its frames lie where the call that was left had its own
  int one[64];
  for (int i = 0; i < 64; i++) one[i] = 1;
  MPI_Allreduce(one, sum, 64, MPI_INT, MPI_SUM, comm);
  if (sum[63] != size) abort();
}

int main(int argc, char **argv) {
  int rank, size, x = 3, y = 0, sum[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm a, b, never_freed;
  MPI_Comm_dup(MPI_COMM_WORLD, &a), MPI_Comm_dup(MPI_COMM_WORLD, &b);
  MPI_Errhandler ea, eb;
  MPI_Comm_create_errhandler(jump, &ea), MPI_Comm_create_errhandler(thrower, &eb);
  MPI_Comm_set_errhandler(a, ea), MPI_Comm_set_errhandler(b, eb);
  MPI_Errhandler_free(&ea), MPI_Errhandler_free(&eb);
  MPI_Request r;
  if (!setjmp(back)) MPI_Send(&x, 1, MPI_INT, size + 3, 0, a), abort();
  if (!setjmp(back)) MPI_Isend(&x, 1, MPI_INT, size + 3, 0, a, &r), abort();
  try {
    MPI_Recv(&x, -1, MPI_INT, 0, 0, b, MPI_STATUS_IGNORE);
    abort();
  } catch (int) {}
  deeper(size, b, sum);
  try {
    MPI_Bcast(&x, 1, MPI_INT, size, b);
    abort();
  } catch (int) {}
  MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 0, &y, 1, MPI_INT, (rank + size - 1) % size, 0, a, MPI_STATUS_IGNORE);
  MPI_Comm_free(&a), MPI_Comm_free(&b);
  MPI_Comm_dup(MPI_COMM_WORLD, &never_freed);
  if (!rank) puts("done");
  MPI_Finalize();
}
