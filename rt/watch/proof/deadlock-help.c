// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How to mend a deadlock, by what its ranks stand in: a cycle of receives is mended in another way than a message that
// is sent with another tag, or a rank that has ended early.
#include <string.h>
#include "watch/proof/deadlock-roll-call.h"

// Does some rank of the core wait for one that has ended, or is it in MPI_Finalize itself?
static bool is_ended(const struct mck_story *story) {
  const struct mck_proof *proof = story->proof;
  if (story->is_finished) return true;
  for (uint32_t r = 0; r < proof->size; r++)
    if (story->core[r] && proof->ranks[r].state == MCK_PROOF_FINALIZING) return true;
  return false;
}

// Do all ranks of the core stand in a receive or probe, or all in a send?
static bool is_all(const struct mck_story *story, bool is_receive) {
  const struct mck_proof *proof = story->proof;
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_event *e = story->core[r] ? mck_story_call(proof, r) : NULL;
    bool is_kind = e && (is_receive ? e->kind == MCK_EV_RECV || e->kind == MCK_EV_PROBE || e->kind == MCK_EV_MPROBE
                                    : e->kind == MCK_EV_SEND);
    if (story->core[r] && (!is_kind || proof->ranks[r].nthreads || proof->ranks[r].nparts != 1)) return false;
  }
  return true;
}

const char *mck_story_help(const struct mck_story *story, const char *why) {
  if (why && strstr(why, "was already received by"))
    return "the wildcard receive has taken the message of another one: name its source or its tag";
  if (why && strstr(why, "near miss: "))
    return "is the near miss the call that was meant? Then let both sides give the same rank, tag and communicator";
  if (why && strstr(why, "and not unlocked since"))
    return "let the rank that has the lock unlock it before it waits for others";
  if (is_ended(story))
    return "a rank in MPI_Finalize calls nothing more: let it make the call that the others wait for, or leave out "
           "theirs";
  if (is_all(story, false))
    return story->ncore == 1 ? "receive nonblocking before the send to oneself, or use MPI_Sendrecv"
                             : "let some of them receive first, or use MPI_Sendrecv or nonblocking receives";
  if (is_all(story, true))
    return story->ncore == 1 ? "send nonblocking before the receive from oneself, or use MPI_Sendrecv"
                             : "let some of them send first, or use MPI_Sendrecv or nonblocking sends";
  return NULL;
}
