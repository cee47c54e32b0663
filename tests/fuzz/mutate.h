// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutator that knows units: libFuzzer's own works on bytes, and most of what it inserts shifts every event behind it.
// Included once by a target whose input is input.h's.
#pragma once
#include "input.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t mutate_next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

// Values that mean something in an event.
static uint32_t mutate_value(uint64_t *state, uint32_t old) {
  static const uint32_t values[] = {0, 1, 2, 3, 0xffffffff, 0x7fffffff, 0x80000000, 255, 256, 257, 0xfffffffe, 64};
  switch (mutate_next(state) % 4) {
  case 0: return old + 1;
  case 1: return old - 1;
  case 2: return values[mutate_next(state) % (sizeof values / sizeof *values)];
  default: return old ^ 1u << mutate_next(state) % 32;
  }
}

// One unit of one log is changed, moved to another place, doubled or taken out; *size is the input's.
static void mutate_unit(uint8_t *data, size_t *size, size_t max_size, uint64_t *state) {
  struct input in = input_split(data, *size);
  size_t i = mutate_next(state) % in.count;
  size_t from = in.pieces[i].head.is_raw ? MCK_LOG_HEADER : 0, bytes = in.pieces[i].head.size;
  if (bytes < from + MCK_UNIT) return;
  size_t units = (bytes - from) / MCK_UNIT;
  uint8_t *first = data + (in.pieces[i].data - data) + from, *head = first - from - sizeof(struct piece);
  uint8_t *unit = first + mutate_next(state) % units * MCK_UNIT, *other = first + mutate_next(state) % units * MCK_UNIT;
  uint8_t saved[MCK_UNIT];
  memcpy(saved, other, MCK_UNIT);
  uint32_t word, changed = in.pieces[i].head.size;
  size_t behind = (size_t)(data + *size - unit);
  switch (mutate_next(state) % 8) {
  case 0: // swap
    memmove(other, unit, MCK_UNIT);
    memcpy(unit, saved, MCK_UNIT);
    return;
  case 1: // take out
    memmove(unit, unit + MCK_UNIT, behind - MCK_UNIT);
    *size -= MCK_UNIT, changed -= MCK_UNIT;
    break;
  case 2: // double, another one
    if (*size + MCK_UNIT > max_size) return;
    memmove(unit + MCK_UNIT, unit, behind);
    memcpy(unit, saved, MCK_UNIT);
    *size += MCK_UNIT, changed += MCK_UNIT;
    break;
  case 3: // kind, flags
    unit[mutate_next(state) % 2] = (uint8_t)mutate_value(state, unit[0]);
    return;
  case 4: // function
    unit[2] = (uint8_t)mutate_next(state), unit[3] = mutate_next(state) & 1;
    return;
  default: { // a word
    uint8_t *at = unit + 4 * (mutate_next(state) % (MCK_UNIT / 4));
    memcpy(&word, at, 4);
    word = mutate_value(state, word);
    memcpy(at, &word, 4);
    return;
  }
  }
  memcpy(head, &changed, 4);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  uint64_t state = seed;
  if (mutate_next(&state) % 4 == 0 || size < sizeof(struct piece)) return LLVMFuzzerMutate(data, size, max_size);
  for (uint32_t n = 1 + mutate_next(&state) % 3; n > 0; n--) mutate_unit(data, &size, max_size, &state);
  return size;
}
