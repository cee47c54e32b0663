// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of OpenMP: teams, implicit and explicit tasks, barriers, taskwait, taskgroups, dependences (OpenMP 5.2,
// 1.4.1, 12.9, 15). It is told what happens (intercept/ompt-tool.c, or a test), and makes order of it. Its functions
// are called with the lock of the room.
#pragma once
#include "thread/barrier.h"
#include "thread/strand.h"
#include "thread/thread-slot.h"

struct mck_team {             // a parallel region
  uint32_t n;                 // its size; 0: no implicit task has begun
  const void *began;          // a code address
  struct mck_strand *primary; // the strand that encountered the region, and that its thread 0 goes on with
  uint32_t parent;            // what it was before the region
  struct mck_strand **others; // of threads 1 to n - 1, until these begin
  struct mck_times fork, join;
  struct mck_times tasks; // explicit tasks that have ended since the last barrier; behind it nobody needs them
  struct mck_barrier barrier;
};

struct mck_group { // a taskgroup region
  struct mck_group *outer;
  struct mck_times ended; // its tasks, and their descendants
};

struct mck_depend { // what the siblings with dependences on one address leave for those to come
  struct mck_depend *next;
  const void *address;
  struct mck_times out, in, set, mutex; // by kind; set: inoutset, mutex: mutexinoutset
  uint32_t lock;                        // of the mutexinoutset tasks
};
enum mck_depend_kind { MCK_DEPEND_IN = 1, MCK_DEPEND_OUT, MCK_DEPEND_SET, MCK_DEPEND_MUTEX };
struct mck_depends {   // a dependence of a task
  const void *address; // NULL: all memory (omp_all_memory)
  enum mck_depend_kind kind;
};

enum { MCK_DEPEND_BUCKETS = 1024 };
struct mck_task {
  uint32_t refs;                   // by OpenMP's library, and by children
  bool is_undeferred, is_expected; // is_expected: it has not begun
  bool is_guest;                   // it has no strand of its own, but runs in that of its thread
  uint32_t phase;                  // of an implicit task: the barriers that it has passed
  struct mck_strand *strand;
  struct mck_task *parent;
  struct mck_team *team;   // NULL: outside of parallel regions
  struct mck_group *group; // the innermost one
  const void *began;
  struct mck_times created;   // ordered before its begin
  struct mck_times fulfilled; // of a detachable task: what ordered its event
  struct mck_times children;  // those that have ended
  struct mck_depends *depends;
  uint32_t ndepends;
  struct mck_slot_state wait;   // what its thread waits for, while that runs another task meanwhile
  struct mck_depend **siblings; // of its children, by address; made when the first of them has dependences
};

struct mck_task *mck_task_initial(struct mck_strand *strand); // NULL: no memory, also below
struct mck_team *mck_team_fork(struct mck_strand *by, const void *began);
void mck_team_join(struct mck_team *team, struct mck_strand *by);
// Thread 0 goes on with the strand that encountered the region.
struct mck_task *mck_task_implicit(struct mck_team *team, uint32_t index, uint32_t n);
void mck_task_implicit_end(struct mck_task *task);
// A barrier of its team. is_last: that at the end of the region.
void mck_task_arrive(struct mck_task *task, bool is_last);
void mck_task_leave(struct mck_task *task);

struct mck_task *mck_task_create(struct mck_task *by, struct mck_strand *self, bool is_undeferred, const void *began);
void mck_task_depend(struct mck_task *task, const struct mck_depends *depends, uint32_t n);
// It goes on, or begins; the result is the strand that runs then. self: the one that ran.
struct mck_strand *mck_task_run(struct mck_task *task, struct mck_strand *self);
void mck_task_fulfill(struct mck_task *task, struct mck_strand *by);       // its event (detach)
void mck_task_finish(struct mck_task *task);                               // its body has ended, its event is open
void mck_task_complete(struct mck_task *task);                             // its body and its event; frees it
void mck_task_wait_depend(struct mck_task *task, struct mck_strand *self); // taskwait with depend; frees task
void mck_task_wait(struct mck_task *task);                                 // taskwait
void mck_task_group_begin(struct mck_task *task);
void mck_task_group_end(struct mck_task *task);

// Dependences (task-depend.c). acquire adds what the task depends on; lock is for mutexinoutset; forget: the children
// are all ordered before what follows.
void mck_depend_acquire(struct mck_task *task, struct mck_times *clock);
void mck_depend_release(struct mck_task *task, const struct mck_times *clock);
void mck_depend_lock(struct mck_task *task, struct mck_strand *strand);
void mck_depend_unlock(struct mck_task *task, struct mck_strand *strand);
void mck_depend_forget(struct mck_task *parent);
