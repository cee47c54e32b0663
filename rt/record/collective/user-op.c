// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that MPI gets for those of the program (user-op.h). There is a fixed number of them: one for each pair
// of function and commute, so a loop that makes an operation again uses the same one. A reduction may still use it
// after MPI_Op_free (MPI-3.1 5.9.5), so it is never given to another pair. When all are taken, MPI gets the program's
// function itself.
#define _GNU_SOURCE 1
#include "record/collective/user-op.h"
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include "abi.h"
#include "record/call/fortran-redirect.h"
#include "record/call/stack.h"
#include "record/runtime.h"

enum { OPERATIONS = 64 };
static struct mck_user_op operations[OPERATIONS];
static unsigned noperations;

// --- functions that recompiled code calls pure ---
typedef void any_function(void);
static struct functions { // copies: a library with a table may be closed
  any_function **items;
  size_t n, capacity;
} pure, fixed; // fixed: their results depend on the operands only

static void attach(struct functions *to, uint32_t version, any_function *const *low, any_function *const *high) {
  if (version != MCK_OPERATIONS_VERSION) return;
  mck_lock();
  for (any_function *const *entry = low; entry < high; entry++) (void)!MCK_PUSH(to->items, to->n, to->capacity, *entry);
  mck_unlock();
}
MCK_EXPORT void __mck_attach_operations(uint32_t version, any_function *const *low, any_function *const *high) {
  attach(&pure, version, low, high);
}
MCK_EXPORT void __mck_attach_fixed_operations(uint32_t version, any_function *const *low, any_function *const *high) {
  attach(&fixed, version, low, high);
}

static bool has(const struct functions *list, MPI_User_function *function) {
  for (size_t i = 0; i < list->n; i++)
    if (list->items[i] == (any_function *)function) return true;
  return false;
}

// --- the functions ---
// The first calls, then ever fewer, each with the one behind it.
static bool is_chosen(uint64_t n) {
  return n < (uint64_t)mck_options.user_op_calls ||
         (mck_options.user_op_calls && (!(n & (n - 1)) || !((n - 1) & (n - 2))));
}

// The judge calls it long after the reduction, in another process.
bool mck_user_op_compute(uint32_t number, void *in, void *inout, int n, MPI_Datatype type) {
  if (!number || number > noperations) return false;
  const struct mck_user_op *op = &operations[number - 1];
  struct dl_find_object found; // its library may have been closed
  if (!has(&fixed, op->function) || op->is_fortran || _dl_find_object((void *)op->function, &found) != 0) return false;
  int error = errno;
  fenv_t environment;
  bool is_held = !feholdexcept(&environment);
  op->function(in, inout, &n, &type);
  if (is_held) fesetenv(&environment);
  errno = error;
  return true;
}

static void run(struct mck_user_op *op, void *in, void *inout, int *len, void *type) {
  uint64_t n = atomic_fetch_add_explicit(&op->calls, 1, memory_order_relaxed);
  if (MCK_LIKELY(!is_chosen(n) || !mck_depth || !mck_rt.is_ready)) op->function(in, inout, len, type);
  else mck_user_op_check(op, in, inout, len, op->is_fortran ? PMPI_Type_f2c(*(MPI_Fint *)type) : *(MPI_Datatype *)type);
}

#define ONE(n)                                                                                                         \
  static void run_##n(void *in, void *inout, int *len, MPI_Datatype *type) {                                           \
    run(&operations[n], in, inout, len, type);                                                                         \
  }
#define EIGHT(ROW, n) ROW(n##0) ROW(n##1) ROW(n##2) ROW(n##3) ROW(n##4) ROW(n##5) ROW(n##6) ROW(n##7)
// Octal numbers: 00 to 077.
#define ALL(ROW)                                                                                                       \
  EIGHT(ROW, 0) EIGHT(ROW, 01) EIGHT(ROW, 02) EIGHT(ROW, 03) EIGHT(ROW, 04) EIGHT(ROW, 05) EIGHT(ROW, 06) EIGHT(ROW, 07)
ALL(ONE)
#undef ONE
static MPI_User_function *const functions[OPERATIONS] = {
#define ONE(n) run_##n,
    ALL(ONE)
#undef ONE
};

static __thread uint32_t passed __attribute__((tls_model("initial-exec")));
uint32_t mck_user_op_passed(void) { return passed; }

MPI_User_function *mck_user_op_pass(struct mck_call *call, MPI_User_function *function, int commute) {
  bool is_fortran = mck_fortran.pc && call->frame == mck_fortran.frame;
  passed = 0;
  if (!function || !mck_rt.is_ready || !mck_options.user_op_calls) return function;
  // Open MPI calls Fortran's operations with the same arguments, but numbers of Fortran's size.
  if (is_fortran && sizeof(MPI_Fint) != sizeof(int)) return function; // NOLINT(misc-redundant-expression)
  mck_lock();
  unsigned i = 0;
  while (i < noperations && (operations[i].function != function || operations[i].is_commutative != !!commute ||
                             operations[i].is_fortran != is_fortran))
    i++;
  if (i == OPERATIONS) {
    mck_unlock();
    return function;
  }
  struct mck_user_op *op = &operations[i];
  if (i == noperations) { // a reduction of another thread may be reading the others
    op->function = function, op->is_commutative = commute, op->is_pure = has(&pure, function);
    op->is_fortran = is_fortran;
    noperations++;
  }
  atomic_store_explicit(&op->site, mck_call_site(call), memory_order_relaxed);
  passed = i + 1;
  mck_unlock();
  return functions[i];
}
