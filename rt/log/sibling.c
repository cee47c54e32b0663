// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators and windows that one call of the program has made, in a loop: which of them one is.
#include <stdio.h>
#include "log/log.h"

static const char *write_order(const struct mck_reader *log, char text[MCK_ORDER_SIZE], uint32_t before, uint32_t n) {
  uint32_t order = before + 1, tens = order % 100;
  const char *end = tens >= 11 && tens <= 13 ? "th"
                    : order % 10 == 1        ? "st"
                    : order % 10 == 2        ? "nd"
                    : order % 10 == 3        ? "rd"
                                             : "th";
  text[0] = 0;
  if (n > 1 && !atomic_load(&log->header->generation)) // a log that was recycled lacks those that were freed
    snprintf(text, MCK_ORDER_SIZE, "%u%s ", order, end);
  return text;
}

static const struct mck_event *event_of(const struct mck_comm_def *comm) {
  return comm->body ? (const struct mck_event *)comm->body - 1 : NULL; // the event that defines it
}

const char *mck_log_order_of_comm(const struct mck_reader *log, uint32_t comm, char text[MCK_ORDER_SIZE]) {
  uint32_t n = 0, before = 0;
  const struct mck_event *made = comm < log->ncomms ? event_of(&log->comms[comm]) : NULL;
  for (uint32_t i = 0; made && i < log->ncomms; i++) {
    const struct mck_event *other = event_of(&log->comms[i]);
    if (!other || other->site != made->site || other->fn != made->fn) continue;
    n++, before += i < comm;
  }
  return write_order(log, text, before, n);
}

const char *mck_log_order_of_window(const struct mck_reader *log, uint32_t win, char text[MCK_ORDER_SIZE]) {
  uint32_t n = 0, before = 0;
  const struct mck_win_def *made = win < log->nwins && log->wins[win].body ? &log->wins[win] : NULL;
  for (uint32_t i = 0; made && i < log->nwins; i++) {
    const struct mck_win_def *other = &log->wins[i];
    if (!other->body || other->site != made->site || other->fn != made->fn) continue;
    n++, before += i < win;
  }
  return write_order(log, text, before, n);
}
