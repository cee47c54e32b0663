// RUN: %mpicc-check %s -o %t -pthread
// RUN: %expect66 %mpirun-check -n 2 %t ordered 2>&1 | FileCheck %s --check-prefix=ORDERED
// RUN: %expect 0 %mpirun-check -n 2 %t ordered-ok 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RIGHT --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t any 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: %expect 0 %mpirun-check -n 2 %t open 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPEN --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: %expect66 %mpirun-check -n 2 %t unsent 2>&1 | FileCheck %s --check-prefix=UNSENT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several threads send on one channel. Where their order is known, each message is compared with its receive.
// RIGHT: ==mpicc-check== no errors found
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int rank, i;
static float d;
static pthread_barrier_t both;
static void send_int(void) { MPI_Send(&i, 1, MPI_INT, 1, 3, MPI_COMM_WORLD); }
static void send_float(void) { MPI_Send(&d, 1, MPI_FLOAT, 1, 3, MPI_COMM_WORLD); }
static void receive_int(void) { MPI_Recv(&i, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void receive_float(void) { MPI_Recv(&d, 1, MPI_FLOAT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void *sends_int(void *p) { send_int(); return p; }
static void *meets_and_sends_int(void *p) { pthread_barrier_wait(&both), send_int(); return p; }

// ORDERED: ERROR [type.mismatch] MPI_INT is sent where MPI_FLOAT is received
// ORDERED-NEXT: MPI_Send from rank 0 matching.c:[[#@LINE-8]] in send_int
// ORDERED-NEXT: called from matching.c:[[#@LINE-5]] in sends_int
// ORDERED-NEXT: MPI_Recv on rank 1 matching.c:[[#@LINE-7]] in receive_float
// ORDERED: ERROR [type.mismatch] MPI_FLOAT is sent where MPI_INT is received
// ORDERED-NEXT: MPI_Send from rank 0 matching.c:[[#@LINE-11]] in send_float
// ORDERED: MPI_Recv on rank 1 matching.c:[[#@LINE-11]] in receive_int
// ORDERED: ==mpicc-check== 2 errors, 0 warnings, 0 notes
static void ordered(int is_right) { // the thread's message is the first one: it is joined before the second is sent
  pthread_t t;
  if (!rank) pthread_create(&t, NULL, sends_int, NULL), pthread_join(t, NULL), send_float();
  else if (is_right) receive_int(), receive_float();
  else receive_float(), receive_int();
}
// ANY: ERROR [type.mismatch] MPI_FLOAT is sent where MPI_INT is received
// ANY-NEXT: MPI_Send from rank 0 matching.c:[[#@LINE-21]] in send_float
// ANY: MPI_Recv on rank 1 matching.c:[[#@LINE-21]] in receive_int
// ANY: ==mpicc-check== 1 error, 0 warnings, 2 notes
static void any(void) { // whichever comes first, the float is received as an integer
  pthread_t t;
  if (!rank) pthread_create(&t, NULL, sends_int, NULL), send_float(), pthread_join(t, NULL);
  else receive_int(), receive_int();
}
// OPEN: NOTE [unchecked] several threads called MPI, so not all messages could be compared
// OPEN: ==mpicc-check== 0 errors, 0 warnings, 2 notes
static void open(void) { // which one comes first is luck
  pthread_t t;
  if (!rank) pthread_create(&t, NULL, sends_int, NULL), send_float(), pthread_join(t, NULL);
  else receive_int(), receive_float();
}
// UNSENT: ERROR [message.lost] {{.*}}
// UNSENT-NEXT: MPI_Send from rank 0 matching.c:[[#@LINE-38]] in send_int
// UNSENT: ==mpicc-check== 1 error, 0 warnings, {{[12]}} note
static void unsent(void) { // two threads send three messages, two are received: whichever, one is lost
  pthread_t t;
  pthread_barrier_init(&both, NULL, 2);
  if (!rank) {
    pthread_create(&t, NULL, meets_and_sends_int, NULL);
    pthread_barrier_wait(&both), send_int(), send_int(), pthread_join(t, NULL);
  } else receive_int(), receive_int();
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(argv[1], "ordered")) ordered(0);
  if (!strcmp(argv[1], "ordered-ok")) ordered(1);
  if (!strcmp(argv[1], "any")) any();
  if (!strcmp(argv[1], "open")) open();
  if (!strcmp(argv[1], "unsent")) unsent();
  MPI_Finalize();
  return 0;
}
