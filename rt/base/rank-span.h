// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that follow each other, in the form that all texts have: "3", "3,4", "3-7".
#pragma once
#include <stdint.h>
#include <stdio.h>

enum { MCK_RANK_SPAN = 24 }; // bytes

static inline const char *mck_rank_span(char text[MCK_RANK_SPAN], uint32_t first, uint32_t last) {
  snprintf(text, MCK_RANK_SPAN, last == first ? "%u" : last == first + 1 ? "%u,%u" : "%u-%u", first, last);
  return text;
}
