// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A faulty MPI library: it stands between mpicc-check and the real one and gives PMPI_ functions of its own. Each
// carries out the call by the real function, and does one thing wrong while the variable FAULT names it. With
// FAULT_CALL=N only the N-th call of the process that the fault may happen in is wrong.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The library's own function behind this one.
#define REAL(name)                                                                                                     \
  static __typeof(name) *real;                                                                                         \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

// Is this call to be wrong?
static int is_named(const char *fault) {
  const char *wanted = getenv("FAULT");
  return wanted && !strcmp(wanted, fault);
}
static int is_faulty(const char *fault) {
  static long calls;
  const char *number = getenv("FAULT_CALL");
  if (!is_named(fault)) return 0;
  calls++;
  return !number || calls == atol(number);
}

static void *copy_of(const void *buffer, int count, MPI_Datatype type, MPI_Aint *low, size_t *size) {
  MPI_Aint lb, extent, true_lb, true_extent;
  PMPI_Type_get_extent(type, &lb, &extent), PMPI_Type_get_true_extent(type, &true_lb, &true_extent);
  *low = true_lb, *size = (size_t)(true_extent + (count - 1) * extent);
  char *copy = malloc(*size + 16);
  return memcpy(copy, (const char *)buffer + true_lb, *size);
}

static MPI_Comm checkers; // mpicc-check's own communicator carries its own messages
static int is_ours(MPI_Comm comm, int tag) { return comm != checkers && tag < 1000; }

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
  REAL(PMPI_Comm_dup);
  int rc = real(comm, made);
  if (!checkers && comm == MPI_COMM_WORLD) checkers = *made;
  return rc;
}

// --- messages ---
int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  REAL(PMPI_Send);
  if (!is_ours(comm, tag) || count < 2) return real(buffer, count, type, dest, tag, comm);
  MPI_Aint low;
  size_t size;
  int bytes;
  PMPI_Type_size(type, &bytes);
  int is_bit = is_faulty("flipped-bit"), is_doubled = is_faulty("doubled-fragment");
  if (is_bit || is_doubled || is_faulty("reordered-fragments")) {
    char *copy = copy_of(buffer, count, type, &low, &size);
    size_t half = size / 2;
    if (is_bit) copy[half] ^= 4;
    else if (is_doubled) memcpy(copy + half, copy, half);
    else
      for (size_t i = 0; i < half; i++) {
        char c = copy[i];
        copy[i] = copy[half + i], copy[half + i] = c;
      }
    int rc = real(copy - low, count, type, dest, tag, comm);
    free(copy);
    return rc;
  }
  if (is_faulty("as-contiguous")) // the gaps of the datatype are forgotten
    return real(buffer, count * bytes, MPI_BYTE, dest, tag, comm);
  if (is_faulty("wrong-size") || is_faulty("dropped-tail")) return real(buffer, count - 1, type, dest, tag, comm);
  static char *held; // the next message overtakes it
  static int held_count;
  if (!held && is_faulty("swapped-messages")) {
    held = copy_of(buffer, count, type, &low, &size), held_count = count;
    held -= low;
    return MPI_SUCCESS;
  }
  int rc = real(buffer, count, type, dest, tag, comm);
  if (held && held_count == count) {
    real(held, count, type, dest, tag, comm);
    held = NULL;
  }
  return rc;
}

// The library says that the send is complete, and takes the data only when the program calls it again.
static struct {
  const void *buffer;
  int count, dest, tag;
  MPI_Datatype type;
  MPI_Comm comm;
} late;
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request *request) {
  REAL(PMPI_Isend);
  if (!is_ours(comm, tag) || count < 2 || !is_faulty("late-send"))
    return real(buffer, count, type, dest, tag, comm, request);
  late.buffer = buffer, late.count = count, late.type = type, late.dest = dest, late.tag = tag, late.comm = comm;
  return real(buffer, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request);
}
int PMPI_Barrier(MPI_Comm comm) {
  REAL(PMPI_Barrier);
  if (late.buffer) {
    const void *buffer = late.buffer;
    late.buffer = NULL;
    PMPI_Send(buffer, late.count, late.type, late.dest, late.tag, late.comm);
  }
  return real(comm);
}

