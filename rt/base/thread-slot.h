// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each thread of a process waits for. The slots lie in the header of the log, where the watch reads them. Room
// thread says which threads there are, and in which calls of POSIX, C11 and OpenMP they wait; room record says which
// MPI calls.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

// A wait without end: nothing but another thread of the process can end it, or a signal handler of it, or a process
// that has the object in shared memory.
enum mck_slot_wait {
  MCK_SLOT_RUNS, // or it waits for something that is not followed
  MCK_SLOT_JOIN, // object: the slot of that thread, + 1; 0: not known
  MCK_SLOT_LOCK, // from here on object is an address
  MCK_SLOT_CONDITION,
  MCK_SLOT_SEMAPHORE,
  MCK_SLOT_BARRIER,
  MCK_SLOT_OMP_BARRIER, // also an idle thread of OpenMP's pool
  MCK_SLOT_OMP_TASKS,   // taskwait, the end of a taskgroup
  MCK_SLOT_OMP_LOCK,    // critical, a lock
  MCK_SLOT_OMP_ORDERED,
  MCK_SLOT_WAITS
};

struct mck_thread_slot {
  _Atomic uint64_t wait;     // the MPI call that it is in: as mck_log_header.wait, which is that of the main thread
  _Atomic uint64_t object;   // valid while it waits
  _Atomic uint32_t tid;      // the kernel's number of the thread; 0: no thread has this slot
  _Atomic uint32_t what;     // enum mck_slot_wait in the lowest 8 bits; above, how often it has waited
  _Atomic uint32_t worker;   // OpenMP's library made the thread
  _Atomic uint32_t handlers; // how many signal handlers the program has installed; of all threads that had this slot
};
// Beyond so many threads the last slot is taken for good, by a thread that runs.
enum { MCK_THREAD_SLOTS = 64 };
#define MCK_SLOT_NO_THREAD UINT32_MAX
