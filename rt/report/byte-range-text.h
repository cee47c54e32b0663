// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte ranges as text: bytes of a window, and also the elements of the variable that it was made of, where the log
// knows one. Otherwise elements have the size of the displacement unit, as it is meant to be (MPI-3.1 11.2.1).
#pragma once
#include <stdio.h>
#include "log/log.h"

enum { MCK_RANGE_SIZE = 256 };
// first and last: bytes from the window's base. Returns text.
static inline const char *mck_range_say(char text[MCK_RANGE_SIZE], const struct mck_win_def *win, uint64_t first,
                                        uint64_t last) {
  unsigned long long low = first, high = last, unit = win ? win->disp_unit : 1;
  bool has_elements = unit > 1 && low % unit == 0 && (high + 1) % unit == 0 && win->body->base;
  int n = snprintf(text, MCK_RANGE_SIZE, "bytes %llu..%llu", low, high);
  if (win && win->variable_length && win->variable_length <= 128 && n > 0 && first <= last && last < win->body->size &&
      win->offset < UINT64_MAX / 2) {
    unsigned long long from = low + win->offset, to = high + win->offset, size = win->element ? win->element : unit;
    int length = (int)win->variable_length;
    char *more = text + n;
    size_t room = MCK_RANGE_SIZE - (size_t)n;
    if (size <= 1 || from % size || (to + 1) % size)
      snprintf(more, room, " (bytes %llu..%llu of %.*s)", from, to, length, win->variable);
    else if (from / size == to / size) snprintf(more, room, " (%.*s[%llu])", length, win->variable, from / size);
    else snprintf(more, room, " (%.*s[%llu..%llu])", length, win->variable, from / size, to / size);
    return text;
  }
  if (!has_elements || n < 0 || n >= MCK_RANGE_SIZE) return text;
  if (high / unit == low / unit)
    snprintf(text + n, MCK_RANGE_SIZE - (size_t)n, " (element %llu of %llu bytes)", low / unit, unit);
  else
    snprintf(text + n, MCK_RANGE_SIZE - (size_t)n, " (elements %llu..%llu of %llu bytes)", low / unit, high / unit,
             unit);
  return text;
}
