// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that hold the handles of objects. The report of a leak then has the place where the handle was lost: where
// another object was stored in its variable. That alone is no fault (the program may have a copy), so it is only a
// place in the report of an object that is never freed. The table has a fixed size and one variable per slot: a
// variable that collides replaces the other.
#include "record/call/call.h"
#include "record/call/fortran-redirect.h"
#include "record/call/stack.h"
#include "record/object/handle-variable.h"
#include "record/runtime.h"

enum { SLOTS = 4096 };
static struct {
  const void *variable;
  uint64_t handle;
} slots[SLOTS];

static unsigned slot_of(const void *variable) {
  return (unsigned)(((uint64_t)(uintptr_t)variable * 0x9e3779b97f4a7c15u) >> 52) % SLOTS;
}

// A variable is read only if it is in the table: another one may never have been set. Fortran's bindings pass
// variables of their own.
void mck_held(struct mck_call *call, const void *variable) {
  call->held = 0;
  if (!variable || !mck_rt.is_ready || mck_fortran.pc) return;
  mck_lock();
  unsigned i = slot_of(variable);
  if (slots[i].variable == variable && *(const uint64_t *)variable == slots[i].handle) call->held = slots[i].handle;
  mck_unlock();
}

static void lost(const struct mck_call *call, const void *variable, enum mck_object_kind kind) {
  if (!variable || !mck_rt.is_ready || mck_fortran.pc) return;
  uint64_t now = *(const uint64_t *)variable;
  mck_lock();
  struct mck_object *object = call->held && call->held != now ? mck_object_find(kind, call->held) : NULL;
  if (object && !object->is_freed && !object->is_predefined && !object->is_overwritten)
    object->is_overwritten = true, object->overwritten = mck_stack_site(call->pc, call->frame);
  unsigned i = slot_of(variable);
  slots[i].variable = variable, slots[i].handle = now;
  mck_unlock();
}

#define HELD(kind, KIND, type)                                                                                         \
  _Static_assert(sizeof(type) == sizeof(uint64_t), "a handle is an address");                                          \
  void mck_held_##kind(const struct mck_call *call, const type *variable) { lost(call, variable, MCK_OBJECT_##KIND); }
HELD(comm, COMM, MPI_Comm)
HELD(group, GROUP, MPI_Group)
HELD(type, TYPE, MPI_Datatype)
HELD(op, OP, MPI_Op)
HELD(win, WIN, MPI_Win)
HELD(file, FILE, MPI_File)
HELD(info, INFO, MPI_Info)
HELD(errhandler, ERRHANDLER, MPI_Errhandler)
