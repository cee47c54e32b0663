// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective need not synchronize (MPI-3.1 5.1): a member waits only for the data that it gets. What does synchronize
// says so: barriers (5.3), fences (11.5.1), MPI_Win_free (11.2.5), and constructors, which agree on a context or
// exchange addresses.
#include "standard/collective.h"

static enum mck_std_needs needs_between(const struct mck_std_fn *row, enum mck_std_bound bound) {
  if (bound == MCK_STD_GENEROUS) return MCK_STD_NEEDS_ALL;
  switch ((enum mck_std_between)row->between) {
  case MCK_STD_BETWEEN_OTHER: return MCK_STD_NEEDS_OTHER_GROUP;
  case MCK_STD_BETWEEN_BOTH: return MCK_STD_NEEDS_ALL;
  case MCK_STD_BETWEEN_NONE: // a call that is wrong
  case MCK_STD_BETWEEN_UNKNOWN: break;
  }
  return MCK_STD_NEEDS_UNKNOWN;
}

// Of what comes from all members, or from those from which this one receives something.
static enum mck_std_needs needs_counted(const struct mck_std_fn *row, const struct mck_std_member *member,
                                        enum mck_std_bound bound) {
  if (member->remote_size) return row->is_counted ? MCK_STD_NEEDS_UNKNOWN : needs_between(row, bound);
  if (!row->is_counted) return MCK_STD_NEEDS_ALL;
  if (member->has_counts) return MCK_STD_NEEDS_COUNTED;
  return bound == MCK_STD_SURELY ? MCK_STD_NEEDS_UNKNOWN : MCK_STD_NEEDS_ALL;
}

// Of MPI_Reduce_scatter each member knows how much of the result each gets.
static enum mck_std_needs needs_own_part(const struct mck_std_fn *row, const struct mck_std_member *member,
                                         enum mck_std_bound bound) {
  enum mck_std_needs needs = needs_counted(row, member, bound);
  return needs == MCK_STD_NEEDS_COUNTED ? MCK_STD_NEEDS_OWN_COUNTED : needs;
}

enum mck_std_needs mck_std_needs(uint16_t fn, const struct mck_std_member *member, enum mck_std_bound bound) {
  const struct mck_std_fn *row = mck_std(fn);
  bool is_inter = member->remote_size > 0, is_root = mck_std_is_root(member->root, member->rank, member->remote_size);
  bool is_beside = is_inter && member->root == MCK_PROC_NULL;
  enum mck_std_flow flow = row->flow;
  if (row->sync == MCK_STD_SYNC_MEMBERS) {
    if (member->may_skip_sync) return MCK_STD_NEEDS_UNKNOWN;
    return is_inter ? needs_between(row, bound) : MCK_STD_NEEDS_ALL;
  }
  if (mck_std_moves_data(fn) && !member->has_data) return MCK_STD_NEEDS_NOTHING;
  switch (flow) {
  case MCK_STD_FLOW_NONE: return MCK_STD_NEEDS_NOTHING;
  case MCK_STD_FLOW_UNKNOWN: return MCK_STD_NEEDS_UNKNOWN;
  case MCK_STD_FLOW_ROOT_LEADS:
    if (is_root) return MCK_STD_NEEDS_OUTSIDE;
    return is_beside ? MCK_STD_NEEDS_NOTHING : MCK_STD_NEEDS_ROOT;
  case MCK_STD_FLOW_BROADCAST:
  case MCK_STD_FLOW_SCATTER: return is_root || is_beside ? MCK_STD_NEEDS_NOTHING : MCK_STD_NEEDS_ROOT;
  case MCK_STD_FLOW_GATHER:
  case MCK_STD_FLOW_REDUCE: return is_root ? needs_counted(row, member, bound) : MCK_STD_NEEDS_NOTHING;
  case MCK_STD_FLOW_REDUCE_ALL:
  case MCK_STD_FLOW_ALL_GATHER:
  case MCK_STD_FLOW_ALL_TO_ALL: return needs_counted(row, member, bound);
  case MCK_STD_FLOW_REDUCE_SCATTER: return needs_own_part(row, member, bound);
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN: return member->rank ? MCK_STD_NEEDS_LOWER : MCK_STD_NEEDS_NOTHING;
  case MCK_STD_FLOW_NEIGHBOR_ALL_GATHER:
  case MCK_STD_FLOW_NEIGHBOR_ALL_TO_ALL: return member->has_sources ? MCK_STD_NEEDS_SOURCES : MCK_STD_NEEDS_UNKNOWN;
  }
  return MCK_STD_NEEDS_UNKNOWN;
}

