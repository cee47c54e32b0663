// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fortran: how a call of mpif.h, "use mpi" or "use mpi_f08" becomes a call of our C wrapper (docs/design/fortran.md).
//
//   the program         mpi_send_(...)
//   our Fortran wrapper mpi_send_     notes the caller (api/fortran.py), then calls the next mpi_send_
//   libmpi_mpifh.so     its mpi_send_ converts handles, LOGICAL, sentinels, indices, strings; calls PMPI_Send
//   (redirected) our C wrapper       MPI_Send      checks and hooks as for C, with the place of the Fortran caller
//   libmpi.so           PMPI_Send
//
// The original Fortran entry point runs in any case, with the caller's own arguments.
#pragma once
#include "record/call/call.h"
#include "record/runtime.h"

struct mck_fortran_handle {
  const char *what;
  const MPI_Fint *at;
}; // an argument that is a handle
// On the stack of the Fortran wrapper.
struct mck_fortran_call {
  const MPI_Fint *requests; // the user's request variable(s): they distinguish shared handles (object/request.c)
  const struct mck_fortran_handle *handles;
  unsigned nhandles;
  int depth; // mck_depth outside of it
  uint16_t fn;
};
// The Fortran call that this thread is in; pc NULL: none. call may be read only while it is live.
struct mck_fortran_now {
  const void *pc, *frame;
  struct mck_fortran_call *call;
};
extern __thread struct mck_fortran_now mck_fortran __attribute__((tls_model("initial-exec")));

// The Fortran handle that the user gave for the parameter what (NULL: the only one); NULL if this is no call of Fortran
// code.
const MPI_Fint *mck_fortran_handle(const struct mck_call *call, const char *what);

// A callback may have left the call by a jump (record/call/call.c): then the wrapper's frame has ended. frame: of a
// function that was called since.
static inline bool mck_fortran_is_live(struct mck_fortran_now now, const void *frame) {
  return (uintptr_t)frame <= (uintptr_t)now.frame && ((const void *const *)now.frame)[1] == now.pc;
}

// Returns the call that was current; mck_fortran_leave puts it back.
static inline struct mck_fortran_now mck_fortran_enter(struct mck_fortran_call *call, const void *pc,
                                                       const void *frame) {
  struct mck_fortran_now outer = mck_fortran;
  if (MCK_UNLIKELY(outer.pc && !mck_fortran_is_live(outer, frame))) outer.pc = NULL;
  // At the same depth the binding calls itself (mpi_test_f08_ calls pmpi_test_): the user's call is the outer one.
  if (MCK_UNLIKELY(outer.pc && outer.call->depth == mck_depth)) return outer;
  call->depth = mck_depth;
  mck_fortran = (struct mck_fortran_now){pc, frame, call};
  return outer;
}
static inline void mck_fortran_leave(struct mck_fortran_now outer) { mck_fortran = outer; }

// The next definition of a Fortran entry point after ours. The very first call redirects the PMPI_ calls of the
// Fortran libraries.
typedef void (*mck_fortran_entry)(void);
mck_fortran_entry mck_fortran_find(mck_fortran_entry *known, const char *name);
extern bool mck_fortran_is_used; // Fortran code calls MPI: its loads and stores may not be signalled
static inline mck_fortran_entry mck_fortran_next(mck_fortran_entry *known, const char *name) {
  mck_fortran_entry next = __atomic_load_n(known, __ATOMIC_ACQUIRE);
  return MCK_LIKELY(next != NULL) ? next : mck_fortran_find(known, name);
}

// Generated (api/fortran.py): the C functions that the Fortran libraries call for the user: our wrapper, and the
// profiling name.
struct mck_fortran_route {
  const char *profiling;
  mck_fortran_entry wrapper;
};
extern const struct mck_fortran_route mck_fortran_routes[]; // sorted by name
extern const unsigned mck_fortran_nroutes;