// A persistent send sends what it sent before.
int PMPI_Send_init(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request) {
  REAL(PMPI_Send_init);
  if (!is_faulty("previous-content")) return real(buffer, count, type, dest, tag, comm, request);
  MPI_Aint low;
  size_t size;
  char *copy = copy_of(buffer, count, type, &low, &size);
  return real(copy - low, count, type, dest, tag, comm, request);
}

// What the receive leaves, and what it says.
static int after_receive(void *buffer, int count, MPI_Datatype type, MPI_Status *status, const void *before) {
  int bytes;
  PMPI_Type_size(type, &bytes);
  if (is_faulty("stale-data")) memcpy(buffer, before, (size_t)bytes * (size_t)count); // nothing was copied
  if (is_faulty("unpack-mismatch")) { // the receiver forgets the gaps
    char *packed = malloc((size_t)bytes * (size_t)count);
    int at = 0;
    PMPI_Pack(buffer, count, type, packed, bytes * count, &at, MPI_COMM_SELF);
    memcpy(buffer, packed, (size_t)at);
    free(packed);
  }
  if (status == MPI_STATUS_IGNORE) return MPI_SUCCESS;
  if (is_faulty("status-count")) status->_ucount -= (size_t)bytes;
  if (is_faulty("status-source")) status->MPI_SOURCE++;
  if (is_faulty("status-other-source")) status->MPI_SOURCE = 2 - status->MPI_SOURCE;
  if (is_faulty("status-tag")) status->MPI_TAG++;
  return MPI_SUCCESS;
}
int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
  REAL(PMPI_Recv);
  if (!is_ours(comm, tag) || count < 1) return real(buffer, count, type, source, tag, comm, status);
  MPI_Aint low;
  size_t size;
  char *before = copy_of(buffer, count, type, &low, &size);
  int rc = real(buffer, count, type, source, tag, comm, status);
  if (rc == MPI_SUCCESS) after_receive(buffer, count, type, status, before);
  free(before);
  return rc;
}

int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  REAL(PMPI_Probe);
  int rc = real(source, tag, comm, status);
  if (is_ours(comm, tag) && is_faulty("probe-length")) status->_ucount *= 2;
  return rc;
}

// --- answers ---
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  REAL(PMPI_Get_count);
  int rc = real(status, type, count);
  if (is_faulty("get-count")) *count += 1;
  return rc;
}
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count) {
  REAL(PMPI_Get_elements);
  int rc = real(status, type, count);
  if (is_faulty("get-elements")) *count += 1;
  return rc;
}
int PMPI_Pack(const void *in, int n, MPI_Datatype type, void *out, int size, int *position, MPI_Comm comm) {
  REAL(PMPI_Pack);
  int from = *position, rc = real(in, n, type, out, size, position, comm);
  if (is_faulty("pack-bit")) ((char *)out)[from + 5] ^= 1;
  return rc;
}
int PMPI_Unpack(const void *in, int size, int *position, void *out, int n, MPI_Datatype type, MPI_Comm comm) {
  REAL(PMPI_Unpack);
  if (!is_faulty("unpack-gaps")) return real(in, size, position, out, n, type, comm);
  int bytes;
  PMPI_Type_size(type, &bytes);
  memcpy(out, (const char *)in + *position, (size_t)(n * bytes)), *position += n * bytes;
  return MPI_SUCCESS;
}

