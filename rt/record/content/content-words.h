// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of a CONTENT event: the packed bytes of a buffer, raw or hashed chunk by chunk (log/content.h).
#pragma once
#include "object/object.h"

// The bytes of a buffer as MPI gets it. type NULL: nothing is known of it.
struct mck_content_buffer {
  const char *address;
  int64_t count;
  const struct mck_type *type;
  uint64_t length; // packed bytes that are to be looked at, at most those of count elements
  // The memory may be gone: it is read through the kernel, which returns an error where a load would be a signal.
  bool is_doubtful;
};
// Fills the words of chunks of so many bytes. Returns false where the bytes cannot be read.
bool mck_content_fill(uint64_t *words, uint32_t chunk, const struct mck_content_buffer *buffer);
// Can all of the memory be read now? false: it cannot, or the kernel (before 5.14) does not say so.
bool mck_content_is_mapped(const void *address, uint64_t n);
// Is that certain, without a question to the kernel (content-memory.c)? Only while no other thread of the program is
// there.
bool mck_content_is_sure(const void *address, uint64_t n);
// The bytes of all elements; UINT64_MAX: not known.
static inline uint64_t mck_content_size(int64_t count, const struct mck_type *t) {
  uint64_t bytes;
  bool is_known = t && count >= 0 && t->size >= 0 && t->nblocks != MCK_NONE &&
                  !__builtin_mul_overflow((uint64_t)count, (uint64_t)t->size, &bytes);
  return is_known ? bytes : UINT64_MAX;
}
