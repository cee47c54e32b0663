// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for wrong arguments, and their right twins (tests/static/programs.py). Each begins at a line "//// NAME";
// lines above the first one begin all of them. WARN marks a line that is warned of, with its kind.
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define START                                                                                                          \
  int rank, size;                                                                                                      \
  MPI_Init(&argc, &argv);                                                                                              \
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                                                                \
  MPI_Comm_size(MPI_COMM_WORLD, &size);
//// count-negative
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, -1, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.count
  MPI_Finalize();
}
//// count-negative-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// count-computed
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int n = 4;
  n -= 6;
  MPI_Bcast(v, n, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.count
  MPI_Finalize();
}
//// count-computed-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int n = 4;
  n -= 2;
  MPI_Bcast(v, n, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// count-in-helper
static void share(int *data, int count) {
  MPI_Bcast(data, count - 5, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.count
}
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  share(v, 3);
  share(v, 9);
  MPI_Finalize();
}
//// count-in-helper-ok
static void share(int *data, int count) {
  MPI_Bcast(data, count - 5, MPI_INT, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  share(v, 8);
  share(v, 9);
  MPI_Finalize();
}
//// count-of-type
int main(int argc, char **argv) {
  START
  MPI_Datatype t;
  MPI_Type_contiguous(-2, MPI_INT, &t); // WARN arg.count
  MPI_Type_free(&t);
  MPI_Finalize();
}
//// count-of-type-ok
int main(int argc, char **argv) {
  START
  MPI_Datatype t;
  MPI_Type_contiguous(2, MPI_INT, &t);
  MPI_Type_free(&t);
  MPI_Finalize();
}
//// count-waitall
int main(int argc, char **argv) {
  START
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Waitall(-2, r, MPI_STATUSES_IGNORE); // WARN arg.count
  MPI_Finalize();
}
//// count-waitall-ok
int main(int argc, char **argv) {
  START
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
//// count-of-input
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (argc > 7) MPI_Send(v, 3 - 7, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.count
  MPI_Finalize();
}
//// count-of-input-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (argc > 7) MPI_Send(v, 7 - argc < 0 ? 0 : 7 - argc, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// tag-negative
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, 0, -7, MPI_COMM_WORLD); // WARN arg.tag
  MPI_Finalize();
}
//// tag-negative-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// tag-any-in-send
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD); // WARN arg.tag
  MPI_Finalize();
}
//// tag-any-in-send-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Recv(v, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// tag-recv
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Recv(v, 1, MPI_INT, 0, -3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN arg.tag
  MPI_Finalize();
}
//// tag-recv-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Recv(v, 1, MPI_INT, MPI_PROC_NULL, -3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// tag-sendrecv
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Sendrecv(v, 1, MPI_INT, 0, -1, v + 5, 1, MPI_INT, 0, -1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN arg.tag
  MPI_Finalize();
}
//// tag-sendrecv-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Sendrecv(v, 1, MPI_INT, 0, 1, v + 5, 1, MPI_INT, 0, -1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// tag-enum
enum { DATA = 3, STOP = DATA - 5 };
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Request r;
  MPI_Isend(v, 1, MPI_INT, 0, STOP, MPI_COMM_WORLD, &r); // WARN arg.tag
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// tag-enum-ok
enum { DATA = 3, STOP = DATA + 5 };
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Request r;
  MPI_Isend(v, 1, MPI_INT, 0, STOP, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// tag-of-nobody
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int peer = MPI_PROC_NULL, tag = -1;
  if (argc > 3) peer = 1;
  MPI_Send(v, 1, MPI_INT, peer, tag - 1, MPI_COMM_WORLD); // WARN arg.tag
  MPI_Finalize();
}
//// tag-of-nobody-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int peer = MPI_PROC_NULL, tag = -1;
  if (argc > 3) peer = 1, tag = 5;
  MPI_Send(v, 1, MPI_INT, peer, tag, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// tag-probe
int main(int argc, char **argv) {
  START
  MPI_Status s;
  MPI_Probe(MPI_ANY_SOURCE, -4, MPI_COMM_WORLD, &s); // WARN arg.tag
  MPI_Finalize();
}
//// tag-probe-ok
int main(int argc, char **argv) {
  START
  MPI_Status s;
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
  MPI_Finalize();
}
//// dest-any
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// dest-any-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// source-negative
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Recv(v, 1, MPI_INT, -7, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN arg.rank
  MPI_Finalize();
}
//// source-negative-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Recv(v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// self-other
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, 1, 0, MPI_COMM_SELF); // WARN arg.rank
  MPI_Finalize();
}
//// self-other-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Finalize();
}
//// target-negative
int main(int argc, char **argv) {
  START
  MPI_Win w;
  int *m, x = 1;
  MPI_Win_allocate(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  MPI_Win_fence(0, w);
  MPI_Put(&x, 1, MPI_INT, -1, 0, 1, MPI_INT, w); // WARN arg.rank
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// target-negative-ok
int main(int argc, char **argv) {
  START
  MPI_Win w;
  int *m, x = 1;
  MPI_Win_allocate(40, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  MPI_Win_fence(0, w);
  MPI_Put(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w);
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// right-neighbor
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// right-neighbor-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank + 1 < size) MPI_Send(v, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// right-neighbor-helper
static void to_right(int *data, int me) {
  int right = me + 1;
  MPI_Send(data, 1, MPI_INT, right, 0, MPI_COMM_WORLD); // WARN arg.rank
}
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  to_right(v, rank);
  MPI_Finalize();
}
//// right-neighbor-helper-ok
static void to_right(int *data, int me) {
  int right = me + 1;
  MPI_Send(data, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank < size - 1) to_right(v, rank);
  MPI_Finalize();
}
//// right-neighbor-modulo
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int right = rank + 1 % size;
  MPI_Send(v, 1, MPI_INT, right, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// right-neighbor-modulo-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int right = (rank + 1) % size;
  MPI_Send(v, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// right-neighbor-null
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int right = rank == size ? MPI_PROC_NULL : rank + 1;
  MPI_Send(v, 1, MPI_INT, right, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// right-neighbor-null-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
  MPI_Send(v, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// left-neighbor
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank >= 0) MPI_Recv(v, 1, MPI_INT, rank - 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // WARN arg.rank
  MPI_Finalize();
}
//// left-neighbor-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank >= 3) MPI_Recv(v, 1, MPI_INT, rank - 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// last-rank
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank == 0) MPI_Send(v, 1, MPI_INT, size, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// last-rank-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank == 0) MPI_Send(v, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// two-ranks-only
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, size - rank, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// two-ranks-only-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// pair-of-ranks
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int partner = rank % 2 ? rank - 1 : rank + 1;
  MPI_Send(v, 1, MPI_INT, size + partner, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// pair-of-ranks-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  int partner = rank % 2 ? rank - 1 : rank + 1;
  MPI_Send(v, 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// checked-size
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (size != 3) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Send(v, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// checked-size-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (size != 3) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) MPI_Send(v, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// dup-neighbor
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Comm c;
  MPI_Comm_dup(MPI_COMM_WORLD, &c);
  MPI_Send(v, 1, MPI_INT, rank + 1, 0, c); // WARN arg.rank
  MPI_Comm_free(&c);
  MPI_Finalize();
}
//// split-neighbor
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Comm c;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 1, 0, &c);
  MPI_Send(v, 1, MPI_INT, rank + 1, 0, c); // WARN arg.rank
  MPI_Comm_free(&c);
  MPI_Finalize();
}
//// returned-early
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank == 0) {
    MPI_Finalize();
    return 1;
  }
  MPI_Send(v, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); // WARN arg.rank
  MPI_Finalize();
}
//// returned-early-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank == size - 1) exit(0);
  MPI_Send(v, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  exit(0);
  MPI_Finalize();
}
//// root-negative
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Bcast(v, 1, MPI_INT, -1, MPI_COMM_WORLD); // WARN arg.root
  MPI_Finalize();
}
//// root-negative-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Bcast(v, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// root-of-intercomm
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Bcast(v, 1, MPI_INT, MPI_ROOT, MPI_COMM_WORLD); // WARN arg.root
  MPI_Finalize();
}
//// root-of-intercomm-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Comm p;
  MPI_Comm_get_parent(&p);
  MPI_Bcast(v, 1, MPI_INT, MPI_ROOT, p);
  MPI_Finalize();
}
//// root-null
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Bcast(v, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_WORLD); // WARN arg.root
  MPI_Finalize();
}
//// root-null-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Comm p;
  MPI_Comm_get_parent(&p);
  MPI_Bcast(v, 1, MPI_INT, MPI_PROC_NULL, p);
  MPI_Finalize();
}
//// color-negative
int main(int argc, char **argv) {
  START
  MPI_Comm c;
  MPI_Comm_split(MPI_COMM_WORLD, -2, rank, &c); // WARN arg.color
  MPI_Finalize();
}
//// color-negative-ok
int main(int argc, char **argv) {
  START
  MPI_Comm c;
  MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, rank, &c);
  MPI_Finalize();
}
//// in-place-send
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.in-place
  MPI_Finalize();
}
//// in-place-send-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-recvbuf
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Allreduce(v, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // WARN arg.in-place
  MPI_Finalize();
}
//// in-place-recvbuf-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Allreduce(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-everywhere
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Reduce(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); // WARN arg.in-place
  MPI_Finalize();
}
//// in-place-everywhere-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank == 0) MPI_Reduce(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  else MPI_Reduce(v, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-other-root
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank == 0) MPI_Reduce(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD); // WARN arg.in-place
  else MPI_Reduce(v, v + 1, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-other-root-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (rank == 1) MPI_Reduce(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  else MPI_Reduce(v, v + 1, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-bcast
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.in-place
  MPI_Finalize();
}
//// in-place-bcast-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Bcast(v, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-scatter
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Scatter(v, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.in-place
  MPI_Finalize();
}
//// in-place-scatter-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Scatter(v, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : v, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// null-comm
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_INT, 0, 0, MPI_COMM_NULL); // WARN handle.null
  MPI_Finalize();
}
//// null-comm-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Comm c = MPI_COMM_NULL;
  if (argc > 1) c = MPI_COMM_WORLD;
  if (c != MPI_COMM_NULL) MPI_Send(v, 1, MPI_INT, 0, 0, c);
  MPI_Finalize();
}
//// null-type
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD); // WARN handle.null
  MPI_Finalize();
}
//// null-type-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// null-op
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Allreduce(MPI_IN_PLACE, v, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD); // WARN handle.null
  MPI_Finalize();
}
//// null-op-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Allreduce(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// null-win
int main(int argc, char **argv) {
  START
  MPI_Win_fence(0, MPI_WIN_NULL); // WARN handle.null
  MPI_Finalize();
}
//// null-win-ok
int main(int argc, char **argv) {
  START
  MPI_Win w = MPI_WIN_NULL;
  int m[4];
  MPI_Win_create(m, 16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// null-buffer
int main(int argc, char **argv) {
  START
  MPI_Send(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.null
  MPI_Finalize();
}
//// null-buffer-ok
int main(int argc, char **argv) {
  START
  MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// null-buffer-bcast
int main(int argc, char **argv) {
  START
  int *p = NULL;
  MPI_Bcast(p, 4, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.null
  MPI_Finalize();
}
//// null-buffer-bcast-ok
int main(int argc, char **argv) {
  START
  int *p = NULL;
  p = malloc(16);
  MPI_Bcast(p, 4, MPI_INT, 0, MPI_COMM_WORLD);
  free(p);
  MPI_Finalize();
}
//// null-buffer-nobody
int main(int argc, char **argv) {
  START
  MPI_Recv(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN arg.null
  MPI_Finalize();
}
//// null-buffer-nobody-ok
int main(int argc, char **argv) {
  START
  MPI_Recv(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// bottom
int main(int argc, char **argv) {
  START
  MPI_Send(MPI_BOTTOM, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); // WARN arg.null
  MPI_Finalize();
}
//// bottom-ok
int main(int argc, char **argv) {
  START
  MPI_Datatype t;
  MPI_Aint at;
  int n = 1, x = 2;
  MPI_Get_address(&x, &at);
  MPI_Type_create_hindexed(1, &n, &at, MPI_INT, &t);
  MPI_Type_commit(&t);
  MPI_Send(MPI_BOTTOM, 1, t, 0, 0, MPI_COMM_WORLD);
  MPI_Type_free(&t);
  MPI_Finalize();
}
//// array-too-small
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 11, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// array-too-small-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// array-behind
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v + 5, 6, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// array-behind-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Send(v + 5, 5, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// array-index
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  for (int i = 0; i < 3; i++) MPI_Send(&v[i * 3], 12, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// array-index-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  for (int i = 0; i < 3; i++) MPI_Send(&v[i * 3], 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// array-bytes
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Bcast(v, sizeof v + 1, MPI_BYTE, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// array-bytes-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Bcast(v, sizeof v, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// array-recv
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Recv(v, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN arg.memory-room
  MPI_Finalize();
}
//// array-recv-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Recv(v, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// array-reduce
int main(int argc, char **argv) {
  START
  double in[4] = {0}, out[3];
  MPI_Allreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// array-reduce-ok
int main(int argc, char **argv) {
  START
  double in[4] = {0}, out[4];
  MPI_Allreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// array-gathered
int main(int argc, char **argv) {
  START
  int in[4] = {0}, out[3];
  MPI_Allgather(in, 4, MPI_INT, out, 4, MPI_INT, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// array-gathered-ok
int main(int argc, char **argv) {
  START
  int in[4] = {0}, out[64];
  MPI_Allgather(in, 4, MPI_INT, out, 4, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// array-at-root
int main(int argc, char **argv) {
  START
  int in[4] = {0}, out[64];
  MPI_Gather(in, 5, MPI_INT, out, 5, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// array-at-root-ok
int main(int argc, char **argv) {
  START
  int in[4] = {0}, out[1];
  MPI_Gather(in, 4, MPI_INT, rank ? out : NULL, 4, MPI_INT, 9, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// heap-too-small
int main(int argc, char **argv) {
  START
  double *p = malloc(10);
  MPI_Bcast(p, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD); // WARN arg.memory
  free(p);
  MPI_Finalize();
}
//// heap-too-small-ok
int main(int argc, char **argv) {
  START
  double *p = malloc(10 * sizeof *p);
  MPI_Bcast(p, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(p);
  MPI_Finalize();
}
//// heap-calloc
int main(int argc, char **argv) {
  START
  double *p = calloc(5, 8);
  MPI_Request r;
  MPI_Isend(p, 6, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r); // WARN arg.memory
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  free(p);
  MPI_Finalize();
}
//// heap-calloc-ok
int main(int argc, char **argv) {
  START
  double *p = calloc(6, 8);
  MPI_Request r;
  MPI_Isend(p, 6, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  free(p);
  MPI_Finalize();
}
//// heap-of-helper
static double *room(int n) { return malloc(n * sizeof(double)); }
int main(int argc, char **argv) {
  START
  double *p = room(8);
  MPI_Bcast(p, 9, MPI_DOUBLE, 0, MPI_COMM_WORLD); // WARN arg.memory
  free(p);
  MPI_Finalize();
}
//// heap-of-helper-ok
static double *room(int n) { return malloc(n * sizeof(double)); }
int main(int argc, char **argv) {
  START
  double *p = room(argc > 1 ? atoi(argv[1]) : 9);
  MPI_Bcast(p, 9, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(p);
  MPI_Finalize();
}
//// global-too-small
long table[8];
int main(int argc, char **argv) {
  START
  MPI_Bcast(table, 9, MPI_LONG, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// global-too-small-ok
long table[8];
int main(int argc, char **argv) {
  START
  MPI_Bcast(table, 8, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// extern-unknown
extern long table[8];
int main(int argc, char **argv) {
  START
  MPI_Bcast(table, 9, MPI_LONG, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// extern-unknown-ok
extern long table[];
int main(int argc, char **argv) {
  START
  MPI_Bcast(table, 9, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// vector-too-long
int main(int argc, char **argv) {
  START
  double m[4][4] = {{0}};
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Send(&m[0][0], 5, column, 0, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Type_free(&column);
  MPI_Finalize();
}
//// vector-too-long-ok
int main(int argc, char **argv) {
  START
  double m[4][4] = {{0}};
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Send(&m[0][3], 1, column, 0, 0, MPI_COMM_WORLD);
  MPI_Type_free(&column);
  MPI_Finalize();
}
//// contiguous-too-long
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Datatype five;
  MPI_Type_contiguous(5, MPI_INT, &five);
  MPI_Type_commit(&five);
  MPI_Send(v, 3, five, 0, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Type_free(&five);
  MPI_Finalize();
}
//// contiguous-too-long-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Datatype five;
  MPI_Type_contiguous(5, MPI_INT, &five);
  MPI_Type_commit(&five);
  MPI_Send(v, 2, five, 0, 0, MPI_COMM_WORLD);
  MPI_Type_free(&five);
  MPI_Finalize();
}
//// vla
int main(int argc, char **argv) {
  START
  int n = 4;
  int a[n];
  a[0] = 0;
  MPI_Send(a, 5, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// vla-ok
int main(int argc, char **argv) {
  START
  int n = argc;
  int a[n];
  a[0] = 0;
  MPI_Send(a, 5, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// put-too-long
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Win w;
  MPI_Win_create(v, sizeof v, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  int x[2] = {0};
  MPI_Win_fence(0, w);
  MPI_Put(x, 3, MPI_INT, rank, 0, 3, MPI_INT, w); // WARN arg.memory
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// put-too-long-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Win w;
  MPI_Win_create(v, sizeof v, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  int x[2] = {0};
  MPI_Win_fence(0, w);
  MPI_Put(x, 2, MPI_INT, rank, 0, 2, MPI_INT, w);
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// type-long
int main(int argc, char **argv) {
  START
  long n = 1;
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-long-ok
int main(int argc, char **argv) {
  START
  long n = 1;
  MPI_Bcast(&n, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-float
int main(int argc, char **argv) {
  START
  float f[8] = {0};
  MPI_Send(f, 8, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-float-ok
int main(int argc, char **argv) {
  START
  float f[8] = {0};
  MPI_Send(f, 8, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-fixed
int main(int argc, char **argv) {
  START
  int64_t n[4] = {0};
  MPI_Send(n, 4, MPI_INT32_T, 0, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-fixed-ok
int main(int argc, char **argv) {
  START
  int64_t n[4] = {0};
  MPI_Send(n, 4, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
  MPI_Send(n, 4, MPI_LONG_LONG, 0, 0, MPI_COMM_WORLD);
  MPI_Send(n, 4, MPI_AINT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-typedef
typedef float real;
int main(int argc, char **argv) {
  START
  real x[3] = {0};
  MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // WARN arg.memory // WARN type.buffer
  MPI_Finalize();
}
//// type-typedef-ok
typedef float real;
int main(int argc, char **argv) {
  START
  real x[3] = {0};
  MPI_Allreduce(MPI_IN_PLACE, x, 3, sizeof(real) == 4 ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-member
struct cell {
  int id;
  double value;
};
int main(int argc, char **argv) {
  START
  struct cell c = {0};
  MPI_Bcast(&c.value, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-member-ok
struct cell {
  int id;
  double value;
};
int main(int argc, char **argv) {
  START
  struct cell c = {0};
  MPI_Bcast(&c.value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(&c.id, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-member-array
struct cell {
  int id;
  short name[4];
  double value[8];
};
int main(int argc, char **argv) {
  START
  struct cell c = {0};
  MPI_Bcast(c.name, 4, MPI_LONG, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-member-array-ok
struct cell {
  int id;
  short name[4];
  double value[8];
};
int main(int argc, char **argv) {
  START
  struct cell c = {0};
  MPI_Bcast(c.name, 4, MPI_SHORT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-points
struct point {
  double x, y, z;
};
int main(int argc, char **argv) {
  START
  struct point a[4] = {{0}};
  MPI_Send(a, 12, MPI_FLOAT, 0, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-points-ok
struct point {
  double x, y, z;
};
int main(int argc, char **argv) {
  START
  struct point a[4] = {{0}};
  MPI_Send(a, 12, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-union
int main(int argc, char **argv) {
  START
  double u = 0;
  MPI_Send(&u, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-union-ok
int main(int argc, char **argv) {
  START
  union {
    double d;
    long l;
  } u = {0};
  MPI_Send(&u, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-storage
int main(int argc, char **argv) {
  START
  double work[100] = {0};
  MPI_Send(work, 100, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-storage-ok
int main(int argc, char **argv) {
  START
  double work[100] = {0};
  MPI_Send((int *)work, 37, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Send(work, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
  char bytes[80] = {0};
  MPI_Send(bytes, 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-complex
int main(int argc, char **argv) {
  START
  float _Complex z[4] = {0};
  MPI_Send(z, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); // WARN arg.memory // WARN type.buffer
  MPI_Finalize();
}
//// type-complex-ok
int main(int argc, char **argv) {
  START
  double _Complex z[4] = {0};
  MPI_Send(z, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  MPI_Send(z, 4, MPI_C_DOUBLE_COMPLEX, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-pair
struct pair {
  double value;
  int at;
};
int main(int argc, char **argv) {
  START
  struct pair p = {0};
  MPI_Allreduce(MPI_IN_PLACE, &p.value, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-pair-ok
struct pair {
  double value;
  int at;
};
int main(int argc, char **argv) {
  START
  struct pair p = {0};
  MPI_Allreduce(MPI_IN_PLACE, &p, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-through-helper
static void send_all(const void *data, int n, MPI_Datatype type) {
  MPI_Send(data, n, type, 0, 0, MPI_COMM_WORLD); // WARN type.buffer
}
int main(int argc, char **argv) {
  START
  double x[6] = {0};
  send_all(x, 6, MPI_FLOAT);
  MPI_Finalize();
}
//// type-through-helper-ok
static void send_all(const void *data, int n, MPI_Datatype type) {
  MPI_Send(data, n, type, 0, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  START
  double x[6] = {0};
  send_all(x, 6, MPI_DOUBLE);
  send_all(x, 48, MPI_BYTE);
  MPI_Finalize();
}
//// type-global
static double total;
int main(int argc, char **argv) {
  START
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-global-ok
static double total;
int main(int argc, char **argv) {
  START
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// type-size-t
int main(int argc, char **argv) {
  START
  size_t n = 1;
  MPI_Bcast(&n, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Finalize();
}
//// type-size-t-ok
int main(int argc, char **argv) {
  START
  size_t n = 1;
  MPI_Bcast(&n, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-count
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Allgather(v, -1, MPI_INT, v, 1, MPI_INT, MPI_COMM_WORLD); // WARN arg.count
  MPI_Finalize();
}
//// in-place-count-ok
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, v, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Gather(v, 1, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, 99, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// case-of-helper
static void move(int *data, int n, int is_wide) {
  if (is_wide) MPI_Send(data, 2 * n, MPI_INT, 0, 0, MPI_COMM_WORLD); // WARN arg.memory
  else MPI_Send(data, n, MPI_INT, 0, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  move(v, 10, 1);
  MPI_Finalize();
}
//// case-of-helper-ok
static void move(int *data, int n, int is_wide) {
  if (is_wide) MPI_Send(data, 2 * n, MPI_INT, 0, 0, MPI_COMM_WORLD);
  else MPI_Send(data, n, MPI_INT, 0, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  move(v, 10, 0);
  move(v, 5, 1);
  MPI_Finalize();
}
//// size-of-helper
static void share(int *data, int n) {
  if (n > 10) MPI_Bcast(data, n, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.memory
}
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  if (size < 100) share(v, 12);
  MPI_Finalize();
}
//// size-of-helper-ok
static void share(int *data, int n) {
  if (n <= 10) MPI_Bcast(data, n, MPI_INT, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  START
  int v[10] = {0};
  share(v, 12);
  MPI_Finalize();
}
//// bit-fields-ok
typedef struct {
  unsigned kind : 3, level : 9;
  char name;
  int n;
} packed_t;
packed_t packed;
void send(void) { MPI_Bcast(&packed, 1, MPI_INT, 0, MPI_COMM_WORLD); }
//// first-member
typedef struct {
  short kind;
  char name;
  int n;
} plain_t;
plain_t plain;
void send(void) { MPI_Bcast(&plain.kind, 1, MPI_INT, 0, MPI_COMM_WORLD); } // WARN type.buffer
//// type-structure
struct particle { double x[3]; int id; float charge; };
static MPI_Datatype make_type(void) {
  MPI_Datatype made;
  int lengths[3] = {3, 1, 1};
  MPI_Aint at[3] = {offsetof(struct particle, x), offsetof(struct particle, id), offsetof(struct particle, charge)};
  MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_INT};
  MPI_Type_create_struct(3, lengths, at, types, &made);
  MPI_Type_commit(&made);
  return made;
}
int main(int argc, char **argv) {
  START
  struct particle one = {{rank}, size, 1};
  MPI_Datatype type = make_type();
  MPI_Bcast(&one, 1, type, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Type_free(&type);
  MPI_Finalize();
}
//// type-structure-ok
struct particle { double x[3]; int id; float charge; };
static MPI_Datatype make_type(void) {
  MPI_Datatype made;
  int lengths[3] = {3, 1, 1};
  MPI_Aint at[3] = {offsetof(struct particle, x), offsetof(struct particle, id), offsetof(struct particle, charge)};
  MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_FLOAT};
  MPI_Type_create_struct(3, lengths, at, types, &made);
  MPI_Type_commit(&made);
  return made;
}
int main(int argc, char **argv) {
  START
  struct particle one = {{rank}, size, 1};
  MPI_Datatype type = make_type();
  MPI_Bcast(&one, 1, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  MPI_Finalize();
}
//// type-structure-constants
typedef struct { int32_t kind; int64_t length; char name[16]; } header;
static const int lengths[] = {1, 1, 16};
static const MPI_Aint at[] = {0, offsetof(header, length), offsetof(header, name)};
static MPI_Datatype make_type(void) {
  static const MPI_Datatype types[] = {MPI_INT64_T, MPI_INT64_T, MPI_CHAR};
  MPI_Datatype made;
  MPI_Type_create_struct(3, lengths, at, types, &made);
  MPI_Type_commit(&made);
  return made;
}
int main(int argc, char **argv) {
  START
  header head = {rank, size, "x"};
  MPI_Datatype type = make_type();
  MPI_Send(&head, 1, type, 0, 1, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Type_free(&type);
  MPI_Finalize();
}
//// type-structure-constants-ok
typedef struct { int32_t kind; int64_t length; char name[16]; } header;
static const int lengths[] = {1, 1, 16};
static const MPI_Aint at[] = {0, offsetof(header, length), offsetof(header, name)};
static MPI_Datatype make_type(void) {
  static const MPI_Datatype types[] = {MPI_INT32_T, MPI_INT64_T, MPI_CHAR};
  MPI_Datatype made;
  MPI_Type_create_struct(3, lengths, at, types, &made);
  MPI_Type_commit(&made);
  return made;
}
int main(int argc, char **argv) {
  START
  header head = {rank, size, "x"};
  MPI_Datatype type = make_type();
  MPI_Send(&head, 1, type, 0, 1, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  MPI_Finalize();
}
//// type-structure-addresses
struct packet { double values[4]; int count; };
int main(int argc, char **argv) {
  START
  struct packet all[8] = {{{rank}, size}};
  MPI_Datatype plain, whole;
  int lengths[2] = {4, 1};
  MPI_Aint base, at[2];
  MPI_Get_address(&all[0], &base);
  MPI_Get_address(&all[0].values, &at[0]);
  MPI_Get_address(&all[0].count, &at[1]);
  at[0] -= base, at[1] -= base;
  MPI_Datatype types[2] = {MPI_FLOAT, MPI_INT};
  MPI_Type_create_struct(2, lengths, at, types, &plain);
  MPI_Type_create_resized(plain, 0, sizeof(struct packet), &whole);
  MPI_Type_commit(&whole);
  MPI_Bcast(all, 8, whole, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Type_free(&plain);
  MPI_Type_free(&whole);
  MPI_Finalize();
}
//// type-structure-addresses-ok
struct packet { double values[4]; int count; };
int main(int argc, char **argv) {
  START
  struct packet all[8] = {{{rank}, size}};
  MPI_Datatype plain, whole;
  int lengths[2] = {4, 1};
  MPI_Aint base, at[2];
  MPI_Get_address(&all[0], &base);
  MPI_Get_address(&all[0].values, &at[0]);
  MPI_Get_address(&all[0].count, &at[1]);
  at[0] -= base, at[1] -= base;
  MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
  MPI_Type_create_struct(2, lengths, at, types, &plain);
  MPI_Type_create_resized(plain, 0, sizeof(struct packet), &whole);
  MPI_Type_commit(&whole);
  MPI_Bcast(all, 8, whole, 0, MPI_COMM_WORLD);
  MPI_Type_free(&plain);
  MPI_Type_free(&whole);
  MPI_Finalize();
}
//// type-structure-parts-ok
struct mesh { int sizes[4]; double origin[3]; unsigned flags : 4; unsigned level : 28; char name[8]; };
int main(int argc, char **argv) {
  START
  struct mesh mesh = {{rank}, {size}, 1, 2, "x"};
  MPI_Datatype type;
  int lengths[4] = {2, 1, 1, 8}; // a part of the sizes, one of the origin, the bits, bytes
  MPI_Aint at[4] = {offsetof(struct mesh, sizes), offsetof(struct mesh, origin) + 8, offsetof(struct mesh, name) - 4,
                    offsetof(struct mesh, name)};
  MPI_Datatype types[4] = {MPI_INT, MPI_DOUBLE, MPI_UNSIGNED, MPI_BYTE};
  MPI_Type_create_struct(4, lengths, at, types, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(&mesh, 1, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  MPI_Finalize();
}
//// member-through-pointer
struct h { int64_t id; double x; };
void f(struct h *h) {
  MPI_Send(&h->id, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); // WARN type.buffer
}
//// array-through-pointer
struct h { int n; double x[4]; };
void f(struct h *h) {
  MPI_Send(h->x, 4, MPI_FLOAT, 0, 1, MPI_COMM_WORLD); // WARN type.buffer
}
//// element-through-pointer
struct h { int n; double x; };
void f(struct h *h, int k) {
  MPI_Bcast(&h[k].x, 1, MPI_FLOAT, 0, MPI_COMM_WORLD); // WARN type.buffer
}
//// member-through-pointer-ok
struct h {
  int64_t id;
  double x[4];
  union {
    double d;
    int i[2];
  } u;
};
void f(struct h *h) {
  MPI_Send(&h->id, 1, MPI_INT64_T, 0, 1, MPI_COMM_WORLD);
  MPI_Send(h->x, 4, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  MPI_Send(h->x, 32, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  MPI_Send(&h->u.d, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  MPI_Send(h->u.i, 2, MPI_INT, 0, 1, MPI_COMM_WORLD);
}
//// type-addresses-of-caller
struct part { double x[3]; int id; };
static MPI_Datatype make(struct part *p) {
  MPI_Aint base, d[2];
  MPI_Get_address(p, &base);
  MPI_Get_address(&p->x, &d[0]);
  MPI_Get_address(&p->id, &d[1]);
  d[0] -= base; d[1] -= base;
  int len[2] = {3, 1};
  MPI_Datatype t, types[2] = {MPI_FLOAT, MPI_INT};
  MPI_Type_create_struct(2, len, d, types, &t);
  MPI_Type_commit(&t);
  return t;
}
void f(void) {
  struct part q = {{1, 2, 3}, 4};
  MPI_Datatype t = make(&q);
  MPI_Send(&q, 1, t, 0, 1, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Type_free(&t);
}
//// type-addresses-of-helper
struct part { double x[3]; int id; };
static MPI_Datatype make(void) {
  struct part p;
  MPI_Aint base, d[2];
  MPI_Get_address(&p, &base);
  MPI_Get_address(&p.x, &d[0]);
  MPI_Get_address(&p.id, &d[1]);
  d[0] -= base; d[1] -= base;
  int len[2] = {3, 1};
  MPI_Datatype t, types[2] = {MPI_FLOAT, MPI_INT};
  MPI_Type_create_struct(2, len, d, types, &t);
  MPI_Type_commit(&t);
  return t;
}
void f(void) {
  struct part q[4] = {{{1, 2, 3}, 4}};
  MPI_Datatype t = make();
  MPI_Send(q, 4, t, 0, 1, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Type_free(&t);
}
//// type-addresses-of-helper-ok
struct part { double x[3]; int id; };
static MPI_Datatype make(void) {
  struct part p;
  MPI_Aint base, d[2];
  MPI_Get_address(&p, &base);
  MPI_Get_address(&p.x, &d[0]);
  MPI_Get_address(&p.id, &d[1]);
  d[0] -= base; d[1] -= base;
  int len[2] = {3, 1};
  MPI_Datatype t, types[2] = {MPI_DOUBLE, MPI_INT};
  MPI_Type_create_struct(2, len, d, types, &t);
  MPI_Type_commit(&t);
  return t;
}
void f(void) {
  struct part q[4] = {{{1, 2, 3}, 4}};
  MPI_Datatype t = make();
  MPI_Send(q, 4, t, 0, 1, MPI_COMM_WORLD);
  MPI_Type_free(&t);
}
//// members-side-by-side
struct point { float x, y; int id; };
int main(int argc, char **argv) {
  struct point p[3] = {{0}};
  int lengths[2] = {2, 1};
  MPI_Aint at[2] = {offsetof(struct point, x), offsetof(struct point, id)};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT}, point;
  MPI_Init(&argc, &argv);
  MPI_Type_create_struct(2, lengths, at, types, &point);
  MPI_Type_commit(&point);
  MPI_Bcast(p, 3, point, 0, MPI_COMM_WORLD); // WARN type.buffer
  MPI_Type_free(&point);
  MPI_Finalize();
}
//// members-side-by-side-ok
struct point { float x, y; int id, of; double mass; };
int main(int argc, char **argv) {
  struct point p[3] = {{0}};
  int lengths[3] = {2, 2, 1};
  MPI_Aint at[3] = {offsetof(struct point, x), offsetof(struct point, id), offsetof(struct point, mass)};
  MPI_Datatype types[3] = {MPI_FLOAT, MPI_INT, MPI_DOUBLE}, point;
  MPI_Init(&argc, &argv);
  MPI_Type_create_struct(3, lengths, at, types, &point);
  MPI_Type_commit(&point);
  MPI_Bcast(p, 3, point, 0, MPI_COMM_WORLD);
  MPI_Type_free(&point);
  MPI_Finalize();
}
//// members-two-kinds-ok
struct pair { float x; int id; double y; };
int main(int argc, char **argv) {
  struct pair p = {0};
  int length = 4;
  MPI_Aint at = 0;
  MPI_Datatype type = MPI_INT, raw; // as raw words, all of them: as many bytes as the structure
  MPI_Init(&argc, &argv);
  MPI_Type_create_struct(1, &length, &at, &type, &raw);
  MPI_Type_commit(&raw);
  MPI_Bcast(&p, 1, raw, 0, MPI_COMM_WORLD);
  MPI_Type_free(&raw);
  MPI_Finalize();
}
//// declared
struct part { long *ids; unsigned n; };
struct grid { double *u; float w[8][4]; struct part in, *next; const short *marks; };
#define CHECKED(x) do { if ((x) != MPI_SUCCESS) abort(); } while (0)
float *shared;
void f(float *v, int n, struct grid *g, struct grid h, MPI_Comm c, const int *restrict k) {
  MPI_Bcast(v, n, MPI_DOUBLE, 0, c); // WARN type.buffer
  MPI_Bcast(g->u, n, MPI_FLOAT, 0, c); // WARN type.buffer
  MPI_Bcast(&g->u[3], n, MPI_INT, 0, c); // WARN type.buffer
  MPI_Bcast(h.u + n, n, MPI_INT, 0, c); // WARN type.buffer
  MPI_Bcast(g->w[1], n, MPI_DOUBLE, 0, c); // WARN type.buffer
  MPI_Bcast(&g->w[n][0], n, MPI_DOUBLE, 0, c); // WARN type.buffer
  MPI_Bcast(g->next->ids, n, MPI_INT, 0, c); // WARN type.buffer
  CHECKED(MPI_Bcast(h.in.ids, n, MPI_INT, 0, c)); // WARN type.buffer
  MPI_Bcast(&g->in.n, n, MPI_LONG, 0, c); // WARN type.buffer
  MPI_Send(k, n, MPI_FLOAT, 0, 0, c); // WARN type.buffer
  MPI_Send(g->marks, n, MPI_INT, 0, 0, c); // WARN type.buffer
  MPI_Bcast(shared, n, MPI_DOUBLE, 0, c); // WARN type.buffer
  {
    double *v = g->u;
    MPI_Gather(v, n, MPI_FLOAT, NULL, n, MPI_FLOAT, 0, c); // WARN type.buffer
  }
}
//// declared-ok
struct part { long *ids; unsigned n; };
union either { double d; int i[2]; };
struct grid { double *u; float w[8][4]; struct part in, *next; void *any; union either e; };
#define CHECKED(x) do { if ((x) != MPI_SUCCESS) abort(); } while (0)
#define DATA ((double *)v)
#define SHARE(x) MPI_Bcast((double *)(x), n, MPI_DOUBLE, 0, c)
void f(float *v, int n, struct grid *g, MPI_Comm c, double *work, double *room, double _Complex *z) {
  MPI_Bcast((double *)v, n, MPI_DOUBLE, 0, c);
  MPI_Bcast(DATA, n, MPI_DOUBLE, 0, c);
  CHECKED(MPI_Bcast((double *)v, n, MPI_DOUBLE, 0, c));
  SHARE(v);
  CHECKED(SHARE(v));
  MPI_Bcast(g->any, n, MPI_DOUBLE, 0, c);
  MPI_Bcast(g->u, n, MPI_DOUBLE, 0, c);
  MPI_Bcast(v, 4 * n, MPI_BYTE, 0, c);
  MPI_Bcast(v, 4 * n, MPI_PACKED, 0, c);
  MPI_Bcast(v, 0, MPI_INT, 0, c);
  MPI_Bcast(g->next->ids, n, MPI_INT64_T, 0, c);
  MPI_Bcast(g->w, n, MPI_FLOAT, 0, c);
  MPI_Bcast(&g->e.d, n, MPI_INT, 0, c);
  MPI_Bcast(z, 2 * n, MPI_DOUBLE, 0, c);
  MPI_Bcast(z, n, MPI_C_DOUBLE_COMPLEX, 0, c);
  int *numbers = (int *)work; // storage of several kinds
  for (int i = 0; i < n; i++) numbers[i] = i;
  MPI_Bcast(work, n, MPI_INT, 0, c);
  for (int i = 0; i < n; i++) ((int *)room)[i] = i;
  MPI_Bcast(room, n, MPI_INT, 0, c);
  {
    double *v = g->u;
    MPI_Bcast(v, n, MPI_DOUBLE, 0, c);
  }
}
//// heap-stored
int main(int argc, char **argv) {
  int n = 10, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  float *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) v[i] = (float)(i + rank); // NOTE
  MPI_Send(v, n, MPI_INT, rank, 0, MPI_COMM_WORLD); // WARN type.buffer
  free(v);
  MPI_Finalize();
}
//// heap-stored-ok
int main(int argc, char **argv) {
  int n = 10, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  float *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) v[i] = (float)(i + rank);
  MPI_Send(v, n, MPI_FLOAT, rank, 0, MPI_COMM_WORLD);
  MPI_Send(v, n * 4, MPI_BYTE, rank, 0, MPI_COMM_WORLD);
  free(v);
  MPI_Finalize();
}
//// heap-loaded
static double sum(const double *v, int n) {
  double s = 0;
  while (n-- > 0) s += *v++; // NOTE
  return s;
}
int main(int argc, char **argv) {
  int n = 10;
  MPI_Init(&argc, &argv);
  double *v = (double *)calloc(n, sizeof *v); // NOTE
  MPI_Recv(v, n, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN type.buffer
  printf("%g\n", sum(v, n));
  free(v);
  MPI_Finalize();
}
//// heap-token-ok
int main(int argc, char **argv) {
  int n = 100, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *v = malloc(n * sizeof *v), s = 0;
  MPI_Recv((void *)v, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // a token, which nobody reads
  MPI_Send((void *)v, 1, MPI_INT, rank, 2, MPI_COMM_WORLD); // and passes on
  for (int i = 0; i < n; i++) v[i] = i;
  for (int i = 0; i < n; i++) s += v[i];
  printf("%g\n", s);
  free(v);
  MPI_Finalize();
}
//// heap-two-kinds-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *work = malloc(800); // a header of integers, and numbers behind it
  ((int *)work)[0] = 99;
  for (int i = 0; i < 99; i++) ((double *)work)[i + 1] = i;
  MPI_Send(work, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Send(work + 8, 99, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
  free(work);
  MPI_Finalize();
}
//// heap-elsewhere-ok
extern void fill(double *v, int n);
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *v = malloc(800);
  v[0] = 1;
  fill(v, 100); // it may store anything
  MPI_Send((void *)v, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  free(v);
  MPI_Finalize();
}
//// heap-other-place-ok
int main(int argc, char **argv) {
  int rank, n = 4, any_tag = argc;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *v = malloc(800);
  for (int i = 1; i <= n; i++) v[i] = i; // what is at v[0] only MPI knows
  MPI_Recv((void *)v, 2, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send((void *)v, 2, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Send(v + 1, n, MPI_DOUBLE, rank, any_tag, MPI_COMM_WORLD);
  free(v);
  MPI_Finalize();
}
//// heap-complex-ok
int main(int argc, char **argv) {
  int rank, n = 8;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *z = calloc(2 * n, sizeof *z);
  for (int i = 0; i < n; i++) z[2 * i] = i, z[2 * i + 1] = -i;
  MPI_Send(z, n, MPI_C_DOUBLE_COMPLEX, rank, 0, MPI_COMM_WORLD);
  MPI_Send(z, 2 * n, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
  unsigned *k = malloc(n * sizeof *k);
  for (int i = 0; i < n; i++) k[i] = i;
  MPI_Send(k, n, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Send(k, n, MPI_UINT32_T, rank, 0, MPI_COMM_WORLD);
  free(z), free(k);
  MPI_Finalize();
}
//// beyond-window
int main(int argc, char **argv) {
  START
  int *base, v = 1;
  MPI_Win win;
  MPI_Win_allocate(8 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win); // NOTE
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 1, 8, 1, MPI_INT, win); // WARN rma.range
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Fetch_and_op(&v, base, MPI_INT, 1, -1, MPI_SUM, win); // WARN rma.range
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// beyond-window-ok
int main(int argc, char **argv) {
  START
  int *base, own[4] = {0}, v = 1;
  MPI_Win win, other, some;
  MPI_Datatype rows;
  MPI_Win_allocate(8 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_create(own, rank ? 0 : sizeof own, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &some);
  MPI_Win_create(own, sizeof own, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Type_vector(4, 1, 2, MPI_INT, &rows);
  MPI_Type_commit(&rows);
  MPI_Win_fence(0, win), MPI_Win_fence(0, some), MPI_Win_fence(0, other);
  if (rank == 0) MPI_Put(own, 4, MPI_INT, 1, 1, 1, rows, win);
  if (rank == 1) MPI_Put(&v, 1, MPI_INT, 0, 3, 1, MPI_INT, some);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 1, 12, 1, MPI_INT, other);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, MPI_PROC_NULL, 99, 1, MPI_INT, other);
  MPI_Win_fence(0, win), MPI_Win_fence(0, some), MPI_Win_fence(0, other);
  MPI_Type_free(&rows);
  MPI_Win_free(&win), MPI_Win_free(&some), MPI_Win_free(&other);
  MPI_Finalize();
}
//// window-by-input-ok
int main(int argc, char **argv) {
  static double table[10];
  double mine[10] = {1};
  int rank;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc % 2) MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  else MPI_Win_create(table, sizeof table, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(mine, 10, MPI_DOUBLE, 1, 0, 10, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// neighbor-in-loop
#define N 8
int main(int argc, char **argv) {
  START
  double u[N + 2] = {0}, err = 1;
  const int left = rank - 1, right = rank + 1, steps = argc > 1 ? atoi(argv[1]) : 5;
  for (int s = 0; s < steps; s++) {
    if (left >= 0) MPI_Send(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD);
    if (right <= size) MPI_Recv(&u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, 0); // WARN arg.rank
  }
  for (int s = 0; s < 10 && err > 1e-6; s++) {
    for (int k = 1; k < 3; k++) MPI_Send(u, 1, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD); // WARN arg.rank
    MPI_Allreduce(MPI_IN_PLACE, &err, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  if (argc > 1) MPI_Recv(u, 1, MPI_DOUBLE, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN arg.rank
  MPI_Finalize();
}
//// neighbor-in-loop-ok
int main(int argc, char **argv) {
  START
  double u[4] = {0};
  int line = argc > 1 && !strcmp(argv[1], "line"), given = argc > 2 ? atoi(argv[2]) : 4, s, next = rank + 1;
  for (s = 3; s < 3; s++) MPI_Send(u, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
  for (s = 0; s < 10; s++) {
    if (rank == size - 1) break;
    MPI_Send(u, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
  }
  if (s == 10) MPI_Send(u, 1, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD);
  for (int far = 1; far < size; far *= 2)
    if (rank + far < size) MPI_Send(u, 1, MPI_DOUBLE, rank + far, 3, MPI_COMM_WORLD);
  for (s = 0; s < 4; s++) {
    if (s == 0 && next == size) next = MPI_PROC_NULL;
    MPI_Recv(u, 1, MPI_DOUBLE, next, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (s = 0; s < 2; s++) MPI_Sendrecv_replace(u, 1, MPI_DOUBLE, 1 - rank, 5, 1 - rank, 5, MPI_COMM_WORLD, NULL);
  if (argc > 3) {
    if (line ? rank < size - 1 : size > 1)
      MPI_Send(u, 1, MPI_DOUBLE, line ? rank + 1 : (rank + 1) % size, 6, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
  }
  if (given != size) MPI_Abort(MPI_COMM_WORLD, 1);
  if (given == 4 && rank < 3) MPI_Send(u, 1, MPI_DOUBLE, rank + 1, 7, MPI_COMM_WORLD);
  if (!strcmp(argv[1], "line") && rank == size - 1) return MPI_Finalize();
  if (!strcmp(argv[1], "line")) MPI_Send(u, 1, MPI_DOUBLE, rank + 1, 8, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-by-input
static void total(double *x, int root, MPI_Comm comm) {
  MPI_Reduce(MPI_IN_PLACE, x, 5, MPI_DOUBLE, MPI_SUM, root, comm); // WARN arg.in-place
}
int main(int argc, char **argv) {
  double x[5] = {0};
  MPI_Init(&argc, &argv);
  for (int s = 0; s < 3; s++)
    if (argc > 1) total(x, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-place-by-input-ok
int main(int argc, char **argv) {
  START
  double x[5] = {0}, y[5];
  for (int root = 0; root < size; root++)
    if (argc > 1) MPI_Reduce(rank == root ? MPI_IN_PLACE : x, x, 5, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
  if (argc > 2 && rank == 0) MPI_Reduce(MPI_IN_PLACE, x, 5, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  else if (argc > 2) MPI_Reduce(x, y, 5, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// rank-is-the-first-member
struct sweep {
  int rank, size;
  MPI_Comm comm;
};
static struct sweep *new_sweep(MPI_Comm comm) {
  struct sweep *s = malloc(sizeof *s);
  if (!s) return NULL;
  s->comm = comm;
  MPI_Comm_rank(comm, &s->rank);
  MPI_Comm_size(comm, &s->size);
  return s;
}
int main(int argc, char **argv) {
  double flux = 1;
  MPI_Init(&argc, &argv);
  struct sweep *s = new_sweep(MPI_COMM_WORLD);
  if (!s) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int row = 0; row < 60; row++) {
    if (s->rank > 0) MPI_Recv(&flux, 1, MPI_DOUBLE, s->rank - 1, row, s->comm, MPI_STATUS_IGNORE);
    MPI_Send(&flux, 1, MPI_DOUBLE, s->rank + 1, row, s->comm); // WARN arg.rank
  }
  MPI_Finalize();
}
//// rank-is-the-first-member-ok
struct sweep {
  int rank, size;
  MPI_Comm comm;
};
static struct sweep *new_sweep(MPI_Comm comm) {
  struct sweep *s = malloc(sizeof *s);
  if (!s) return NULL;
  s->comm = comm;
  MPI_Comm_rank(comm, &s->rank);
  MPI_Comm_size(comm, &s->size);
  return s;
}
int main(int argc, char **argv) {
  double flux = 1;
  MPI_Init(&argc, &argv);
  struct sweep *s = new_sweep(MPI_COMM_WORLD);
  if (!s) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int row = 0; row < 60; row++) {
    if (s->rank > 0) MPI_Recv(&flux, 1, MPI_DOUBLE, s->rank - 1, row, s->comm, MPI_STATUS_IGNORE);
    if (s->rank + 1 < s->size) MPI_Send(&flux, 1, MPI_DOUBLE, s->rank + 1, row, s->comm);
  }
  MPI_Finalize();
}
//// tag-of-the-first-turn
struct level {
  int n;
  double *v;
};
struct hierarchy {
  struct level levels[4];
  int prev, next;
  MPI_Comm comm;
};
static int tag_of(int level, int direction) { return 4 * (level - 1) + direction; }
static void set_up(struct hierarchy *h, int n, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  h->comm = comm;
  h->prev = (rank + size - 1) % size;
  h->next = (rank + 1) % size;
  for (int l = 0; l < 4; l++) {
    h->levels[l].n = n >> l;
    h->levels[l].v = malloc((h->levels[l].n + 2) * sizeof(double));
  }
}
static void exchange(struct hierarchy *h, int l) {
  MPI_Request requests[2];
  MPI_Irecv(&h->levels[l].v[0], 1, MPI_DOUBLE, h->prev, tag_of(l, 1), h->comm, &requests[0]); // WARN arg.tag
  MPI_Isend(&h->levels[l].v[1], 1, MPI_DOUBLE, h->next, tag_of(l, 1), h->comm, &requests[1]); // WARN arg.tag
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv) {
  struct hierarchy h;
  MPI_Init(&argc, &argv);
  set_up(&h, 128, MPI_COMM_WORLD);
  for (int cycle = 0; cycle < 5; cycle++)
    for (int l = 0; l < 4; l++) exchange(&h, l);
  MPI_Finalize();
}
//// tag-of-the-first-turn-ok
int main(int argc, char **argv) {
  int rank, size;
  double x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int l = 0; l < 4; l++) {
    // With nobody the tag has no effect.
    MPI_Send(&x, 1, MPI_DOUBLE, MPI_PROC_NULL, 4 * (l - 1), MPI_COMM_WORLD);
    MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % size, 4 * l, &x + 0 * argc, 0, MPI_DOUBLE, MPI_PROC_NULL, l - 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, l - 1 < 0 ? MPI_ANY_TAG : 4 * l, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
//// buffers-overlap
struct bodies {
  double *all;
  int rank, size;
};
static void drift(struct bodies *b) {
  double *mine = b->all + 96 * b->rank;
  for (int i = 0; i < 96; i++) mine[i] += 0.1;
  MPI_Allgather(mine, 96, MPI_DOUBLE, b->all, 96, MPI_DOUBLE, MPI_COMM_WORLD); // WARN buffer.overlap
}
int main(int argc, char **argv) {
  int rank, size;
  double sum = 1, a[64], *p;
  struct bodies b;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  b.rank = rank, b.size = size;
  b.all = calloc(96 * (size_t)size, sizeof *b.all);
  p = calloc(100, sizeof *p);
  drift(&b);
  MPI_Allreduce(&sum, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // WARN buffer.overlap
  MPI_Allreduce(a, a, argc, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // WARN buffer.overlap
  MPI_Allreduce(b.all, b.all, argc, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // WARN buffer.overlap
  MPI_Allgather(&a[rank], 1, MPI_DOUBLE, a, 1, MPI_DOUBLE, MPI_COMM_WORLD); // WARN buffer.overlap
  MPI_Alltoall(p, 2, MPI_DOUBLE, p, 2, MPI_DOUBLE, MPI_COMM_WORLD); // WARN buffer.overlap
  MPI_Scan(a, a + 1, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // WARN buffer.overlap
  MPI_Sendrecv(&sum, 1, MPI_DOUBLE, (rank + 1) % size, 0, &sum, 1, MPI_DOUBLE, // WARN buffer.overlap
               (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// buffers-overlap-ok
int main(int argc, char **argv) {
  int rank, size;
  double sum = 1, a[64], *p;
  MPI_Datatype column;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  p = calloc(1000, sizeof *p);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(&a[32 + rank], 1, MPI_DOUBLE, a, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall(p, 2, MPI_DOUBLE, p + 100, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Scan(a, a + 1, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // The receive buffer counts at the root only.
  if (rank == 0) MPI_Reduce(MPI_IN_PLACE, a, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  else MPI_Reduce(a, a, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  // Rank 0 only sends, rank 1 only receives.
  MPI_Sendrecv(&sum, 1, MPI_DOUBLE, rank ? MPI_PROC_NULL : 1, 0, &sum, 1, MPI_DOUBLE, rank == 1 ? 0 : MPI_PROC_NULL, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // Columns of one matrix.
  MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Sendrecv(&a[1], 1, column, (rank + 1) % size, 1, &a[0], 1, column, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
  MPI_Sendrecv_replace(&sum, 1, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // The parts are where the displacements say.
  int counts[8] = {0}, behind[8] = {0};
  for (int i = 0; i < size && i < 8; i++) counts[i] = 1, behind[i] = 32 + i;
  MPI_Alltoallv(a, counts, counts, MPI_DOUBLE, a, counts, behind, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// truth-as-number
#include <stdbool.h>
struct solver {
  double x[8];
  bool done, all_done, verbose;
};
static bool agree(struct solver *s) {
  MPI_Allreduce(&s->done, &s->all_done, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD); // WARN type.buffer
  return s->all_done;
}
int main(int argc, char **argv) {
  struct solver s = {{0}, argc > 1, false, false};
  MPI_Init(&argc, &argv);
  int done = agree(&s);
  MPI_Finalize();
  return done;
}
//// truth-as-truth-ok
#include <stdbool.h>
struct solver {
  double x[8];
  bool done, all_done, verbose;
};
static bool agree(struct solver *s) {
  MPI_Allreduce(&s->done, &s->all_done, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
  MPI_Bcast(&s->verbose, sizeof s->verbose, MPI_BYTE, 0, MPI_COMM_WORLD);
  return s->all_done;
}
int main(int argc, char **argv) {
  struct solver s = {{0}, argc > 1, false, false};
  MPI_Init(&argc, &argv);
  int done = agree(&s);
  MPI_Finalize();
  return done;
}
//// root-is-the-own-rank
struct matrix {
  double *panel, *own;
  MPI_Comm comm;
  int rank, size, n;
};
static void multiply(struct matrix *m) {
  for (int k = 0; k < m->size; k++) {
    if (m->rank == k) memcpy(m->panel, m->own, (size_t)m->n * sizeof(double));
    MPI_Bcast(m->panel, m->n, MPI_DOUBLE, m->rank, m->comm); // WARN collective.divergence
  }
}
int main(int argc, char **argv) {
  struct matrix m;
  MPI_Init(&argc, &argv);
  m.comm = MPI_COMM_WORLD;
  MPI_Comm_size(m.comm, &m.size);
  MPI_Comm_rank(m.comm, &m.rank);
  m.n = 16;
  m.panel = calloc(16, sizeof(double));
  m.own = calloc(16, sizeof(double));
  multiply(&m);
  MPI_Finalize();
}
//// root-is-the-own-rank-behind-unknown-conditions
#include <unistd.h>
int main(int argc, char **argv) {
  int rank, parts[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 8; i++) {
    parts[i] = access(argv[0], i) == 0;
    if (parts[i]) printf("%d\n", i);
  }
  MPI_Bcast(parts, 8, MPI_INT, rank, MPI_COMM_WORLD); // WARN collective.divergence
  MPI_Finalize();
}
//// root-in-turn-ok
struct matrix {
  double *panel, *own;
  MPI_Comm comm;
  int rank, size, n;
};
static void multiply(struct matrix *m) {
  int last = m->size - 1;
  for (int k = 0; k < m->size; k++) {
    if (m->rank == k) memcpy(m->panel, m->own, (size_t)m->n * sizeof(double));
    MPI_Bcast(m->panel, m->n, MPI_DOUBLE, k, m->comm);
  }
  MPI_Bcast(m->panel, m->n, MPI_DOUBLE, last, m->comm);
  // One process alone.
  MPI_Bcast(m->panel, m->n, MPI_DOUBLE, m->rank, MPI_COMM_SELF);
}
int main(int argc, char **argv) {
  struct matrix m;
  MPI_Init(&argc, &argv);
  m.comm = MPI_COMM_WORLD;
  MPI_Comm_size(m.comm, &m.size);
  MPI_Comm_rank(m.comm, &m.rank);
  m.n = 16;
  m.panel = calloc(16, sizeof(double));
  m.own = calloc(16, sizeof(double));
  multiply(&m);
  MPI_Finalize();
}
//// declared-beside-a-comment
static void send_positions(const long *positions, int n) {
  MPI_Send(positions, n, // WARN type.buffer
           /* it's wrong */ MPI_INT, 0, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  START
  long p[4] = {0};
  send_positions(p, 2);
  MPI_Finalize();
}
