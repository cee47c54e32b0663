// RUN: %unit/test-standard
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the standard says of each function: every property has a section, twins fit, the flows of all collectives are
// those of a list written by hand, and the questions about members have the answers of MPI-3.1.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "standard/collective.h"

static int failures;
#define EXPECT(condition, fn)                                                                                          \
  ((condition)                                                                                                         \
       ? (void)0                                                                                                       \
       : (failures++, (void)printf("%s:%d: %s: not so: %s\n", __FILE__, __LINE__, mck_fn_names[fn], #condition)))

// Numbers with dots between them; the chapters of MPI-3.1 are 1 to 17.
static bool is_section(const char *text) {
  int chapter = 0;
  if (!text || sscanf(text, "%d", &chapter) != 1 || chapter < 1 || chapter > 17) return false;
  for (const char *p = text; *p; p++) {
    bool is_digit = isdigit((unsigned char)*p), is_after_digit = p > text && isdigit((unsigned char)p[-1]);
    if (!is_digit && !(*p == '.' && is_after_digit && isdigit((unsigned char)p[1]))) return false;
  }
  return true;
}

static void check_sections(uint16_t fn) {
  for (int i = 0; i < MCK_STD_PROPERTIES; i++) {
    EXPECT(mck_std_properties[i] && mck_std_properties[i][0], fn);
    if (!is_section(mck_std_sections[fn][i])) {
      failures++;
      printf("%s: the property %s has the section '%s'\n", mck_fn_names[fn], mck_std_properties[i],
             mck_std_sections[fn][i] ? mck_std_sections[fn][i] : "");
    }
  }
}

static void check_twins(uint16_t fn) {
  const struct mck_std_fn *row = mck_std(fn);
  const uint16_t twins[] = {row->blocking, row->nonblocking, row->persistent, row->request};
  bool is_one_of_them = false;
  EXPECT(row->blocking < MCK_FN_COUNT, fn);
  EXPECT(mck_std_blocking(fn) == row->blocking, fn);
  for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
    EXPECT(twins[i] <= MCK_FN_COUNT, fn);
    if (twins[i] >= MCK_FN_COUNT) continue;
    const struct mck_std_fn *twin = mck_std(twins[i]);
    is_one_of_them |= twins[i] == fn;
    EXPECT(twin->blocking == row->blocking && twin->nonblocking == row->nonblocking, fn);
    EXPECT(twin->persistent == row->persistent && twin->request == row->request, fn);
    EXPECT(twin->family == row->family && twin->flow == row->flow && twin->collective == row->collective, fn);
    EXPECT(twin->sync == row->sync && twin->in_place == row->in_place && twin->mode == row->mode, fn);
    EXPECT(twin->between == row->between && twin->access == row->access, fn);
    EXPECT(twin->file_access == row->file_access && twin->file_pointer == row->file_pointer, fn);
    EXPECT(twin->is_counted == row->is_counted, fn);
    EXPECT(twin->buffers_in == row->buffers_in && twin->buffers_out == row->buffers_out, fn);
  }
  EXPECT(is_one_of_them, fn);
  EXPECT(!mck_std_is_nonblocking_twin(fn) || row->returns == MCK_STD_RETURNS_STARTED ||
             row->returns == MCK_STD_RETURNS_LOCAL,
         fn);
}

// What one property says of a function, another one must not deny.
static void check_consistency(uint16_t fn) {
  const struct mck_std_fn *row = mck_std(fn);
  bool is_collective = row->collective != MCK_STD_COLLECTIVE_NONE;
  EXPECT(row->family != MCK_STD_FAMILY_NONE, fn);
  EXPECT(is_collective || row->flow == MCK_STD_FLOW_NONE || row->family == MCK_STD_FAMILY_ENVIRONMENT ||
             row->world == MCK_STD_WORLD_OPENS,
         fn);
  EXPECT(is_collective || row->sync != MCK_STD_SYNC_MEMBERS, fn);
  EXPECT((row->returns == MCK_STD_RETURNS_MEMBERS) <= (row->sync == MCK_STD_SYNC_MEMBERS), fn);
  EXPECT(row->returns != MCK_STD_RETURNS_LOCAL || !is_collective || row->persistent == fn, fn);
  EXPECT((row->scope == MCK_STD_SCOPE_NONE) == (row->epoch == 0), fn);
  EXPECT((row->mode != MCK_STD_MODE_NONE) <= (row->family == MCK_STD_FAMILY_P2P), fn);
  EXPECT((row->access != MCK_STD_ACCESS_NONE) == (row->family == MCK_STD_FAMILY_RMA), fn);
  EXPECT((row->file_access == MCK_STD_FILE_ACCESS_NONE) == (row->file_pointer == MCK_STD_FILE_POINTER_NONE), fn);
  EXPECT(row->split == MCK_STD_SPLIT_NONE || row->file_access != MCK_STD_FILE_ACCESS_NONE, fn);
  EXPECT(!row->is_anytime || row->threads == MCK_STD_THREADS_ANY, fn);
  EXPECT(row->in_place == MCK_STD_IN_PLACE_NONE || row->family == MCK_STD_FAMILY_COLLECTIVE, fn);
  EXPECT(row->keeps != MCK_STD_KEEPS_BUFFERS || row->returns == MCK_STD_RETURNS_STARTED || row->persistent == fn, fn);
  EXPECT(mck_std_is_lock(fn) + mck_std_is_unlock(fn) + mck_std_is_flush(fn) <= 1, fn);
  EXPECT(!mck_std_is_fetching(fn) || row->buffers_out, fn);
}

// --- the collectives, by hand from chapters 5 to 7, 11 and 13 -------------------------------------------------------
struct expected {
  uint16_t fn;
  enum mck_std_flow flow;
  enum mck_std_sync sync;
};
#define FN(name) MCK_FN_MPI_##name
#define BOTH(name, small, flow)                                                                                        \
  {FN(name), MCK_STD_FLOW_##flow, MCK_STD_SYNC_NONE}, { FN(I##small), MCK_STD_FLOW_##flow, MCK_STD_SYNC_NONE }
#define SYNC(name) {FN(name), MCK_STD_FLOW_NONE, MCK_STD_SYNC_MEMBERS}
#define OPEN(name) {FN(name), MCK_STD_FLOW_UNKNOWN, MCK_STD_SYNC_NONE}
static const struct expected expected[] = {
    BOTH(Bcast, bcast, BROADCAST),
    BOTH(Gather, gather, GATHER),
    BOTH(Gatherv, gatherv, GATHER),
    BOTH(Scatter, scatter, SCATTER),
    BOTH(Scatterv, scatterv, SCATTER),
    BOTH(Allgather, allgather, ALL_GATHER),
    BOTH(Allgatherv, allgatherv, ALL_GATHER),
    BOTH(Alltoall, alltoall, ALL_TO_ALL),
    BOTH(Alltoallv, alltoallv, ALL_TO_ALL),
    BOTH(Alltoallw, alltoallw, ALL_TO_ALL),
    BOTH(Reduce, reduce, REDUCE),
    BOTH(Allreduce, allreduce, REDUCE_ALL),
    BOTH(Reduce_scatter, reduce_scatter, REDUCE_SCATTER),
    BOTH(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER),
    BOTH(Scan, scan, SCAN),
    BOTH(Exscan, exscan, EXSCAN),
    BOTH(Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALL_GATHER),
    BOTH(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALL_GATHER),
    BOTH(Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALL_TO_ALL),
    BOTH(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALL_TO_ALL),
    BOTH(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALL_TO_ALL),
    SYNC(Barrier),
    SYNC(Ibarrier),
    SYNC(Comm_create),
    SYNC(Comm_create_group),
    SYNC(Comm_dup),
    SYNC(Comm_idup),
    SYNC(Comm_dup_with_info),
    SYNC(Comm_split),
    SYNC(Comm_split_type),
    SYNC(Intercomm_create),
    SYNC(Intercomm_merge),
    SYNC(Cart_create),
    SYNC(Cart_sub),
    SYNC(Graph_create),
    SYNC(Dist_graph_create),
    SYNC(Dist_graph_create_adjacent),
    SYNC(Win_create),
    SYNC(Win_allocate),
    SYNC(Win_allocate_shared),
    SYNC(Win_create_dynamic),
    SYNC(Win_free),
    SYNC(Win_fence),
    OPEN(Comm_disconnect),
    OPEN(Comm_set_info),
    OPEN(Win_set_info),
    OPEN(Cart_map),
    OPEN(Graph_map),
    OPEN(Finalize),
    OPEN(File_open),
    OPEN(File_close),
    OPEN(File_set_size),
    OPEN(File_preallocate),
    OPEN(File_set_info),
    OPEN(File_set_view),
    OPEN(File_set_atomicity),
    OPEN(File_sync),
    OPEN(File_seek_shared),
    {FN(Comm_free), MCK_STD_FLOW_NONE, MCK_STD_SYNC_NONE},
    {FN(Comm_spawn), MCK_STD_FLOW_ROOT_LEADS, MCK_STD_SYNC_NONE},
    {FN(Comm_spawn_multiple), MCK_STD_FLOW_ROOT_LEADS, MCK_STD_SYNC_NONE},
    {FN(Comm_accept), MCK_STD_FLOW_ROOT_LEADS, MCK_STD_SYNC_NONE},
    {FN(Comm_connect), MCK_STD_FLOW_ROOT_LEADS, MCK_STD_SYNC_NONE},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static void check_flow(uint16_t fn) {
  const struct mck_std_fn *row = mck_std(fn);
  for (size_t i = 0; i < EXPECTED; i++)
    if (expected[i].fn == fn) {
      EXPECT(row->flow == expected[i].flow && row->sync == expected[i].sync, fn);
      EXPECT(row->collective != MCK_STD_COLLECTIVE_NONE, fn);
      return;
    }
  // Of the others, only the accesses to a file that all its processes make.
  bool is_file_access = row->file_access != MCK_STD_FILE_ACCESS_NONE;
  EXPECT(row->collective == MCK_STD_COLLECTIVE_NONE || is_file_access, fn);
  EXPECT(row->sync != MCK_STD_SYNC_MEMBERS, fn);
}

// --- who needs whom -------------------------------------------------------------------------------------------------
static enum mck_std_needs needs(uint16_t fn, struct mck_std_member member, enum mck_std_bound bound) {
  return mck_std_needs(fn, &member, bound);
}
#define NEEDS(fn, bound, answer, ...)                                                                                  \
  EXPECT(needs(FN(fn), (struct mck_std_member){__VA_ARGS__}, MCK_STD_##bound) == MCK_STD_NEEDS_##answer, FN(fn))

static void check_needs(void) {
#define RANK(number) .rank = (number), .size = 4
#define DATA .has_data = true
  NEEDS(Bcast, SURELY, ROOT, RANK(1), .root = 0, DATA);
  NEEDS(Bcast, SURELY, NOTHING, RANK(0), .root = 0, DATA);
  NEEDS(Bcast, SURELY, NOTHING, RANK(1), .root = 0);
  NEEDS(Ibcast, SURELY, ROOT, RANK(1), .root = 0, DATA);
  NEEDS(Reduce, SURELY, ALL, RANK(2), .root = 2, DATA);
  NEEDS(Reduce, SURELY, NOTHING, RANK(1), .root = 2, DATA);
  NEEDS(Gatherv, SURELY, UNKNOWN, RANK(2), .root = 2, DATA);
  NEEDS(Gatherv, GENEROUS, COUNTED, RANK(2), .root = 2, DATA, .has_counts = true);
  NEEDS(Allreduce, SURELY, ALL, RANK(2), .root = -1, DATA);
  NEEDS(Allreduce, SURELY, NOTHING, RANK(2), .root = -1);
  NEEDS(Alltoallv, SURELY, UNKNOWN, RANK(2), .root = -1, DATA);
  NEEDS(Alltoallv, GENEROUS, ALL, RANK(2), .root = -1, DATA);
  NEEDS(Alltoallv, SURELY, COUNTED, RANK(2), .root = -1, DATA, .has_counts = true);
  NEEDS(Reduce_scatter_block, SURELY, ALL, RANK(2), .root = -1, DATA);
  NEEDS(Reduce_scatter, SURELY, OWN_COUNTED, RANK(2), .root = -1, DATA, .has_counts = true);
  NEEDS(Scan, SURELY, LOWER, RANK(2), .root = -1, DATA);
  NEEDS(Exscan, SURELY, NOTHING, RANK(0), .root = -1, DATA);
  NEEDS(Neighbor_alltoall, SURELY, SOURCES, RANK(0), .root = -1, DATA, .has_sources = true);
  NEEDS(Neighbor_alltoall, GENEROUS, UNKNOWN, RANK(0), .root = -1, DATA);
  NEEDS(Barrier, SURELY, ALL, RANK(0), .root = -1);
  NEEDS(Win_fence, SURELY, ALL, RANK(0), .root = -1);
  NEEDS(Win_fence, GENEROUS, UNKNOWN, RANK(0), .root = -1, .may_skip_sync = mck_std_fence_may_skip(MCK_MODE_NOPRECEDE));
  NEEDS(Win_fence, SURELY, ALL, RANK(0), .root = -1, .may_skip_sync = mck_std_fence_may_skip(MCK_MODE_NOSUCCEED));
  NEEDS(Comm_free, SURELY, NOTHING, RANK(0), .root = -1);
  NEEDS(File_open, GENEROUS, UNKNOWN, RANK(0), .root = -1);
  NEEDS(Comm_spawn, SURELY, OUTSIDE, RANK(0), .root = 0);
  NEEDS(Comm_spawn, SURELY, ROOT, RANK(1), .root = 0);
  // Between two groups (5.2.3, 5.3, 6.6.2).
#define OTHER .rank = 0, .size = 2, .remote_size = 3
  NEEDS(Barrier, SURELY, OTHER_GROUP, OTHER, .root = -1);
  NEEDS(Intercomm_merge, SURELY, ALL, OTHER, .root = -1);
  NEEDS(Comm_dup, SURELY, UNKNOWN, OTHER, .root = -1);
  NEEDS(Comm_dup, GENEROUS, ALL, OTHER, .root = -1);
  NEEDS(Barrier, GENEROUS, ALL, OTHER, .root = -1);
  NEEDS(Allreduce, SURELY, OTHER_GROUP, OTHER, .root = -1, DATA);
  NEEDS(Alltoallw, GENEROUS, UNKNOWN, OTHER, .root = -1, DATA, .has_counts = true);
  NEEDS(Bcast, SURELY, NOTHING, OTHER, .root = MCK_ROOT, DATA);
  NEEDS(Bcast, SURELY, NOTHING, OTHER, .root = MCK_PROC_NULL, DATA);
  NEEDS(Bcast, SURELY, ROOT, OTHER, .root = 0, DATA);
  NEEDS(Gather, SURELY, OTHER_GROUP, OTHER, .root = MCK_ROOT, DATA);
  NEEDS(Gather, SURELY, NOTHING, OTHER, .root = 0, DATA);
  // A number that is no function.
  EXPECT(needs(MCK_FN_COUNT + 7, (struct mck_std_member){.size = 2}, MCK_STD_GENEROUS) == MCK_STD_NEEDS_UNKNOWN, 0);
}

// Whom a member needs and whom its entry matters to are two sides of one rule.
static void check_gives(uint16_t fn) {
  for (uint32_t rank = 0; rank < 3; rank++)
    for (int32_t root = 0; root < 3; root++) {
      struct mck_std_member member = {.rank = rank, .size = 3, .root = root, .has_data = true, .has_sources = true};
      enum mck_std_needs wanted = mck_std_needs(fn, &member, MCK_STD_SURELY);
      bool is_root = (uint32_t)root == rank;
      if (wanted == MCK_STD_NEEDS_ROOT) EXPECT(mck_std_gives(fn, true) == MCK_STD_GIVES_ALL, fn);
      if (wanted == MCK_STD_NEEDS_ALL)
        EXPECT(mck_std_gives(fn, false) == MCK_STD_GIVES_ALL ||
                   (is_root && mck_std_gives(fn, false) == MCK_STD_GIVES_ROOT),
               fn);
      if (wanted == MCK_STD_NEEDS_LOWER || wanted == MCK_STD_NEEDS_SOURCES)
        EXPECT(mck_std_gives(fn, false) == MCK_STD_GIVES_ALL, fn);
    }
}

// --- buffers --------------------------------------------------------------------------------------------------------
static void check_buffers(void) {
#define BUFFERS(fn, in, out)                                                                                           \
  EXPECT(mck_std(FN(fn))->buffers_in == (in) && mck_std(FN(fn))->buffers_out == (out), FN(fn))
  BUFFERS(Send, 1, 0);
  BUFFERS(Recv, 0, 1);
  BUFFERS(Sendrecv, 1, 1 << 5);
  BUFFERS(Sendrecv_replace, 1, 1);
  BUFFERS(Bcast, 1, 1);
  BUFFERS(Ialltoallw, 1, 1 << 4);
  BUFFERS(Put, 1, 0);
  BUFFERS(Rget, 0, 1);
  BUFFERS(Get_accumulate, 1, 1 << 3);
  BUFFERS(Compare_and_swap, 3, 4);
  BUFFERS(File_read_at, 0, 1 << 2);
  BUFFERS(File_iwrite, 1 << 1, 0);
  BUFFERS(Wait, 0, 0);
}

static void check_epochs(void) {
  EXPECT(mck_std_is_lock(FN(Win_lock)) && mck_std_is_to_one(FN(Win_lock)), FN(Win_lock));
  EXPECT(mck_std_is_lock(FN(Win_lock_all)) && mck_std_is_to_all(FN(Win_lock_all)), FN(Win_lock_all));
  EXPECT(mck_std_is_unlock(FN(Win_unlock)) && mck_std_is_unlock(FN(Win_unlock_all)), FN(Win_unlock));
  EXPECT(mck_std_is_flush(FN(Win_flush)) && !mck_std_is_local_flush(FN(Win_flush)), FN(Win_flush));
  EXPECT(mck_std_is_local_flush(FN(Win_flush_local_all)), FN(Win_flush_local_all));
  EXPECT(mck_std_has_group(FN(Win_start)) && mck_std_has_group(FN(Win_post)), FN(Win_start));
  EXPECT(!mck_std_has_group(FN(Win_wait)) && !mck_std_is_lock(FN(Win_fence)) && !mck_std_is_flush(FN(Win_fence)),
         FN(Win_fence));
  EXPECT(!mck_std_is_flush(FN(Win_sync)) && !mck_std_is_flush(FN(Win_complete)), FN(Win_sync));
}

int main(void) {
  for (uint16_t fn = 0; fn < MCK_FN_COUNT; fn++) {
    check_sections(fn);
    check_twins(fn);
    check_consistency(fn);
    check_flow(fn);
    check_gives(fn);
  }
  check_needs();
  check_buffers();
  check_epochs();
  printf("%d functions, %d properties each, %d failures\n", MCK_FN_COUNT, MCK_STD_PROPERTIES, failures);
  return failures != 0;
}
