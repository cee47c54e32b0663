// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of the own part of a window that operations of this process use at their target, in a short form: loops put to
// themselves as they put to others, and there is hardly ever a buffer in window memory. They are entered among the
// buffers in use (own-target.c) only when another buffer comes near. Under the lock, where nothing else is said.
#pragma once
#include <stdatomic.h>
#include "object/object.h"

enum { MCK_OWN_TARGETS_MAX = 4096 }; // of more at a time only the first ones are known

extern struct mck_own_hull {
  uintptr_t low, high; // of all bytes in the lists since they were empty
} mck_own_hull;
extern _Atomic unsigned mck_nown_targets; // also asked without the lock

static inline bool mck_own_target_is_near(uintptr_t low, uintptr_t high) {
  return MCK_UNLIKELY(low < mck_own_hull.high && mck_own_hull.low < high);
}

struct mck_own_target {
  const char *low, *high, *address; // as in struct mck_buffer
  int64_t count;
  const struct mck_type *type;
  uint32_t generation, site;
  uint16_t fn;
  bool is_written;
};
// is_late: in use until the operation is complete at its target, not only at its origin.
void mck_own_target_add(struct mck_window *w, const struct mck_own_target *target, bool is_late);
void mck_own_target_complete(struct mck_window *w, bool is_late); // all those of the window
void mck_own_target_end_lists(struct mck_window *w);              // the window is freed
// Empties the lists of all windows; each target is handed to enter.
typedef void mck_own_target_enter(struct mck_window *w, const struct mck_own_target *target, bool is_late);
void mck_own_target_empty(mck_own_target_enter *enter);
void mck_own_target_forget_addresses(void); // none will be added (mck_request_forget_addresses)
