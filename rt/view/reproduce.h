// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The datatypes of a program that reproduces a fault (reproduce-type.c; private to reproduce*.c). Types of the
// program's logs become maps of blocks: one table for the program's own look at the bytes, and one MPI datatype.
#pragma once
#include <stdio.h>
#include "log/log.h"
#include "view/view.h"

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
bool mck_reproduce_is_integer(const struct mck_reproduce_types *types,
                              int type); // all elements are of one integer type

// reproduce.c: what all programs have, and the program at hand.
struct mck_reproduce {
  const struct mck_view *view;
  FILE *out;
  struct mck_reproduce_types types;
  uint64_t room; // bytes that a buffer needs
};
extern const char *const mck_reproduce_body, *const mck_reproduce_tail;
// The part of the call's buffers with the lowest address; NULL: there is none.
const struct mck_event *mck_reproduce_part(const struct mck_reader *r, uint32_t event, bool is_received);
// reproduce-access.c: a one-sided operation. NULL, or why it cannot be written.
const char *mck_reproduce_operation(struct mck_reproduce *r, uint32_t log, uint32_t event);
// reproduce-file.c: an access to a file. The same.
const char *mck_reproduce_file(struct mck_reproduce *r, uint32_t log, uint32_t event);
