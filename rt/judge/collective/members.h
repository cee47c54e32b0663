// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of one communicator, in step: what each does at one position of its sequence of collectives. Private to
// collective-sequence.c, which walks, collective-signature.c, which compares the arguments of one call, and
// roll-call.c, which says who is where.
#pragma once
#include "standard/collective.h"
#include "judge/index.h"
#include "log/signature.h"

struct mck_step_member {
  int rank;       // world
  uint32_t index; // in its own group
  bool is_remote; // in the second group of an intercommunicator
  bool is_there;  // its log came
  const struct mck_colls *colls;
  struct mck_parcel_in neighbors;
  uint32_t nsources, ndestinations;
  struct mck_runs runs;
  // The walk.
  size_t run;                 // the next one
  uint64_t left;              // of the one before it
  const struct mck_coll *now; // NULL: its sequence has ended (or it is not there)
};
struct mck_step {
  struct mck_decide *decide;
  struct mck_signatures *types; // [world rank], loaded when first needed
  bool *is_loaded;
  struct mck_step_member *members; // the first group, then the second
  size_t n, nlocal;
  bool is_inter;
  uint64_t before, position; // before: calls that were settled at cuts; position counts them
  struct mck_coll_said *said;
  size_t nsaid, said_capacity; // findings about this communicator
};
struct mck_coll_said {
  int check;
  int32_t rank[2];
  uint32_t site[2];
  size_t finding;
};

// collective-argument.c: root, operation, MPI_IN_PLACE; one is the call of some member. As mck_step_agree.
size_t mck_step_check_alike(struct mck_step *step, const struct mck_coll *one);
// collective-signature.c: what is wrong with the arguments at this position, if anything is: the finding's index + 1,
// else 0.
size_t mck_step_agree(struct mck_step *step);
const struct mck_signatures *mck_step_types(struct mck_step *step, int rank); // NULL: out of memory

// roll-call.c. What a member does, in words, and more that tells apart members of the same words.
typedef uint64_t mck_step_label(struct mck_step *step, const struct mck_step_member *member, char *text, size_t size);
// One finding, with all members in groups of the same label; NULL label: left out. Returns its index + 1; a finding
// about the same places as before is only counted. with_ends: also those whose sequence has ended.
size_t mck_step_roll_call(struct mck_step *step, enum mck_check check, const char *text, mck_step_label *label,
                          bool with_ends);
// The finding about these two members, if it is new (else counted): NULL.
struct mck_finding *mck_step_say(struct mck_step *step, enum mck_check check, const struct mck_step_member *a,
                                 const struct mck_step_member *b, size_t *index);
void mck_step_describe(struct mck_step *step, const struct mck_step_member *m, const struct mck_blocks_run *block,
                       char *text, size_t size);
