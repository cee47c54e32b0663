// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks share a node, by identities that all ranks exchange.
#include "record/run/node-agreement.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "watch/node/nodes.h"
#include "watch/watch.h"
#include "record/runtime.h"

static struct mck_nodes nodes;
static bool are_several, is_leader;

unsigned mck_nodes_simulated(void) {
  return mck_options.simulated_nodes > 1 ? (unsigned)mck_rt.rank % (unsigned)mck_options.simulated_nodes : 0;
}

// Equal on ranks that see each other's logs and processes, and different otherwise: the log directory, the machine
// since its last start, the name space of process numbers.
static uint64_t identify_node(void) {
  struct {
    char host[256], boot[64];
    uint64_t device, inode, pids;
  } what = {.device = 0};
  struct stat st;
  gethostname(what.host, sizeof what.host - 1);
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file) {
    if (!fgets(what.boot, sizeof what.boot, file)) what.boot[0] = 0;
    fclose(file);
  }
  if (!stat(mck_rt.dir, &st)) what.device = st.st_dev, what.inode = st.st_ino;
  if (!stat("/proc/self/ns/pid", &st)) what.pids = st.st_ino;
  return mck_base_hash(&what, sizeof what, 0);
}

// Numbers the nodes in the order of their lowest ranks; ranks with equal identities are on one node.
struct entry {
  uint64_t id;
  uint32_t rank;
};
static int compare_entries(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->rank > y->rank) - (x->rank < y->rank);
}

// Only rank 0's process keeps the ranks of other nodes.
static bool list_ranks(const uint32_t *node_of, uint32_t size) {
  bool is_good = true;
  if (mck_rt.rank == 0) is_good = (nodes.of = calloc(nodes.nnodes, sizeof *nodes.of)) != NULL;
  for (uint32_t r = 0; is_good && r < size; r++) {
    if (node_of[r] == nodes.mine) is_good = mck_node_ranks_add(&nodes.here, r);
    if (is_good && nodes.of) is_good = mck_node_ranks_add(&nodes.of[node_of[r]], r);
  }
  for (uint32_t i = 0; nodes.of && i < nodes.nnodes; i++) mck_node_ranks_trim(&nodes.of[i]);
  mck_node_ranks_trim(&nodes.here);
  return is_good;
}

static bool number_nodes(const uint64_t *ids, uint32_t size) {
  struct entry *entries = malloc(size * sizeof *entries);
  uint32_t *node_of = malloc(size * sizeof *node_of);
  bool is_good = entries && node_of;
  for (uint32_t r = 0; is_good && r < size; r++) entries[r] = (struct entry){ids[r], r};
  if (is_good) qsort(entries, size, sizeof *entries, compare_entries);
  // First each rank's entry gets the lowest rank of its node; then, in the order of ranks, the number of the node.
  for (uint32_t i = 0, first = 0; is_good && i < size; i++) {
    if (!i || entries[i].id != entries[i - 1].id) first = entries[i].rank;
    node_of[entries[i].rank] = first;
  }
  nodes.nnodes = 0;
  if (is_good) is_leader = node_of[mck_rt.rank] == (uint32_t)mck_rt.rank;
  for (uint32_t r = 0; is_good && r < size; r++) node_of[r] = node_of[r] == r ? nodes.nnodes++ : node_of[node_of[r]];
  if (is_good) nodes.mine = node_of[mck_rt.rank];
  is_good = is_good && list_ranks(node_of, size);
  free(entries), free(node_of);
  return is_good;
}

void mck_nodes_agree(void) {
  nodes.listener = -1;
  uint64_t *ids = malloc((size_t)mck_rt.size * sizeof *ids), own = identify_node();
  // A rank without memory takes no part, but it still takes part in the collectives below.
  MPI_Comm comm = mck_rt.comm;
  int is_good = ids != NULL, all = 0;
  PMPI_Allreduce(&is_good, &all, 1, MPI_INT, MPI_MIN, comm);
  if (all && PMPI_Allgather(&own, 1, MPI_UINT64_T, ids, 1, MPI_UINT64_T, comm) == MPI_SUCCESS) {
    are_several = number_nodes(ids, (uint32_t)mck_rt.size) && nodes.nnodes > 1;
    if (are_several) mck_rt.log.header->nnodes = nodes.nnodes;
    int rc = mck_rt.rank == 0 && mck_options.watch && are_several ? mck_nodes_listen(&nodes) : 0;
    if (rc) mck_base_warn("deadlocks over several nodes are not looked for: no TCP socket: %s", strerror(rc));
    PMPI_Bcast(&nodes.call, sizeof nodes.call, MPI_BYTE, 0, comm);
  }
  free(ids);
}

bool mck_nodes_are_several(void) { return are_several; }
bool mck_nodes_is_first(void) { return !are_several || nodes.mine == 0; }
bool mck_nodes_is_leader(void) { return is_leader; }
bool mck_nodes_is_here(int rank) {
  return !are_several ||
         (rank >= 0 && rank < mck_rt.size && mck_node_ranks_place(&nodes.here, (uint32_t)rank) != MCK_NONE);
}
void mck_nodes_start_watch(void) { mck_watch_set_nodes(are_several ? &nodes : NULL); }