// --- collectives ---
int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  REAL(PMPI_Bcast);
  int rank, rc = real(buffer, count, type, root, comm);
  PMPI_Comm_rank(comm, &rank);
  if (comm != checkers && count > 1 && rank != root && is_faulty("bcast-tail")) ((char *)buffer)[0] ^= 1;
  return rc;
}
// The displacements are not scaled by the extent.
int PMPI_Gatherv(const void *out, int n, MPI_Datatype type, void *in, const int *counts, const int *displs,
                 MPI_Datatype in_type, int root, MPI_Comm comm) {
  REAL(PMPI_Gatherv);
  int rank, size, rc = real(out, n, type, in, counts, displs, in_type, root, comm);
  PMPI_Comm_rank(comm, &rank), PMPI_Comm_size(comm, &size);
  if (comm == checkers || rank != root || in_type == MPI_BYTE || !is_faulty("gatherv-unscaled")) return rc;
  MPI_Aint lb, extent;
  PMPI_Type_get_extent(in_type, &lb, &extent);
  int last = size - 1; // its block goes to the displacement in bytes
  memmove((char *)in + displs[last], (char *)in + displs[last] * extent, (size_t)(counts[last] * extent));
  memset((char *)in + displs[last] * extent, 0, (size_t)(counts[last] * extent));
  return rc;
}
// The data is copied back instead of forth.
int PMPI_Alltoall(const void *out, int n, MPI_Datatype type, void *in, int m, MPI_Datatype in_type, MPI_Comm comm) {
  REAL(PMPI_Alltoall);
  int bytes, rc;
  PMPI_Type_size(type, &bytes);
  if (comm == checkers || !is_faulty("reversed-copy")) return real(out, n, type, in, m, in_type, comm);
  int size;
  PMPI_Comm_size(comm, &size);
  size_t all = (size_t)size * (size_t)(n * bytes);
  void *kept = memcpy(malloc(all), in, all);
  rc = real(out, n, type, in, m, in_type, comm);
  memcpy(in, kept, (size_t)(n * bytes));
  free(kept);
  return rc;
}
int PMPI_Allgather(const void *out, int n, MPI_Datatype type, void *in, int m, MPI_Datatype in_type, MPI_Comm comm) {
  REAL(PMPI_Allgather);
  int bytes, rc = real(out, n, type, in, m, in_type, comm);
  PMPI_Type_size(in_type, &bytes);
  if (comm == checkers || !is_faulty("exchanged-blocks")) return rc;
  size_t block = (size_t)(m * bytes);
  char *kept = memcpy(malloc(block), in, block);
  memcpy(in, (char *)in + block, block), memcpy((char *)in + block, kept, block);
  free(kept);
  return rc;
}

// --- reductions ---
int PMPI_Allreduce(const void *out, void *in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  REAL(PMPI_Allreduce);
  int rank;
  PMPI_Comm_rank(comm, &rank);
  if (comm == checkers || n < 2) return real(out, in, n, type, op, comm);
  if (is_faulty("wrong-operation")) return real(out, in, n, type, op == MPI_SUM ? MPI_MAX : MPI_SUM, comm);
  int bytes, size;
  PMPI_Type_size(type, &bytes), PMPI_Comm_size(comm, &size);
  if (is_faulty("operand-order")) { // the last rank's operand becomes the first one
    char *all = malloc((size_t)(size * n * bytes));
    PMPI_Allgather(out, n, type, all, n, type, comm);
    memcpy(in, all, (size_t)(n * bytes));
    for (int k = 1; k < size; k++) PMPI_Reduce_local(all + k * n * bytes, in, n, type, op);
    free(all);
    return MPI_SUCCESS;
  }
  int rc = real(out, in, n, type, op, comm);
  if (is_faulty("skipped-element")) memset((char *)in + bytes, 0, (size_t)bytes);
  if (rank == 1 && is_faulty("one-rank-differs")) ((char *)in)[bytes - 2] ^= 0x20;
  return rc;
}

// --- completions ---
int PMPI_Waitany(int n, MPI_Request *requests, int *index, MPI_Status *status) {
  REAL(PMPI_Waitany);
  int rc = real(n, requests, index, status);
  if (n > 1 && is_faulty("wrong-index")) *index = (*index + 1) % n;
  return rc;
}
