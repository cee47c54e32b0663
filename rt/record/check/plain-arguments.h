// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of a message with which nothing is wrong: one look, against the communicator and the datatype that were
// used last. false: the checks must be made one by one.
#pragma once
#include "object/object.h"

static inline __attribute__((always_inline)) bool mck_are_plain_arguments(const struct mck_comm *c,
                                                                          const struct mck_type *t, MPI_Comm comm,
                                                                          int peer, int tag, MPI_Datatype type,
                                                                          const void *buf, int count) {
  bool is_last = c->object.handle == (uint64_t)(uintptr_t)comm && t->object.handle == (uint64_t)(uintptr_t)type;
  if (MCK_UNLIKELY(!is_last || c->object.is_freed || !mck_type_is_plain(t)) || (uintptr_t)buf & t->misaligned)
    return false;
  unsigned npeers = (unsigned)(c->remote_size ? c->remote_size : c->size); // -1, unknown: any rank is right
  return MCK_LIKELY((unsigned)peer < npeers && (unsigned)tag <= 32767 && count >= 0);
}
