// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduces the logs before they are gathered (reduced-log-gather.h).
#include "judge/transport/reduced-log-gather.h"
#include <stdlib.h>
#include <string.h>
#include "judge/transport/parcel-exchange.h"
#include "judge/parcel/parcel.h"
#include "rma/unshared.h"

// With fewer units than UNITS_MIN (of all ranks) the logs are judged as they are. A log that is not reduced to a half
// stays, too: rank 0 can map its file.
enum { UNITS_MIN = 1 << 15, WINDOWS_MAX = 1 << 22 };

static int agree(bool *is_good, MPI_Comm comm) {
  int all = *is_good, rc = PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
  *is_good = rc == MPI_SUCCESS && all;
  return rc;
}

// Gathers the windows of all ranks, on all ranks.
static int gather_windows(const struct mck_reader *own, const uint8_t *seen, bool has_fenced, int size, MPI_Comm comm,
                          struct mck_unshared_window **all, size_t *n, bool *is_good) {
  struct mck_unshared_window *mine = NULL;
  size_t nmine = 0;
  int *counts = calloc((size_t)size + 1, sizeof *counts), *starts = calloc((size_t)size + 1, sizeof *starts);
  // (A log with strands names events that would leave.)
  bool has_strands = atomic_load(&own->header->is_multiple) & MCK_LOG_STRANDS;
  *is_good = counts && starts && !has_strands && mck_unshared_windows(own, seen, &mine, &nmine) && nmine < WINDOWS_MAX;
  for (size_t i = 0; has_fenced && i < nmine; i++) mine[i].flags |= MCK_UNSHARED_JUDGED;
  int rc = agree(is_good, comm), bytes = (int)(nmine * sizeof *mine);
  if (*is_good) rc = PMPI_Allgather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, comm);
  size_t total = 0;
  for (int r = 0; *is_good && r < size; r++) starts[r] = (int)total, total += (size_t)counts[r];
  if (total > INT32_MAX || rc != MPI_SUCCESS) *is_good = false; // the same decision on all ranks
  if (*is_good) *is_good = (*all = malloc(total + 1)) != NULL;
  if (rc == MPI_SUCCESS) rc = agree(is_good, comm);
  if (*is_good) rc = PMPI_Allgatherv(mine, bytes, MPI_BYTE, *all, counts, starts, MPI_BYTE, comm);
  *n = total / sizeof **all;
  free(mine), free(counts), free(starts);
  return rc;
}

// What goes to a rank, if it is anything. The list owns it from now on. false: out of memory.
static bool add(struct mck_parcels *to, int rank, struct mck_unshared_bytes bytes) {
  struct mck_parcel *parcel = bytes.size ? mck_parcels_add(to, rank) : NULL;
  if (parcel) *parcel = (struct mck_parcel){bytes.data, bytes.size, bytes.capacity};
  else free(bytes.data);
  return parcel || !bytes.size;
}

// Tells each owner what we touch of its memory, and learns which bytes other ranks touch, too.
static int ask_owners(struct mck_unshared *l, int size, MPI_Comm comm, bool *is_good) {
  struct mck_parcels to = {0}, from = {0}, back = {0}, answers = {0};
  struct mck_unshared_bytes *heard = calloc((size_t)size, sizeof *heard), *said = calloc((size_t)size, sizeof *said);
  *is_good = l && heard && said;
  for (int r = 0; *is_good && r < size; r++) {
    struct mck_unshared_bytes bytes;
    *is_good = mck_unshared_pack(l, (uint32_t)r, &bytes);
    *is_good &= add(&to, r, bytes);
  }
  int rc = agree(is_good, comm);
  if (*is_good) {
    rc = mck_judge_move(&to, &from, comm, is_good);
    for (size_t i = 0; i < from.count; i++)
      heard[from.items[i].rank] = (struct mck_unshared_bytes){from.items[i].parcel.data, from.items[i].parcel.size, 0};
    if (*is_good) *is_good = mck_unshared_answer(heard, (uint32_t)size, said);
    for (int r = 0; r < size; r++) *is_good &= add(&back, r, said[r]);
    if (rc == MPI_SUCCESS) rc = agree(is_good, comm);
  }
  if (*is_good) {
    rc = mck_judge_move(&back, &answers, comm, is_good);
    for (size_t i = 0; *is_good && i < answers.count; i++)
      mck_unshared_take_answer(l, (uint32_t)answers.items[i].rank, answers.items[i].parcel.data,
                               answers.items[i].parcel.size);
  }
  mck_parcels_free(&to), mck_parcels_free(&from), mck_parcels_free(&back), mck_parcels_free(&answers);
  free(heard), free(said);
  return rc;
}

static int make_reduced(const struct mck_reader *own, struct mck_unshared *l, uint64_t units, MPI_Comm comm,
                        struct mck_reader *reduced, void **memory) {
  // This is as large as the log, but only the part that is used takes memory.
  *memory = aligned_alloc(64, (MCK_LOG_HEADER + (size_t)own->units * MCK_UNIT + 63) / 64 * 64);
  const char *why;
  uint64_t sums[2] = {*memory ? mck_unshared_reduce(l, *memory) : 0, 0};
  bool is_mine = sums[0] &&
                 mck_log_load_memory(reduced, *memory, MCK_LOG_HEADER + (size_t)sums[0] * MCK_UNIT, &why) == 0;
  sums[1] = !is_mine;
  int rc = PMPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, comm);
  if (rc == MPI_SUCCESS && !sums[1] && sums[0] < units / 2) return rc;
  if (is_mine) mck_log_unload(reduced);
  free(*memory);
  *memory = NULL;
  *reduced = *own;
  return rc;
}

int mck_gather_reduced_log(const struct mck_reader *own, const uint8_t *seen, bool has_fenced, uint64_t units,
                           MPI_Comm comm, struct mck_reader *reduced, void **memory) {
  struct mck_unshared_window *windows = NULL;
  struct mck_unshared *l = NULL;
  size_t n = 0;
  int rank, size;
  *reduced = *own, *memory = NULL;
  if (units < UNITS_MIN) return MPI_SUCCESS;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  // What was lost behind a damage, or never written, may touch any bytes.
  bool is_good = seen && own->damaged == UINT64_MAX && !atomic_load(&own->header->is_incomplete) &&
                 own->header->rank == (uint32_t)rank;
  int rc = agree(&is_good, comm);
  if (is_good) rc = gather_windows(own, seen, has_fenced, size, comm, &windows, &n, &is_good);
  if (is_good) {
    l = mck_unshared_open(own, windows, n, (uint32_t)size);
    rc = ask_owners(l, size, comm, &is_good);
  }
  if (rc == MPI_SUCCESS && is_good) rc = make_reduced(own, l, units, comm, reduced, memory);
  mck_unshared_close(l);
  free(windows);
  return rc;
}
