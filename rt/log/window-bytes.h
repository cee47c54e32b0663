// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Window bytes: what of its own window memory a process has seen change since it last looked, as the events of kind
// WINDOW_BYTES have it (option flow). Before the first look all bytes are 0. The room record writes them, the room flow
// reads them. Pure.
#pragma once
#include "log/log.h"

struct mck_window_run { // bytes from the window's base on
  uint64_t offset, length;
};
static inline const struct mck_window_run *mck_window_runs(const struct mck_event *e) {
  return (const struct mck_window_run *)(e + 1);
}
static inline const uint8_t *mck_window_run_bytes(const struct mck_event *e) {
  return (const uint8_t *)(mck_window_runs(e) + e->looked.n);
}
// Does the event, whose units lie in the log, have room for what it says?
static inline bool mck_window_bytes_is_sound(const struct mck_event *e) {
  uint64_t room = (uint64_t)e->looked.extra * MCK_UNIT, runs = e->looked.n * sizeof(struct mck_window_run), sum = 0;
  if (runs > room || e->looked.length > room - runs) return false;
  for (uint32_t i = 0; i < e->looked.n; i++)
    if (__builtin_add_overflow(sum, mck_window_runs(e)[i].length, &sum)) return false;
  return sum == e->looked.length;
}
