// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a message or a block of a collective consists of, in words: "3 MPI_INT", "1 of the datatype column, made by
// MPI_Type_vector at x.c:9 (80 bytes)". Programs make many datatypes, and a report must say which one it means.
#pragma once
#include "log/signature.h"

enum { MCK_TYPE_NAME_SHOWN = 64, MCK_TYPE_TEXT = 224 }; // bytes of a name, and of such a text

// The types of a rank: their signatures, and their definitions (0: none are known).
struct mck_type_source {
  int rank;
  const struct mck_signatures *signatures; // NULL: unknown
  const struct mck_type_def *defs;
  uint32_t ndefs;
};
// The text has a mark for the place (report/place-text.h).
void mck_type_describe(char *text, size_t size, const struct mck_type_source *source, uint32_t type, uint64_t count);
