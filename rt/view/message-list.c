// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a line for each message, in the order in which each rank sent them: the send and its matching receive.
#include "order/pairs.h"
#include "view/view.h"

static void put_place(struct mck_view_out *out, const char *name, const struct mck_view_place *place) {
  if (place->name.text) mck_view_put_name(out, name, (struct mck_view_name *)&place->name);
}

static void put_message(const struct mck_view *view, const struct mck_pairs *pairs, size_t i, uint64_t k,
                        struct mck_view_out *out) {
  struct mck_view_log *log = &view->logs[i];
  const struct mck_event *e = &log->reader.events[k];
  struct mck_pair to = pairs->of[i][k];
  struct mck_view_log *other = to.log == MCK_NONE ? NULL : &view->logs[to.log];
  uint32_t rank = log->reader.header->rank;
  if (other)
    mck_view_begin(out, "message", "%u:%-6llu -> %u:%-6u", rank, (unsigned long long)k, other->reader.header->rank,
                   to.index);
  else mck_view_begin(out, "message", "%u:%-6llu -> %d:?     ", rank, (unsigned long long)k, mck_view_peer(log, e));
  if (out->is_json) {
    mck_view_put_number(out, "source", rank);
    mck_view_put_number(out, "send", (int64_t)k);
    mck_view_put_number(out, "dest", mck_view_peer(log, e));
    if (other) mck_view_put_number(out, "receive", to.index);
  }
  mck_view_put_number(out, "tag", e->msg.tag);
  mck_view_put_number(out, "count", (int64_t)(e->msg.count & INT64_MAX));
  mck_view_put_name(out, "type", mck_view_type(log, e->msg.type));
  mck_view_put_name(out, "comm", mck_view_comm(view, log, e->msg.comm));
  put_place(out, "sent", mck_view_place(view, log, e->site));
  if (other) put_place(out, "received", mck_view_place(view, other, other->reader.events[to.index].site));
  mck_view_finish(out);
}

bool mck_view_print_messages(const struct mck_view *view, const struct mck_view_filter *filter,
                             struct mck_view_out *out) {
  struct mck_pairs pairs;
  bool is_good = mck_view_pairs(view, &pairs);
  for (size_t i = 0; is_good && i < view->count; i++) {
    const struct mck_reader *r = &view->logs[i].reader;
    for (uint64_t k = 0; k < r->units; k += mck_event_units(&r->events[k]))
      if (r->events[k].kind == MCK_EV_SEND && mck_view_is_wanted(view, &view->logs[i], k, filter))
        put_message(view, &pairs, i, k, out);
  }
  if (is_good) {
    mck_view_begin(out, "total", "%llu messages matched, %llu sends without a known receive",
                   (unsigned long long)pairs.matched, (unsigned long long)pairs.lost);
    if (out->is_json)
      mck_view_put_number(out, "matched", (int64_t)pairs.matched),
          mck_view_put_number(out, "unmatched", (int64_t)pairs.lost);
    mck_view_finish(out);
  }
  mck_pairs_free(&pairs);
  return is_good;
}
