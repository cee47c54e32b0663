// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A faulty MPI library for each class of calls: it spoils the data that a function sends, or that one brings. The
// variable FAULT names the kind and the function ("flip MPI_Issend"). The data is spoiled in packed order:
//   flip      one bit in the middle          exchange  the halves
//   stale     all is what was there before   tail      the last element is what was there before
//   doubled   the first half twice           shift     each element has the data of its neighbor
//   gaps      packed data lies without the gaps of the datatype
// Of status, index and count: "source MPI_Waitsome" and so on.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *fault_of(const char *function) {
  static char kind[32], name[64];
  const char *wanted = getenv("FAULT");
  if (!wanted || sscanf(wanted, "%31s %63s", kind, name) != 2 || strcmp(name, function)) return NULL;
  return kind;
}

// A buffer, and what was in it.
struct look {
  void *buffer;
  int count, bytes;
  MPI_Datatype type;
  const char *kind;
  char *before;
};
static char *pack(const void *buffer, int count, MPI_Datatype type, int *bytes) {
  int at = 0;
  PMPI_Type_size(type, bytes), *bytes *= count;
  char *packed = malloc((size_t)*bytes + 16);
  PMPI_Pack(buffer, count, type, packed, *bytes, &at, MPI_COMM_SELF);
  return packed;
}
static struct look begin(const char *function, const void *buffer, int count, MPI_Datatype type) {
  struct look l = {(void *)buffer, count, 0, type, fault_of(function), NULL};
  if (l.kind && count < 1) l.kind = NULL;
  if (l.kind) l.kind = strdup(l.kind), l.before = pack(buffer, count, type, &l.bytes);
  return l;
}
static void spoil(struct look *l) {
  if (!l->kind) return;
  int n, at = 0, element = 4, half;
  char *now = pack(l->buffer, l->count, l->type, &n);
  half = n / 2 / element * element;
  if (!strcmp(l->kind, "flip")) now[n / 2] ^= 4;
  if (!strcmp(l->kind, "exchange"))
    for (int i = 0; i < half; i++) {
      char c = now[i];
      now[i] = now[half + i], now[half + i] = c;
    }
  if (!strcmp(l->kind, "stale")) memcpy(now, l->before, (size_t)n);
  if (!strcmp(l->kind, "tail")) memcpy(now + n - element, l->before + n - element, (size_t)element);
  if (!strcmp(l->kind, "doubled")) memcpy(now + half, now, (size_t)half);
  if (!strcmp(l->kind, "shift")) memmove(now, now + element, (size_t)(n - element));
  if (!strcmp(l->kind, "gaps")) memcpy(l->buffer, now, (size_t)n);
  else PMPI_Unpack(now, n, &at, l->buffer, l->count, l->type, MPI_COMM_SELF);
  free(now), free(l->before), l->kind = NULL;
}
// What is sent: a spoiled copy. What is stale or missing at its end is zero.
static const void *spoiled(const char *function, const void *buffer, int count, MPI_Datatype type) {
  if (!fault_of(function) || count < 1) return buffer;
  MPI_Aint lb, extent;
  PMPI_Type_get_extent(type, &lb, &extent);
  size_t size = (size_t)(extent * (count + 1));
  char *copy = calloc(1, size);
  struct look l = begin(function, copy, count, type);
  memcpy(copy, buffer, (size_t)(extent * count - (extent > 4 ? 4 : 0)));
  spoil(&l);
  return copy; // kept: nobody knows when it is sent
}

#define WRAP(name, parameters, before, arguments, ...)                                                               \
  int P##name parameters {                                                                                             \
    static __typeof(P##name) *real;                                                                                    \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "P" #name);                                                          \
    const char *function = #name;                                                                                      \
    (void)function;                                                                                                    \
    before;                                                                                                            \
    int rc = real arguments;                                                                                           \
    __VA_ARGS__;                                                                                                       \
    return rc;                                                                                                         \
  }
#define OUT out = spoiled(function, out, n, type)
#define LOOK(buffer, count, type) struct look look = begin(function, buffer, count, type)
#define SPOIL spoil(&look)
#define LATER later(*request, look)

