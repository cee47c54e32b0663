// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums up the logs: how each rank ended, calls by function, channels by messages, size by kind of event.
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "base/hash-table.h"
#include "log/signature.h"
#include "report/utf8.h"
#include "view/view.h"

enum { KINDS = 256, FUNCTIONS = MCK_FN_COUNT + 1, CHANNELS_SHOWN = 10 };

struct channel {
  struct mck_view_log *log;
  uint32_t comm;
  int32_t peer, tag;
  uint64_t messages, bytes;
};
struct channels {
  struct channel *items;
  size_t count, capacity;
  struct mck_table table;
};

static bool is_call(const struct mck_event *e) {
  return (e->kind > MCK_EV_PAD && e->kind <= MCK_EV_CALL && e->kind != MCK_EV_ACCESS) || e->kind == MCK_EV_WAIT ||
         e->kind == MCK_EV_DONE;
}

static bool count_message(struct channels *channels, struct mck_view_log *log, uint32_t rank, const struct mck_event *e,
                          const struct mck_signatures *types) {
  uint64_t hash = mck_table_mix(mck_table_mix((uint64_t)rank << 32 | e->msg.comm, (uint64_t)(uint32_t)e->msg.peer),
                                (uint32_t)e->msg.tag);
  uint32_t at, id, found = MCK_NONE;
  MCK_TABLE_EACH (&channels->table, hash, at, id) {
    const struct channel *c = &channels->items[id];
    if (c->log == log && c->comm == e->msg.comm && c->peer == e->msg.peer && c->tag == e->msg.tag) {
      found = id;
      break;
    }
  }
  if (found == MCK_NONE) {
    struct channel new = {log, e->msg.comm, e->msg.peer, e->msg.tag, 0, 0};
    found = (uint32_t)channels->count;
    if (!MCK_PUSH(channels->items, channels->count, channels->capacity, new) ||
        !mck_table_add(&channels->table, hash, found))
      return false;
  }
  struct channel *c = &channels->items[found];
  struct mck_signature s = mck_signature_of(types, e->msg.type, e->msg.count);
  c->messages++;
  if (mck_signature_is_known(s) && __builtin_add_overflow(c->bytes, s.bytes, &c->bytes)) c->bytes = UINT64_MAX;
  return true;
}

static void put_rank(const struct mck_view_log *log, uint64_t events, struct mck_view_out *out) {
  const struct mck_log_header *h = log->reader.header;
  char text[64];
  mck_view_begin(out, "rank", "rank %-4u", h->rank);
  if (out->is_json) mck_view_put_number(out, "rank", h->rank);
  mck_view_put_text(out, "end", mck_view_end(log, text, sizeof text));
  mck_view_put_number(out, "calls", (int64_t)(atomic_load(&h->calls) & INT64_MAX));
  mck_view_put_number(out, "events", (int64_t)events);
  mck_view_put_number(out, "units", (int64_t)log->reader.units);
  if (log->reader.damaged != UINT64_MAX) mck_view_put_number(out, "damaged", (int64_t)log->reader.damaged);
  if (atomic_load(&h->is_incomplete)) mck_view_put_text(out, "recording", "stopped early (log_limit, or a full disk)");
  if (atomic_load(&h->is_multiple) & MCK_LOG_THREADS) mck_view_put_text(out, "threads", "several");
  uint32_t wait = mck_wait_event(atomic_load(&h->wait));
  if (wait < log->reader.units) mck_view_put_number(out, "waits_in", wait);
  mck_view_put_text(out, "host", h->host);
  if (out->is_json && h->tool_version[0]) mck_view_put_text(out, "tool_version", h->tool_version);
  mck_view_finish(out);
}

static void put_function(uint32_t fn, const uint64_t *by_rank, const struct mck_view *view, struct mck_view_out *out) {
  uint64_t sum = 0;
  for (size_t i = 0; i < view->count; i++) sum += by_rank[i];
  if (!sum) return;
  const char *name = fn < MCK_FN_COUNT && mck_fn_names[fn] ? mck_fn_names[fn] : "an unknown function";
  mck_view_begin(out, "function", "%-24s", name);
  if (out->is_json) mck_view_put_text(out, "function", name);
  mck_view_put_number(out, "events", (int64_t)sum);
  for (size_t i = 0; i < view->count && (out->is_json || view->count <= 16); i++) {
    char key[32];
    snprintf(key, sizeof key, "%s%u", out->is_json ? "rank" : "", view->logs[i].reader.header->rank);
    if (by_rank[i]) mck_view_put_number(out, key, (int64_t)by_rank[i]);
  }
  mck_view_finish(out);
}

