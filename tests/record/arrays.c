// RUN: %mpicc-check %s -o %t && %expect66 %mpirun-check -n 2 %t 2>&1 | \
// RUN:  FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t && %expect66 %mpirun-check -n 2 %t 2>&1 | \
// RUN:  FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts, displacements and datatypes of nonblocking collectives are in use until these are complete (MPI-3.1 5.12).
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define W MPI_COMM_WORLD
#define MANY 2
static int rank, in[64], out[64];
static int counts[MANY] = {1, 1}, displs[MANY] = {0, 1}, others[MANY] = {1, 1}, bytes[MANY] = {0, 4};
static MPI_Aint wide[MANY] = {0, 4};
static MPI_Datatype types[MANY];
static MPI_Request r;
static void done(void) { MPI_Wait(&r, MPI_STATUS_IGNORE); }

// CHECK: ERROR [buffer.modified-in-use] store to memory that a pending MPI_Ialltoallv has as an argument array
// CHECK-NEXT: on ranks 0,1; shown as on rank 0
// CHECK-NEXT: store by rank 0 {{.*}}arrays.c:[[#@LINE+5]] in sent_counts
// CHECK: in use since MPI_Ialltoallv {{.*}}arrays.c:[[#@LINE+3]] in sent_counts
// CHECK: MPI may read the counts, displacements and datatypes until {{.*}} (MPI-3.1 5.12)
static void sent_counts(void) {
  MPI_Ialltoallv(in, counts, displs, MPI_INT, out, others, displs, MPI_INT, W, &r);
  counts[1] = 1;
  done();
}
// CHECK: ERROR [buffer.modified-in-use] store to memory that a pending MPI_Ialltoallv
// CHECK: in received_counts
static void received_counts(void) {
  MPI_Ialltoallv(in, counts, displs, MPI_INT, out, others, displs, MPI_INT, W, &r);
  others[0] = 1;
  done();
}
// CHECK: ERROR [buffer.modified-in-use] store to memory that a pending MPI_Ialltoallw
// CHECK: in kinds
static void kinds(void) {
  MPI_Ialltoallw(in, counts, bytes, types, out, others, bytes, types, W, &r);
  types[1] = MPI_INT;
  done();
}
// CHECK: ERROR [buffer.modified-in-use] store to memory that a pending MPI_Iallgatherv
// CHECK: in gathered
static void gathered(void) {
  MPI_Iallgatherv(in, 1, MPI_INT, out, counts, displs, MPI_INT, W, &r);
  memset(displs, 0, sizeof displs);
  done();
  displs[1] = 1;
}
// CHECK: ERROR [buffer.modified-in-use] store to memory that a pending MPI_Ireduce_scatter
// CHECK: in reduced
static void reduced(void) {
  MPI_Ireduce_scatter(in, out, counts, MPI_INT, MPI_SUM, W, &r);
  counts[0] = 1;
  done();
}
// CHECK: ERROR [buffer.modified-in-use] store to memory that a pending MPI_Iscatterv
// CHECK-NEXT: store by rank 0
// CHECK: in scattered
static void scattered(void) { // only the root's arrays are read: rank 1 may write
  MPI_Iscatterv(in, counts, displs, MPI_INT, out, 1, MPI_INT, 0, W, &r);
  counts[0] = 1;
  done();
}
static void freed(void) {
  int *own = malloc(sizeof counts);
  memcpy(own, counts, sizeof counts);
  MPI_Igatherv(in, 1, MPI_INT, out, own, displs, MPI_INT, 1, W, &r);
  if (rank) free(own);
  done();
  if (!rank) free(own);
}
// CHECK: ERROR [buffer.modified-in-use] store to memory that a pending MPI_Ineighbor_alltoallw
// CHECK: in neighbors
static void neighbors(void) {
  MPI_Comm ring;
  int all = MANY, yes = 1;
  MPI_Cart_create(W, 1, &all, &yes, 0, &ring);
  MPI_Ineighbor_alltoallw(in, counts, wide, types, out, counts, wide, types, ring, &r);
  wide[1] = 4;
  done();
  MPI_Comm_free(&ring);
}
// CHECK: ERROR [buffer.overlap] buffer of MPI_Irecv will be written over memory that a pending MPI_Ialltoallv
static void received_into(void) {
  MPI_Request other;
  MPI_Ialltoallv(in, counts, displs, MPI_INT, out, others, displs, MPI_INT, W, &r);
  MPI_Irecv(others, 1, MPI_INT, !rank, 0, W, &other);
  done();
  int one = 1;
  MPI_Send(&one, 1, MPI_INT, !rank, 0, W);
  MPI_Wait(&other, MPI_STATUS_IGNORE);
}
// CHECK: ERROR [buffer.modified-in-use] free of memory that a pending MPI_Igatherv has as an argument array
// CHECK-NEXT: free by rank 1 {{.*}} in freed
// CHECK: 9 errors, 0 warnings, 0 notes

// --- right ---
static void right(void) {
  MPI_Request both[2];
  int sum = 0, *own = malloc(sizeof counts);
  memcpy(own, counts, sizeof counts);
  MPI_Ialltoallv(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, W, &both[0]); // one array twice
  MPI_Iallgatherv(in + 8, 1, MPI_INT, out + 8, own, displs, MPI_INT, W, &both[1]);
  for (int i = 0; i < MANY; i++) sum += counts[i] + displs[i]; // reading is right
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  counts[0] = sum ? 1 : 2, own[0] = 3;
  free(own);
  MPI_Ialltoallv(MPI_IN_PLACE, others, others, MPI_INT, out, counts, displs, MPI_INT, W, &r);
  others[0] = 1; // ignored in place
  done();
  MPI_Igatherv(in, 1, MPI_INT, out, rank ? NULL : counts, rank ? NULL : displs, MPI_INT, 0, W, &r);
  if (rank) counts[1] = 1;
  int is_over = 0;
  while (!is_over) MPI_Test(&r, &is_over, MPI_STATUS_IGNORE);
  counts[1] = 1;
  MPI_Alltoallv(in, counts, displs, MPI_INT, out, others, displs, MPI_INT, W); // blocking
  others[1] = 1;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(W, &rank);
  types[0] = types[1] = MPI_INT;
  right();
  sent_counts(), received_counts(), kinds(), gathered(), reduced(), scattered(), freed(), neighbors(), received_into();
  right();
  MPI_Finalize();
  return 0;
}