enum mck_std_gives mck_std_gives(uint16_t fn, bool is_root) {
  if (mck_std(fn)->sync == MCK_STD_SYNC_MEMBERS) return MCK_STD_GIVES_ALL;
  switch ((enum mck_std_flow)mck_std(fn)->flow) {
  case MCK_STD_FLOW_NONE:
  case MCK_STD_FLOW_UNKNOWN: return MCK_STD_GIVES_NOBODY;
  case MCK_STD_FLOW_ROOT_LEADS:
  case MCK_STD_FLOW_BROADCAST:
  case MCK_STD_FLOW_SCATTER: return is_root ? MCK_STD_GIVES_ALL : MCK_STD_GIVES_NOBODY;
  case MCK_STD_FLOW_GATHER:
  case MCK_STD_FLOW_REDUCE: return is_root ? MCK_STD_GIVES_NOBODY : MCK_STD_GIVES_ROOT;
  case MCK_STD_FLOW_REDUCE_ALL:
  case MCK_STD_FLOW_REDUCE_SCATTER:
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN:
  case MCK_STD_FLOW_ALL_GATHER:
  case MCK_STD_FLOW_ALL_TO_ALL:
  case MCK_STD_FLOW_NEIGHBOR_ALL_GATHER:
  case MCK_STD_FLOW_NEIGHBOR_ALL_TO_ALL: return MCK_STD_GIVES_ALL;
  }
  return MCK_STD_GIVES_NOBODY;
}

enum mck_std_form mck_std_form(uint16_t fn) {
  const struct mck_std_fn *row = mck_std(fn);
  switch ((enum mck_std_flow)row->flow) {
  case MCK_STD_FLOW_NONE:
  case MCK_STD_FLOW_UNKNOWN:
  case MCK_STD_FLOW_ROOT_LEADS: return MCK_STD_FORM_NONE;
  case MCK_STD_FLOW_BROADCAST: return MCK_STD_FORM_BCAST;
  case MCK_STD_FLOW_SCATTER: return MCK_STD_FORM_SCATTER;
  case MCK_STD_FLOW_GATHER: return MCK_STD_FORM_GATHER;
  case MCK_STD_FLOW_REDUCE:
  case MCK_STD_FLOW_REDUCE_ALL:
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN: return MCK_STD_FORM_REDUCE;
  case MCK_STD_FLOW_REDUCE_SCATTER: return row->is_counted ? MCK_STD_FORM_REDUCE_SCATTER : MCK_STD_FORM_REDUCE;
  case MCK_STD_FLOW_ALL_GATHER: return MCK_STD_FORM_ALLGATHER;
  case MCK_STD_FLOW_ALL_TO_ALL: return MCK_STD_FORM_ALLTOALL;
  case MCK_STD_FLOW_NEIGHBOR_ALL_GATHER:
  case MCK_STD_FLOW_NEIGHBOR_ALL_TO_ALL: return MCK_STD_FORM_NEIGHBORS;
  }
  return MCK_STD_FORM_NONE;
}

bool mck_std_is_count_of_each(uint16_t fn) {
  return mck_std(fn)->flow == MCK_STD_FLOW_REDUCE_SCATTER && !mck_std(fn)->is_counted;
}