// --- requests: what they bring is spoiled when they are complete ---
enum { LATER_MAX = 64 };
static struct {
  MPI_Request request;
  struct look look;
} waiting[LATER_MAX];
static void later(MPI_Request request, struct look look) {
  for (int i = 0; look.kind && i < LATER_MAX; i++)
    if (!waiting[i].look.kind) {
      waiting[i].request = request, waiting[i].look = look;
      break;
    }
}
static void complete(MPI_Request request) {
  for (int i = 0; i < LATER_MAX; i++)
    if (waiting[i].look.kind && waiting[i].request == request) spoil(&waiting[i].look);
}
static void spoil_status(const char *function, MPI_Status *status) {
  const char *kind = fault_of(function);
  if (!kind || status == MPI_STATUS_IGNORE || status == MPI_STATUSES_IGNORE) return;
  if (!strcmp(kind, "count")) status->_ucount -= 4;
  if (!strcmp(kind, "source")) status->MPI_SOURCE++;
  if (!strcmp(kind, "tag")) status->MPI_TAG++;
}
static MPI_Request kept[LATER_MAX];
#define KEEP(n, requests)                                                                                              \
  int room = (n) < LATER_MAX ? (n) : LATER_MAX;                                                                        \
  memcpy(kept, requests, (size_t)room * sizeof *kept)
static void next(const char *function, int n, int *index) {
  if (fault_of(function) && !strcmp(fault_of(function), "index")) *index = (*index + 1) % n;
}
WRAP(MPI_Wait, (MPI_Request * r, MPI_Status *s), KEEP(1, r), (r, s), complete(kept[0]); spoil_status(function, s))
WRAP(MPI_Test, (MPI_Request * r, int *flag, MPI_Status *s), KEEP(1, r), (r, flag, s), if (*flag) complete(kept[0]);
     if (*flag) spoil_status(function, s))
WRAP(MPI_Waitall, (int n, MPI_Request *r, MPI_Status *s), KEEP(n, r), (n, r, s),
     for (int i = 0; i < room; i++) complete(kept[i]);
     spoil_status(function, s))
WRAP(MPI_Testall, (int n, MPI_Request *r, int *flag, MPI_Status *s), KEEP(n, r), (n, r, flag, s),
     for (int i = 0; *flag && i < room; i++) complete(kept[i]);
     if (*flag) spoil_status(function, s))
WRAP(MPI_Waitany, (int n, MPI_Request *r, int *index, MPI_Status *s), KEEP(n, r), (n, r, index, s),
     if (*index >= 0) complete(kept[*index]);
     spoil_status(function, s); next(function, n, index))
WRAP(MPI_Testany, (int n, MPI_Request *r, int *index, int *flag, MPI_Status *s), KEEP(n, r), (n, r, index, flag, s),
     if (*flag && *index >= 0) complete(kept[*index]), spoil_status(function, s), next(function, n, index))
WRAP(MPI_Waitsome, (int n, MPI_Request *r, int *done, int *index, MPI_Status *s), KEEP(n, r), (n, r, done, index, s),
     for (int i = 0; i < *done; i++) complete(kept[index[i]]);
     if (*done > 0) spoil_status(function, s), next(function, n, index))
WRAP(MPI_Testsome, (int n, MPI_Request *r, int *done, int *index, MPI_Status *s), KEEP(n, r), (n, r, done, index, s),
     for (int i = 0; i < *done; i++) complete(kept[index[i]]);
     if (*done > 0) spoil_status(function, s), next(function, n, index))

// --- messages ---
#define SEND_PARAMETERS (const void *out, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
#define SEND(name) WRAP(name, SEND_PARAMETERS, OUT, (out, n, type, dest, tag, comm), )
#define ISEND(name)                                                                                                    \
  WRAP(name, (const void *out, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request), OUT, \
       (out, n, type, dest, tag, comm, request), )
