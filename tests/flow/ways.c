// RUN: rm -rf %t.d && mkdir -p %t.d/1 %t.d/2 %t.d/3 %t.d/4 && %mpicc -O1 %s -o %t && %mpicc -O1 -fno-builtin -shared -fPIC %S/Inputs/faulty-copy.c -o %t.d/faulty-copy.so
// RUN: %mpirun-check --flow --keep-logs --check-options log_dir=%t.d/1 -n 3 %t %t.d/1 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: mv %t.d/1/units-* %t.d/1/mpicc-check-* && %unit/route-tool %t.d/1/mpicc-check-* 3 | FileCheck %s --check-prefix=SEEN
// RUN: %mpirun-check --flow --keep-logs --check-options log_dir=%t.d/2 -n 2 --mca btl_vader_single_copy_mechanism none %t %t.d/2 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: mv %t.d/2/units-* %t.d/2/mpicc-check-* && %unit/route-tool %t.d/2/mpicc-check-* 2 | FileCheck %s --check-prefix=SEEN
// RUN: env OMPI_MCA_btl=tcp,self %mpirun-check --flow --keep-logs --check-options log_dir=%t.d/3 -n 2 %t %t.d/3 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: mv %t.d/3/units-* %t.d/3/mpicc-check-* && %unit/route-tool %t.d/3/mpicc-check-* 2 | FileCheck %s --check-prefix=SEEN
// RUN: env FAULTY_COPY=short FAULTY_SIZE=777 %expect66 %mpirun-check --flow --keep-logs --check-options log_dir=%t.d/4 -n 2 -x FAULTY_COPY -x FAULTY_SIZE -x LD_PRELOAD=%t.d/faulty-copy.so %t %t.d/4
// RUN: mv %t.d/4/units-* %t.d/4/mpicc-check-* && %unit/route-tool %t.d/4/mpicc-check-* 2 | FileCheck %s --check-prefix=SHORT
// RIGHT: no errors found in
// Under load the time of a copy may not be exact enough (unordered).
// SEEN-NOT: {{unit .*(broken|wrong|unseen step|incomplete|no trace|no window)}}
// SEEN: {{^1[0-9][0-9][0-9][0-9]}} seen, {{[0-9][0-9]?}} hidden, 0 broken, 0 wrong
// SHORT: unit {{[0-9]+}} (777 bytes, rank {{[01]}} to {{[01]}}): wrong, miscopied
// SHORT-NOT: unit {{[0-9]+}} ({{([0-689][0-9]*|7|77|7[0-689][0-9]*|77[0-689]|777[0-9]+)}} bytes
// SHORT: * step {{[0-9]}}: copy of 777 bytes on rank {{[01]}} by {{.*}} with memcpy in faulty-copy.so
// SHORT: seen, {{[0-9]+}} hidden, 0 broken, {{[1-9][0-9]*}} wrong
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A right program that sends around a ring, and writes down where each piece is and when (for route-tool.c): the
// datatypes and sizes that take different ways through the library, blocking and not, received early and late, and
// relayed from the buffer that it came to. Nothing in it depends on the contents.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

static int rank, size;
static FILE *out;
static unsigned long next; // equal on all ranks: one number for each piece of each message

static unsigned long long now(void) {
  unsigned processor;
  return __rdtscp(&processor);
}

struct layout {
  const char *name;
  MPI_Datatype type;
  int count, npieces;
  MPI_Aint step, length; // of the pieces
};

static void note(unsigned long id, char side, const char *buffer, const struct layout *l, unsigned long long begin,
                 unsigned long long until) {
  for (int i = 0; i < l->npieces; i++)
    fprintf(out, "%lu %c %llx %llu %llu %lu\n", id + (unsigned long)i, side,
            (unsigned long long)(size_t)(buffer + i * l->step), begin, until, (unsigned long)l->length);
}

