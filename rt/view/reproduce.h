// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The datatypes of a program that reproduces a fault (reproduce-type.c; private to reproduce.c). Types of the program's
// logs become maps of blocks: one table for the program's own look at the bytes, and one MPI datatype.
#pragma once
#include <stdio.h>
#include "log/log.h"

struct mck_reproduce_type {
  uint32_t log, type; // of which log, and its id there
  const struct mck_type_def *def;
  uint32_t basic; // of all its elements; MCK_NONE: there are several
};
struct mck_reproduce_types {
  struct mck_reproduce_type *items;
  size_t n, capacity;
  uint32_t rank_of_sender;
};
int mck_reproduce_type(struct mck_reproduce_types *types, const struct mck_reader *reader, uint32_t log, uint32_t type);
int64_t mck_reproduce_extent(const struct mck_reproduce_types *types, int type);
uint64_t mck_reproduce_size(const struct mck_reproduce_types *types, int type);
uint64_t mck_reproduce_span(const struct mck_reproduce_types *types, int type); // up to the last byte of an element
void mck_reproduce_write_types(const struct mck_reproduce_types *types, FILE *out);
// main, up to the loop of rounds: buffers of so many bytes, ranks that are needed, the datatypes.
void mck_reproduce_write_begin(const struct mck_reproduce_types *types, FILE *out, uint64_t room, uint32_t nranks);
void mck_reproduce_free(struct mck_reproduce_types *types);
