// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dependences of sibling tasks (OpenMP 5.2, 15.9.5). OpenMP's library runs the tasks in an order that keeps to them.
// So what a task finds when it begins was left by those that it depends on, and by no others.
#include "thread/task-order.h"
#include "thread/thread-lock.h"
#include "thread/room-memory.h"

static struct mck_depend *find(struct mck_task *parent, const void *address) {
  if (!parent->siblings) parent->siblings = mck_thread_alloc((MCK_DEPEND_BUCKETS + 1) * sizeof *parent->siblings);
  if (!parent->siblings) return NULL;
  // The last bucket is for all memory.
  struct mck_depend *
      *at = &parent->siblings[address ? ((uintptr_t)address >> 3) % MCK_DEPEND_BUCKETS : (uintptr_t)MCK_DEPEND_BUCKETS];
  while (*at && (*at)->address != address) at = &(*at)->next;
  if (!*at) *at = mck_thread_alloc(sizeof **at);
  if (!*at) mck_times_lose();
  else (*at)->address = address;
  return *at;
}

void mck_depend_forget(struct mck_task *parent) {
  if (!parent->siblings) return;
  for (int i = 0; i <= MCK_DEPEND_BUCKETS; i++)
    while (parent->siblings[i]) {
      struct mck_depend *d = parent->siblings[i];
      parent->siblings[i] = d->next;
      mck_times_clear(&d->out), mck_times_clear(&d->in), mck_times_clear(&d->set), mck_times_clear(&d->mutex);
      mck_thread_free(d);
    }
  mck_thread_free(parent->siblings);
  parent->siblings = NULL;
}

void mck_task_depend(struct mck_task *task, const struct mck_depends *depends, uint32_t n) {
  task->depends = n ? mck_thread_alloc(n * sizeof *depends) : NULL;
  for (uint32_t i = 0; i < n && task->depends; i++) task->depends[task->ndepends++] = depends[i];
}

// Tasks of one kind, but out, do not depend on one another.
static void take(const struct mck_depend *d, enum mck_depend_kind kind, struct mck_times *clock) {
  mck_times_join(clock, &d->out);
  if (kind != MCK_DEPEND_IN) mck_times_join(clock, &d->in);
  if (kind != MCK_DEPEND_SET) mck_times_join(clock, &d->set);
  if (kind != MCK_DEPEND_MUTEX) mck_times_join(clock, &d->mutex);
}

void mck_depend_acquire(struct mck_task *task, struct mck_times *clock) {
  struct mck_task *parent = task->parent;
  if (!task->ndepends || !parent->siblings) return;
  for (uint32_t i = 0; i < task->ndepends; i++) {
    const struct mck_depends *depends = &task->depends[i];
    struct mck_depend *d = depends->address ? find(parent, depends->address) : NULL;
    if (d) take(d, depends->kind, clock);
    for (int k = 0; k < MCK_DEPEND_BUCKETS && !depends->address; k++)
      for (d = parent->siblings[k]; d; d = d->next) take(d, MCK_DEPEND_OUT, clock);
  }
  if (parent->siblings[MCK_DEPEND_BUCKETS]) take(parent->siblings[MCK_DEPEND_BUCKETS], MCK_DEPEND_OUT, clock);
}

void mck_depend_release(struct mck_task *task, const struct mck_times *clock) {
  for (uint32_t i = 0; i < task->ndepends; i++) {
    struct mck_depend *d = find(task->parent, task->depends[i].address);
    if (!d) continue;
    switch (task->depends[i].kind) {
    case MCK_DEPEND_IN: mck_times_join(&d->in, clock); break;
    case MCK_DEPEND_OUT: mck_times_join(&d->out, clock); break;
    case MCK_DEPEND_SET: mck_times_join(&d->set, clock); break;
    case MCK_DEPEND_MUTEX: mck_times_join(&d->mutex, clock); break;
    }
  }
}

// Tasks with mutexinoutset exclude each other: each is a section of a lock that belongs to the address.
void mck_depend_lock(struct mck_task *task, struct mck_strand *strand) {
  for (uint32_t i = 0; i < task->ndepends; i++)
    if (task->depends[i].kind == MCK_DEPEND_MUTEX) {
      struct mck_depend *d = find(task->parent, task->depends[i].address);
      if (d && !d->lock) d->lock = mck_lock_new_number();
      if (d) mck_lock_push(strand, NULL, d->lock);
    }
}

void mck_depend_unlock(struct mck_task *task, struct mck_strand *strand) {
  for (uint32_t i = 0; i < task->ndepends; i++)
    if (task->depends[i].kind == MCK_DEPEND_MUTEX) {
      struct mck_depend *d = find(task->parent, task->depends[i].address);
      if (d) mck_lock_pop(strand, NULL, d->lock);
    }
}
