// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a call's buffers (buffer-bytes.c), what lies there (memory-object.c), and which pending operations use
// them (buffer-overlap.c).
#pragma once
#include "base/range-set.h"
#include "object/object.h"
#include "record/call/call.h"
#include "report/finding.h"

// An object that recompiled code named before the call (abi.h, __mck_object). element: class and bytes of its
// numbers, 0: not known; has_members: the bytes of its structure, 0: they are too many.
struct mck_note {
  const char *fn, *name;
  const char *base;
  uint64_t size;
  const void *frame;
  uint32_t argument;
  bool is_constant, has_members;
  uint32_t element;
};
enum { MCK_NOTES = 4 };

// What was last found to be right: buffers within [low, high) need no second look. block: the heap block that this
// is, 0: none.
struct mck_checked {
  const char *low, *high;
  uintptr_t block;
};
enum { MCK_AREAS = 64 };
struct mck_use_state {
  struct mck_checked checked[2];          // [1]: to be written
  struct mck_checked areas[2][MCK_AREAS]; // the same for several buffers in turn, by the 64 KiB in which they begin
  unsigned nnotes;
  struct mck_note notes[MCK_NOTES];
};
extern __thread struct mck_use_state mck_use_state __attribute__((tls_model("initial-exec")));

// Whether there is memory for the bytes; reports if there is not. false: the call is likely to fail.
bool mck_memory_check(struct mck_call *call, const struct mck_use *u, int argument);
// check-element-type.c: whether numbers of that kind (mck_note) are what the datatype says. false: they certainly are
// not.
bool mck_element_fits(uint32_t element, const struct mck_type *t);
bool mck_element_is_meant(const struct mck_use *u, const struct mck_note *note);
// check-member-type.c: whether the call passes what was found to fit the members; else compares, and reports.
bool mck_members_is_known(const struct mck_note *note, const struct mck_type *t, const void *buffer, int64_t count);
void mck_members_check(struct mck_call *call, const struct mck_use *u, const struct mck_note *note);
void mck_element_report(struct mck_call *call, const struct mck_use *u, const struct mck_note *note);
// Compares the bytes with the buffers in use; there are some (mck_range_set_size).
void mck_overlap_check(struct mck_call *call, const struct mck_use *u);
void mck_overlap_check_pair(struct mck_call *call, const struct mck_use *a, const struct mck_use *b);
__attribute__((format(printf, 4, 5), cold)) void mck_use_report(struct mck_call *call, enum mck_check check,
                                                                bool is_refused, const char *format, ...);
