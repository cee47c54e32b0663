// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective step: the call of each member of one communicator, at one position of its sequence of collectives. It is
// private to a few files: collective-sequence.c walks, collective-signature.c and collective-argument.c compare the
// arguments of one call, and roll-call.c says which member is in which call.
#pragma once
#include "standard/collective.h"
#include "judge/index.h"
#include "judge/type-text.h"

struct mck_step_member {
  int rank;       // in MPI_COMM_WORLD
  uint32_t index; // in its own group
  bool is_remote; // in the second group of an intercommunicator
  bool is_there;  // its log is there
  const struct mck_call_table *calls;
  struct mck_parcel_in neighbors;
  uint32_t nsources, ndestinations;
  bool has_own_neighbors; // which it gave by itself, at neighbors_site
  uint32_t neighbors_site;
  struct mck_runs runs;
  // The state of the walk; run: the next run.
  size_t run;
  uint64_t left;                         // positions left in the run before that
  const struct mck_collective_call *now; // NULL: its sequence has ended, or its log is not there
};
struct mck_step {
  struct mck_decide *decide;
  struct mck_signatures *types; // [world rank], loaded at first use
  bool *is_loaded;
  struct mck_step_member *members; // first the members of the first group, then those of the second
  const struct mck_comm_def *comm; // of the deciding rank's log
  size_t n, nlocal;
  bool is_inter;
  uint64_t before, position; // before: calls settled at earlier cuts; position counts these, too
  struct mck_step_said *said;
  size_t nsaid, said_capacity; // findings about this communicator
};
struct mck_step_said {
  int check;
  int32_t rank[2];
  uint32_t site[2];
  size_t finding;
};

// In collective-argument.c: root, operation, MPI_IN_PLACE; one is the call of some member. Returns what mck_step_agree
// returns.
size_t mck_step_check_alike(struct mck_step *step, const struct mck_collective_call *one);
// In graph-neighbors.c: whether both ends of each edge name it, if each member gave its own neighbors.
void mck_step_check_neighbors(struct mck_step *step);
// In collective-signature.c: compares the arguments at this position. Returns the index + 1 of a finding, or 0.
size_t mck_step_agree(struct mck_step *step);
const struct mck_signatures *mck_step_types(struct mck_step *step, int rank); // NULL: out of memory

// In roll-call.c: the text that says what a member does. The number tells members apart that have the same text.
typedef uint64_t mck_step_label(struct mck_step *step, const struct mck_step_member *member, char *text, size_t size);
// Makes one finding with all members in groups of equal labels; a member with an empty label is left out. Returns its
// index + 1. A finding about the same places as an earlier one is only counted. with_ends: also names the members whose
// sequence has ended.
size_t mck_step_roll_call(struct mck_step *step, enum mck_check check, const char *text, mck_step_label *label,
                          bool with_ends);
// A new finding about these two members. NULL: there was one already, and it is counted up.
struct mck_finding *mck_step_say(struct mck_step *step, enum mck_check check, const struct mck_step_member *a,
                                 const struct mck_step_member *b, size_t *index);
// " columns", " MPI_COMM_WORLD", or " that MPI_Comm_split made at x.c:9"; nothing where there is no other.
void mck_step_name_comm(const struct mck_step *step, char *text, size_t size);
void mck_step_describe(struct mck_step *step, const struct mck_step_member *m, const struct mck_blocks_run *block,
                       char *text, size_t size);
