// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State: how far each rank of the model (match-model.h) has come, and which messages and receives of open classes have
// no match yet.
//
// Only a receive from any source of an open class has a choice. All else happens in any case, and earlier or later
// makes no difference: sends, collectives, receives that can get one message only. So a state goes on by itself up to
// where only choices are left (mck_state_advance).
#pragma once
#include "judge/prediction/match-model.h"

struct mck_state_list {
  struct mck_pair *items; // log and op, in this order
  size_t count, capacity;
};
struct mck_state {
  const struct mck_model *model;
  bool is_single_path;
  uint32_t *entered;                      // [log] so many of its calls were entered
  bool *is_unknown;                       // [log] from here on the program may do something else than in the run
  uint32_t *counters;                     // of plain classes: the messages that were sent
  struct mck_state_list untaken, pending; // messages and receives of open classes
  struct mck_state_list told; // receives that got another message than in the run, and whose completion tells it
  uint64_t names;             // logs (a bit for each number modulo 64) whose messages were expected where others came
  // The work that was done, in calls that were entered; other work counts as so many calls as take as long.
  uint64_t *steps, limit;
  bool is_short;
  bool is_held;    // a receive of a plain class could end now, but not with the message that it got in the run
  bool may_differ; // such receives end
};
// steps, limit: its work is counted there, and it goes on only below the limit.
bool mck_state_open(struct mck_state *state, const struct mck_model *model, bool is_single_path, uint64_t *steps,
                    uint64_t limit);
static inline bool mck_state_is_cut(const struct mck_state *s) { return *s->steps >= s->limit; }
void mck_state_close(struct mck_state *state);
void mck_state_advance(struct mck_state *state);
// When nothing else can happen: lets receives of plain classes end with other messages than in the run. Their programs
// may look at what came, or know the sender from it. Returns false if that changes nothing.
bool mck_state_release(struct mck_state *state);
// Lets a pending receive have this message.
void mck_state_match(struct mck_state *state, struct mck_pair receive, struct mck_pair send);
// Which message could this pending receive have now (MPI-3.1 3.5)? *at: the place in untaken to begin with; afterwards
// behind the message. Returns false when there is no further one.
bool mck_state_candidate(const struct mck_state *state, struct mck_pair receive, size_t *at, struct mck_pair *send);
// Is the operation complete, as far as the program needs it? It was entered.
bool mck_state_is_complete(const struct mck_state *state, uint32_t log, uint32_t op);
// Is it a message that the program can tell from the one that the receive or probe got in the run, by its status?
bool mck_state_is_told(const struct mck_state *state, struct mck_pair receive, struct mck_pair send);
// Is it the message that the receive got in the run, or one of the same sender and tag?
bool mck_state_is_expected(const struct mck_state *state, struct mck_pair receive, struct mck_pair send);

static inline const struct mck_model_op *mck_state_op(const struct mck_state *s, struct mck_pair at) {
  return &s->model->logs[at.log].ops[at.index];
}
// Has the log ended all of its calls?
bool mck_state_is_done(const struct mck_state *state, uint32_t log);

// As bytes. packed: has room for size.
size_t mck_state_size(const struct mck_state *state);
void mck_state_pack(const struct mck_state *state, uint32_t *packed);
void mck_state_unpack(struct mck_state *state, const uint32_t *packed);
