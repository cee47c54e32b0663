// RUN: %unit/test-rma-attachments | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When which memory was attached to a dynamic window: random logs, each question against all events of the log, byte by
// byte.
#include "rma/attachment.h"
#include "fake-log.h"

#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (printf("line %d, seed %u: %s\n", __LINE__, seed, #condition), exit(1)))
enum { ROUNDS = 3000, EVENTS = 60, BYTES = 40, QUESTIONS = 60 };
static unsigned seed = 815;
static unsigned number(unsigned below) { return (unsigned)rand() % below; }

// Is a byte attached at some moment behind event after and before event before? Open: from just behind an attach to
// just before its detach.
static bool is_attached(const struct mck_reader *r, uint64_t byte, uint32_t after, uint32_t before) {
  for (uint64_t i = 0; i < r->units && i < before; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (e->kind != MCK_EV_ATTACH || e->attach.win || e->flags || byte < e->attach.address ||
        byte >= e->attach.address + e->attach.size)
      continue;
    uint64_t end = UINT64_MAX;
    for (uint64_t k = i + 1; k < r->units && end == UINT64_MAX; k += mck_event_units(&r->events[k]))
      if (r->events[k].kind == MCK_EV_ATTACH && !r->events[k].attach.win && r->events[k].flags &&
          r->events[k].attach.address == e->attach.address)
        end = k;
    if (end > after) return true;
  }
  return false;
}

static bool is_all(const struct mck_reader *r, uint64_t low, uint64_t high, uint32_t after, uint32_t before) {
  for (; low < high; low++)
    if (!is_attached(r, low, after, before)) return false;
  return true;
}

int main(void) {
  srand(seed);
  for (int round = 0; round < ROUNDS; round++) {
    struct fake log;
    struct mck_reader reader;
    uint64_t size[2][BYTES] = {0}; // by window and address
    fake_begin(&log, 0, 1);
    for (int i = 0; i < EVENTS; i++) {
      uint64_t low = number(BYTES), length = 1 + number(round % 2 ? 4 : 12);
      unsigned win = number(8) == 0;
      bool is_free = low + length <= BYTES;
      for (uint64_t b = 0; b < BYTES; b++) is_free &= !size[win][b] || b + size[win][b] <= low || b >= low + length;
      struct mck_event e = {.kind = MCK_EV_ATTACH, .site = (uint32_t)i};
      e.attach.win = win, e.attach.address = low, e.attach.size = length;
      if (size[win][low])
        e.flags = MCK_ATTACH_DETACHED, e.attach.size = number(2) ? size[win][low] : 0, size[win][low] = 0;
      else if (is_free) size[win][low] = length;
      else e = (struct mck_event){.kind = MCK_EV_CALL};
      fake_event(&log, e);
    }
    fake_load(&log, &reader);
    struct mck_attachments attachments = {0};
    EXPECT(mck_attachments_make(&attachments, &reader, 0));
    for (int i = 0; i < QUESTIONS; i++) {
      uint64_t low = number(BYTES), high = low + 1 + number(6);
      uint32_t after = number((unsigned)reader.units), before = number(3) ? after + 1 + number(8) : MCK_NONE;
      enum mck_attached wanted = is_all(&reader, low, high, after, before) ? MCK_ATTACHED_THEN
                                 : is_all(&reader, low, high, 0, MCK_NONE) ? MCK_ATTACHED_ANOTHER_TIME
                                                                           : MCK_ATTACHED_NEVER;
      EXPECT(mck_attachments_ask(&attachments, low, high, after, before) == wanted);
      const struct mck_attachment *found = mck_attachments_find(&attachments, low, after, before);
      EXPECT((found != NULL) == is_attached(&reader, low, after, before));
      EXPECT(!found || (found->low <= low && found->high > low && found->from < before && found->to > after));
    }
    mck_attachments_free(&attachments);
    fake_end(&log, &reader);
  }
  printf("ok\n");
  return 0;
}
