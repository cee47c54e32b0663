// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recorder below MPI: libmpicc-check-flow.so, which mpirun-check --flow loads before all others. It stands in for
// the functions that move data (copy-calls.c, byte-calls.c, process-calls.c), and writes down what they move while the
// thread is inside an MPI function (mpi-call.h), or is a thread that MPI made (thread-start.c). The PMPI_ functions are
// its, too, so it knows when that is. Everything is passed on unchanged, and errno stays as it was.
//
// There is no lock: each thread writes into a block of its own (trace.h). A signal handler may come at any
// instruction, and a process may fork: is_busy and the gate are for these.
#pragma once
#include "base/base.h"
#include "flow/trace.h"

// Hidden; in the static block of thread-local storage, where no access calls a function.
struct mck_flow_thread {
  uint32_t depth; // of MPI calls; a thread that MPI made is always inside
  bool is_busy;   // the recorder itself is running
  bool is_call_written;
  uint16_t fn;     // of the outermost call; UINT16_MAX: none
  uint32_t thread; // number in the trace
  uintptr_t frame;
  struct mck_trace_block *block, *packed; // packed: where full blocks go
  struct mck_trace_packer *packer;
  uint64_t turn;                     // of the block, in steps of MCK_TRACE_TURN
  struct mck_trace_slot *next, *end; // in the block
  struct mck_trace_slot *growing;    // the last record, if it is a COPY or a RUN and all is as when it was written
  uint64_t from, to, time;           // of the last copy in it
  uint64_t last_callers[2];          // that have a CALLER record
  uint64_t lost_since;               // a movement was not written down; 0: none
};
extern _Thread_local struct mck_flow_thread mck_flow_thread __attribute__((tls_model("initial-exec")));

// One page, which is zero in a child process: the child records nothing.
struct mck_flow_gate {
  _Atomic uint32_t is_open;
};
extern struct mck_flow_gate *mck_flow_gate;
static inline bool mck_flow_is_open(void) {
  return atomic_load_explicit(&mck_flow_gate->is_open, memory_order_relaxed);
}

// Ticks of the clock that all processors of a node share. Loads before it are complete.
static inline uint64_t mck_flow_now(void) {
#ifdef __x86_64__
  unsigned processor;
  return __builtin_ia32_rdtscp(&processor);
#else
  uint64_t ticks;
  __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks)::"memory");
  return ticks;
#endif
}

void mck_flow_begin(void); // in MPI_Init

// --- what the stand-ins call (record.c). The thread is inside, or this does nothing. ---
void mck_flow_copy(const void *from, const void *to, size_t size, const void *caller);
struct mck_flow_move {
  enum mck_trace_kind kind;
  uint64_t time;
  const void *from, *to;
  uint64_t size;
  const void *caller;
  const void *more; // the second slot
};
void mck_flow_move(const struct mck_flow_move *move);
void mck_flow_lose(void); // a movement is not known
// Room for a record of n slots in the thread's block, to be filled in before it is committed. NULL: nothing is
// recorded. The two calls stand around what must not be interrupted by the recorder itself.
struct mck_trace_slot *mck_flow_reserve(struct mck_flow_thread *thread, unsigned n);
void mck_flow_commit(struct mck_flow_thread *thread, unsigned n);
bool mck_flow_enter_recorder(struct mck_flow_thread *thread);
void mck_flow_leave_recorder(struct mck_flow_thread *thread);

void *mck_flow_map(void *at, size_t length, int protection, int flags, int fd, int64_t offset); // mmap, unrecorded
void mck_flow_plain_copy(void *to, const void *from, size_t size);                              // memmove, unrecorded

// --- trace-writer.c ---
bool mck_flow_new_block(struct mck_flow_thread *thread); // keeps errno

// --- mpi-call.h ---
static inline void mck_flow_enter(uint16_t fn, const void *frame) {
  struct mck_flow_thread *t = &mck_flow_thread;
  // The stack grows downwards: a call that was left by longjmp is below.
  if (t->depth && (uintptr_t)frame > t->frame) t->depth = 0;
  if (t->depth++ == 0) t->fn = fn, t->is_call_written = false, t->frame = (uintptr_t)frame;
}
static inline void mck_flow_leave(void) {
  struct mck_flow_thread *t = &mck_flow_thread;
  if (t->depth && --t->depth == 0) t->growing = NULL;
}
