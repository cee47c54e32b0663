// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes ranks, calls and places into a text that grows (text-buffer.h).
#include "watch/proof/text-buffer.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "api/fns.h"
#include "base/rank-span.h"
#include "standard/epoch-call.h"

void mck_words_add(struct mck_words *words, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(NULL, 0, format, list);
  va_end(list);
  if (n < 0) return;
  if (words->size + (size_t)n + 1 > words->capacity &&
      !mck_base_grow((void **)&words->text, &words->capacity, words->size + (size_t)n + 1, 1))
    return;
  va_start(list, format);
  vsnprintf(words->text + words->size, (size_t)n + 1, format, list);
  va_end(list);
  words->size += (size_t)n;
}

void mck_words_add_ranks(struct mck_words *words, const uint8_t *members, uint32_t size) {
  uint64_t count = 0;
  for (uint32_t r = 0; r < size; r++) count += members[r] != 0;
  mck_words_add(words, count == 1 ? "rank " : "ranks ");
  size_t start = words->size;
  for (uint32_t r = 0; r < size; r++) {
    if (!members[r]) continue;
    uint32_t last = r;
    while (last + 1 < size && members[last + 1]) last++;
    if (words->size - start > 200) {
      mck_words_add(words, ",... (%" PRIu64 " in all)", count);
      return;
    }
    char span[MCK_RANK_SPAN];
    mck_words_add(words, "%s%s", words->size > start ? "," : "", mck_rank_span(span, r, last));
    r = last;
  }
}

void mck_words_add_place(struct mck_words *words, const char *before, uint32_t rank, uint32_t site) {
  if (site != MCK_NONE) mck_words_add(words, "\x1a%s%u:%u\x1a", before, rank, site);
}

const char *mck_words_name(uint16_t fn) { return fn < MCK_FN_COUNT ? mck_fn_names[fn] : "an unknown function"; }

static void add_message(struct mck_words *words, const struct mck_event *e) {
  bool is_matched = mck_event_flags(e) & MCK_FLAG_MATCHED, is_send = e->kind == MCK_EV_SEND;
  if (is_send) mck_words_add(words, "dest %d, tag %d", e->msg.peer, e->msg.tag);
  if (is_send) return;
  if (e->flags & MCK_FLAG_ANY_SOURCE && !is_matched) mck_words_add(words, "source any");
  else mck_words_add(words, "source %d", e->msg.peer);
  if (e->flags & MCK_FLAG_ANY_TAG && !is_matched) mck_words_add(words, ", tag any");
  else mck_words_add(words, ", tag %d", e->msg.tag);
}

void mck_words_add_call(struct mck_words *words, const struct mck_event *e) {
  mck_words_add(words, "%s", mck_words_name(e->fn));
  switch (e->kind) {
  case MCK_EV_SEND:
  case MCK_EV_RECV:
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE:
    mck_words_add(words, "(");
    add_message(words, e);
    mck_words_add(words, ")");
    break;
  case MCK_EV_COLL:
    if (e->coll.root >= 0) mck_words_add(words, "(root %d)", e->coll.root);
    break;
  case MCK_EV_SYNC:
    if (!mck_std_is_to_one(e->fn)) break;
    mck_words_add(words, "(target %d", e->sync.rank);
    if (mck_std_is_lock(e->fn))
      mck_words_add(words, mck_std_is_exclusive(e->fn, (int)e->sync.lock_type) ? ", exclusive" : ", shared");
    mck_words_add(words, ")");
    break;
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC: mck_words_add(words, "(target %d)", e->rma.target); break;
  case MCK_EV_WAIT:
    if (e->wait.count != 1) mck_words_add(words, "(%u requests)", e->wait.count);
    break;
  }
}

enum { NAME_MAX_SHOWN = 64 };

void mck_words_add_comm(struct mck_words *words, const struct mck_reader *log, uint32_t rank, uint32_t comm) {
  const struct mck_comm_def *def = comm < log->ncomms && log->comms[comm].body ? &log->comms[comm] : NULL;
  const struct mck_event *made = def ? (const struct mck_event *)def->body - 1 : NULL; // the event that defines it
  if (!def) return;
  if (def->name_length)
    mck_words_add(words, " on communicator %.*s",
                  (int)(def->name_length < NAME_MAX_SHOWN ? def->name_length : NAME_MAX_SHOWN), def->name);
  else if (made->site == MCK_NONE && comm < 2)
    mck_words_add(words, " on %s", comm ? "MPI_COMM_SELF" : "MPI_COMM_WORLD");
  else if (made->site != MCK_NONE) {
    char order[MCK_ORDER_SIZE];
    mck_words_add(words, " on the %scommunicator of %s", mck_log_order_of_comm(log, comm, order),
                  mck_words_name(made->fn));
    mck_words_add_place(words, " at ", rank, made->site);
  }
}

void mck_words_add_window(struct mck_words *words, const struct mck_reader *log, uint32_t rank, uint32_t win) {
  const struct mck_win_def *def = win < log->nwins && log->wins[win].body ? &log->wins[win] : NULL;
  if (def && def->name_length)
    mck_words_add(words, " of window %.*s",
                  (int)(def->name_length < NAME_MAX_SHOWN ? def->name_length : NAME_MAX_SHOWN), def->name);
  else if (def && log->nwins > 1 && def->site != MCK_NONE) {
    char order[MCK_ORDER_SIZE];
    mck_words_add(words, " of the %swindow of %s", mck_log_order_of_window(log, win, order), mck_words_name(def->fn));
    mck_words_add_place(words, " at ", rank, def->site);
  }
}
