// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings the logs of all ranks to rank 0 (log-gather.h).
#include "judge/transport/log-gather.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/worker-threads.h"

enum { PIECE = 1 << 20, TAG = 3 }; // parcel-exchange.c uses 1 and 2

static size_t bytes_of(const struct mck_reader *log, uint64_t units) {
  return MCK_LOG_HEADER + (size_t)(log->units < units ? log->units : units) * MCK_UNIT;
}

static bool is_of_run(const struct mck_reader *log, const struct mck_reader *own, int rank) {
  const struct mck_log_header *h = log->header, *o = own->header;
  return h->rank == (uint32_t)rank && h->job == o->job && h->size == o->size &&
         atomic_load(&h->generation) == atomic_load(&o->generation) && !atomic_load(&h->is_superseded);
}

static bool map(struct mck_reader *log, const struct mck_reader *own, uint64_t units, const char *dir, int rank,
                bool is_read) {
  char path[4096];
  const char *why;
  if (!dir) return false;
  if (snprintf(path, sizeof path, "%s/rank-%d.log", dir, rank) >= (int)sizeof path) return false;
  if ((is_read ? mck_log_load_first(log, path, units, &why) : mck_log_map(log, path, units, &why)) != 0) return false;
  if (is_of_run(log, own, rank)) return true;
  mck_log_unload(log);
  return false;
}

struct mapping {
  struct mck_reader *mapped; // [rank]
  int *wanted;               // [rank]
  const struct mck_reader *own;
  const char *dir;
  uint64_t units, first;
  const struct mck_plain_run *plain_run; // NULL: there are none
  _Atomic bool is_bad;                   // some plain log does not fit
};
// A log is not read when its plain log is there, but the two must fit.
static void read_parts(struct mapping *m, struct mck_reader *log, int rank) {
  const struct mck_plain_log *t = &m->plain_run->of[rank];
  if (!mck_log_read_parts(log, m->first, t->definitions, t->ndefinitions) || !mck_plain_log_is_sound(t, log))
    atomic_store(&m->is_bad, true);
}
static void map_one(void *context, uint32_t number) {
  struct mapping *m = context;
  int rank = (int)number + 1;
  m->wanted[rank] = !map(&m->mapped[rank], m->own, m->units, m->dir, rank, !m->plain_run);
  if (!m->wanted[rank] && m->plain_run) read_parts(m, &m->mapped[rank], rank);
}
static void read_one(void *context, uint32_t number) {
  mck_log_read_all(&((struct mck_gathered *)context)->logs[number + 1]);
}

static int send_own(const struct mck_reader *own, uint64_t units, MPI_Comm comm) {
  uint64_t size = bytes_of(own, units);
  int is_wanted = 0;
  int rc = PMPI_Send(&size, 1, MPI_UINT64_T, 0, TAG, comm);
  if (rc == MPI_SUCCESS) rc = PMPI_Recv(&is_wanted, 1, MPI_INT, 0, TAG, comm, MPI_STATUS_IGNORE);
  _Alignas(64) char head[MCK_LOG_HEADER];
  memcpy(head, own->header, sizeof head);
  atomic_store(&((struct mck_log_header *)head)->has_repeats, 0); // the reader has all units
  if (rc == MPI_SUCCESS && is_wanted) rc = PMPI_Send(head, sizeof head, MPI_BYTE, 0, TAG, comm);
  size -= sizeof head;
  for (uint64_t at = 0; rc == MPI_SUCCESS && is_wanted && at < size; at += PIECE)
    rc = PMPI_Send((const char *)own->events + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, 0, TAG,
                   comm);
  return rc;
}

