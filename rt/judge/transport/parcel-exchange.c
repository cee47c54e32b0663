// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges parcels by the NBX algorithm (parcel-exchange.h).
#include "judge/transport/parcel-exchange.h"
#include <stdlib.h>
#include <string.h>
#include "base/hash-table.h"
#include "judge/parcel/parcel.h"

// Large parcels are sent in pieces, in order (MPI-3.1 3.5). So no count exceeds an int, and a rank without memory for a
// parcel can still receive it.
enum { PIECE = 1 << 20, TAG = 1 };

static struct mck_moved moved;
struct mck_moved mck_judge_moved(void) { return moved; }

struct sends {
  MPI_Request *requests;
  int n;
};

static bool start_sends(struct sends *s, const struct mck_parcels *to, MPI_Comm comm, int tag, int *rc) {
  size_t n = 0;
  for (size_t i = 0; to && i < to->count; i++) {
    if (to->items[i].parcel.capacity == SIZE_MAX) return false; // its packing ran out of memory
    n += (to->items[i].parcel.size + PIECE - 1) / PIECE;
  }
  s->requests = malloc((n + 1) * sizeof *s->requests);
  if (!s->requests || n > INT32_MAX) return false;
  for (size_t i = 0; to && i < to->count && *rc == MPI_SUCCESS; i++) {
    const struct mck_parcel *parcel = &to->items[i].parcel;
    for (size_t at = 0; at < parcel->size && *rc == MPI_SUCCESS; at += PIECE) {
      size_t left = parcel->size - at;
      *rc = PMPI_Issend(parcel->data + at, (int)(left < PIECE ? left : PIECE), MPI_BYTE, to->items[i].rank, tag, comm,
                        &s->requests[s->n]);
      s->n += *rc == MPI_SUCCESS;
      moved.pieces++;
    }
  }
  return true;
}

// The parcels that come, in the order of their first pieces: a rank may get some from all others.
struct arrivals {
  struct mck_parcels *list;
  struct mck_table by_rank;
};
static struct mck_parcel *parcel_of(struct arrivals *a, int rank) {
  uint64_t hash = mck_table_mix((uint64_t)rank, 0);
  uint32_t slot, id;
  MCK_TABLE_EACH (&a->by_rank, hash, slot, id)
    if (a->list->items[id].rank == rank) return &a->list->items[id].parcel;
  struct mck_parcels *list = a->list;
  if (!MCK_PUSH(list->items, list->count, list->capacity, ((struct mck_parcel_of){.rank = rank}))) return NULL;
  if (!mck_table_add(&a->by_rank, hash, (uint32_t)list->count - 1)) return list->count--, NULL;
  return &list->items[list->count - 1].parcel;
}

static int compare_ranks(const void *a, const void *b) {
  int x = ((const struct mck_parcel_of *)a)->rank, y = ((const struct mck_parcel_of *)b)->rank;
  return x < y ? -1 : x > y;
}

// Receives one piece, if one has come. Returns false when it was thrown away.
static bool receive(struct arrivals *arrivals, MPI_Comm comm, int tag, int *rc) {
  static uint8_t drain[PIECE]; // written, but never read
  int flag = 0, n = 0;
  MPI_Status status;
  *rc = PMPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &flag, &status);
  if (*rc != MPI_SUCCESS || !flag) return true;
  PMPI_Get_count(&status, MPI_BYTE, &n);
  struct mck_parcel *p = parcel_of(arrivals, status.MPI_SOURCE);
  bool is_kept = p && mck_base_grow((void **)&p->data, &p->capacity, p->size + (size_t)n, 1);
  *rc = PMPI_Recv(is_kept ? p->data + p->size : drain, n, MPI_BYTE, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
  if (is_kept) p->size += (size_t)n;
  moved.pieces++;
  moved.bytes += (size_t)n;
  return is_kept;
}

int mck_judge_move(const struct mck_parcels *to, struct mck_parcels *from, MPI_Comm comm, bool *is_complete) {
  // A rank may send for the next exchange while another has not left this one, so two tags take turns.
  static int turn;
  int tag = TAG + (turn++ & 1), rc = MPI_SUCCESS, is_done = 0;
  struct arrivals arrivals = {.list = from};
  struct sends sends = {0};
  bool is_whole = start_sends(&sends, to, comm, tag, &rc) && *is_complete, is_in_barrier = false;
  MPI_Request barrier = MPI_REQUEST_NULL;
  while (rc == MPI_SUCCESS && !is_done) {
    if (!receive(&arrivals, comm, tag, &rc)) is_whole = false;
    int flag = 0;
    if (rc != MPI_SUCCESS) break;
    if (is_in_barrier) rc = PMPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE);
    else {
      rc = PMPI_Testall(sends.n, sends.requests, &flag, MPI_STATUSES_IGNORE);
      if (rc == MPI_SUCCESS && flag) rc = PMPI_Ibarrier(comm, &barrier), is_in_barrier = true;
    }
  }
  free(sends.requests);
  mck_table_free(&arrivals.by_rank);
  if (from->count) qsort(from->items, from->count, sizeof *from->items, compare_ranks);
  int agreed = is_whole;
  if (rc == MPI_SUCCESS) rc = PMPI_Allreduce(MPI_IN_PLACE, &agreed, 1, MPI_INT, MPI_MIN, comm);
  *is_complete = agreed;
  return rc;
}
