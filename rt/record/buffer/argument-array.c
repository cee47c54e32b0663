// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument arrays of nonblocking collectives (argument-array.h) are buffers that are read from the begin of the
// operation to its completion. Programs may share one array among arguments and operations: all of them only read it.
#include "record/buffer/argument-array.h"
#include <stdlib.h>
#include <string.h>
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/check/group-size.h"
#include "standard/function.h"

enum { ARRAYS_MAX = 6 };
struct mck_arrays {
  struct mck_buffer buffers[ARRAYS_MAX];
  unsigned n;
  struct mck_arrays *next; // of those that are free
};
static struct mck_arrays *unused;

// Used ones keep their buffers as they are: the set of ranges may still have them in its lists (base/range-set.h).
static struct mck_arrays *take(void) {
  struct mck_arrays *list = unused;
  if (list) {
    unused = list->next, list->n = 0;
    return list;
  }
  size_t size = (sizeof *list + 63) / 64 * 64;
  list = aligned_alloc(64, size);
  if (list) memset(list, 0, size);
  return list;
}

static void add(struct mck_request *r, const void *array, int n, size_t size) {
  struct mck_arrays *list = r->arrays;
  if (!array || n <= 0) return;
  const char *low = array, *high = low + (size_t)n * size;
  for (unsigned i = 0; i < list->n; i++)
    if (list->buffers[i].low == low && list->buffers[i].high == high) return;
  struct mck_buffer *b = &list->buffers[list->n++];
  b->low = low, b->high = high, b->address = array, b->count = n;
  b->fn = r->fn, b->is_array = true;
  mck_buffer_restart(b, r->site);
}

// Fortran's binding may pass copies of the arrays, which it frees before the operation is complete.
void mck_arrays_begin(const struct mck_call *call, const struct mck_args *a, struct mck_request *r) {
  if ((!a->sendcounts && !a->recvcounts) || call->variables || call->is_doubtful || call->nfindings) return;
  bool has_root = a->root != -1000;
  if (has_root && !mck_is_root(a)) return; // significant at the root only (5.5, 5.6)
  r->arrays = take();
  if (!r->arrays) return;
  r->has_arrays = true;
  bool is_near = mck_std_is_neighborhood(r->fn);
  bool is_reduced = mck_std(r->fn)->flow == MCK_STD_FLOW_REDUCE_SCATTER;
  int sent = is_near ? mck_destinations(a) : mck_peers(a);
  int received = is_near ? mck_sources(a) : is_reduced ? mck_members(a) : mck_peers(a);
  size_t size = is_near && a->sendtypes ? sizeof(MPI_Aint) : sizeof(int); // of a displacement
  if (a->sendbuf != MPI_IN_PLACE) {
    add(r, a->sendcounts, sent, sizeof(int));
    add(r, a->senddispls, a->sendcounts ? sent : 0, size);
    add(r, a->sendtypes, sent, sizeof(MPI_Datatype));
  }
  add(r, a->recvcounts, received, sizeof(int));
  add(r, a->recvdispls, a->recvcounts ? received : 0, size);
  add(r, a->recvtypes, received, sizeof(MPI_Datatype));
}

void mck_arrays_end(struct mck_request *r) {
  struct mck_arrays *list = r->arrays;
  for (unsigned i = 0; i < list->n; i++) mck_buffer_end(&list->buffers[i]);
  list->next = unused, unused = list;
  r->arrays = NULL, r->has_arrays = false;
}

void mck_arrays_check_left(struct mck_call *call, struct mck_request *r) {
  for (unsigned i = 0; i < r->arrays->n; i++) mck_buffer_check_left(call, &r->arrays->buffers[i]);
}