static int receive(struct mck_gathered *g, const struct mck_reader *own, int rank, MPI_Comm comm) {
  uint64_t size = 0;
  int rc = PMPI_Recv(&size, 1, MPI_UINT64_T, rank, TAG, comm, MPI_STATUS_IGNORE);
  if (rc != MPI_SUCCESS) return rc;
  void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
  int is_wanted = memory != NULL;
  rc = PMPI_Send(&is_wanted, 1, MPI_INT, rank, TAG, comm);
  if (rc == MPI_SUCCESS && is_wanted)
    rc = PMPI_Recv(memory, MCK_LOG_HEADER, MPI_BYTE, rank, TAG, comm, MPI_STATUS_IGNORE);
  for (uint64_t at = MCK_LOG_HEADER; rc == MPI_SUCCESS && is_wanted && at < size; at += PIECE)
    rc = PMPI_Recv((char *)memory + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, rank, TAG, comm,
                   MPI_STATUS_IGNORE);
  const char *why;
  struct mck_reader *log = &g->logs[g->n];
  if (rc == MPI_SUCCESS && memory && mck_log_load_memory(log, memory, size, &why) == 0) {
    if (is_of_run(log, own, rank)) {
      g->memory[g->nmemory++] = memory;
      g->n++;
      return rc;
    }
    mck_log_unload(log);
  }
  free(memory);
  return rc;
}

int mck_judge_gather(struct mck_gathered *g, const struct mck_reader *own, uint64_t units,
                     const struct mck_plain_run *plain_run, uint64_t first, const char *dir,
                     struct mck_rank_sleep *rank_sleep, MPI_Comm comm) {
  int rank, size, is_wanted = 0, ok = 1, *wanted = NULL;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  *g = (struct mck_gathered){0};
  if (rank == 0) {
    g->logs = calloc((size_t)size, sizeof *g->logs);
    g->memory = calloc((size_t)size, sizeof *g->memory);
    wanted = calloc((size_t)size, sizeof *wanted);
    ok = g->logs && g->memory && wanted;
  }
  int rc = PMPI_Bcast(&ok, 1, MPI_INT, 0, comm);
  if (rc != MPI_SUCCESS || !ok) {
    free(wanted);
    return rc != MPI_SUCCESS ? rc : MPI_ERR_NO_MEM;
  }
  // A mapped log waits in its place until those before it have come.
  struct mck_reader *mapped = rank == 0 ? calloc((size_t)size, sizeof *mapped) : NULL;
  struct mapping mapping = {mapped, wanted, own, dir, units, first, plain_run, false};
  for (int r = 1; wanted && r < size; r++) wanted[r] = 1;
  uint64_t likely = own->units < units ? own->units : units;
  if (mapped) mck_workers_run((uint32_t)size - 1, mck_workers_size(likely * (uint64_t)size), map_one, &mapping);
  if ((rc = mck_rank_sleep_wait(rank_sleep, comm)) == MPI_SUCCESS)
    rc = PMPI_Scatter(wanted, 1, MPI_INT, &is_wanted, 1, MPI_INT, 0, comm);
  if (rank != 0 && is_wanted && rc == MPI_SUCCESS) rc = send_own(own, units, comm);
  for (int r = 0; rank == 0 && r < size; r++) {
    if (r == 0) g->logs[g->n++] = *own;
    else if (!wanted[r]) g->logs[g->n++] = mapped[r];
    else if (rc == MPI_SUCCESS) rc = receive(g, own, r, comm);
    if (r && wanted[r] && plain_run && g->n == (size_t)r + 1) read_parts(&mapping, &g->logs[r], r);
  }
  g->is_read = !plain_run || atomic_load(&mapping.is_bad) || g->n != (size_t)size;
  if (plain_run && g->is_read) mck_gathered_read(g);
  free(mapped);
  free(wanted);
  return rc;
}

static uint64_t units_of(const struct mck_gathered *g) {
  uint64_t units = 0;
  for (size_t i = 0; i < g->n; i++) units += g->logs[i].units;
  return units;
}

void mck_gathered_read(struct mck_gathered *g) {
  if (g->n > 1) mck_workers_run((uint32_t)g->n - 1, mck_workers_size(units_of(g)), read_one, g);
}

static void unload_one(void *context, uint32_t number) {
  mck_log_unload(&((struct mck_gathered *)context)->logs[number + 1]);
}

void mck_gathered_free(struct mck_gathered *g) {
  // The first log belongs to rank 0, and stays the caller's.
  if (g->n > 1) mck_workers_run((uint32_t)g->n - 1, mck_workers_size(units_of(g)), unload_one, g);
  for (size_t i = 0; i < g->nmemory; i++) free(g->memory[i]);
  free(g->memory);
  free(g->logs);
  *g = (struct mck_gathered){0};
}
