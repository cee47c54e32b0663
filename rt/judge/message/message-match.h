// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the message check share (mck_decide_messages): the receives of one rank, and the findings about
// them.
#pragma once
#include "judge/cut/cut.h"
#include "judge/index.h"
#include "judge/type-text.h"
#include "log/signature.h"
#include "report/why.h"

// An earlier finding: there is one for each pair of places.
struct mck_message_said {
  int check, rank;
  uint32_t send_site, receive_site;
  size_t finding;
};
struct mck_message_lost {
  int source;
  uint64_t key;
  int32_t tag;
  struct mck_shape shape;
  uint32_t n;
  uint64_t posted;
  char what[MCK_TYPE_TEXT];
};
struct mck_messages {
  struct mck_decide *decide;
  struct mck_judge *judge;
  struct mck_signatures own;
  uint32_t *receives;
  size_t nreceives; // the rank's own incoming channels by key, source, tag
  struct mck_message_said *said;
  size_t nsaid, said_capacity;
  size_t nnotes; // of them; errors and warnings have a limit of their own
  struct mck_table said_table;
  struct mck_message_lost *lost;
  size_t nlost, lost_capacity;
  struct mck_std_envelope *surplus; // channels with more messages than receives
  size_t nsurplus, surplus_capacity;
};
struct mck_message_side {
  struct mck_type_source types;
  const struct mck_shape *shape;
};

// In message-match.c: the finding for this pair of places. NULL: there is one already, and it is counted up, or there
// are too many.
struct mck_finding *mck_messages_say(struct mck_messages *m, enum mck_check check, int rank, int about,
                                     uint32_t send_site, uint32_t receive_site, uint32_t n);

// In message-type.c: compares what n sends of one shape carry with what their receives expect. Both shapes have a type.
void mck_messages_check_pair(struct mck_messages *m, int source, uint32_t n, struct mck_message_side send,
                             struct mck_message_side receive);

// In message-type.c: has some element of a message another basic type than that element of its receive (MPI-3.1 3.3.1)?
bool mck_messages_is_mismatch(struct mck_typed send, struct mck_typed receive);

// In unmatched-message.c: the event by which this rank freed the communicator, or NULL.
const struct mck_event *mck_messages_find_free(const struct mck_judge *judge, uint64_t key);
// Notes the sends of a channel that are beyond its receives; receives NULL: there are none. mck_messages_say_lost makes
// the findings.
void mck_messages_add_lost(struct mck_messages *m, const struct mck_delivery *from, const struct mck_signatures *types,
                           uint64_t key, int32_t tag, const struct mck_runs *sends, const struct mck_channel *receives);
void mck_messages_say_lost(struct mck_messages *m, const struct mck_message_lost *lost);
// Makes a finding of each receive that no message came to.
void mck_messages_check_receives(struct mck_messages *m);
