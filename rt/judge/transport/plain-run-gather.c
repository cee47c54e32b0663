// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings the plain logs of a plain run to rank 0 (plain-run-gather.h).
#include "judge/transport/plain-run-gather.h"
#include <stdlib.h>
#include <string.h>
#include "base/huge-pages.h"

enum { PIECE = 1 << 20, TAG = 4 }; // parcel-exchange.c and log-gather.c use 1 to 3, rank-sleep.c uses 5

// The sizes of a plain log as it is sent: words, places of definitions, codes.
struct sizes {
  uint64_t units, nwords, ndefinitions;
};
static size_t words_of(const struct sizes *s) { return mck_slice_size(s->nwords * sizeof(struct mck_event)); }
static size_t definitions_of(const struct sizes *s) { return mck_slice_size(s->ndefinitions * sizeof(uint32_t)); }
static size_t codes_of(const struct sizes *s) { return mck_slice_size(s->units * sizeof(uint16_t)); }

static int move(char *bytes, size_t size, int to, int from, MPI_Comm comm) {
  int rc = MPI_SUCCESS;
  for (size_t at = 0; rc == MPI_SUCCESS && at < size; at += PIECE) {
    int n = (int)(size - at < PIECE ? size - at : PIECE);
    rc = to >= 0 ? PMPI_Send(bytes + at, n, MPI_BYTE, to, TAG, comm)
                 : PMPI_Recv(bytes + at, n, MPI_BYTE, from, TAG, comm, MPI_STATUS_IGNORE);
  }
  return rc;
}

static int send_plain_log(const struct mck_plain_log *t, MPI_Comm comm) {
  int rc = move((char *)t->words, t->nwords * sizeof *t->words, 0, -1, comm);
  if (rc == MPI_SUCCESS) rc = move((char *)t->definitions, t->ndefinitions * sizeof *t->definitions, 0, -1, comm);
  return rc == MPI_SUCCESS ? move((char *)t->codes, t->units * sizeof *t->codes, 0, -1, comm) : rc;
}

static bool copy(void **to, const void *from, size_t size) {
  if (!(*to = malloc(size ? size : 1))) return false;
  if (size) memcpy(*to, from, size);
  return true;
}

// Receives a plain log into memory that all of them share. The parts that are freed with one plain log are copied.
static int receive_plain_log(struct mck_plain_log *t, const struct sizes *s, struct mck_slices *slices, int from,
                             MPI_Comm comm, bool *is_good) {
  char *words = mck_slices_take(slices, words_of(s)), *definitions = mck_slices_take(slices, definitions_of(s)),
       *codes = mck_slices_take(slices, codes_of(s));
  *t = (struct mck_plain_log){
      .units = s->units, .nwords = s->nwords, .ndefinitions = s->ndefinitions, .codes = (uint16_t *)codes};
  int rc = move(words, s->nwords * sizeof *t->words, -1, from, comm);
  if (rc == MPI_SUCCESS) rc = move(definitions, s->ndefinitions * sizeof *t->definitions, -1, from, comm);
  if (rc == MPI_SUCCESS) rc = move(codes, s->units * sizeof *t->codes, -1, from, comm);
  *is_good &= rc == MPI_SUCCESS && copy((void **)&t->words, words, s->nwords * sizeof *t->words) &&
              copy((void **)&t->definitions, definitions, s->ndefinitions * sizeof *t->definitions);
  return rc;
}

// units UINT64_MAX: the log is not plain.
static bool open_plain_run(struct mck_plain_run *plain_run, const struct sizes *sizes, int n,
                           struct mck_slices *slices) {
  size_t bytes = 0;
  for (int r = 0; sizes && r < n; r++) {
    if (sizes[r].units >= MCK_NONE || sizes[r].nwords > 1 << 16 || sizes[r].ndefinitions > sizes[r].units) return false;
    if (r) bytes += words_of(&sizes[r]) + definitions_of(&sizes[r]) + codes_of(&sizes[r]);
  }
  *plain_run = (struct mck_plain_run){.n = (size_t)n, .of = calloc((size_t)n, sizeof *plain_run->of)};
  if (!sizes || !plain_run->of || !mck_slices_open(slices, bytes)) return false;
  plain_run->memory = slices->memory;
  return true;
}

int mck_gather_plain_run(const struct mck_reader *own, MPI_Comm comm, struct mck_plain_run *plain_run,
                         bool *has_plain_run) {
  struct mck_plain_log mine = {0};
  struct mck_slices slices = {0};
  struct sizes *sizes = NULL;
  int rank, n;
  _Atomic bool is_stopped = false;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &n);
  *plain_run = (struct mck_plain_run){0};
  *has_plain_run = false;
  uint16_t *codes = mck_base_alloc_large(own->units * sizeof *codes);
  bool is_plain = codes && mck_plain_log_read(&mine, own, codes, &is_stopped) == MCK_PLAIN_READ;
  if (rank == 0) sizes = calloc((size_t)n, sizeof *sizes);
  struct sizes own_sizes = {is_plain && (rank || sizes) ? mine.units : UINT64_MAX, mine.nwords, mine.ndefinitions},
               none;
  int rc = PMPI_Gather(&own_sizes, sizeof own_sizes, MPI_BYTE, sizes ? sizes : &none, sizeof own_sizes, MPI_BYTE, 0,
                       comm);
  int is_wanted = rc == MPI_SUCCESS && rank == 0 && open_plain_run(plain_run, sizes, n, &slices);
  if (rc == MPI_SUCCESS) rc = PMPI_Bcast(&is_wanted, 1, MPI_INT, 0, comm);
  if (rc == MPI_SUCCESS && is_wanted && rank) rc = send_plain_log(&mine, comm);
  *has_plain_run = is_wanted && rank == 0;
  // All messages of the senders are received, even if one could not be used.
  for (int r = 1; is_wanted && rank == 0 && rc == MPI_SUCCESS && r < n; r++)
    rc = receive_plain_log(&plain_run->of[r], &sizes[r], &slices, r, comm, has_plain_run);
  if (rc != MPI_SUCCESS) *has_plain_run = false;
  if (*has_plain_run) plain_run->of[0] = mine, plain_run->own = codes;
  else mck_plain_log_free(&mine), free(codes);
  free(sizes);
  return rc;
}
