// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/collective/form.h"
#include <string.h>
#include "api/fns.h"

static const struct {
  uint8_t form;
  uint16_t blocking;
} forms[MCK_FN_COUNT] = {
#define ONE(name, small, kind)                                                                                         \
  [MCK_FN_MPI_##name] = {MCK_FORM_##kind, MCK_FN_MPI_##name},                                                          \
  [MCK_FN_MPI_I##small] = {MCK_FORM_##kind, MCK_FN_MPI_##name}
    ONE(Barrier, barrier, NONE),
    ONE(Bcast, bcast, BCAST),
    ONE(Reduce, reduce, REDUCE),
    ONE(Allreduce, allreduce, REDUCE),
    ONE(Scan, scan, REDUCE),
    ONE(Exscan, exscan, REDUCE),
    ONE(Reduce_scatter_block, reduce_scatter_block, REDUCE),
    ONE(Reduce_scatter, reduce_scatter, REDUCE_SCATTER),
    ONE(Gather, gather, GATHER),
    ONE(Gatherv, gatherv, GATHER),
    ONE(Scatter, scatter, SCATTER),
    ONE(Scatterv, scatterv, SCATTER),
    ONE(Allgather, allgather, ALLGATHER),
    ONE(Allgatherv, allgatherv, ALLGATHER),
    ONE(Alltoall, alltoall, ALLTOALL),
    ONE(Alltoallv, alltoallv, ALLTOALL),
    ONE(Alltoallw, alltoallw, ALLTOALL),
    ONE(Neighbor_allgather, neighbor_allgather, NEIGHBORS),
    ONE(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBORS),
    ONE(Neighbor_alltoall, neighbor_alltoall, NEIGHBORS),
    ONE(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBORS),
    ONE(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBORS),
#undef ONE
    [MCK_FN_MPI_Comm_idup] = {MCK_FORM_NONE, MCK_FN_MPI_Comm_dup},
    [MCK_FN_MPI_File_iread_all] = {MCK_FORM_NONE, MCK_FN_MPI_File_read_all},
    [MCK_FN_MPI_File_iread_at_all] = {MCK_FORM_NONE, MCK_FN_MPI_File_read_at_all},
    [MCK_FN_MPI_File_iwrite_all] = {MCK_FORM_NONE, MCK_FN_MPI_File_write_all},
    [MCK_FN_MPI_File_iwrite_at_all] = {MCK_FORM_NONE, MCK_FN_MPI_File_write_at_all},
};

enum mck_form mck_form_of(uint16_t fn) { return fn < MCK_FN_COUNT ? (enum mck_form)forms[fn].form : MCK_FORM_NONE; }
uint16_t mck_form_blocking(uint16_t fn) { return fn < MCK_FN_COUNT && forms[fn].blocking ? forms[fn].blocking : fn; }
bool mck_form_is_scattered(uint16_t fn) { return mck_form_blocking(fn) == MCK_FN_MPI_Reduce_scatter_block; }
bool mck_form_is_file(uint16_t fn) { return fn < MCK_FN_COUNT && !strncmp(mck_fn_names[fn], "MPI_File_", 9); }

bool mck_form_is_in_place_common(uint16_t fn) {
  switch (mck_form_of(fn)) {
  case MCK_FORM_ALLGATHER:
  case MCK_FORM_ALLTOALL: return true;
  case MCK_FORM_REDUCE:
    fn = mck_form_blocking(fn);
    return fn == MCK_FN_MPI_Allreduce || fn == MCK_FN_MPI_Reduce_scatter_block;
  default: return false;
  }
}
