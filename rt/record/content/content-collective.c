// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the parts of a collective: what is sent when it begins, what is received when it is complete.
#include "record/content/content-collective.h"
#include <stdlib.h>
#include "record/collective/user-op.h"
#include "record/content/collective-part.h"
#include "record/runtime.h"

// Of a nonblocking collective: what it sent, as CONTENT events, and what it will receive.
struct mck_content_parts {
  size_t nsent, nreceived;
  struct kept {
    struct mck_content_part part;
    uint32_t content, generation;
  } *items; // nsent, then nreceived
};

// Of the thread's call at hand: its parts, and how many CONTENT events it has written, one behind the other.
#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD struct mck_content_list list;
OF_THREAD uint32_t first_sent, nsent;
OF_THREAD uint64_t begun;

static bool is_known(const struct mck_call *call) {
  return call->event != MCK_NONE && !call->nfindings && !call->is_doubtful;
}

void mck_content_collective_before(struct mck_call *call, const struct mck_args *a) {
  list.n = 0, nsent = 0, begun = mck_content_now();
  if (!is_known(call)) return;
  mck_content_list_parts(&list, call->fn, a, false);
  for (size_t i = 0; i < list.n; i++) {
    list.items[i].event = call->event;
    uint32_t content = mck_content_log(&list.items[i]);
    const struct mck_plain *op = mck_op_find(a->op);
    if (content != MCK_NONE && op)
      ((struct mck_content_body *)(mck_rt.log.first + content + 1))->operation = op->function;
    if (!nsent && content != MCK_NONE) first_sent = content;
    nsent += content != MCK_NONE;
  }
}

// is_in_place: what is sent lies where the result comes.
static void keep(struct mck_request *r, size_t sent, bool is_in_place) {
  struct mck_content_parts *parts = malloc(sizeof *parts);
  if (parts) *parts = (struct mck_content_parts){sent, list.n - sent, calloc(list.n + 1, sizeof *parts->items)};
  if (!parts || !parts->items) {
    free(parts);
    return;
  }
  uint32_t content = first_sent;
  for (size_t i = 0; i < list.n; i++) {
    struct kept *k = &parts->items[i];
    k->part = list.items[i];
    k->part.known = k->part.count > 0 ? mck_type_find(k->part.type) : NULL;
    k->generation = k->part.known ? k->part.known->generation : 0;
    k->content = i < sent && !is_in_place ? content : MCK_NONE;
    if (i < sent) content += (uint32_t)mck_event_units(&mck_rt.log.first[content]);
  }
  r->has_content = true, r->content = MCK_NONE, r->parts = parts, r->content_begin = mck_content_now();
}

void mck_content_collective_after(struct mck_call *call, const struct mck_args *a, struct mck_request *r) {
  size_t sent = list.n;
  if (!is_known(call)) return;
  mck_content_list_parts(&list, call->fn, a, true);
  for (uint32_t i = 0, at = first_sent; i < nsent && !mck_std_is_nonblocking_twin(call->fn); i++) {
    mck_content_returned(at);
    at += (uint32_t)mck_event_units(&mck_rt.log.first[at]);
  }
  if (r && sent == nsent) keep(r, sent, a->sendbuf == MPI_IN_PLACE);
  for (size_t i = sent; i < list.n; i++) {
    list.items[i].event = call->event, list.items[i].flags = MCK_CONTENT_RECEIVED;
    list.items[i].begin = begun;
    if (!mck_std_is_nonblocking_twin(call->fn)) mck_content_log(&list.items[i]);
  }
}

static bool is_watched(const struct mck_request *r, bool is_received) {
  return r->used >> is_received & 1 && r->buffers[is_received].is_marked;
}

void mck_content_collective_end(struct mck_request *r, bool is_known_end) {
  struct mck_content_parts *parts = r->parts;
  r->parts = NULL;
  for (size_t i = 0; parts && is_known_end && i < parts->nsent + parts->nreceived; i++) {
    struct kept *k = &parts->items[i];
    bool is_received = i >= parts->nsent;
    if (k->part.known && k->part.known->generation != k->generation) continue;
    if (is_received) {
      k->part.event = r->event, k->part.flags = MCK_CONTENT_RECEIVED | (is_watched(r, true) ? 0 : MCK_CONTENT_UNSEEN);
      k->part.is_doubtful = true, k->part.begin = r->content_begin;
      mck_content_log(&k->part);
    } else mck_content_look_again(k->content, k->part.known, is_watched(r, false));
  }
  if (parts) free(parts->items);
  free(parts);
}
