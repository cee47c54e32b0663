// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of threads: what follows in every run from how the program's threads and tasks synchronize.
//
//   strand   what runs in one order of its own: a thread (pthreads, C11, C++), an OpenMP implicit task (a thread's part
//            of a parallel region), or an OpenMP explicit task. Two tasks are two strands, whichever thread runs them.
//   moment   a point in the life of a strand: the strand, and how often it had released by then (fork, unlock, post,
//   ...) clock    for each strand, up to which of its moments everything is ordered before (a vector clock: Fidge,
//   Mattern) section  what a strand does between the lock and the unlock of one lock. Two sections of one lock are
//   never at the
//            same time, but nothing says which is first: a lock excludes, it does not order (thread-lock.c).
//
// Sources: OMPT (OpenMP 5.2 chapter 19) for OpenMP, interception for pthreads and C11, atomic operations of recompiled
// code (C11 5.1.2.4: release, acquire). All functions may be called on any thread, with or without mck_mutex. A program
// with one thread pays a load and a branch. What is not known counts as ordered: docs/design/thread-order.md.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct mck_moment {
  uint32_t strand, time;
};
enum { MCK_HELD_MAX = 4 };
#define MCK_HELD_SHARED 0x80000000u
struct mck_held { // the locks that a strand holds, by section
  uint32_t n;     // more than MCK_HELD_MAX: not all are known
  struct {
    uint32_t lock, section; // lock: a number, and MCK_HELD_SHARED of a reader; section: unique among those of all locks
  } held[MCK_HELD_MAX];
};
struct mck_clock_set; // an immutable clock, counted

// Several strands live, or one has ended that the others do not know of. If not, everything is ordered: ask nothing.
extern _Atomic bool mck_thread_is_parallel;

// The byte that instrumented code looks at (abi.h, MCK_FILTER_THREADS): 1 once several strands have lived. NULL: none.
extern uint8_t *mck_thread_byte;

struct mck_moment mck_thread_now(void);         // the calling strand's
bool mck_thread_has(struct mck_moment earlier); // earlier is ordered before the calling strand's now
struct mck_clock_set *mck_thread_clock(void);   // what is ordered before now; the caller releases it
bool mck_clock_set_has(const struct mck_clock_set *c, struct mck_moment earlier);
void mck_clock_set_release(struct mck_clock_set *c);
// By component (strands that come one after another, and use one place in the clocks): up to which moment they are
// ordered before the calling strand's now; own is the calling strand's component. false: the calling thread's order is
// not known, or there are more components than room.
bool mck_thread_times(uint32_t *times, uint32_t room, uint32_t *n, uint32_t *own);
// Changes where mck_thread_times may give the calling strand other times of others.
uint64_t mck_thread_learned(void);
void mck_thread_held(struct mck_held *held); // the locks that the calling strand holds
// Both were inside of the same lock's sections, which are different ones: never at the same time.
bool mck_held_excludes(const struct mck_held *a, const struct mck_held *b);
// The calling strand is in a section of a lock of which all accesses are told (thread-section.h): what an operation of
// MPI loads and stores in it is told, too, or the section is given up.
bool mck_thread_is_in_section(void);
void mck_thread_section_access(const void *low, const void *high, bool is_store);
void mck_thread_section_give_up(void);
// All strands but the calling one are joined or ordered before now: what was noted of them before may be forgotten.
uint32_t mck_thread_era(void);  // grows each time this happens
bool mck_thread_is_known(void); // whether anything is known of the calling thread's order
// A task of OpenMP may have asked which thread runs it, or may have variables of its thread: then two tasks on one
// thread may use the same memory because of that, and not two on different threads.
bool mck_thread_is_task_aware(void);
// For others, who set them. several: several strands are about to live. left: this memory has ended with a task or
// thread. No lock of the room is held. NULL: nobody wants to know.
extern void (*mck_thread_tell_several)(void);
extern void (*mck_thread_tell_left)(uintptr_t low, uintptr_t high);
// The calling thread begins or ends what any thread of its team may execute: which one does, is luck
// (OpenMP 5.2, 11.1).
extern void (*mck_thread_tell_luck)(bool is_begin);
// "OpenMP thread 2 of 4", "task created", "thread 'io'": and where it began (a code address, or NULL).
// strand: of a moment, also of one that is over.
void mck_thread_name(uint32_t strand, char *text, unsigned size, const void **began);
