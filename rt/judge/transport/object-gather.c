// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the paths of programs and libraries (object-gather.h). A rank whose list is that of rank 0 sends nothing.
#include "judge/transport/object-gather.h"
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

enum { BYTES_MAX = 1 << 16 }; // of one rank

static uint64_t hash_of(const struct mck_objects *objects) {
  uint64_t hash = objects->count;
  for (size_t i = 0; i < objects->count; i++)
    hash = hash * 0xd1342543de82ef95u + mck_base_hash(objects->paths[i], strlen(objects->paths[i]), 7);
  return hash;
}

// All paths, each with its 0.
static char *pack(const struct mck_objects *objects, int *size) {
  char *text = malloc(BYTES_MAX);
  *size = 0;
  for (size_t i = 0; text && i < objects->count; i++) {
    size_t length = strlen(objects->paths[i]) + 1;
    if (length > (size_t)(BYTES_MAX - *size)) break;
    memcpy(text + *size, objects->paths[i], length);
    *size += (int)length;
  }
  return text;
}

static void unpack(struct mck_objects *objects, const char *text, size_t size) {
  for (size_t at = 0; at < size; at += strlen(text + at) + 1) mck_objects_add(objects, text + at, strlen(text + at));
}

static int gather(struct mck_objects *all, const struct mck_objects *own, bool is_sent, int rank, MPI_Comm comm) {
  int nranks, mine = 0, ok = 1, *counts = NULL, *places = NULL;
  PMPI_Comm_size(comm, &nranks);
  char *text = pack(own, &mine), *received = NULL;
  if (!is_sent || !text) mine = 0;
  if (rank == 0) {
    counts = calloc((size_t)nranks, sizeof *counts), places = calloc((size_t)nranks + 1, sizeof *places);
    ok = counts && places;
  }
  int rc = PMPI_Bcast(&ok, 1, MPI_INT, 0, comm);
  if (rc == MPI_SUCCESS && ok) {
    rc = PMPI_Gather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, comm);
    for (int r = 0; rank == 0 && r < nranks; r++) {
      if (counts[r] > INT32_MAX - places[r]) ok = 0; // more than any report can show
      places[r + 1] = ok ? places[r] + counts[r] : places[r];
    }
    if (rank == 0) received = malloc((size_t)places[nranks] + 1), ok = ok && received;
    if (rc == MPI_SUCCESS) rc = PMPI_Bcast(&ok, 1, MPI_INT, 0, comm);
    if (rc == MPI_SUCCESS && ok) rc = PMPI_Gatherv(text, mine, MPI_CHAR, received, counts, places, MPI_CHAR, 0, comm);
    if (rc == MPI_SUCCESS && ok && rank == 0) unpack(all, received, (size_t)places[nranks]);
  }
  free(text), free(received), free(counts), free(places);
  return rc;
}

int mck_objects_gather(struct mck_objects *objects, const struct mck_reader *own, MPI_Comm comm,
                       struct mck_report_run *run) {
  struct mck_objects mine = {0};
  int rank;
  PMPI_Comm_rank(comm, &rank);
  mck_objects_add_log(&mine, own);
  uint64_t hash = hash_of(&mine), of_first = hash;
  int rc = PMPI_Bcast(&of_first, 1, MPI_UINT64_T, 0, comm);
  uint64_t found[2] = {hash != of_first, mine.lacks};
  if (rc == MPI_SUCCESS) rc = PMPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_UINT64_T, MPI_BOR, comm);
  if (rank == 0) mck_objects_add_log(objects, own);
  objects->lacks |= (uint32_t)found[1];
  if (rc == MPI_SUCCESS && found[0]) rc = gather(objects, &mine, hash != of_first, rank, comm);
  mck_objects_free(&mine);
  if (rank == 0) mck_objects_tell(objects, run);
  return rc;
}