SEND(MPI_Send)
SEND(MPI_Ssend)
SEND(MPI_Bsend)
SEND(MPI_Rsend)
ISEND(MPI_Isend)
ISEND(MPI_Issend)
ISEND(MPI_Ibsend)
ISEND(MPI_Irsend)
ISEND(MPI_Send_init)
ISEND(MPI_Ssend_init)
ISEND(MPI_Bsend_init)
ISEND(MPI_Rsend_init)
WRAP(MPI_Sendrecv,
     (const void *out, int n, MPI_Datatype type, int dest, int tag, void *in, int m, MPI_Datatype in_type, int source,
      int in_tag, MPI_Comm comm, MPI_Status *s),
     OUT, (out, n, type, dest, tag, in, m, in_type, source, in_tag, comm, s), spoil_status(function, s))
WRAP(MPI_Sendrecv_replace,
     (void *in, int n, MPI_Datatype type, int dest, int tag, int source, int in_tag, MPI_Comm comm, MPI_Status *s),
     LOOK(in, n, type), (in, n, type, dest, tag, source, in_tag, comm, s), SPOIL)
WRAP(MPI_Recv, (void *in, int n, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *s),
     LOOK(in, n, type), (in, n, type, source, tag, comm, s), SPOIL; spoil_status(function, s))
WRAP(MPI_Mrecv, (void *in, int n, MPI_Datatype type, MPI_Message *m, MPI_Status *s), LOOK(in, n, type),
     (in, n, type, m, s), SPOIL; spoil_status(function, s))
WRAP(MPI_Irecv, (void *in, int n, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request),
     LOOK(in, n, type), (in, n, type, source, tag, comm, request), LATER)
WRAP(MPI_Recv_init, (void *in, int n, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request),
     LOOK(in, n, type), (in, n, type, source, tag, comm, request), LATER)
WRAP(MPI_Imrecv, (void *in, int n, MPI_Datatype type, MPI_Message *m, MPI_Request *request), LOOK(in, n, type),
     (in, n, type, m, request), LATER)
WRAP(MPI_Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *m, MPI_Status *s), , (source, tag, comm, m, s),
     spoil_status(function, s))
WRAP(MPI_Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *m, MPI_Status *s), ,
     (source, tag, comm, flag, m, s), if (*flag) spoil_status(function, s))
WRAP(MPI_Probe, (int source, int tag, MPI_Comm comm, MPI_Status *s), , (source, tag, comm, s),
     spoil_status(function, s))
WRAP(MPI_Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *s), , (source, tag, comm, flag, s),
     if (*flag) spoil_status(function, s))

// --- collectives: each, and its nonblocking form ---
// Both forms have the same parameters, in macros that end before the closing bracket.
#define COLLECTIVE(name, iname, parameters, arguments, buffer, count, of)                                              \
  WRAP(name, (parameters), LOOK(buffer, count, of), (arguments), SPOIL)                                                \
  WRAP(iname, (parameters, MPI_Request * request), LOOK(buffer, count, of), (arguments, request), LATER)
#define LIST(...) __VA_ARGS__
#define FROM const void *out, int n, MPI_Datatype type
#define FROM_V const void *out, const int *n, const int *at, MPI_Datatype type
#define TO void *in, int m, MPI_Datatype in_type
#define TO_V void *in, const int *m, const int *in_at, MPI_Datatype in_type
#define TO_W void *in, const int *m, const int *in_at, const MPI_Datatype *in_types
#define TO_NW void *in, const int *m, const MPI_Aint *in_at, const MPI_Datatype *in_types
// The part of the last rank.
static int last_of(MPI_Comm comm) {
  int n;
  PMPI_Comm_size(comm, &n);
  return n - 1;
}
static char *last_part(void *in, const int *at, MPI_Datatype type, MPI_Comm comm) {
  MPI_Aint lb, extent;
  PMPI_Type_get_extent(type, &lb, &extent);
  return (char *)in + at[last_of(comm)] * extent;
}
#define PART_V (fault_of(function) ? last_part(in, in_at, in_type, comm) : NULL)
#define COUNT_V (fault_of(function) ? m[last_of(comm)] : 0)

COLLECTIVE(MPI_Bcast, MPI_Ibcast, LIST(TO, int root, MPI_Comm comm), LIST(in, m, in_type, root, comm), in, m, in_type)
COLLECTIVE(MPI_Gather, MPI_Igather, LIST(FROM, TO, int root, MPI_Comm comm),
           LIST(out, n, type, in, m, in_type, root, comm), in, 2 * m, in_type)