// Each rank sends to the next one. Message m of the ring has its own numbers.
static void round_of(const struct layout *l, char *send, char *receive, int is_late, int is_nonblocking) {
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  unsigned long id = next + (unsigned long)(rank * l->npieces), other = next + (unsigned long)(from * l->npieces);
  next += (unsigned long)(size * l->npieces);
  MPI_Request requests[2];
  unsigned long long begin[2], until;
  if (is_nonblocking) {
    begin[0] = now();
    if (!is_late) MPI_Irecv(receive, l->count, l->type, from, 1, MPI_COMM_WORLD, &requests[0]);
    begin[1] = now();
    MPI_Isend(send, l->count, l->type, to, 1, MPI_COMM_WORLD, &requests[1]);
    if (is_late) {
      MPI_Barrier(MPI_COMM_WORLD);
      begin[0] = now();
      MPI_Irecv(receive, l->count, l->type, from, 1, MPI_COMM_WORLD, &requests[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    until = now();
  } else {
    begin[0] = begin[1] = now();
    MPI_Sendrecv(send, l->count, l->type, to, 1, receive, l->count, l->type, from, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    until = now();
  }
  note(id, 's', send, l, begin[1], until);
  note(other, 'd', receive, l, begin[0], until);
}

static struct layout contiguous(int bytes) { return (struct layout){"contiguous", MPI_BYTE, bytes, 1, bytes, bytes}; }
static struct layout vector(int blocks, int length, int stride) {
  struct layout l = {"vector", MPI_DATATYPE_NULL, 1, blocks, stride, length};
  MPI_Type_vector(blocks, length, stride, MPI_BYTE, &l.type);
  MPI_Type_commit(&l.type);
  return l;
}

// --- collectives: a unit from each rank to each that gets its data, which others may relay ---
static unsigned long long begin, until;
static void unit(int from, const char *source, int to, const char *dest, long length) {
  unsigned long id = next++;
  if (rank == from)
    fprintf(out, "%lu s %llx %llu %llu %ld\n", id, (unsigned long long)(size_t)source, begin, until, length);
  if (rank == to)
    fprintf(out, "%lu d %llx %llu %llu %ld\n", id, (unsigned long long)(size_t)dest, begin, until, length);
}
#define TIMED(call) (begin = now(), (call), until = now())

static void collectives(char *a, char *b, int n) {
  int root = size - 1;
  TIMED(MPI_Bcast(a, n, MPI_BYTE, root, MPI_COMM_WORLD));
  for (int r = 0; r < root; r++) unit(root, a, r, a, n);
  TIMED(MPI_Gather(a, n, MPI_BYTE, b, n, MPI_BYTE, root, MPI_COMM_WORLD));
  for (int r = 0; r < size; r++) unit(r, a, root, b + r * n, n);
  TIMED(MPI_Scatter(b, n, MPI_BYTE, a, n, MPI_BYTE, root, MPI_COMM_WORLD));
  for (int r = 0; r < size; r++) unit(root, b + r * n, r, a, n);
  TIMED(MPI_Allgather(a, n, MPI_BYTE, b, n, MPI_BYTE, MPI_COMM_WORLD));
  for (int r = 0; r < size * size; r++) unit(r / size, a, r % size, b + r / size * n, n);
  TIMED(MPI_Alltoall(b, n, MPI_BYTE, a, n, MPI_BYTE, MPI_COMM_WORLD));
  for (int r = 0; r < size * size; r++) unit(r / size, b + r % size * n, r % size, a + r / size * n, n);
  TIMED(MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, b, n, MPI_BYTE, MPI_COMM_WORLD));
  for (int r = 0; r < size * size; r++)
    if (r / size != r % size) unit(r / size, b + r / size * n, r % size, b + r / size * n, n);
}

int main(int argc, char **argv) {
  enum { ROOM = 2 << 20 };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char path[4096];
  snprintf(path, sizeof path, "%s/units-%d", argc > 1 ? argv[1] : ".", rank);
  out = fopen(path, "w");
  struct layout layouts[] = {contiguous(1),      contiguous(8),        contiguous(100),     contiguous(777),
                             contiguous(5000),   contiguous(40000),    contiguous(1 << 20), vector(12, 8, 16),
                             vector(40, 64, 90), vector(2000, 8, 16),  vector(20, 4096, 5000)};
  char *a = malloc(ROOM), *b = malloc(ROOM);
  memset(a, rank, ROOM), memset(b, 0, ROOM);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    round_of(&layouts[i], a, b, 0, 0);
    round_of(&layouts[i], b, a + ROOM / 2, 0, 1); // what came goes on
    round_of(&layouts[i], a, b, 1, 1);
  }
  static const int lengths[] = {1, 100, 3000, 40000, 300000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) collectives(a, b, lengths[i]);
  fclose(out);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    if (layouts[i].type != MPI_BYTE) MPI_Type_free(&layouts[i].type);
  MPI_Finalize();
  return 0;
}
