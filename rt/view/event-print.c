// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints events, one per line: rank and index, the function, its known arguments, and the place of the call.
#include <stdio.h>
#include <string.h>
#include "log/content.h"
#include "log/envelope.h"
#include "log/signature.h"
#include "report/finding.h"
#include "report/utf8.h"
#include "view/view.h"

static void put_flag(char *text, size_t size, const char *flag) {
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s%s", used ? "," : "", flag);
}

static void put_message_flags(const struct mck_event *e, struct mck_view_out *out) {
  char text[96] = "";
  bool is_send = e->kind == MCK_EV_SEND;
  if (e->flags & MCK_FLAG_NONBLOCKING) put_flag(text, sizeof text, "nonblocking");
  if (e->kind == MCK_EV_COLL) { // the other bits have another meaning there
    if (e->flags & MCK_COLL_IN_PLACE) put_flag(text, sizeof text, "in-place");
    if (*text) mck_view_put_text(out, "flags", text);
    return;
  }
  if (e->flags & MCK_FLAG_ANY_SOURCE) put_flag(text, sizeof text, "any-source");
  if (e->flags & MCK_FLAG_ANY_TAG) put_flag(text, sizeof text, "any-tag");
  unsigned forced = is_send ? 0 : e->flags & ~((unsigned)e->flags << MCK_FLAG_IGNORED_SHIFT);
  if (forced & MCK_FLAG_FORCED_SOURCE) put_flag(text, sizeof text, "forced-source");
  if (forced & MCK_FLAG_FORCED_TAG) put_flag(text, sizeof text, "forced-tag");
  if (!is_send && mck_event_ignores_status(e)) put_flag(text, sizeof text, "status-ignored");
  if (e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG))
    put_flag(text, sizeof text, e->flags & MCK_FLAG_MATCHED ? "matched" : "unmatched");
  if (e->flags & MCK_FLAG_CANCELLED) put_flag(text, sizeof text, "cancelled");
  if (is_send && (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC) put_flag(text, sizeof text, "synchronous");
  if (is_send && (e->flags & MCK_MODE_MASK) == MCK_FLAG_BUFFERED) put_flag(text, sizeof text, "buffered");
  if (is_send && (e->flags & MCK_MODE_MASK) == MCK_FLAG_READY) put_flag(text, sizeof text, "ready");
  if (is_send && e->flags & MCK_FLAG_LOCAL) put_flag(text, sizeof text, "cancel-called");
  if (e->flags & MCK_FLAG_PART) put_flag(text, sizeof text, is_send ? "sends" : "receives");
  if (*text) mck_view_put_text(out, "flags", text);
}

// The rank in the call's communicator, and in MPI_COMM_WORLD where the number differs (in JSON always).
static void put_peer(const struct mck_view_log *log, const struct mck_event *e, struct mck_view_out *out) {
  bool is_any = e->kind != MCK_EV_SEND && e->flags & MCK_FLAG_ANY_SOURCE && e->msg.peer < 0;
  if (is_any) mck_view_put_text(out, "peer", "any");
  else mck_view_put_number(out, "peer", e->msg.peer);
  int world = is_any ? -1 : mck_view_peer(log, e);
  if (world >= 0 && (out->is_json || world != e->msg.peer)) mck_view_put_number(out, "world", world);
  bool is_any_tag = e->kind != MCK_EV_SEND && e->flags & MCK_FLAG_ANY_TAG && e->msg.tag < 0;
  if (is_any_tag) mck_view_put_text(out, "tag", "any");
  else mck_view_put_number(out, "tag", e->msg.tag);
}

static void put_typed(struct mck_view_log *log, uint64_t count, uint32_t type, struct mck_view_out *out) {
  if (type == MCK_NONE) return; // there is no type, or it was unknown
  mck_view_put_number(out, "count", (int64_t)(count & INT64_MAX));
  mck_view_put_name(out, "type", mck_view_type(log, type));
}

static void put_finding(const struct mck_event *e, struct mck_view_out *out) {
  struct mck_findings list = {0};
  if (e->def.a > (uint64_t)e->def.extra * MCK_UNIT || !mck_finding_unpack(&list, e + 1, e->def.a)) {
    mck_view_put_text(out, "text", "cannot be read");
    return;
  }
  mck_view_put_text(out, "check", mck_check_infos[list.items[0].check].id);
  if (list.items[0].text) mck_view_put_text(out, "text", list.items[0].text);
  mck_findings_free(&list);
}

