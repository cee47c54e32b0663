// RUN: %mpicc-check -O0 -fPIC -shared %S/Inputs/data-ranks-library.c -o %t.so
// RUN: mpicc -c %S/Inputs/data-ranks-plain.c -o %t.o
// RUN: %mpicc-check -O0 %s %S/Inputs/data-ranks.c %t.o %t.so -o %t
// RUN: rm -f %t.order && %mpirun-check -n 4 %t %t.order 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// Tables with something else in them.
// RUN: printf 'no table of edges or marks, but 40 bytes' > %t.bin
// RUN: objcopy --add-section mck_ranks=%t.bin --set-section-flags mck_ranks=alloc,readonly %t.o
// RUN: objcopy --add-section mck_received=%t.bin --set-section-flags mck_received=alloc,readonly %t.o
// RUN: %mpicc-check -O2 %s %S/Inputs/data-ranks.c %t.o %t.so -o %t
// RUN: rm -f %t.order && %mpirun-check -n 4 %t %t.order 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of several modules: one receives the number of a rank, another one makes a rank of it. They are right
// whichever message comes first. The wrong twins beside them give data to the same modules that are no ranks.
#include "Inputs/data-ranks.h"
#include "Inputs/hidden-order.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int rank, step;
static void first(int who) { if (rank && rank < 3 && rank != who) hidden_wait(step); }
static void next(void) { MPI_Barrier(W), step++; }
// A receive in the function at hand, and the messages for it.
#define ANY(buffer) MPI_Recv(buffer, 1, MPI_INT, MPI_ANY_SOURCE, 1, W, IGNORE), hidden_done(step)
static int begin(void) {
  first(2);
  if (rank == 1 || rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 1, W);
  return rank == 0;
}

// --- right ---
int hear(void) {
  int token;
  ANY(&token);
  return token;
}
void hear_into(int *token) { ANY(token); }
static void value(void) {
  int token;
  if (begin()) ANY(&token), ask(token);
  next();
}
static void variable(void) {
  if (begin()) ANY(&kept_token), ask_kept();
  next();
}
static void copied(void) {
  int token;
  if (begin()) {
    ANY(&token);
    kept_token = token;
    ask_kept();
  }
  next();
}
static void results(void) {
  if (begin()) ask_heard();
  next();
  if (begin()) ask_filled();
  next();
}
static void contexts(void) {
  struct context c = {0}, d, *p = malloc(sizeof *p);
  if (begin()) ANY(&c.who), ask_context(&c);
  next();
  if (begin()) ANY(&p->who), d = *p, ask_copy(d);
  next();
  p->values = calloc(2, sizeof(int));
  if (begin()) ANY(&p->values[1]), ask_behind(p);
  next();
  free(p->values), free(p);
}
static void pointers(void) {
  int token;
  if (begin()) ANY(&token), handlers[0](token);
  next();
  if (begin()) ask_each(1, hear);
  next();
}
static void others(void) {
  int token;
  if (begin()) ANY(&token), ask_variable(1, token);
  next();
  if (begin()) {
    ANY(&token);
    put(token);
    ask(get());
  }
  next();
  if (begin()) ANY(&token), ask_if(token == 1);
  next();
  if (begin()) ANY(&token), ask_library(token);
  next();
  if (begin()) ANY(&token), ask_plain(token);
  next();
}
// MPI itself makes other data of them.
static void passed(void) {
  int token, packed = 0, at = 0, sum;
  if (begin()) {
    ANY(&packed);
    MPI_Unpack(&packed, sizeof packed, &at, &token, 1, MPI_INT, W);
    ask(token);
  }
  next();
  if (begin()) {
    ANY(&token);
    MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    ask(sum);
  }
  next();
}

// --- wrong ---
// CHECK: WARNING [deadlock.alternative]
static void plain(void) {
  int x;
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-modules.c:[[#@LINE+1]] in plain
  if (begin()) ANY(&x), take(1);
  next();
}
// CHECK: WARNING [deadlock.alternative]
static void added(void) {
  int x;
  if (begin()) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-modules.c:[[#@LINE+1]] in added
    ANY(&x);
    printf("%d\n", add(x));
    take(peer_of(rank));
  }
  next();
}
// CHECK: WARNING [deadlock.alternative]
static void context(void) {
  struct context *p = calloc(1, sizeof *p);
  p->values = calloc(2, sizeof(int));
  p->peer = peer_of(rank);
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-modules.c:[[#@LINE+1]] in context
  if (begin()) ANY(p->values), show(p->values), ask_peer(p);
  free(p->values), free(p);
  next();
}
// CHECK: WARNING [deadlock.alternative]
static void sorted(void) {
  int values[4] = {0}, copy[4];
  if (begin()) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-modules.c:[[#@LINE+1]] in sorted
    ANY(values);
    memcpy(copy, values, sizeof copy);
    show(copy);
    take(1);
  }
  next();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(W, &rank);
  value(), variable(), copied(), results(), contexts(), pointers(), others(), passed();
  plain(), added(), context(), sorted();
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 4 warnings
