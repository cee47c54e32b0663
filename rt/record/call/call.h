// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One MPI call of the user, from the entry of its wrapper to its end (call.c). The record lies in the wrapper's stack
// frame and belongs to the calling thread.
#pragma once
#include <mpi.h>
#include "standard/collective.h"
#include "base/base.h"

struct mck_args;
struct mck_buffer;
struct mck_comm;
struct mck_type;

// A buffer of a call: the bytes between the first and the last one that the call touches.
struct mck_use {
  const char *what; // the parameter's name; NULL: an empty entry
  const char *low, *high;
  const char *address;
  int64_t count;
  const struct mck_type *type;    // exact bytes; NULL: all of [low, high)
  const struct mck_type *element; // the datatype itself; NULL: several
  uint32_t generation;            // of type
  bool is_written;
  bool is_exact; // false: it may have unknown gaps
  bool is_kept;  // beyond the call
  bool is_up_to; // the message may be shorter
};
struct mck_call {
  union { // one word, so that the end of a call reads all that is rare at once
    uint32_t special;
    struct {
      uint16_t nfindings;
      bool is_serialized : 1; // MPI_THREAD_SERIALIZED: this is the call under way (thread-level.c)
      bool is_storing : 1;    // it writes into the own part of a window (untrue-assertion.c)
      bool is_of_strands : 1; // the checks of several strands saw its begin (strand/strand-call.h)
      bool is_using : 1;      // it blocks, and its buffers are listed (strand/buffer-use.c)
      bool is_reading : 1;    // what it reads is to be noted in its section of a lock (strand/strand-section.c)
      bool is_doubtful; // found wrong, but it may do its work, as well as fail or kill the process (buffer-bytes.c)
    };
  };
  uint16_t fn;
  uint32_t site; // call stack, set on first use (mck_call_site)
  const void *pc, *frame;
  const MPI_Fint *variables; // a call of Fortran code: its request variables, whose copies the C wrapper gets; NULL
                             // otherwise
  struct mck_comm *comm; // the communicator and the datatype that were last looked up (mck_call_comm, mck_call_type)
  struct mck_type *type;
  uint32_t event;     // index of the event it left, or MCK_NONE
  uint32_t events[2]; // scratch of the hooks
  void *scratch;
  struct mck_buffer *buffer; // a put or get that took the short way: the entry that stands for its buffer already
  uint64_t held;      // handle in the variable that the call stores another one in, if we know it (handle-variable.c)
  uint64_t old;       // handle that the call frees, 0: none
  uint8_t old_kind;   // enum mck_object_kind
  bool is_freed_here; // marked as freed
  const void *given;  // the arguments, should the call fail: struct mck_args or words (record/error/argument-text.h)
  size_t arena;       // mark in the thread's arena (completion-array.c)
  unsigned nuses;     // buffers that the call reads and writes; set where it has several or keeps them
  struct mck_use uses[3];
  MPI_Status status; // replaces MPI_STATUS_IGNORE when the source of a wildcard receive must be known
};

bool mck_call_enter(struct mck_call *call, uint16_t fn, const void *pc, const void *frame);
void mck_call_leave(struct mck_call *call, const struct mck_args *a, int rc);
bool mck_quick_enter(uint16_t fn, const void *pc, const void *frame); // false: not on this thread, or not now
// The outermost call that the thread is in, from within that call. NULL: no such call is known.
struct mck_call *mck_call_current(const void *frame);

// The user's i-th request variable. Open MPI's Fortran binding gives the C wrapper an array of its own.
static inline const MPI_Request *mck_call_variable(const struct mck_call *call, const MPI_Request *requests, int i) {
  return MCK_UNLIKELY(call->variables != NULL) ? (const void *)(call->variables + i) : requests + i;
}