static void put_wait(const struct mck_event *e, struct mck_view_out *out) {
  if (e->kind == MCK_EV_WAIT && e->flags != MCK_WAIT_ALL)
    mck_view_put_text(out, "until", e->flags == MCK_WAIT_ANY ? "any" : e->flags == MCK_WAIT_SOME ? "some" : "unknown");
  mck_view_put_requests(out, e->kind == MCK_EV_WAIT ? "waits" : "done", e);
}

static void put_access(const struct mck_view *view, struct mck_view_log *log, const struct mck_event *e,
                       struct mck_view_out *out) {
  if (e->flags & (MCK_ACCESS_ATOMIC | MCK_ACCESS_VOLATILE))
    mck_view_put_text(out, "flags", e->flags & MCK_ACCESS_ATOMIC ? "atomic" : "volatile");
  if (e->flags & MCK_ACCESS_BUFFER) mck_view_put_text(out, "flags", "buffer");
  else if (e->flags & MCK_ACCESS_MESSAGE) mck_view_put_text(out, "flags", "message");
  if (e->flags & MCK_ACCESS_FREED)
    mck_view_put_text(out, "flags",
                      e->flags & MCK_ACCESS_LEFT       ? "left"
                      : e->flags & MCK_ACCESS_UNMAPPED ? "unmapped"
                                                       : "freed");
  if (e->fn) mck_view_put_number(out, "owner", e->fn - 1);
  mck_view_put_number(out, "offset", (int64_t)(e->access.offset & INT64_MAX));
  mck_view_put_number(out, "size", e->access.size);
  if (e->access.n != 1)
    mck_view_put_number(out, "n", e->access.n), mck_view_put_number(out, "stride", e->access.stride);
  mck_view_put_name(out, "win", mck_view_win(view, log, e->access.win));
}

// The arguments of events that name a window.
static void put_window_arguments(const struct mck_view *view, struct mck_view_log *log, const struct mck_event *e,
                                 struct mck_view_out *out) {
  switch (e->kind) {
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC:
    mck_view_put_number(out, "target", e->rma.target);
    mck_view_put_number(out, "disp", (int64_t)(e->rma.disp & INT64_MAX));
    put_typed(log, e->rma.count, e->rma.type, out);
    if (e->kind == MCK_EV_ACC) mck_view_put_text(out, "op", mck_op_name(e->flags));
    mck_view_put_name(out, "win", mck_view_win(view, log, e->rma.win));
    break;
  case MCK_EV_FENCE:
  case MCK_EV_SYNC:
    if (e->sync.rank >= 0) mck_view_put_number(out, "target", e->sync.rank);
    if (e->sync.assertion) mck_view_put_number(out, "assert", e->sync.assertion);
    mck_view_put_name(out, "win", mck_view_win(view, log, e->sync.win));
    break;
  case MCK_EV_ACCESS: put_access(view, log, e, out); break;
  case MCK_EV_GROUP: {
    const int32_t *ranks = (const int32_t *)(e + 1);
    for (uint32_t i = 0; i < e->group.n && i < 8 && i < e->group.extra * (MCK_UNIT / 4); i++)
      mck_view_put_number(out, "rank", ranks[i]);
    mck_view_put_name(out, "win", mck_view_win(view, log, e->group.win));
    break;
  }
  case MCK_EV_WINDOW_BYTES:
    mck_view_put_number(out, "changed", (int64_t)(e->looked.length & INT64_MAX));
    if (e->flags & MCK_LOOK_LOST) mck_view_put_text(out, "flags", "lost");
    mck_view_put_name(out, "win", mck_view_win(view, log, e->looked.win));
    break;
  case MCK_EV_WIN_MEMORY:
    mck_view_put_number(out, "element", e->memory.element);
    mck_view_put_number(out, "offset", (int64_t)(e->memory.offset & INT64_MAX));
    mck_view_put_name(out, "win", mck_view_win(view, log, e->memory.win));
    break;
  case MCK_EV_WIN_NAME: mck_view_put_name(out, "win", mck_view_win(view, log, e->name.object)); break;
  case MCK_EV_TYPE_NAME: mck_view_put_name(out, "type", mck_view_type(log, e->name.object)); break;
  case MCK_EV_COMM_NAME: mck_view_put_name(out, "comm", mck_view_comm(view, log, e->name.object)); break;
  case MCK_EV_ATTACH:
    mck_view_put_number(out, "address", (int64_t)(e->attach.address & INT64_MAX));
    if (e->flags & MCK_ATTACH_DETACHED) mck_view_put_text(out, "flags", "detached");
    else mck_view_put_number(out, "size", (int64_t)(e->attach.size & INT64_MAX));
    mck_view_put_name(out, "win", mck_view_win(view, log, e->attach.win));
    break;
  default: break;
  }
}

