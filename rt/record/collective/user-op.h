// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// collective.user-op: reduction operations of the program (MPI-3.1 5.9.5). MPI gets a function of ours, which calls the
// program's and looks at some of the calls (user-op.c, user-op-check.c). The handle is MPI's own.
#pragma once
#include <mpi.h>
#include <stdatomic.h>
#include "object/type-elements.h"
#include "record/call/call.h"

// Samples of one call: elements of invec (a) and inoutvec (b), and what became of them (r = a o b). 3 * number elements
// of bytes bytes.
enum { MCK_USER_OP_SAMPLES = 4 };
struct mck_user_op_step {
  const struct mck_call *call; // the call of the program that it happened in, and its event
  uint32_t event;
  const struct mck_type *type;
  uint32_t generation;
  int len;
  unsigned number;
  size_t bytes;
  char *elements; // owned
};

struct mck_user_op {
  MPI_User_function *function;
  _Atomic(uint64_t) calls;
  bool is_commutative, is_pure, is_fortran;
  _Atomic uint32_t site;        // of the last MPI_Op_create
  uint32_t said;                // bits of enum mck_user_op_fault
  struct mck_user_op_step last; // the call before
};

enum mck_user_op_fault {
  MCK_USER_OP_NOT_COMMUTATIVE,
  MCK_USER_OP_NOT_ASSOCIATIVE,
  MCK_USER_OP_WRITES_IN,
  MCK_USER_OP_WRITES_BEYOND,
  MCK_USER_OP_LENGTH
};

// What MPI gets for the program's function.
MPI_User_function *mck_user_op_pass(struct mck_call *call, MPI_User_function *function, int commute);
// Calls the program's function, and checks the call.
void mck_user_op_check(struct mck_user_op *op, void *in, void *inout, int *len, MPI_Datatype type);
// 1 + the number of the one that this thread has passed last; 0: MPI got the program's function.
uint32_t mck_user_op_passed(void);
// inout = in o inout, by that operation. in is changed, maybe. false: it may not be called again.
bool mck_user_op_compute(uint32_t number, void *in, void *inout, int n, MPI_Datatype type);
// Calls it as MPI does: one of Fortran gets the datatype as an MPI_Fint.
static inline void mck_user_op_call(const struct mck_user_op *op, void *in, void *inout, int *len, MPI_Datatype type) {
  MPI_Fint number = op->is_fortran ? PMPI_Type_c2f(type) : 0;
  op->function(in, inout, len, op->is_fortran ? (MPI_Datatype *)(void *)&number : &type);
}

// --- user-op-element.c: pure ---
// One element in two states. first: the number that differs, in runs.
enum mck_user_op_verdict { MCK_USER_OP_SAME, MCK_USER_OP_DIFFERS, MCK_USER_OP_UNSURE };
struct mck_user_op_difference {
  const struct mck_type_run *run;
  uint64_t unit;
};
// x and y: the element at its address, as MPI counts displacements. operands: other states of it, whose numbers say how
// large rounding errors may be.
enum mck_user_op_verdict mck_user_op_compare(const struct mck_type_elements *elements, const char *x, const char *y,
                                             const char *const *operands, unsigned noperands,
                                             struct mck_user_op_difference *difference);
void mck_user_op_print(const struct mck_user_op_difference *number, const char *element, char *text, size_t size);
