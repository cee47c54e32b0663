// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the members of a collective owe each other: whose entry a member waits for before it can leave, to whom its own
// entry matters, and which data moves between which ranks (MPI-3.1 chapters 5 to 7).
#pragma once
#include "standard/constants.h"
#include "standard/epoch-call.h"
#include "standard/function.h"

// A member of a collective, and what is known of its call.
struct mck_std_member {
  uint32_t rank, size, remote_size; // in its group; remote_size 0: an intracommunicator, or a window
  int32_t root;                     // as it was given
  bool has_data;                    // this member sends or receives something
  bool has_counts;                  // the counts for each rank are known
  bool has_sources;                 // its sources in the topology are known
  bool may_skip_sync;               // see mck_std_fence_may_skip; of MPI_Win_free: the window has no_locks (11.2.5)
};

// Whose entry a member waits for before it can leave.
enum mck_std_needs {
  MCK_STD_NEEDS_UNKNOWN,     // the standard, or what is known of the call, does not say
  MCK_STD_NEEDS_OUTSIDE,     // those of processes of another world
  MCK_STD_NEEDS_NOTHING,     // surely nobody's
  MCK_STD_NEEDS_ALL,         // those of all members; between two groups: of both
  MCK_STD_NEEDS_OTHER_GROUP, // those of all members of the other group
  MCK_STD_NEEDS_ROOT,        // that of the root, which is of the other group where there are two
  MCK_STD_NEEDS_LOWER,       // those of the ranks below its own
  MCK_STD_NEEDS_COUNTED,     // those from which the counts say that it receives something
  MCK_STD_NEEDS_OWN_COUNTED, // those of all, if its own part of the result has elements
  MCK_STD_NEEDS_SOURCES,     // those of its sources in the topology from which it receives something
};
// Are there members whose entry it waits for?
static inline bool mck_std_needs_members(enum mck_std_needs needs) { return needs > MCK_STD_NEEDS_NOTHING; }

// How to answer what the standard, or what is known of the call, leaves open. The proof of a deadlock may use only what
// is sure. An order of events may be generous: all members then. Order that is not there hides findings, but makes
// none.
enum mck_std_bound { MCK_STD_SURELY, MCK_STD_GENEROUS };
enum mck_std_needs mck_std_needs(uint16_t fn, const struct mck_std_member *member, enum mck_std_bound bound);

// Whose entry may depend on that of this member, in a communicator of one group.
enum mck_std_gives { MCK_STD_GIVES_NOBODY, MCK_STD_GIVES_ROOT, MCK_STD_GIVES_ALL };
enum mck_std_gives mck_std_gives(uint16_t fn, bool is_root);

// Is this member the root? Between two groups the root says MPI_ROOT, and the others of its group MPI_PROC_NULL
// (5.2.3).
static inline bool mck_std_is_root(int32_t root, uint32_t rank, uint32_t remote_size) {
  return remote_size ? root == MCK_ROOT : root >= 0 && (uint32_t)root == rank;
}

// Of what all give alike: every member gets something of every other, or a barrier. None leaves it before all have
// entered, if there is data at all (5.3, 5.7 to 5.9).
static inline bool mck_std_joins_all(uint16_t fn) {
  const struct mck_std_fn *row = mck_std(fn);
  if (row->family != MCK_STD_FAMILY_COLLECTIVE || row->is_counted || row->blocking != fn) return false;
  return row->sync == MCK_STD_SYNC_MEMBERS || row->flow == MCK_STD_FLOW_REDUCE_ALL ||
         row->flow == MCK_STD_FLOW_ALL_GATHER || row->flow == MCK_STD_FLOW_ALL_TO_ALL;
}

// Which data a collective moves between which ranks: what must agree between them (5.1, 5.3 to 5.11, 7.6).
enum mck_std_form {
  MCK_STD_FORM_NONE,           // no data that is compared: barriers, constructors, files
  MCK_STD_FORM_BCAST,          // from the root, the same at all
  MCK_STD_FORM_REDUCE,         // the same count and type, and the same operation, at all
  MCK_STD_FORM_REDUCE_SCATTER, // the same counts for each rank at all
  MCK_STD_FORM_GATHER,         // each rank to the root
  MCK_STD_FORM_SCATTER,
  MCK_STD_FORM_ALLGATHER, // each rank the same to all
  MCK_STD_FORM_ALLTOALL,  // each pair its own
  MCK_STD_FORM_NEIGHBORS, // along the edges of a topology
};
enum mck_std_form mck_std_form(uint16_t fn);
// Does each rank's count say how much of the result each member gets (MPI_Reduce_scatter_block, 5.10.1)?
bool mck_std_is_count_of_each(uint16_t fn);
// Must all ranks give MPI_IN_PLACE, or none (intracommunicators)? Not so where the standard does not say "at all
// processes": MPI_Scan and MPI_Exscan (5.11), and MPI_Reduce_scatter, where it says the opposite (5.10.2).
static inline bool mck_std_is_in_place_common(uint16_t fn) { return mck_std(fn)->in_place == MCK_STD_IN_PLACE_COMMON; }
// With a root, and yet all ranks give the same count and type (5.4, 5.9.1).
static inline bool mck_std_is_same_at_all(uint16_t fn) {
  return mck_std(fn)->flow == MCK_STD_FLOW_BROADCAST || mck_std(fn)->flow == MCK_STD_FLOW_REDUCE;
}