// The arguments of events about the bytes of a file.
static void put_file_arguments(const struct mck_view *view, struct mck_view_log *log, const struct mck_event *e,
                               struct mck_view_out *out) {
  char text[64] = "";
  switch (e->kind) {
  case MCK_EV_FILE_ACCESS:
    put_flag(text, sizeof text, e->flags & MCK_FILE_WRITE ? "write" : "read");
    if (e->flags & MCK_FILE_ATOMIC) put_flag(text, sizeof text, "atomic");
    if (e->flags & MCK_FILE_PENDING) put_flag(text, sizeof text, "pending");
    if (e->flags & MCK_FILE_SIZE) put_flag(text, sizeof text, "size");
    mck_view_put_number(out, "offset", (int64_t)(e->file.offset & INT64_MAX));
    mck_view_put_number(out, "size", (int64_t)(e->file.size & INT64_MAX));
    mck_view_put_text(out, "flags", text);
    break;
  case MCK_EV_FILE_POINTER:
    put_flag(text, sizeof text, e->flags & MCK_FILE_WRITE ? "write" : e->flags & MCK_POINTER_SET ? "set" : "read");
    if (e->flags & MCK_FILE_ATOMIC) put_flag(text, sizeof text, "atomic");
    if (e->flags & MCK_POINTER_ALONE) put_flag(text, sizeof text, "alone");
    if (e->flags & MCK_POINTER_SET) mck_view_put_number(out, "offset", (int64_t)(e->file.offset & INT64_MAX));
    mck_view_put_number(out, "size", (int64_t)(e->file.size & INT64_MAX));
    mck_view_put_text(out, "flags", text);
    break;
  case MCK_EV_FILE_VIEW:
    mck_view_put_number(out, "disp", (int64_t)(e->view.disp & INT64_MAX));
    if (e->view.type != MCK_NONE) mck_view_put_name(out, "type", mck_view_type(log, e->view.type));
    break;
  case MCK_EV_FILE_DONE:
    mck_view_put_number(out, e->flags & MCK_FILE_NEXT ? "next" : "access", e->filedone.number);
    break;
  case MCK_EV_FILE_NAME: mck_view_put_number(out, "key", (int64_t)(e->filename.key & INT64_MAX)); break;
  }
  mck_view_put_name(out, "comm", mck_view_comm(view, log, e->file.comm));
}