static int compare_channels(const void *a, const void *b) {
  const struct channel *x = a, *y = b;
  if (x->messages != y->messages) return x->messages > y->messages ? -1 : 1;
  if (x->log != y->log) return x->log < y->log ? -1 : 1;
  if (x->comm != y->comm) return x->comm < y->comm ? -1 : 1;
  if (x->peer != y->peer) return x->peer < y->peer ? -1 : 1;
  return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static void put_channel(const struct mck_view *view, const struct channel *c, struct mck_view_out *out) {
  const struct mck_event e = {.kind = MCK_EV_SEND, .msg = {.comm = c->comm, .peer = c->peer}};
  int dest = mck_view_peer(c->log, &e);
  mck_view_begin(out, "channel", "%u -> %d", c->log->reader.header->rank, dest);
  if (out->is_json)
    mck_view_put_number(out, "source", c->log->reader.header->rank), mck_view_put_number(out, "dest", dest);
  mck_view_put_number(out, "tag", c->tag);
  mck_view_put_name(out, "comm", mck_view_comm(view, c->log, c->comm));
  mck_view_put_number(out, "messages", (int64_t)c->messages);
  mck_view_put_number(out, "bytes", (int64_t)(c->bytes & INT64_MAX));
  mck_view_finish(out);
}

static void put_heading(struct mck_view_out *out, const char *text) {
  if (!out->is_json) fprintf(out->file, "\n%s\n", text);
}

static bool count_log(struct mck_view_log *log, size_t i, size_t n, uint64_t *functions, uint64_t *kinds,
                      uint64_t *events, struct channels *channels) {
  const struct mck_reader *r = &log->reader;
  struct mck_signatures types;
  bool is_good = mck_signatures_load(&types, r);
  for (uint64_t k = 0; is_good && k < r->units; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    kinds[e->kind] += mck_event_units(e);
    if (!is_call(e)) continue;
    functions[(e->fn < MCK_FN_COUNT ? e->fn : MCK_FN_COUNT) * n + i]++;
    events[i]++;
    if (e->kind == MCK_EV_SEND) is_good = count_message(channels, log, r->header->rank, e, &types);
  }
  mck_signatures_free(&types);
  return is_good;
}

bool mck_view_print_summary(const struct mck_view *view, struct mck_view_out *out) {
  size_t n = view->count;
  uint64_t *functions = calloc(FUNCTIONS * n + 1, sizeof *functions), *events = calloc(n + 1, sizeof *events),
           kinds[KINDS] = {0};
  struct channels channels = {0};
  bool is_good = functions && events;
  for (size_t i = 0; is_good && i < n; i++)
    is_good = count_log(&view->logs[i], i, n, functions, kinds, events, &channels);
  if (is_good) {
    if (!out->is_json && n) {
      const struct mck_log_header *h = view->logs[0].reader.header;
      mck_utf8_print(out->file, h->program, sizeof h->program);
      fprintf(out->file, " on %u ranks, %zu logs", view->size, n);
      if (h->tool_version[0])
        fputs(", written by mpicc-check ", out->file), mck_utf8_print(out->file, h->tool_version, SIZE_MAX);
      putc('\n', out->file);
    }
    for (size_t i = 0; i < n; i++) put_rank(&view->logs[i], events[i], out);
    put_heading(out, "events by function (and rank)");
    for (uint32_t fn = 0; fn < FUNCTIONS; fn++) put_function(fn, functions + fn * n, view, out);
    put_heading(out, "channels with most messages");
    if (channels.count) qsort(channels.items, channels.count, sizeof *channels.items, compare_channels);
    for (size_t i = 0; i < channels.count && i < CHANNELS_SHOWN; i++) put_channel(view, &channels.items[i], out);
    put_heading(out, "bytes by kind of event");
    for (unsigned kind = 0; kind < KINDS; kind++) {
      if (!kinds[kind]) continue;
      char number[16];
      snprintf(number, sizeof number, "kind %u", kind);
      const char *name = mck_view_kind(kind) ? mck_view_kind(kind) : number;
      mck_view_begin(out, "size", "%-12s", name);
      if (out->is_json) mck_view_put_text(out, "kind", name);
      mck_view_put_number(out, "bytes", (int64_t)(kinds[kind] * MCK_UNIT));
      mck_view_finish(out);
    }
  }
  free(functions);
  free(events);
  free(channels.items);
  mck_table_free(&channels.table);
  return is_good;
}
