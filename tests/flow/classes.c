// RUN: mkdir -p %t.d && %mpicc -w -O1 -shared -fPIC %S/Inputs/faulty-classes.c -o %t.d/libmpi_faulty.so -ldl
// RUN: %mpicc-check %s -o %t.d/classes
// RUN: %python %S/Inputs/classes.py %mpirun-check %t.d/classes %t.d/libmpi_faulty.so %s
// RUN: %python %S/Inputs/reproduce.py %mpicc-check %mpirun-check %mpicc %mpirun %t.d/classes %t.d/libmpi_faulty.so
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// classes KIND FILE: a right program that uses each class of calls on a faulty library. On a line marked FAULT the
// library is faulty (Inputs/faulty-classes.c), so there is one finding, and it names that line. The kinds behind a
// minus change nothing there, or are not possible. All else is carried out rightly.
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 3000 };
static int rank, size, n, seed; // n: elements of each message
static int x[ROOM], y[ROOM], counts[3], at[3], bytes_at[3];
static MPI_Aint far[3];
static const char *kind;
static MPI_Datatype type, types[3];
static MPI_Request request;
static MPI_Message message;
static MPI_Status status;

static void fault(int of, const char *name) {
  char text[100];
  snprintf(text, sizeof text, "%s %s", kind, name ? name : "");
  if (rank == of && name) setenv("FAULT", text, 1);
  else unsetenv("FAULT");
}
// New content, and right traffic.
static void fill(void) {
  seed++;
  for (int i = 0; i < ROOM; i++) x[i] = seed * 100000 + rank * 10000 + i;
  if (rank == 0) MPI_Send(x, n, type, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, n, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(x + ROOM / 2, n, MPI_INT, 2, MPI_COMM_WORLD);
  for (int i = 0; i < ROOM; i++) y[i] = -seed;
  MPI_Barrier(MPI_COMM_WORLD);
}
#define CASE(of, ...) CASE_OF(of, __VA_ARGS__)
#define CASE_OF(of, name, ...)                                                                                         \
  do {                                                                                                                 \
    fill();                                                                                                            \
    fault(of, name);                                                                                                   \
    __VA_ARGS__;                                                                                                       \
    fault(of, NULL);                                                                                                   \
    MPI_Barrier(MPI_COMM_WORLD);                                                                                       \
  } while (0)
#define WAIT MPI_Wait(&request, MPI_STATUS_IGNORE)
#define TO 1, 7, MPI_COMM_WORLD
#define FROM 0, 7, MPI_COMM_WORLD
#define RECEIVE if (rank == 1) MPI_Recv(y, n, type, FROM, MPI_STATUS_IGNORE)
#define SEND if (rank == 0) MPI_Send(x, n, type, TO)
#define START MPI_Start(&request), WAIT, MPI_Request_free(&request)

static void sends(void) {
  static char buffer[40000];
  MPI_Buffer_attach(buffer, sizeof buffer);
  CASE(0, "MPI_Send", SEND; RECEIVE);                                                                          // FAULT
  CASE(0, "MPI_Ssend", if (rank == 0) MPI_Ssend(x, n, type, TO); RECEIVE);                                     // FAULT
  CASE(0, "MPI_Bsend", if (rank == 0) MPI_Bsend(x, n, type, TO); RECEIVE);                                     // FAULT
  CASE(0, "MPI_Isend", if (rank == 0) MPI_Isend(x, n, type, TO, &request), WAIT; RECEIVE);                     // FAULT
  CASE(0, "MPI_Issend", if (rank == 0) MPI_Issend(x, n, type, TO, &request), WAIT; RECEIVE);                   // FAULT
  CASE(0, "MPI_Ibsend", if (rank == 0) MPI_Ibsend(x, n, type, TO, &request), WAIT; RECEIVE);                   // FAULT
  CASE(0, "MPI_Ssend_init", if (rank == 0) MPI_Ssend_init(x, n, type, TO, &request), START; RECEIVE);          // FAULT
  CASE(0, "MPI_Bsend_init", if (rank == 0) MPI_Bsend_init(x, n, type, TO, &request), START; RECEIVE);          // FAULT
  CASE(0, "MPI_Send_init", if (rank == 0) MPI_Send_init(x, n, type, TO, &request), START; RECEIVE);            // FAULT
  if (rank == 1) MPI_Irecv(y, n, type, FROM, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  fault(0, "MPI_Rsend");
  if (rank == 0) MPI_Rsend(x, n, type, TO);                                                                    // FAULT
  fault(0, NULL);
  if (rank == 1) WAIT, MPI_Irecv(y, n, type, FROM, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  fault(0, "MPI_Irsend");
  if (rank == 0) MPI_Irsend(x, n, type, TO, &request);                                                         // FAULT
  fault(0, NULL);
  if (rank < 2) WAIT;
  if (rank == 1) MPI_Irecv(y, n, type, FROM, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  fault(0, "MPI_Rsend_init");
  if (rank == 0) MPI_Rsend_init(x, n, type, TO, &request), START;                                              // FAULT
  fault(0, NULL);
  if (rank == 1) WAIT;
  int left = (rank + 2) % 3, right = (rank + 1) % 3;
  CASE(0, "MPI_Sendrecv", MPI_Sendrecv(x, n, type, right, 1, y, n, type, left, 1, MPI_COMM_WORLD, &status));   // FAULT
  CASE(0, "MPI_Sendrecv_replace",                                                                              // FAULT
       MPI_Sendrecv_replace(x, n, type, right, 1, left, 1, MPI_COMM_WORLD, &status));
  char *detached;
  MPI_Buffer_detach(&detached, &size);
}

static void receives(void) {
  int flag = 0, index, done[2];
  CASE(1, "MPI_Recv", SEND; RECEIVE);                                                                          // FAULT
  CASE(1, "MPI_Irecv", SEND; if (rank == 1) MPI_Irecv(y, n, type, FROM, &request), WAIT);                      // FAULT
  CASE(1, "MPI_Recv_init", SEND; if (rank == 1) MPI_Recv_init(y, n, type, FROM, &request), START);             // FAULT
#define MPROBE MPI_Mprobe(FROM, &message, &status)
  CASE(1, "MPI_Mrecv", SEND; if (rank == 1) MPROBE, MPI_Mrecv(y, n, type, &message, &status));                 // FAULT
  CASE(1, "MPI_Imrecv", SEND; if (rank == 1) MPROBE, MPI_Imrecv(y, n, type, &message, &request), WAIT);        // FAULT
#define ANY MPI_ANY_SOURCE, 7, MPI_COMM_WORLD
  CASE(1, "MPI_Recv", SEND; if (rank == 1) MPI_Recv(y, n, type, ANY, &status));                                // FAULT
  CASE(1, "MPI_Irecv", SEND; if (rank == 1) MPI_Irecv(y, n, type, ANY, &request), WAIT);                       // FAULT
#define IRECV if (rank == 1) MPI_Irecv(y, n, type, FROM, &request)
#define UNTIL(call) if (rank == 1) do call; while (!flag); flag = 0
  CASE(1, "MPI_Irecv", SEND; IRECV; UNTIL(MPI_Test(&request, &flag, &status)));                                // FAULT
  CASE(1, "MPI_Irecv", SEND; IRECV; UNTIL(MPI_Testall(1, &request, &flag, &status)));                          // FAULT
  CASE(1, "MPI_Irecv", SEND; IRECV; UNTIL(MPI_Testany(1, &request, &index, &flag, &status)));                  // FAULT
  CASE(1, "MPI_Irecv", SEND; IRECV; UNTIL(MPI_Testsome(1, &request, &flag, done, &status)));                   // FAULT
  CASE(1, "MPI_Irecv", SEND; IRECV; if (rank == 1) MPI_Waitall(1, &request, &status));                         // FAULT
  CASE(1, "MPI_Irecv", SEND; IRECV; if (rank == 1) MPI_Waitany(1, &request, &index, &status));                 // FAULT
  CASE(1, "MPI_Irecv", SEND; IRECV; if (rank == 1) MPI_Waitsome(1, &request, &flag, done, &status); flag = 0); // FAULT
}

#define W MPI_COMM_WORLD
static void collectives(void) {
  CASE(1, "MPI_Bcast", MPI_Bcast(x, n, type, 0, W));                                                           // FAULT
  CASE(0, "MPI_Gather", MPI_Gather(x, n, type, y, n, type, 0, W));                                             // FAULT
  CASE(0, "MPI_Gatherv", MPI_Gatherv(x, n, type, y, counts, at, type, 0, W));                                  // FAULT
  CASE(1, "MPI_Scatter", MPI_Scatter(x, n, type, y, n, type, 0, W));                                           // FAULT
  CASE(1, "MPI_Scatterv", MPI_Scatterv(x, counts, at, type, y, n, type, 0, W));                                // FAULT
  CASE(2, "MPI_Allgather", MPI_Allgather(x, n, type, y, n, type, W));                                          // FAULT
  CASE(2, "MPI_Allgatherv", MPI_Allgatherv(x, n, type, y, counts, at, type, W));                               // FAULT
  CASE(2, "MPI_Alltoall", MPI_Alltoall(x, n, type, y, n, type, W));                                            // FAULT
  CASE(2, "MPI_Alltoallv", MPI_Alltoallv(x, counts, at, type, y, counts, at, type, W));                        // FAULT
  CASE(2, "MPI_Alltoallw", MPI_Alltoallw(x, counts, bytes_at, types, y, counts, bytes_at, types, W));          // FAULT
  CASE(1, "MPI_Ibcast", MPI_Ibcast(x, n, type, 0, W, &request), WAIT);                                         // FAULT
  CASE(0, "MPI_Igather", MPI_Igather(x, n, type, y, n, type, 0, W, &request), WAIT);                           // FAULT
  CASE(0, "MPI_Igatherv", MPI_Igatherv(x, n, type, y, counts, at, type, 0, W, &request), WAIT);                // FAULT
  CASE(1, "MPI_Iscatter", MPI_Iscatter(x, n, type, y, n, type, 0, W, &request), WAIT);                         // FAULT
  CASE(1, "MPI_Iscatterv", MPI_Iscatterv(x, counts, at, type, y, n, type, 0, W, &request), WAIT);              // FAULT
  CASE(2, "MPI_Iallgather", MPI_Iallgather(x, n, type, y, n, type, W, &request), WAIT);                        // FAULT
  CASE(2, "MPI_Iallgatherv", MPI_Iallgatherv(x, n, type, y, counts, at, type, W, &request), WAIT);             // FAULT
  CASE(2, "MPI_Ialltoall", MPI_Ialltoall(x, n, type, y, n, type, W, &request), WAIT);                          // FAULT
  CASE(2, "MPI_Ialltoallv", MPI_Ialltoallv(x, counts, at, type, y, counts, at, type, W, &request), WAIT);      // FAULT
  CASE(2, "MPI_Ialltoallw",                                                                                    // FAULT
       MPI_Ialltoallw(x, counts, bytes_at, types, y, counts, bytes_at, types, W, &request), WAIT);
}

static void neighborhoods(void) {
  MPI_Comm ring;
  int three = 3, is_periodic = 1;
  MPI_Cart_create(W, 1, &three, &is_periodic, 0, &ring);
#define N(name, ...) "MPI_Neighbor_" #name, MPI_Neighbor_##name(x, __VA_ARGS__, ring)
#define I(name, ...) "MPI_Ineighbor_" #name, MPI_Ineighbor_##name(x, __VA_ARGS__, ring, &request), WAIT
  CASE(1, N(allgather, n, type, y, n, type));                                                                  // FAULT
  CASE(1, N(allgatherv, n, type, y, counts, at, type));                                                        // FAULT
  CASE(1, N(alltoall, n, type, y, n, type));                                                                   // FAULT
  CASE(1, N(alltoallv, counts, at, type, y, counts, at, type));                                                // FAULT
  CASE(1, N(alltoallw, counts, far, types, y, counts, far, types));                                            // FAULT
  CASE(1, I(allgather, n, type, y, n, type));                                                                  // FAULT
  CASE(1, I(allgatherv, n, type, y, counts, at, type));                                                        // FAULT
  CASE(1, I(alltoall, n, type, y, n, type));                                                                   // FAULT
  CASE(1, I(alltoallv, counts, at, type, y, counts, at, type));                                                // FAULT
  CASE(1, I(alltoallw, counts, far, types, y, counts, far, types));                                            // FAULT
  MPI_Comm_free(&ring);
}

static void reductions(void) {
#define R x, y, n, MPI_INT, MPI_SUM
  CASE(0, "MPI_Reduce", MPI_Reduce(R, 0, W));                                                            // FAULT -gaps
  CASE(1, "MPI_Allreduce", MPI_Allreduce(R, W));                                                         // FAULT -gaps
  CASE(1, "MPI_Scan", MPI_Scan(R, W));                                                                   // FAULT -gaps
  CASE(1, "MPI_Exscan", MPI_Exscan(R, W));                                                               // FAULT -gaps
  CASE(2, "MPI_Reduce_scatter_block", MPI_Reduce_scatter_block(R, W));                                   // FAULT -gaps
  CASE(2, "MPI_Reduce_scatter", MPI_Reduce_scatter(x, y, counts, MPI_INT, MPI_SUM, W));                  // FAULT -gaps
  CASE(0, "MPI_Ireduce", MPI_Ireduce(R, 0, W, &request), WAIT);                                          // FAULT -gaps
  CASE(1, "MPI_Iallreduce", MPI_Iallreduce(R, W, &request), WAIT);                                       // FAULT -gaps
  CASE(1, "MPI_Iscan", MPI_Iscan(R, W, &request), WAIT);                                                 // FAULT -gaps
  CASE(1, "MPI_Iexscan", MPI_Iexscan(R, W, &request), WAIT);                                             // FAULT -gaps
  CASE(2, "MPI_Ireduce_scatter_block", MPI_Ireduce_scatter_block(R, W, &request), WAIT);                 // FAULT -gaps
  CASE(2, "MPI_Ireduce_scatter", MPI_Ireduce_scatter(x, y, counts, MPI_INT, MPI_SUM, W, &request), WAIT);// FAULT -gaps
}

static const char *data;
static void tell_by_file(int from) { // it makes a file, which the other one of ranks 0 and 1 waits for
  static int times;
  char name[4096];
  snprintf(name, sizeof name, "%s.%d", data, times++);
  if (rank == from) fclose(fopen(name, "w"));
  if (rank != 1 - from) return;
  while (access(name, F_OK)) usleep(100);
  unlink(name);
}
static int *memory;
static MPI_Win open_window(bool is_passive) {
  MPI_Win win;
  MPI_Win_allocate(ROOM * sizeof(int), sizeof(int), MPI_INFO_NULL, W, &memory, &win);
  if (is_passive) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  for (int i = 0; i < ROOM; i++) memory[i] = rank * 10000 + i;
  if (is_passive) MPI_Win_unlock(rank, win);
  return win;
}
static void windows(void) {
  MPI_Win win = open_window(false);
#define EPOCH(call) MPI_Win_fence(0, win); if (rank == 0) call; MPI_Win_fence(0, win)
#define AT 1, 0, n, type
  CASE(0, "MPI_Get", EPOCH(MPI_Get(y, n, type, AT, win)));                                                     // FAULT
  CASE(0, "MPI_Put", EPOCH(MPI_Put(x, n, type, AT, win)));                                                     // FAULT
  CASE(0, "MPI_Accumulate", EPOCH(MPI_Accumulate(x, n, type, AT, MPI_SUM, win)));                              // FAULT
  CASE(0, "MPI_Get_accumulate",                                                                  // FAULT -doubled
       EPOCH(MPI_Get_accumulate(x, n, type, y, n, type, AT, MPI_SUM, win)));
  MPI_Win_free(&win), win = open_window(true);
// The target stays out of MPI while the operation is under way: it would look at its window meanwhile, and know less.
#define LOCKED(call)                                                                                                   \
  tell_by_file(1);                                                                                                     \
  if (rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win), call, WAIT, MPI_Win_unlock(1, win);                         \
  tell_by_file(0)
  MPI_Barrier(W);
  CASE(0, "MPI_Rget", LOCKED(MPI_Rget(y, n, type, AT, win, &request)));                                        // FAULT
  CASE(0, "MPI_Rput", LOCKED(MPI_Rput(x, n, type, AT, win, &request)));                                        // FAULT
  CASE(0, "MPI_Raccumulate", LOCKED(MPI_Raccumulate(x, n, type, AT, MPI_SUM, win, &request)));                 // FAULT
  CASE(0, "MPI_Rget_accumulate",                                                                 // FAULT -doubled
       LOCKED(MPI_Rget_accumulate(x, n, type, y, n, type, AT, MPI_SUM, win, &request)));
  MPI_Win_free(&win);
}

static void files(const char *name) {
  MPI_File f;
  MPI_Offset o = rank * 1000;
  MPI_File_open(W, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
#define AT_OWN(place) MPI_File_seek(f, o + (place), MPI_SEEK_SET)
#define S MPI_STATUS_IGNORE
  CASE(0, "MPI_File_write_at", MPI_File_write_at(f, o, x, n, MPI_INT, S));                               // FAULT -gaps
  CASE(0, "MPI_File_write_at_all", MPI_File_write_at_all(f, o + 100, x, n, MPI_INT, S));                 // FAULT -gaps
  AT_OWN(200);
  CASE(1, "MPI_File_write", MPI_File_write(f, x, n, MPI_INT, S));                                        // FAULT -gaps
  AT_OWN(300);
  CASE(1, "MPI_File_write_all", MPI_File_write_all(f, x, n, MPI_INT, S));                                // FAULT -gaps
  CASE(1, "MPI_File_iwrite_at", MPI_File_iwrite_at(f, o + 400, x, n, MPI_INT, &request), WAIT);          // FAULT -gaps
  AT_OWN(500);
  CASE(1, "MPI_File_iwrite", MPI_File_iwrite(f, x, n, MPI_INT, &request), WAIT);                         // FAULT -gaps
  fill(), MPI_File_write_at(f, o + 600, x, 100, MPI_INT, S);
  CASE(0, "MPI_File_read_at", MPI_File_read_at(f, o + 600, y, n, MPI_INT, S));                           // FAULT -gaps
  CASE(0, "MPI_File_read_at_all", MPI_File_read_at_all(f, o + 600, y, n, MPI_INT, S));                   // FAULT -gaps
  AT_OWN(600);
  CASE(0, "MPI_File_read", MPI_File_read(f, y, n, MPI_INT, S));                                          // FAULT -gaps
  AT_OWN(600);
  CASE(0, "MPI_File_read_all", MPI_File_read_all(f, y, n, MPI_INT, S));                                  // FAULT -gaps
  CASE(1, "MPI_File_iread_at", MPI_File_iread_at(f, o + 600, y, n, MPI_INT, &request), WAIT);            // FAULT -gaps
  AT_OWN(600);
  CASE(1, "MPI_File_iread", MPI_File_iread(f, y, n, MPI_INT, &request), WAIT);                           // FAULT -gaps
  MPI_File_close(&f); // each rank looks at what it wrote
  MPI_Barrier(W);
  if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);
}

// What the library says of a message: the kinds count, source, tag, index.
static void answers(void) {
  MPI_Request two[2];
  MPI_Status both[2];
  int flag = 0, index, done[2];
#define SAYS "MPI_Recv", SEND; if (rank == 1) MPI_Recv
  CASE(1, SAYS(y, n, type, FROM, &status));                                                              // FAULT -index
  CASE(1, "MPI_Mrecv", SEND; if (rank == 1) MPROBE, MPI_Mrecv(y, n, type, &message, &status));           // FAULT -index
  CASE(1, "MPI_Mprobe", SEND; if (rank == 1) MPROBE, MPI_Mrecv(y, n, type, &message, S));                // FAULT -index
  CASE(1, "MPI_Improbe", SEND; UNTIL(MPI_Improbe(FROM, &flag, &message, &status));                       // FAULT -index
       if (rank == 1) MPI_Mrecv(y, n, type, &message, S));
  CASE(1, "MPI_Probe", SEND; if (rank == 1) MPI_Probe(FROM, &status), MPI_Recv(y, n, type, FROM, S));    // FAULT -index
  CASE(1, "MPI_Iprobe", SEND; UNTIL(MPI_Iprobe(FROM, &flag, &status)); RECEIVE);                         // FAULT -index
  CASE(1, "MPI_Sendrecv",                                                                                // FAULT -index
       if (rank < 2) MPI_Sendrecv(x, n, type, 1 - rank, 1, y, n, type, 1 - rank, 1, W, &status));
  CASE(1, "MPI_Wait", SEND; IRECV; if (rank == 1) MPI_Wait(&request, &status));                          // FAULT -index
  CASE(1, "MPI_Test", SEND; IRECV; UNTIL(MPI_Test(&request, &flag, &status)));                           // FAULT -index
#define TWO(name, call)                                                                                                \
  name, if (rank == 0) MPI_Send(x, n, type, 1, 2, W); if (rank == 1) MPI_Irecv(y, n, type, 0, 1, W, &two[0]),          \
  MPI_Irecv(y + ROOM / 2, n, type, 0, 2, W, &two[1]), call; MPI_Barrier(W);                                            \
  if (rank == 0) MPI_Send(x, n, type, 1, 1, W); if (rank == 1) MPI_Waitall(2, two, MPI_STATUSES_IGNORE)
#define LOOP(call) ({ do call; while (!flag); flag = 0; })
  CASE(1, TWO("MPI_Waitany", MPI_Waitany(2, two, &index, &status)));                                           // FAULT
  CASE(1, TWO("MPI_Testany", LOOP(MPI_Testany(2, two, &index, &flag, &status))));                              // FAULT
  CASE(1, TWO("MPI_Waitsome", MPI_Waitsome(2, two, &flag, done, both)));                                       // FAULT
  CASE(1, TWO("MPI_Testsome", LOOP(MPI_Testsome(2, two, &flag, done, both))));                                 // FAULT
#define PAIR(name, call) name, SEND; SEND; IRECV; if (rank == 1) two[0] = request;                                     \
  IRECV; if (rank == 1) two[1] = request; if (rank == 1) call
  CASE(1, PAIR("MPI_Waitall", MPI_Waitall(2, two, both)));                                               // FAULT -index
  CASE(1, PAIR("MPI_Testall", LOOP(MPI_Testall(2, two, &flag, both))));                                  // FAULT -index
  if (!strcmp(kind, "count")) // (a wrong source of a wildcard is taken at its word)
    CASE(1, SAYS(y, n, type, ANY, &status));                                                             // FAULT +count
}

int main(int argc, char **argv) {
  MPI_Datatype spread;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(W, &rank);
  MPI_Comm_size(W, &size);
  kind = argv[1], data = argv[2];
  MPI_Type_vector(2, 2, 3, MPI_INT, &spread), MPI_Type_commit(&spread);
  int is_spread = !strcmp(kind, "gaps");
  type = is_spread ? spread : MPI_INT, n = is_spread ? 30 : 80;
  for (int i = 0; i < 3; i++) {
    counts[i] = n, at[i] = i * n, types[i] = type;
    bytes_at[i] = i * n * (is_spread ? 20 : 4), far[i] = bytes_at[i];
  }
  bool is_answer = !strcmp(kind, "count") || !strcmp(kind, "source") || !strcmp(kind, "tag") || !strcmp(kind, "index");
  if (is_answer) answers();
  else sends(), receives(), collectives(), neighborhoods(), reductions(), windows(), files(data);
  MPI_Type_free(&spread);
  MPI_Finalize();
  return 0;
}
