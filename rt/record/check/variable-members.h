// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of a variable, from the text of recompiled code (abi.h, MCK_OBJECT_MEMBERS), and what of a datatype falls
// on which of them. Pure.
#pragma once
#include "base/base.h"
#include "object/type-elements.h"

struct mck_members;
// NULL: the text is malformed, or memory is used up. The names stay in the text.
struct mck_members *mck_members_parse(const char *text);
void mck_members_free(struct mck_members *members);

// An element of the datatype that does not fit where it falls.
struct mck_members_misfit {
  uint64_t copy, position; // the copy of the datatype; the position of the basic element in its signature
  const struct mck_type_run *run;
  uint64_t at, bytes;         // where the element is in the variable
  uint64_t member, own_bytes; // where the member is that it meets first; own_bytes 0: there is none, just padding
};

// Elements of a datatype, copies of which begin at byte at of the variable.
struct mck_members_use {
  const struct mck_type_elements *elements;
  int64_t at, count, extent;
};
// Returns true when an element certainly does not fit: it falls on a number of another class or size, or on parts of
// numbers, or on nothing but padding. A variable that is an array of numbers within a structure may be storage for
// data of several types, so a message of one kind of numbers must have as many numbers or bytes as it has.
bool mck_members_find_misfit(const struct mck_members *members, const struct mck_members_use *use,
                             struct mck_members_misfit *misfit);
// The name of the member at a byte of the variable, as C writes it behind the variable's name: "[3].pos[1]". type: that
// of the member. Padding: the member before it.
struct mck_members_name {
  char path[200], type[80], outer[80]; // outer: the name of the outermost structure
};
void mck_members_name(const struct mck_members *members, uint64_t at, struct mck_members_name *name);
