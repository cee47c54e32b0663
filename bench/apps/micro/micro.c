// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of one or two calls each. On one rank messages and operations go to the rank itself: their instructions can be
// counted. usage: micro NAME|all [repetitions; all: ten-thousandths of the numbers]
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/apps/aligned.h"
#include "bench/apps/measured.h"

enum { MOST = 1 << 20, IN_FLIGHT = 64, REQUESTS = 1000 };
static int rank, size, peer, level;
static char *sent, *received;
static MPI_Request requests[2 * REQUESTS];

// Both ranks send what the turn is, so that a message that is not the right one is seen.
static int pingpong(long n, int bytes) {
  int is_right = 1;
  for (long i = 0; i < n; i++) {
    sent[0] = (char)i;
    if (size == 1) {
      MPI_Irecv(received, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, requests);
      MPI_Send(sent, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      MPI_Wait(requests, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
      MPI_Send(sent, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(received, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(received, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(sent, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    is_right &= received[0] == (char)i;
  }
  return is_right;
}

static int exchange(long n, int bytes) { // Isend, Irecv, Wait
  int is_right = 1;
  for (long i = 0; i < n; i++) {
    sent[0] = (char)i;
    MPI_Irecv(received, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    is_right &= received[0] == (char)i;
  }
  return is_right;
}

// Each of some threads sends messages to itself, on a tag of its own.
struct sender {
  pthread_t thread;
  long n;
  int tag, is_right;
};
static void *send_to_self(void *argument) {
  struct sender *s = argument;
  int *out = (int *)(void *)sent + s->tag, *in = (int *)(void *)received + s->tag;
  for (long i = 0; i < s->n; i++) {
    MPI_Request request;
    *out = (int)i;
    MPI_Irecv(in, 1, MPI_INT, rank, s->tag, MPI_COMM_WORLD, &request);
    MPI_Send(out, 1, MPI_INT, rank, s->tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    s->is_right &= *in == (int)i;
  }
  return NULL;
}
// Each of some threads of rank 0 sends to the one of rank 1 that has its tag, some messages at a time.
static void *send_to_other(void *argument) {
  struct sender *s = argument;
  MPI_Request some[IN_FLIGHT];
  int *out = (int *)(void *)sent + s->tag * IN_FLIGHT, *in = (int *)(void *)received + s->tag * IN_FLIGHT;
  for (long i = 0; i < s->n; i += IN_FLIGHT) {
    for (int k = 0; k < IN_FLIGHT; k++) {
      out[k] = (int)i + k;
      if (rank == 0) MPI_Isend(&out[k], 1, MPI_INT, size - 1, s->tag, MPI_COMM_WORLD, &some[k]);
      else MPI_Irecv(&in[k], 1, MPI_INT, 0, s->tag, MPI_COMM_WORLD, &some[k]);
    }
    MPI_Waitall(IN_FLIGHT, some, MPI_STATUSES_IGNORE);
    if (rank) s->is_right &= in[IN_FLIGHT - 1] == (int)i + IN_FLIGHT - 1;
  }
  return NULL;
}
// Only where it was asked for by name: the level is that of all loops.
static int threads_of(long n, int count, void *(*run)(void *)) {
  struct sender senders[16];
  int is_right = 1;
  if (level != MPI_THREAD_MULTIPLE) return 1;
  for (int i = 0; i < count; i++) {
    senders[i] = (struct sender){.n = n / count, .tag = i, .is_right = 1};
    if (pthread_create(&senders[i].thread, NULL, run, &senders[i])) MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int i = 0; i < count; i++) {
    pthread_join(senders[i].thread, NULL);
    is_right &= senders[i].is_right;
  }
  return is_right;
}

static int threads(long n, int count) { return threads_of(n, count, send_to_self); }
static int threads_rate(long n, int count) { return size == 1 || threads_of(n, count, send_to_other); }

static int rate(long n, int unused) { // rank 0 sends, rank 1 receives, some at a time
  (void)unused;
  int is_right = 1, *in = (int *)(void *)received, *out = (int *)(void *)sent;
  for (long i = 0; i < n; i += IN_FLIGHT) {
    int nrequests = 0;
    if (rank == size - 1)
      for (int k = 0; k < IN_FLIGHT; k++) MPI_Irecv(&in[k], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[nrequests++]);
    for (int k = 0; k < IN_FLIGHT && rank == 0; k++) {
      out[k] = (int)i + k;
      MPI_Isend(&out[k], 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, &requests[nrequests++]);
    }
    MPI_Waitall(nrequests, requests, MPI_STATUSES_IGNORE);
    if (rank == size - 1) is_right &= in[IN_FLIGHT - 1] == (int)i + IN_FLIGHT - 1;
  }
  return is_right;
}

static int waitall(long n, int count) {
  int is_right = 1, *in = (int *)(void *)received, *out = (int *)(void *)sent;
  for (long i = 0; i < n; i++) {
    for (int k = 0; k < count; k++) MPI_Irecv(&in[k], 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < count; k++) {
      out[k] = (int)i + k;
      MPI_Isend(&out[k], 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[count + k]);
    }
    MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
    is_right &= in[count - 1] == (int)i + count - 1;
  }
  return is_right;
}

static int allreduce(long n, int unused) {
  (void)unused;
  double mine = 1, sum = 0;
  for (long i = 0; i < n; i++, mine = sum / size) MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum == size;
}

enum { PUT, PUT_FLUSH, GET_FLUSH, FLAG, FETCH };
static int one_sided(long n, int kind) {
  enum { SLOTS = 4096 };
  long *memory, value = 0, sum = 0, one = 1;
  int is_right = 1;
  MPI_Win win;
  MPI_Win_allocate(2l * SLOTS * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  memset(memory, 0, 2l * SLOTS * sizeof *memory);
  MPI_Win_lock_all(0, win);
  MPI_Win_sync(win);
  measured_begin(); // without the window
  for (long i = 0; i < n; i++) {
    MPI_Aint slot = i % SLOTS;
    if (kind == FLAG) { // as who waits for a flag in its own memory
      memory[slot] = 1;
      MPI_Win_sync(win);
      continue;
    }
    if (kind == PUT || kind == PUT_FLUSH) MPI_Put(&one, 1, MPI_LONG, peer, slot, 1, MPI_LONG, win);
    else if (kind == GET_FLUSH) MPI_Get(&value, 1, MPI_LONG, peer, SLOTS + slot, 1, MPI_LONG, win);
    else MPI_Fetch_and_op(&one, &value, MPI_LONG, peer, 0, MPI_SUM, win);
    if (kind != PUT || i % IN_FLIGHT == IN_FLIGHT - 1) MPI_Win_flush(peer, win);
    sum += value;
  }
  MPI_Win_flush_all(win);
  measured_end();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  if (kind == FETCH) is_right = memory[0] == n && sum == n * (n - 1) / 2;
  else if (kind == GET_FLUSH) is_right = sum == 0;
  else
    for (long i = 0; i < SLOTS; i++) is_right &= memory[i] == (i < n);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return is_right;
}

static const struct {
  const char *name;
  int (*run)(long n, int parameter);
  int parameter;
  long n;
} kernels[] = {
    {"pingpong-4", pingpong, 4, 400000},         {"pingpong-1k", pingpong, 1 << 10, 200000},
    {"pingpong-64k", pingpong, 1 << 16, 50000},  {"pingpong-1m", pingpong, 1 << 20, 3000},
    {"exchange-4", exchange, 4, 400000},         {"rate-64", rate, 0, 2000000},
    {"waitall-64", waitall, 64, 10000},          {"waitall-1000", waitall, 1000, 500},
    {"allreduce-8", allreduce, 0, 500000},       {"put", one_sided, PUT, 1000000},
    {"put-flush", one_sided, PUT_FLUSH, 500000}, {"get-flush", one_sided, GET_FLUSH, 500000},
    {"flag", one_sided, FLAG, 500000},           {"fetch-op", one_sided, FETCH, 500000},
    {"threads-4", threads, 4, 100000},           {"threads-rate-4", threads_rate, 4, 200000},
};

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "all";
  int needed = strncmp(name, "threads-", 8) == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, needed, &level);
  int is_all = strcmp(name, "all") == 0, is_right = 1, nfound = 0;
  long given = measured_argument(argc, argv, 2, is_all ? 10 : 0, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 2) MPI_Abort(MPI_COMM_WORLD, 2);
  peer = size - 1 - rank;
  sent = aligned_get(MOST), received = aligned_get(MOST);
  memset(sent, 0, MOST);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    if (!is_all && strcmp(name, kernels[k].name) != 0) continue;
    long n = is_all ? kernels[k].n * given / 10000 + 1 : given ? given : kernels[k].n;
    nfound++;
    measured_begin();
    int is_kernel_right = kernels[k].run(n, kernels[k].parameter);
    if (kernels[k].run != one_sided) measured_end();
    is_right &= measured_print(kernels[k].name, is_kernel_right);
  }
  if (!nfound && rank == 0) fprintf(stderr, "micro: there is no %s\n", name);
  aligned_release(sent), aligned_release(received);
  return measured_finish(is_right && nfound);
}