COLLECTIVE(MPI_Gatherv, MPI_Igatherv, LIST(FROM, TO_V, int root, MPI_Comm comm),
           LIST(out, n, type, in, m, in_at, in_type, root, comm), PART_V, COUNT_V, in_type)
COLLECTIVE(MPI_Scatter, MPI_Iscatter, LIST(FROM, TO, int root, MPI_Comm comm),
           LIST(out, n, type, in, m, in_type, root, comm), in, m, in_type)
COLLECTIVE(MPI_Scatterv, MPI_Iscatterv, LIST(FROM_V, TO, int root, MPI_Comm comm),
           LIST(out, n, at, type, in, m, in_type, root, comm), in, m, in_type)
COLLECTIVE(MPI_Allgather, MPI_Iallgather, LIST(FROM, TO, MPI_Comm comm), LIST(out, n, type, in, m, in_type, comm), in,
           2 * m, in_type)
COLLECTIVE(MPI_Allgatherv, MPI_Iallgatherv, LIST(FROM, TO_V, MPI_Comm comm),
           LIST(out, n, type, in, m, in_at, in_type, comm), PART_V, COUNT_V, in_type)
COLLECTIVE(MPI_Alltoall, MPI_Ialltoall, LIST(FROM, TO, MPI_Comm comm), LIST(out, n, type, in, m, in_type, comm), in,
           2 * m, in_type)
COLLECTIVE(MPI_Alltoallv, MPI_Ialltoallv, LIST(FROM_V, TO_V, MPI_Comm comm),
           LIST(out, n, at, type, in, m, in_at, in_type, comm), PART_V, COUNT_V, in_type)
COLLECTIVE(MPI_Alltoallw, MPI_Ialltoallw,
           LIST(const void *out, const int *n, const int *at, const MPI_Datatype *types, TO_W, MPI_Comm comm),
           LIST(out, n, at, types, in, m, in_at, in_types, comm), (char *)in + in_at[0], m[0], in_types[0])
COLLECTIVE(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, LIST(FROM, TO, MPI_Comm comm),
           LIST(out, n, type, in, m, in_type, comm), in, m, in_type)
COLLECTIVE(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, LIST(FROM, TO_V, MPI_Comm comm),
           LIST(out, n, type, in, m, in_at, in_type, comm), in, m[0], in_type)
COLLECTIVE(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, LIST(FROM, TO, MPI_Comm comm),
           LIST(out, n, type, in, m, in_type, comm), in, m, in_type)
COLLECTIVE(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, LIST(FROM_V, TO_V, MPI_Comm comm),
           LIST(out, n, at, type, in, m, in_at, in_type, comm), in, m[0], in_type)
COLLECTIVE(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
           LIST(const void *out, const int *n, const MPI_Aint *at, const MPI_Datatype *types, TO_NW, MPI_Comm comm),
           LIST(out, n, at, types, in, m, in_at, in_types, comm), (char *)in + in_at[0], m[0], in_types[0])
#define REDUCTION const void *out, void *in, int n, MPI_Datatype type, MPI_Op op
COLLECTIVE(MPI_Reduce, MPI_Ireduce, LIST(REDUCTION, int root, MPI_Comm comm), LIST(out, in, n, type, op, root, comm),
           in, n, type)
COLLECTIVE(MPI_Allreduce, MPI_Iallreduce, LIST(REDUCTION, MPI_Comm comm), LIST(out, in, n, type, op, comm), in, n, type)
COLLECTIVE(MPI_Scan, MPI_Iscan, LIST(REDUCTION, MPI_Comm comm), LIST(out, in, n, type, op, comm), in, n, type)
COLLECTIVE(MPI_Exscan, MPI_Iexscan, LIST(REDUCTION, MPI_Comm comm), LIST(out, in, n, type, op, comm), in, n, type)
COLLECTIVE(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, LIST(REDUCTION, MPI_Comm comm),
           LIST(out, in, n, type, op, comm), in, n, type)
