// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared clocks that are copied when they change (completed-clock.h).
#include "rma/completed-clock.h"
#include <stdlib.h>
#include <string.h>
#include "log/event.h"

struct mck_clock *mck_clock_new(uint32_t size) {
  struct mck_clock *c = calloc(1, sizeof *c + (size_t)size * sizeof *c->known);
  if (c) c->users = 1;
  return c;
}

void mck_clock_drop(struct mck_clock *c) {
  if (c && --c->users == 0) free(c);
}

static bool make_own(struct mck_clock **own, uint32_t size) {
  if ((*own)->users == 1) return true;
  struct mck_clock *copy = malloc(sizeof *copy + (size_t)size * sizeof *copy->known);
  if (!copy) return false;
  memcpy(copy, *own, sizeof *copy + (size_t)size * sizeof *copy->known);
  copy->users = 1;
  mck_clock_drop(*own);
  *own = copy;
  return true;
}

bool mck_clock_join(struct mck_clock **own, uint32_t size, const struct mck_clock *other, uint32_t component,
                    uint32_t value) {
  if (other && other != *own) {
    uint32_t i = 0;
    while (i < size && other->known[i] <= (*own)->known[i]) i++;
    if (i < size || (other->may_know_all && !(*own)->may_know_all)) {
      if (!make_own(own, size)) return false;
      for (; i < size; i++)
        if (other->known[i] > (*own)->known[i]) (*own)->known[i] = other->known[i];
      (*own)->may_know_all |= other->may_know_all;
    }
  }
  if (component == MCK_NONE || (*own)->known[component] >= value) return true;
  if (!make_own(own, size)) return false;
  (*own)->known[component] = value;
  return true;
}

bool mck_clock_assume_all(struct mck_clock **own, uint32_t size) {
  if ((*own)->may_know_all) return true;
  if (!make_own(own, size)) return false;
  (*own)->may_know_all = true;
  return true;
}