// news: the strands that it has learned of since its last one, and up to which moment of each.
static void put_strand(const struct mck_event *e, struct mck_view_out *out) {
  const struct mck_strand_news *news = (const void *)(e + 1);
  char text[256];
  size_t used = 0;
  mck_view_put_number(out, "strand", e->strand.strand);
  mck_view_put_number(out, "time", e->strand.time);
  for (uint32_t i = 0; i < e->strand.n && used + 32 < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%u:%u", i ? " " : "", news[i].strand, news[i].time);
  if (used) mck_view_put_text(out, "after", text);
  if (!e->fn) return;
  snprintf(text, sizeof text, "%.*s", e->fn < 64 ? e->fn : 64, (const char *)(news + e->strand.n));
  mck_view_put_text(out, "name", text);
}

static void put_content(struct mck_view_log *log, const struct mck_event *e, struct mck_view_out *out) {
  const struct mck_content_body *body = mck_content_body(e);
  mck_view_put_number(out, "event", e->content.event);
  mck_view_put_text(out, "side", e->flags & MCK_CONTENT_RECEIVED ? "received" : "sent");
  if (e->content.peer >= 0) mck_view_put_number(out, "peer", e->content.peer);
  put_typed(log, body->count, e->content.type, out);
  mck_view_put_number(out, "bytes", (int64_t)(body->length & INT64_MAX));
  if (e->flags & MCK_CONTENT_CHANGED) mck_view_put_text(out, "flags", "changed");
}

void mck_view_print_arguments(const struct mck_view *view, struct mck_view_log *log, uint64_t index,
                              struct mck_view_out *out) {
  const struct mck_event *e = &log->reader.events[index];
  switch (e->kind) {
  case MCK_EV_SEND:
  case MCK_EV_RECV:
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE:
    put_peer(log, e, out);
    if (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV) put_typed(log, e->msg.count, e->msg.type, out);
    mck_view_put_name(out, "comm", mck_view_comm(view, log, e->msg.comm));
    put_message_flags(e, out);
    break;
  case MCK_EV_SETTLED:
    put_peer(log, e, out);
    mck_view_put_number(out, "receives", (int64_t)(e->msg.count & INT64_MAX));
    mck_view_put_name(out, "comm", mck_view_comm(view, log, e->msg.comm));
    break;
  case MCK_EV_MRECV:
    if (e->mrecv.mprobe != MCK_NONE) mck_view_put_number(out, "probe", e->mrecv.mprobe);
    put_typed(log, e->mrecv.count, e->mrecv.type, out);
    break;
  case MCK_EV_COLL:
    if (e->coll.root != -1) mck_view_put_number(out, "root", e->coll.root);
    if (e->coll.op != MCK_OP_NONE) mck_view_put_text(out, "op", mck_op_name(e->coll.op));
    put_typed(log, e->coll.count, e->coll.type, out);
    mck_view_put_name(out, "comm", mck_view_comm(view, log, e->coll.comm));
    put_message_flags(e, out);
    break;
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC:
  case MCK_EV_FENCE:
  case MCK_EV_SYNC:
  case MCK_EV_ACCESS:
  case MCK_EV_GROUP:
  case MCK_EV_WIN_MEMORY:
  case MCK_EV_WIN_NAME:
  case MCK_EV_WINDOW_BYTES:
  case MCK_EV_COMM_NAME:
  case MCK_EV_TYPE_NAME:
  case MCK_EV_ATTACH: put_window_arguments(view, log, e, out); break;
  case MCK_EV_WAIT:
  case MCK_EV_DONE: put_wait(e, out); break;
  case MCK_EV_FINDING: put_finding(e, out); break;
  case MCK_EV_FILE_ACCESS:
  case MCK_EV_FILE_VIEW:
  case MCK_EV_FILE_DONE:
  case MCK_EV_FILE_POINTER:
  case MCK_EV_FILE_NAME: put_file_arguments(view, log, e, out); break;
  case MCK_EV_RETURN: mck_view_put_number(out, "event", e->returned.event); break;
  case MCK_EV_STRAND: put_strand(e, out); break;
  case MCK_EV_CONTENT: put_content(log, e, out); break;
  case MCK_EV_CALL: break;
  default:
    if (mck_event_is_variable(e)) mck_view_put_number(out, "units", (int64_t)mck_event_units(e));
    if (e->kind >= MCK_EV_DEF_MODULE && e->kind <= MCK_EV_DEF_WIN) mck_view_put_number(out, "id", e->def.id);
    break;
  }
}

static void print_event(const struct mck_view *view, struct mck_view_log *log, uint64_t index, bool with_stacks,
                        struct mck_view_out *out) {
  const struct mck_event *e = &log->reader.events[index];
  uint32_t rank = log->reader.header->rank;
  mck_view_begin(out, "event", "%u:%-6llu %-14s", rank, (unsigned long long)index, mck_view_fn(e));
  if (out->is_json) {
    const char *kind = mck_view_kind(e->kind);
    mck_view_put_number(out, "rank", rank);
    mck_view_put_number(out, "index", (int64_t)index);
    if (kind) mck_view_put_text(out, "kind", kind);
    else mck_view_put_number(out, "kind", e->kind);
    if (!kind || e->kind <= MCK_EV_DONE || e->kind == MCK_EV_FILE_ACCESS || e->kind == MCK_EV_FILE_DONE ||
        e->kind == MCK_EV_FILE_POINTER)
      mck_view_put_text(out, "function", mck_view_fn(e));
  }
  if (!mck_view_kind(e->kind) && !out->is_json) mck_view_put_number(out, "kind", e->kind);
  mck_view_print_arguments(view, log, index, out);
  const struct mck_view_place *place = mck_view_place(view, log, e->site);
  if (place->name.text) {
    if (out->is_json) mck_view_put_name(out, "at", (struct mck_view_name *)&place->name);
    else fputs("  ", out->file), mck_utf8_print(out->file, place->name.text, SIZE_MAX);
  }
  if (with_stacks) mck_view_put_stack(out, &place->stack);
  mck_view_finish(out);
}

// Definitions have a view of their own (definition.c). A filter that names their kind prints them here.
static bool is_shown(const struct mck_event *e, const struct mck_view_filter *filter) {
  return filter->kind || (e->kind != MCK_EV_PAD && !(e->kind >= MCK_EV_DEF_MODULE && e->kind <= MCK_EV_DEF_WIN));
}

void mck_view_print(const struct mck_view *view, const struct mck_view_filter *filter, bool with_stacks,
                    struct mck_view_out *out) {
  for (size_t i = 0; i < view->count; i++) {
    struct mck_view_log *log = &view->logs[i];
    const struct mck_reader *r = &log->reader;
    for (uint64_t k = 0; k < r->units; k += mck_event_units(&r->events[k]))
      if (is_shown(&r->events[k], filter) && mck_view_is_wanted(view, log, k, filter))
        print_event(view, log, k, with_stacks, out);
  }
}