COLLECTIVE(MPI_Reduce_scatter, MPI_Ireduce_scatter,
           LIST(const void *out, void *in, const int *n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           LIST(out, in, n, type, op, comm), in, n[0], type)

// --- one-sided communication ---
#define AT int target, MPI_Aint disp, int m, MPI_Datatype in_type
WRAP(MPI_Put, (FROM, AT, MPI_Win win), OUT, (out, n, type, target, disp, m, in_type, win), )
WRAP(MPI_Rput, (FROM, AT, MPI_Win win, MPI_Request *request), OUT,
     (out, n, type, target, disp, m, in_type, win, request), )
WRAP(MPI_Accumulate, (FROM, AT, MPI_Op op, MPI_Win win), OUT, (out, n, type, target, disp, m, in_type, op, win), )
WRAP(MPI_Raccumulate, (FROM, AT, MPI_Op op, MPI_Win win, MPI_Request *request), OUT,
     (out, n, type, target, disp, m, in_type, op, win, request), )
// What is brought is there behind the next fence.
WRAP(MPI_Win_fence, (int assertions, MPI_Win win), , (assertions, win), complete(MPI_REQUEST_NULL))
#define AT_FENCE later(MPI_REQUEST_NULL, look)
WRAP(MPI_Get, (void *in, int n, MPI_Datatype type, AT, MPI_Win win), LOOK(in, n, type),
     (in, n, type, target, disp, m, in_type, win), AT_FENCE)
WRAP(MPI_Rget, (void *in, int n, MPI_Datatype type, AT, MPI_Win win, MPI_Request *request), LOOK(in, n, type),
     (in, n, type, target, disp, m, in_type, win, request), LATER)
WRAP(MPI_Get_accumulate, (FROM, void *in, int k, MPI_Datatype to, AT, MPI_Op op, MPI_Win win), LOOK(in, k, to),
     (out, n, type, in, k, to, target, disp, m, in_type, op, win), AT_FENCE)
WRAP(MPI_Rget_accumulate,
     (FROM, void *in, int k, MPI_Datatype to, AT, MPI_Op op, MPI_Win win, MPI_Request *request), LOOK(in, k, to),
     (out, n, type, in, k, to, target, disp, m, in_type, op, win, request), LATER)

// --- files ---
#define WRITE(name, ...) WRAP(name, (MPI_File f, __VA_ARGS__ FROM, MPI_Status *s), OUT, F_ARGUMENTS, )
#define READ(name, ...)                                                                                                \
  WRAP(name, (MPI_File f, __VA_ARGS__ TO, MPI_Status *s), LOOK(in, m, in_type), F_ARGUMENTS, SPOIL)
#define COMMA ,
#define F_ARGUMENTS (f, o, out, n, type, s)
WRITE(MPI_File_write_at, MPI_Offset o COMMA)
WRITE(MPI_File_write_at_all, MPI_Offset o COMMA)
#undef F_ARGUMENTS
#define F_ARGUMENTS (f, out, n, type, s)
WRITE(MPI_File_write, )
WRITE(MPI_File_write_all, )
#undef F_ARGUMENTS
#define F_ARGUMENTS (f, o, in, m, in_type, s)
READ(MPI_File_read_at, MPI_Offset o COMMA)
READ(MPI_File_read_at_all, MPI_Offset o COMMA)
#undef F_ARGUMENTS
#define F_ARGUMENTS (f, in, m, in_type, s)
READ(MPI_File_read, )
READ(MPI_File_read_all, )
WRAP(MPI_File_iwrite_at, (MPI_File f, MPI_Offset o, FROM, MPI_Request *request), OUT, (f, o, out, n, type, request), )
WRAP(MPI_File_iwrite, (MPI_File f, FROM, MPI_Request *request), OUT, (f, out, n, type, request), )
WRAP(MPI_File_iread_at, (MPI_File f, MPI_Offset o, TO, MPI_Request *request), LOOK(in, m, in_type),
     (f, o, in, m, in_type, request), LATER)
WRAP(MPI_File_iread, (MPI_File f, TO, MPI_Request *request), LOOK(in, m, in_type), (f, in, m, in_type, request), LATER)
