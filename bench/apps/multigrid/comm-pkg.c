// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a matrix exchanges. A rank knows whose values it needs; the owners learn it from probes, since they cannot know
// who asks, nor for how much (as hypre's exchange of data with the assumed partition).
#include <string.h>
#include "bench/apps/aligned.h"
#include "parcsr.h"

enum { ASK = 20, DATA = 12, ROOM = 64 };
// Ranks may be one round apart: the tag says which round asks.
static int ask = ASK;

static int find_owner(const struct parcsr *a, long column, int size) {
  int r = 0;
  while (r < size - 1 && a->row_starts[r + 1] <= column) r++;
  return r;
}

// Columns of one owner follow each other in col_map_offd.
static void find_sources(struct parcsr *a, struct comm_pkg *pkg, int size) {
  pkg->num_recvs = 0;
  pkg->recv_procs = aligned_get(ROOM * sizeof(int)), pkg->recv_vec_starts = aligned_get((ROOM + 1) * sizeof(int));
  pkg->recv_vec_starts[0] = 0;
  for (int k = 0; k < a->num_cols_offd; k++) {
    int owner = find_owner(a, a->col_map_offd[k], size);
    if (pkg->num_recvs == 0 || pkg->recv_procs[pkg->num_recvs - 1] != owner) pkg->recv_procs[pkg->num_recvs++] = owner;
    pkg->recv_vec_starts[pkg->num_recvs] = k + 1;
  }
}

// Takes one question, if there is one.
static void answer(struct parcsr *a, struct comm_pkg *pkg, int *room) {
  MPI_Status status;
  int is_there, count, total = pkg->send_map_starts[pkg->num_sends];
  MPI_Iprobe(MPI_ANY_SOURCE, ask, MPI_COMM_WORLD, &is_there, &status);
  if (!is_there) return;
  MPI_Get_count(&status, MPI_LONG, &count);
  long *asked = aligned_get((size_t)count * sizeof *asked);
  MPI_Recv(asked, count, MPI_LONG, status.MPI_SOURCE, ask, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (total + count > *room) {
    int *more = aligned_get((size_t)(*room = 2 * (total + count)) * sizeof *more);
    memcpy(more, pkg->send_map_elmts, (size_t)total * sizeof *more);
    aligned_release(pkg->send_map_elmts);
    pkg->send_map_elmts = more;
  }
  for (int k = 0; k < count; k++) pkg->send_map_elmts[total + k] = (int)(asked[k] - a->first_row);
  pkg->send_procs[pkg->num_sends++] = status.MPI_SOURCE;
  pkg->send_map_starts[pkg->num_sends] = total + count;
  aligned_release(asked);
}

void comm_pkg_make(struct parcsr *a, int rank, int size) {
  struct comm_pkg *pkg = aligned_get(sizeof *pkg);
  MPI_Request questions[ROOM], barrier;
  int room = 64, are_received = 0, is_over = 0;
  (void)rank;
  find_sources(a, pkg, size);
  pkg->num_sends = 0;
  pkg->send_procs = aligned_get(ROOM * sizeof(int)), pkg->send_map_starts = aligned_get((ROOM + 1) * sizeof(int));
  pkg->send_map_elmts = aligned_get((size_t)room * sizeof(int));
  pkg->send_map_starts[0] = 0;
  for (int k = 0; k < pkg->num_recvs; k++) {
    int first = pkg->recv_vec_starts[k], count = pkg->recv_vec_starts[k + 1] - first;
    MPI_Issend(&a->col_map_offd[first], count, MPI_LONG, pkg->recv_procs[k], ask, MPI_COMM_WORLD, &questions[k]);
  }
  while (!are_received) { // when all ranks' questions are received, no more can come
    answer(a, pkg, &room);
    MPI_Testall(pkg->num_recvs, questions, &are_received, MPI_STATUSES_IGNORE);
  }
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  while (!is_over) {
    answer(a, pkg, &room);
    MPI_Test(&barrier, &is_over, MPI_STATUS_IGNORE);
  }
  ask = ask == ASK ? ASK + 1 : ASK;
  a->comm_pkg = pkg;
}

void comm_pkg_release(struct comm_pkg *pkg) {
  aligned_release(pkg->send_procs), aligned_release(pkg->send_map_starts), aligned_release(pkg->send_map_elmts);
  aligned_release(pkg->recv_procs), aligned_release(pkg->recv_vec_starts), aligned_release(pkg);
}

struct comm_handle *comm_handle_create(struct comm_pkg *pkg, const double *x, double *x_offd) {
  struct comm_handle *h = aligned_get(sizeof *h);
  int total = pkg->send_map_starts[pkg->num_sends];
  h->pkg = pkg, h->num_requests = 0;
  h->requests = aligned_get((size_t)(pkg->num_sends + pkg->num_recvs) * sizeof *h->requests);
  h->send_data = aligned_get((size_t)total * sizeof *h->send_data);
  for (int k = 0; k < total; k++) h->send_data[k] = x[pkg->send_map_elmts[k]];
  for (int k = 0; k < pkg->num_recvs; k++) {
    int first = pkg->recv_vec_starts[k], count = pkg->recv_vec_starts[k + 1] - first;
    MPI_Irecv(&x_offd[first], count, MPI_DOUBLE, pkg->recv_procs[k], DATA, MPI_COMM_WORLD,
              &h->requests[h->num_requests++]);
  }
  for (int k = 0; k < pkg->num_sends; k++) {
    int first = pkg->send_map_starts[k], count = pkg->send_map_starts[k + 1] - first;
    MPI_Isend(&h->send_data[first], count, MPI_DOUBLE, pkg->send_procs[k], DATA, MPI_COMM_WORLD,
              &h->requests[h->num_requests++]);
  }
  return h;
}

void comm_handle_destroy(struct comm_handle *h) {
  if (h->num_requests) MPI_Waitall(h->num_requests, h->requests, MPI_STATUSES_IGNORE);
  aligned_release(h->requests), aligned_release(h->send_data), aligned_release(h);
}
