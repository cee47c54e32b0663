// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/task-order.h"
#include "thread/thread-lock.h"
#include "thread/room-memory.h"

static void drop(struct mck_task *task) {
  while (task && !--task->refs) {
    struct mck_task *parent = task->parent;
    mck_depend_forget(task);
    mck_times_clear(&task->created), mck_times_clear(&task->fulfilled), mck_times_clear(&task->children);
    mck_thread_free(task->depends);
    mck_thread_free(task);
    task = parent;
  }
}

static struct mck_task *make(void) {
  struct mck_task *task = mck_thread_alloc(sizeof *task);
  if (task) task->refs = 1;
  else mck_times_lose();
  return task;
}

struct mck_task *mck_task_initial(struct mck_strand *strand) {
  struct mck_task *task = make();
  if (task) task->strand = strand;
  return task;
}

struct mck_team *mck_team_fork(struct mck_strand *by, const void *began) {
  struct mck_team *team = mck_thread_alloc(sizeof *team);
  if (!team) {
    mck_times_lose();
    return NULL;
  }
  team->began = began;
  team->primary = by;
  if (by) mck_strand_release(by, &team->fork);
  return team;
}

// All strands begin at once: those of threads that are late live, too.
static void begin_team(struct mck_team *team, uint32_t n) {
  struct mck_strand_info info = {.kind = MCK_STRAND_IMPLICIT, .of = n, .began = team->began};
  team->n = team->barrier.n = n;
  if (!team->primary) return;
  team->parent = mck_strand_rename(team->primary, &info);
  team->others = n > 1 ? mck_thread_alloc((n) * sizeof *team->others) : NULL;
  for (uint32_t i = 1; i < n && team->others; i++) {
    info.number = i;
    team->others[i] = mck_strand_new(&team->fork, &info);
  }
}

struct mck_task *mck_task_implicit(struct mck_team *team, uint32_t index, uint32_t n) {
  struct mck_task *task = make();
  if (!team->n) begin_team(team, n);
  if (!task) return NULL;
  task->team = team;
  if (!index) task->strand = team->primary;
  else if (team->others && index < team->n) task->strand = team->others[index], team->others[index] = NULL;
  return task;
}

// The team may be gone: another thread's implicit task ends when that thread is needed again.
void mck_task_implicit_end(struct mck_task *task) { drop(task); }

void mck_task_arrive(struct mck_task *task, bool is_last) {
  struct mck_team *team = task->team;
  if (!team || !task->strand) return;
  if (is_last) { // the thread waits for its next region, or runs tasks
    if (task->strand == team->primary) return;
    mck_strand_end(task->strand, &team->join);
    task->strand = NULL;
    return;
  }
  mck_barrier_arrive(&team->barrier, task->strand, task->phase);
}

void mck_task_leave(struct mck_task *task) {
  struct mck_team *team = task->team;
  if (!team || !task->strand) return;
  // All explicit tasks have ended, unless the barrier was cancelled.
  mck_barrier_leave(&team->barrier, task->strand, task->phase++, &team->tasks);
  mck_times_clear(&task->children);
  mck_depend_forget(task);
}

void mck_team_join(struct mck_team *team, struct mck_strand *by) {
  if (by) {
    mck_strand_acquire(by, &team->join);
    mck_strand_acquire(by, &team->tasks);
    if (team->n) mck_strand_resume(by, team->parent);
    mck_strand_joined(by);
  }
  mck_times_clear(&team->fork), mck_times_clear(&team->join), mck_times_clear(&team->tasks);
  mck_barrier_clear(&team->barrier);
  mck_thread_free(team->others);
  mck_thread_free(team);
}

struct mck_task *mck_task_create(struct mck_task *by, struct mck_strand *self, bool is_undeferred, const void *began) {
  struct mck_task *task = make();
  if (!task) return NULL;
  task->is_undeferred = is_undeferred;
  task->parent = by;
  by->refs++;
  task->team = by->team;
  task->group = by->group;
  task->began = began;
  if (self) mck_strand_release(self, &task->created);
  task->is_expected = true;
  mck_strand_expect();
  return task;
}

static void begin(struct mck_task *task) {
  if (task->is_expected) mck_strand_expect_end();
  task->is_expected = false;
}

struct mck_strand *mck_task_run(struct mck_task *task, struct mck_strand *self) {
  if (task->strand || task->is_guest || !task->parent) return task->strand; // it goes on
  mck_depend_acquire(task, &task->created);
  begin(task);
  task->strand = mck_strand_new(&task->created,
                                &(struct mck_strand_info){.kind = MCK_STRAND_TASK, .began = task->began});
  task->is_guest = !task->strand;
  if (task->is_guest) { // there are too many strands: the thread's order counts, which may hide an error
    task->strand = self;
    if (self) mck_strand_acquire(self, &task->created);
  }
  mck_times_clear(&task->created);
  if (task->strand) mck_depend_lock(task, task->strand);
  if (task->strand && !task->is_guest) task->strand->is_task = true;
  return task->strand;
}

void mck_task_fulfill(struct mck_task *task, struct mck_strand *by) {
  if (by) mck_strand_release(by, &task->fulfilled);
}

void mck_task_finish(struct mck_task *task) {
  if (!task->strand) return;
  if (task->is_guest) mck_depend_unlock(task, task->strand), mck_strand_release(task->strand, &task->fulfilled);
  else mck_strand_end(task->strand, &task->fulfilled);
  task->strand = NULL;
}

void mck_task_complete(struct mck_task *task) {
  begin(task); // it may have been cancelled
  mck_task_finish(task);
  struct mck_times *ended = &task->fulfilled;
  mck_times_join(&task->parent->children, ended);
  if (task->group) mck_times_join(&task->group->ended, ended);
  if (task->team) mck_times_join(&task->team->tasks, ended);
  mck_depend_release(task, ended);
  if (task->is_undeferred && task->parent->strand) {
    mck_strand_acquire(task->parent->strand, ended);
    mck_strand_joined(task->parent->strand);
  }
  drop(task);
}

void mck_task_wait_depend(struct mck_task *task, struct mck_strand *self) {
  struct mck_times waited = {0};
  begin(task);
  mck_depend_acquire(task, &waited);
  if (self) mck_strand_acquire(self, &waited), mck_strand_joined(self);
  mck_times_clear(&waited);
  drop(task);
}

void mck_task_wait(struct mck_task *task) {
  if (task->strand) mck_strand_acquire(task->strand, &task->children), mck_strand_joined(task->strand);
  mck_times_clear(&task->children);
  mck_depend_forget(task);
}

void mck_task_group_begin(struct mck_task *task) {
  struct mck_group *group = mck_thread_alloc(sizeof *group);
  if (!group) return mck_times_lose();
  group->outer = task->group;
  task->group = group;
}

void mck_task_group_end(struct mck_task *task) {
  struct mck_group *group = task->group;
  if (!group) return;
  task->group = group->outer;
  if (task->strand) mck_strand_acquire(task->strand, &group->ended), mck_strand_joined(task->strand);
  mck_times_clear(&group->ended);
  mck_thread_free(group);
}
