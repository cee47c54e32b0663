// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a call's buffers (buffer-bytes.c), what lies there (memory-object.c), and which pending operations use
// them (buffer-overlap.c).
#pragma once
#include "base/range-set.h"
#include "object/object.h"
#include "record/buffer/call-buffer.h"
#include "record/call/call.h"
#include "record/rma/own-target-list.h"
#include "record/runtime.h"
#include "report/finding.h"

// An object that recompiled code named before the call (abi.h, __mck_object). element: class and bytes of its
// numbers, 0: not known; has_members: the bytes of its structure, 0: they are too many.
struct mck_note {
  const char *fn, *name;
  const char *base;
  uint64_t size;
  const void *frame;
  uint32_t argument;
  union {
    uint32_t flags; // of abi.h, with these as bits of it
    struct {
      uint32_t is_constant : 1, : 1, has_members : 1, : 5, element : 24;
    };
  };
};
enum { MCK_NOTES = 4 };

// What was last found to be right: buffers within [low, high) need no second look. block: the heap block that this
// is, 0: none.
struct mck_checked {
  const char *low, *high;
  uintptr_t block;
};
struct mck_use_state {
  struct mck_checked checked[2]; // [1]: to be written
  struct {
    uint32_t element, type;
  } fits; // numbers of a named variable, and the id of a datatype, that were found to fit last; element 0: none
  unsigned nnotes;
  struct mck_note notes[MCK_NOTES];
};
extern __thread struct mck_use_state mck_use_state __attribute__((tls_model("initial-exec")));

// Whether there is memory for the bytes; reports if there is not, and leaves those in u that are in the object. false:
// the call is likely to fail.
bool mck_memory_check(struct mck_call *call, struct mck_use *u, int argument);
void mck_memory_forget(void); // what this thread has found to be right: no address of a buffer is kept
// check-element-type.c: whether numbers of that kind (mck_note) are what the datatype says. false: they certainly are
// not.
bool mck_element_fits(uint32_t element, const struct mck_type *t);
bool mck_element_is_meant(const struct mck_use *u, const struct mck_note *note);
// check-member-type.c: whether the call passes what was found to fit the members; else compares, and reports.
bool mck_members_is_known(const struct mck_note *note, const struct mck_type *t, const void *buffer, int64_t count);
void mck_members_check(struct mck_call *call, const struct mck_use *u, const struct mck_note *note);
void mck_element_report(struct mck_call *call, const struct mck_use *u, const struct mck_note *note);
// Compares the bytes with the buffers in use; there are some (mck_range_set_size, mck_nown_targets).
void mck_overlap_check(struct mck_call *call, const struct mck_use *u);
void mck_overlap_check_pair(struct mck_call *call, const struct mck_use *a, const struct mck_use *b);
__attribute__((format(printf, 4, 5), cold)) void mck_use_report(struct mck_call *call, enum mck_check check,
                                                                bool is_refused, const char *format, ...);
// The same, where a buffer of this length does not fit in its memory: buffers of one call and length have one cause.
__attribute__((format(printf, 4, 5), cold)) void mck_use_report_length(struct mck_call *call, enum mck_check check,
                                                                       int64_t length, const char *format, ...);

// No pending operation uses these bytes. false: that is still to be looked up, under the lock.
static inline bool mck_use_is_apart(const void *low, int64_t size, bool is_written) {
  if (!mck_range_set_size && !mck_nown_targets) return true;
  uintptr_t from = (uintptr_t)low, to = from + (uint64_t)size;
  return !mck_is_locked() && !mck_range_set_may_meet(from, to, is_written) && !mck_own_target_is_near(from, to);
}

// size bytes lie in the variable that the code has just named (note), or where the last buffer lay; and no other
// operation uses them. Of a buffer that is kept that is looked up later (buffer-overlap.c). flags: MCK_USE_*. false: it
// must be looked at.
static inline __attribute__((always_inline)) bool mck_use_lies_known(const struct mck_note *note, const char *buffer,
                                                                     int64_t size, int64_t count,
                                                                     const struct mck_type *t, unsigned flags) {
  const struct mck_checked *checked = &mck_use_state.checked[!!(flags & MCK_USE_WRITTEN)];
  const char *low = note ? note->base : checked->low, *high = note ? note->base + note->size : checked->high;
  if (buffer < low || size > high - buffer) return false;
  if (!(flags & MCK_USE_KEPT) && !mck_use_is_apart(buffer, size, flags & MCK_USE_WRITTEN)) return false;
  if (!note || (!note->element && !note->has_members)) return true;
  if (note->is_constant && flags & MCK_USE_WRITTEN) return false;
  if (note->has_members) return mck_members_is_known(note, t, buffer, count);
  struct mck_use_state *state = &mck_use_state;
  if (MCK_LIKELY(state->fits.element == note->element && state->fits.type == t->object.id)) return true;
  if (!mck_element_fits(note->element, t)) return false;
  state->fits.element = note->element, state->fits.type = t->object.id;
  return true;
}

// The only buffer of a call. What the code has not named is looked at inline.
bool mck_use_is_known_by_note(const void *buffer, int64_t count, const struct mck_type *t, unsigned flags);
static inline __attribute__((always_inline)) bool mck_use_is_known(const void *buffer, int64_t count,
                                                                   const struct mck_type *t, unsigned flags) {
  int64_t size;
  if (MCK_UNLIKELY(mck_use_state.nnotes)) return mck_use_is_known_by_note(buffer, count, t, flags);
  return t->is_dense && !__builtin_mul_overflow(count, t->extent, &size) &&
         mck_use_lies_known(NULL, buffer, size, count, t, flags);
}

// The buffers of a call that reads its first argument and writes its second one. They are apart.
static inline bool mck_use_two_are_known(const char *in, const char *out, int64_t count, const struct mck_type *t) {
  const struct mck_use_state *state = &mck_use_state;
  const struct mck_note *notes[2] = {NULL, NULL};
  int64_t size;
  if (!t->is_dense || state->nnotes > 2 || __builtin_mul_overflow(count, t->extent, &size)) return false;
  for (unsigned i = 0; i < state->nnotes; i++)
    if (state->notes[i].argument < 2) notes[state->notes[i].argument] = &state->notes[i];
  return mck_use_lies_known(notes[0], in, size, count, t, 0) &&
         mck_use_lies_known(notes[1], out, size, count, t, MCK_USE_WRITTEN) && (in + size <= out || out + size <= in);
}
