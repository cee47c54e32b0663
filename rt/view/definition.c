// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the definitions of a log: communicators with their members, datatypes with signature and layout, windows,
// modules.
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "view/view.h"

struct text {
  char *bytes;
  size_t used, capacity;
};

// A text that grows; when out of memory its end is missing.
__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...) {
  va_list arguments;
  char piece[160];
  va_start(arguments, format);
  int n = vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  size_t length = n < 0 ? 0 : (size_t)n < sizeof piece ? (size_t)n : sizeof piece - 1;
  if (!mck_base_grow((void **)&t->bytes, &t->capacity, t->used + length + 1, 1)) return;
  memcpy(t->bytes + t->used, piece, length + 1);
  t->used += length;
}

static void put(struct mck_view_out *out, const char *name, struct text *t) {
  mck_view_put_text(out, name, t->bytes ? t->bytes : "");
  free(t->bytes);
  *t = (struct text){0};
}

static void begin(const struct mck_view_log *log, const char *kind, uint32_t id, struct mck_view_out *out) {
  uint32_t rank = log->reader.header->rank;
  mck_view_begin(out, kind, "%u:%s %-5u", rank, kind, id);
  if (!out->is_json) return;
  mck_view_put_number(out, "rank", rank);
  mck_view_put_number(out, "id", id);
}

// The definition's event stands before its body.
static void put_origin(const struct mck_view *view, struct mck_view_log *log, const void *body,
                       struct mck_view_out *out) {
  const struct mck_event *e = (const struct mck_event *)body - 1;
  if (e->fn && e->fn < MCK_FN_COUNT && mck_fn_names[e->fn] && e->site != MCK_NONE)
    mck_view_put_text(out, "by", mck_fn_names[e->fn]);
  const char *place = mck_view_place(view, log, e->site)->name.text;
  if (place) mck_view_put_text(out, "at", place);
  mck_view_finish(out);
}

static void put_comm(const struct mck_view *view, struct mck_view_log *log, const struct mck_comm_def *c,
                     struct mck_view_out *out) {
  begin(log, "comm", c->id, out);
  mck_view_put_number(out, "me", c->rank);
  mck_view_put_number(out, "size", c->size);
  if (c->remote_size) mck_view_put_number(out, "remote", c->remote_size);
  struct text t = {0};
  uint64_t sum = 0;
  for (uint32_t i = 0; i < c->nranges; i++) {
    const struct mck_range *r = &c->ranges[i];
    add(&t, "%s", i == 0 ? "" : sum == c->size ? " | " : ",");
    if (r->first == MCK_NONE) add(&t, "%" PRIu32 " outside", r->count);
    else if (r->count == 1) add(&t, "%" PRIu32, r->first);
    else add(&t, "%" PRIu32 "-%" PRIu32, r->first, r->first + r->count - 1);
    sum += r->count;
  }
  put(out, "members", &t);
  add(&t, "%016" PRIx64, c->body->key);
  put(out, "key", &t);
  if (c->body->parent != MCK_NONE) mck_view_put_number(out, "parent", c->body->parent);
  put_origin(view, log, c->body, out);
}

static void put_type(const struct mck_view *view, struct mck_view_log *log, const struct mck_type_def *d,
                     struct mck_view_out *out) {
  begin(log, "type", d->id, out);
  mck_view_put_number(out, "size", (int64_t)(d->body->size & INT64_MAX));
  mck_view_put_number(out, "lb", d->body->lb);
  mck_view_put_number(out, "extent", d->body->extent);
  struct text t = {0};
  for (uint32_t i = 0; i < d->nparts; i++)
    add(&t, "%s%" PRIu64 " %s", i ? ", " : "", d->parts[i].count, mck_view_type(log, d->parts[i].type)->text);
  put(out, "parts", &t);
  if (d->nblocks == MCK_NONE) add(&t, "too many to list");
  for (uint32_t i = 0; d->nblocks != MCK_NONE && i < d->nblocks; i++)
    add(&t, "%s%" PRId64 "+%" PRIu64, i ? "," : "", d->blocks[i].offset, d->blocks[i].length);
  put(out, "bytes", &t);
  put_origin(view, log, d->body, out);
}

static void put_win(const struct mck_view *view, struct mck_view_log *log, const struct mck_win_def *w,
                    struct mck_view_out *out) {
  begin(log, "win", w->id, out);
  mck_view_put_name(out, "comm", mck_view_comm(view, log, w->comm));
  struct text t = {0};
  add(&t, "0x%" PRIx64, w->body->base);
  put(out, "base", &t);
  mck_view_put_number(out, "size", (int64_t)(w->body->size & INT64_MAX));
  mck_view_put_number(out, "unit", w->disp_unit);
  mck_view_put_number(out, "flavor", w->flavor);
  if (w->name_length) {
    add(&t, "%.*s", (int)(w->name_length < 128 ? w->name_length : 128), w->name);
    put(out, "name", &t);
  }
  put_origin(view, log, w->body, out);
}

static void put_module(const struct mck_view_log *log, const struct mck_module_def *m, struct mck_view_out *out) {
  begin(log, "module", m->id, out);
  char *path = strndup(m->path, m->path_length);
  mck_view_put_text(out, "path", path ? path : "");
  free(path);
  struct text t = {0};
  for (uint32_t i = 0; i < m->build_id_length && i < 64; i++) add(&t, "%02x", m->build_id[i]);
  put(out, "build", &t);
  mck_view_finish(out);
}

void mck_view_print_definitions(const struct mck_view *view, const struct mck_view_filter *filter,
                                struct mck_view_out *out) {
  for (size_t i = 0; i < view->count; i++) {
    struct mck_view_log *log = &view->logs[i];
    const struct mck_reader *r = &log->reader;
    bool is_list;
    if (filter->ranks && !mck_view_filter_ranks(filter->ranks, r->header->rank, &is_list)) continue;
    for (uint32_t k = 0; k < r->ncomms; k++)
      if (r->comms[k].body) put_comm(view, log, &r->comms[k], out);
    for (uint32_t k = 0; k < r->ntypes; k++)
      if (r->types[k].body) put_type(view, log, &r->types[k], out);
    for (uint32_t k = 0; k < r->nwins; k++)
      if (r->wins[k].body) put_win(view, log, &r->wins[k], out);
    for (uint32_t k = 0; k < r->nmodules; k++)
      if (r->modules[k].path) put_module(log, &r->modules[k], out);
  }
}
