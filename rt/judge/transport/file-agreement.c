// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank sends what it touches of a file to the rank that compares this file (file-agreement.h).
#include "judge/transport/file-agreement.h"
#include <stdlib.h>
#include "io/file-filter.h"
#include "judge/parcel/parcel.h"
#include "judge/transport/parcel-exchange.h"
#include "judge/whole/whole.h"

static int ask(const struct mck_reader *own, int size, MPI_Comm comm, int *is_needed) {
  struct mck_parcels to = {0}, from = {0};
  struct mck_io_bytes *bytes = calloc((size_t)size, sizeof *bytes);
  *is_needed = !bytes || !mck_io_filter_pack(own, (uint32_t)size, bytes);
  for (int r = 0; bytes && r < size; r++) {
    struct mck_parcel *parcel = bytes[r].size ? mck_parcels_add(&to, r) : NULL;
    if (parcel) *parcel = (struct mck_parcel){bytes[r].data, bytes[r].size, bytes[r].capacity};
    else free(bytes[r].data), *is_needed |= bytes[r].size != 0;
    bytes[r] = (struct mck_io_bytes){0};
  }
  // A rank that left a collective alone would hang the others.
  int rc = PMPI_Allreduce(MPI_IN_PLACE, is_needed, 1, MPI_INT, MPI_MAX, comm);
  if (rc == MPI_SUCCESS && !*is_needed) {
    bool is_complete = true;
    rc = mck_judge_move(&to, &from, comm, &is_complete);
    for (size_t i = 0; i < from.count; i++)
      bytes[from.items[i].rank] = (struct mck_io_bytes){from.items[i].parcel.data, from.items[i].parcel.size, 0};
    *is_needed = rc != MPI_SUCCESS || !is_complete || mck_io_filter_ask(bytes, (uint32_t)size);
    if (rc == MPI_SUCCESS) rc = PMPI_Allreduce(MPI_IN_PLACE, is_needed, 1, MPI_INT, MPI_MAX, comm);
  }
  mck_parcels_free(&to), mck_parcels_free(&from);
  free(bytes);
  return rc;
}

int mck_agree_on_files(const struct mck_reader *own, MPI_Comm comm, unsigned *needs) {
  int size, is_needed;
  PMPI_Comm_size(comm, &size);
  int rc = ask(own, size, comm, &is_needed);
  if (!is_needed) *needs &= ~(unsigned)MCK_WHOLE_FILES;
  return rc;
}
