// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// type.buffer, for a variable that is a number or an array of them: numbers of one kind are passed to MPI as numbers of
// another (MPI-3.1 3.3.1: the type of the variable matches the type in the call). Recompiled code has named the
// variable (__mck_object). Only the class (integer or floating point) and the size are compared: int fits MPI_INT32_T,
// long fits MPI_AINT, double complex fits two MPI_DOUBLE. Bytes, characters and datatypes of several kinds are not
// compared.
#include <string.h>
#include "log/signature.h"
#include "object/type-elements.h"
#include "record/buffer/buffer-bytes.h"
#include "record/call/call.h"
#include "record/runtime.h"

// The results are kept by the datatype's id, which is never reused.
static uint32_t kind_of(const struct mck_type *t) {
  enum { KNOWN = 256 };
  static struct {
    uint32_t id, kind;
  } known[KNOWN]; // id + 1
  uint32_t id = t->object.id;
  if (id == MCK_NONE) return 0;
  mck_lock();
  uint32_t found;
  if (known[id % KNOWN].id == id + 1) found = known[id % KNOWN].kind;
  else {
    uint32_t basic = mck_type_only_basic(t);
    found = basic == MCK_NONE ? 0 : mck_basic_kind(basic);
    known[id % KNOWN].id = id + 1, known[id % KNOWN].kind = found;
  }
  mck_unlock();
  return found;
}

bool mck_element_fits(uint32_t element, const struct mck_type *t) {
  uint32_t kind = kind_of(t);
  return !kind || kind == element;
}

// The call passes as many numbers as the variable has, or exactly its bytes. Otherwise the variable may be storage
// that holds different kinds of data in turn.
bool mck_element_is_meant(const struct mck_use *u, const struct mck_note *note) {
  uint32_t given = kind_of(u->element) >> 8, own = note->element >> 8;
  uint64_t bytes = (uint64_t)u->count * (uint64_t)u->element->size;
  return given && own && (bytes == note->size || bytes / given == note->size / own);
}

void mck_element_report(struct mck_call *call, const struct mck_use *u, const struct mck_note *note) {
  const char *type = note->name + strlen(note->name) + 1, *name = mck_basic_name(mck_type_only_basic(u->element));
  mck_use_report(call, MCK_CHECK_TYPE_BUFFER, false, "%s of %s: the variable %s is %s, but the datatype is of %s",
                 u->what, mck_fn_names[call->fn], note->name, type, name);
}
