// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operation cover: which bytes of a window operations touch, by fence epoch. Loads and stores of the target conflict
// with operations only, never with each other (MPI-3.1 11.7), so those beside the cover need not be compared.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mck_covered {
  uint64_t low, high;
  uint32_t epoch;
};
struct mck_operation_cover {
  struct mck_covered *items; // by epoch and first byte; those of one epoch do not touch each other
  size_t count, capacity;
  size_t begin, end; // those of the epoch that was asked for last
  uint32_t epoch;
};

// Adds bytes of an operation. They come in any order. false: out of memory.
bool mck_cover_add(struct mck_operation_cover *cover, uint32_t epoch, uint64_t low, uint64_t high);
// All bytes were added. From now on the cover can be asked.
void mck_cover_join(struct mck_operation_cover *cover);
// Whether an operation of this epoch touches a byte of [low, high).
bool mck_cover_touches(struct mck_operation_cover *cover, uint32_t epoch, uint64_t low, uint64_t high);
void mck_cover_free(struct mck_operation_cover *cover);
