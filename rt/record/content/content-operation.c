// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one-sided operations take from their origin buffers is looked at when they begin, and what they bring back when
// they are complete at their origin (MPI-3.1 11.3): by a synchronization, or by their request.
#include "record/content/content-operation.h"
#include "record/content/content-event.h"
#include "record/runtime.h"

enum { RAW_EACH = 1 << 20 }; // bytes of an operation that are kept; more are not compared

struct pending {
  const struct mck_window *window;
  int target;
  uint32_t event, content; // content: what was sent, or MCK_NONE
  const void *address;
  int64_t count;
  const struct mck_type *type;
  uint32_t generation;
  bool is_written;
  uint64_t begin;
};
static struct {
  struct pending *items;
  size_t n, capacity;
} list;

#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD uint32_t sent[3]; // of the call at hand: the CONTENT of each of its buffers
OF_THREAD uint64_t begun;

// The origin has peer 0; what MPI_Compare_and_swap compares with is its second buffer and has peer 1.
void mck_content_operation_before(struct mck_call *call) {
  begun = mck_content_now();
  for (unsigned i = 0; i < call->nuses; i++) {
    const struct mck_use *u = &call->uses[i];
    sent[i] = MCK_NONE;
    if (u->is_written || call->event == MCK_NONE || call->is_doubtful) continue;
    sent[i] = mck_content_log(&(struct mck_content_part){.event = call->event,
                                                         .peer = (int32_t)i,
                                                         .address = u->address,
                                                         .count = u->count,
                                                         .known = u->element,
                                                         .raw = RAW_EACH});
  }
}

void mck_content_operation_after(struct mck_call *call, struct mck_window *w, int target) {
  for (unsigned i = 0; w && i < call->nuses && call->event != MCK_NONE && !call->is_doubtful; i++) {
    const struct mck_use *u = &call->uses[i];
    struct pending new = {w,
                          target,
                          call->event,
                          sent[i],
                          u->address,
                          u->count,
                          u->element,
                          u->element ? u->element->generation : 0,
                          u->is_written,
                          begun};
    if (!MCK_PUSH(list.items, list.n, list.capacity, new)) return; // without memory it is not compared
  }
}

static void end(const struct pending *p) {
  bool is_same = p->type && p->type->generation == p->generation;
  if (!p->is_written) {
    mck_content_look_again(p->content, is_same ? p->type : NULL, false);
    return;
  }
  if (!is_same) return;
  mck_content_log(&(struct mck_content_part){.event = p->event,
                                             .flags = MCK_CONTENT_RECEIVED,
                                             .address = p->address,
                                             .count = p->count,
                                             .known = p->type,
                                             .begin = p->begin,
                                             .is_doubtful = true,
                                             .raw = RAW_EACH});
}

void mck_content_operations_end(const struct mck_window *w, int target) {
  size_t left = 0;
  for (size_t i = 0; i < list.n; i++) {
    const struct pending *p = &list.items[i];
    if (p->window == w && (target < 0 || p->target == target)) end(p);
    else list.items[left++] = *p;
  }
  list.n = left;
}

void mck_content_operation_end(uint32_t event, bool is_known) {
  size_t left = 0;
  for (size_t i = 0; i < list.n; i++) {
    const struct pending *p = &list.items[i];
    if (p->event == event && is_known) end(p);
    else if (p->event != event) list.items[left++] = *p;
  }
  list.n = left;
}
