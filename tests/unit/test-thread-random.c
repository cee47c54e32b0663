// RUN: %unit/test-thread-random 10000 | FileCheck %s
// CHECK: ok: 10000 programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs of threads, parallel regions, barriers, tasks, dependences, locks and semaphores, run in random
// order: the order of any two points against sets of points that are passed along the program's own edges. The
// reference knows no times: what a task depends on is read off the list of its siblings, what a barrier orders off the
// list of the team.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "thread/room-memory.h"
#include "thread/sync-object.h"
#include "thread/task-order.h"
#include "thread/thread-core.h"
#include "thread/thread-section.h"

static unsigned seed;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (printf("line %d, seed %u: %s\n", __LINE__, seed, #condition), exit(1)))
enum {
  POINTS = 512,
  WORDS = POINTS / 64,
  UNITS = 128,
  THREADS = 40,
  STACK = 24,
  LOCKS = 3,
  WORDS_OF_LOCK = 4,
  ADDRESSES = 3,
  SEMS = 2
};
static uint32_t state;
static unsigned number(unsigned below) {
  state ^= state << 13, state ^= state >> 17, state ^= state << 5;
  return state % below;
}

struct set {
  uint64_t words[WORDS];
};
static void add_all(struct set *to, const struct set *from) {
  for (int i = 0; i < WORDS; i++) to->words[i] |= from->words[i];
}
static bool has(const struct set *set, int point) { return set->words[point / 64] >> point % 64 & 1; }

struct team {
  struct mck_team *team;
  struct unit *by;
  int n, nbarriers, narrived, nmet, nlast; // nbarriers: those that all members come to; nmet: those that some have left
  struct set met;
};
struct group {
  struct group *outer;
};
enum waiting { RUNS, AT_BARRIER, AT_LAST, IN_TASKWAIT, IN_GROUP, JOINING, IN_TEAM };
struct unit { // a thread, an implicit task or an explicit task
  struct set before, end;
  struct mck_task *task;
  struct unit *parent, *joined;
  struct team *team;
  struct group *group, *within; // the innermost one; that when it was created
  bool is_explicit, has_begun, has_ended, is_undeferred, has_event;
  struct mck_strand *thread; // of a thread that has not begun
  int index, nops, phase, lock, section, ngroups;
  bool is_shared, is_known; // its section
  unsigned stores;          // of a known section, by word
  enum waiting waiting;
  int ndepends;
  struct mck_depends depends[2];
};
static struct unit units[UNITS];
static int nunits, max_units;
struct thread {
  struct unit *stack[STACK];
  int depth;
};
static struct thread threads[THREADS];
static int nthreads;
static struct {
  struct mck_moment moment;
  struct mck_clock_set *taken; // the clock there, and the era then
  uint32_t era;
  struct set before;
  struct mck_held held;
  int lock, section;
  bool is_shared;
} points[POINTS];
static int npoints;
static struct lock {
  struct mck_lock lock;
  int nwriters, nreaders, section;
  struct set released, written, unknown, values[WORDS_OF_LOCK];
} locks[LOCKS];
static struct sem {
  struct mck_semaphore sem;
  int nposts, nwaits;
  struct set posts[64];
} sems[SEMS];
static char memory[ADDRESSES];
static uint32_t words[WORDS_OF_LOCK];
static struct mck_strand *main_strand;
static int nsections;
static bool is_detaching, is_detached; // some threads are never joined

static struct unit *make(struct unit *parent, struct team *team) {
  struct unit *unit = &units[nunits++];
  memset(unit, 0, sizeof *unit);
  unit->parent = parent, unit->team = team, unit->nops = 2 + (int)number(10), unit->lock = -1;
  return unit;
}

static struct mck_strand *strand_of(const struct unit *unit) { return unit->task->strand; }

static void point(struct unit *unit) {
  if (npoints == POINTS) return;
  struct mck_strand *strand = strand_of(unit);
  for (int i = 0; i < npoints; i++) EXPECT(mck_strand_has(strand, points[i].moment) == has(&unit->before, i));
  struct mck_clock_set *taken = number(4) ? NULL : mck_strand_take(strand);
  for (int i = 0; i < npoints && taken; i++)
    EXPECT(mck_clock_set_has(taken, points[i].moment) == has(&unit->before, i));
  mck_clock_set_release(taken);
  points[npoints].moment = mck_strand_now(strand);
  points[npoints].taken = number(4) ? NULL : mck_strand_take(strand);
  points[npoints].era = mck_strand_era;
  points[npoints].before = unit->before;
  points[npoints].lock = unit->lock, points[npoints].is_shared = unit->is_shared;
  points[npoints].section = unit->section;
  mck_strand_self = strand;
  mck_thread_held(&points[npoints].held);
  unit->before.words[npoints / 64] |= (uint64_t)1 << npoints % 64;
  npoints++;
}

static bool conflict(const struct unit *a, const struct unit *b) {
  for (int i = 0; i < a->ndepends; i++)
    for (int k = 0; k < b->ndepends; k++) {
      const struct mck_depends *x = &a->depends[i], *y = &b->depends[k];
      if (x->address && y->address && x->address != y->address) continue;
      if (x->kind == MCK_DEPEND_OUT || y->kind == MCK_DEPEND_OUT || x->kind != y->kind) return true;
    }
  return false;
}
static bool excludes(const struct unit *a, const struct unit *b) {
  for (int i = 0; i < a->ndepends; i++)
    for (int k = 0; k < b->ndepends; k++)
      if (a->depends[i].address == b->depends[k].address && a->depends[i].kind == MCK_DEPEND_MUTEX &&
          b->depends[k].kind == MCK_DEPEND_MUTEX)
        return true;
  return false;
}
static bool is_ready(const struct unit *task) {
  for (const struct unit *u = units; u < units + nunits; u++)
    if (u->is_explicit && u->parent == task->parent && !u->has_ended && u != task &&
        ((u < task && conflict(u, task)) || (u->has_begun && excludes(u, task))))
      return false;
  return true;
}

static void push(struct thread *thread, struct unit *unit) { thread->stack[thread->depth++] = unit; }

static void run_task(struct thread *thread, struct unit *task) {
  struct mck_strand *self = thread->depth ? strand_of(thread->stack[thread->depth - 1]) : NULL;
  for (struct unit *u = units; u < task; u++)
    if (u->is_explicit && u->parent == task->parent && conflict(u, task)) add_all(&task->before, &u->end);
  task->has_begun = true;
  mck_task_run(task->task, self);
  EXPECT(task->task->strand && !task->task->is_guest);
  push(thread, task);
}

static void create(struct thread *thread, struct unit *by) {
  bool is_undeferred = !by->team || by->team->n == 1 || !number(5);
  if (nunits >= max_units || (is_undeferred && thread->depth == STACK)) return;
  struct unit *task = make(by, by->team);
  task->is_explicit = true, task->is_undeferred = is_undeferred, task->group = task->within = by->group;
  task->nops = (int)number(5);
  task->task = mck_task_create(by->task, strand_of(by), is_undeferred, NULL);
  add_all(&task->before, &by->before);
  if (!is_undeferred && number(2)) {
    task->ndepends = 1 + (int)number(2);
    for (int i = 0; i < task->ndepends; i++)
      task->depends[i] = (struct mck_depends){number(12) ? &memory[number(ADDRESSES)] : NULL, 1 + number(4)};
    for (int i = 0; i < task->ndepends; i++)
      if (!task->depends[i].address) task->depends[i].kind = MCK_DEPEND_OUT;
    mck_task_depend(task->task, task->depends, (uint32_t)task->ndepends);
  }
  if (!number(4)) { // detach: the creator fulfills the event
    point(by);
    mck_task_fulfill(task->task, strand_of(by));
    add_all(&task->end, &by->before);
    point(by);
  }
  if (is_undeferred) run_task(thread, task);
}

// taskwait with depend: a task without a body.
static void wait_depend(struct unit *by) {
  struct unit task = {.parent = by, .ndepends = 1, .is_explicit = true};
  task.depends[0] = (struct mck_depends){&memory[number(ADDRESSES)], 1 + number(2)};
  for (struct unit *u = units; u < units + nunits; u++)
    if (u->is_explicit && u->parent == by && !u->has_ended && conflict(u, &task)) return; // it would wait
  task.task = mck_task_create(by->task, strand_of(by), true, NULL);
  mck_task_depend(task.task, task.depends, 1);
  mck_task_wait_depend(task.task, strand_of(by));
  for (struct unit *u = units; u < units + nunits; u++)
    if (u->is_explicit && u->parent == by && conflict(u, &task)) add_all(&by->before, &u->end);
}

static void fork_team(struct thread *thread, struct unit *by) {
  static struct team teams[UNITS];
  int n = 1 + (int)number(3);
  if (nunits + n > max_units || nthreads + n > THREADS || thread->depth == STACK) return;
  struct team *team = &teams[nunits];
  *team = (struct team){.team = mck_team_fork(strand_of(by), NULL), .by = by, .n = n, .nbarriers = (int)number(3)};
  by->waiting = IN_TEAM;
  for (int i = 0; i < n; i++) {
    struct unit *unit = make(by, team);
    unit->index = i;
    unit->before = by->before;
    if (i) threads[nthreads] = (struct thread){.depth = 0}, push(&threads[nthreads++], unit);
    else push(thread, unit);
  }
}

static void create_thread(struct unit *by) {
  if (nunits >= max_units || nthreads == THREADS) return;
  struct unit *unit = make(by, NULL);
  struct mck_times created = {0};
  mck_strand_release(strand_of(by), &created);
  unit->thread = mck_strand_new(&created, &(struct mck_strand_info){.kind = MCK_STRAND_THREAD});
  mck_times_clear(&created);
  unit->before = by->before;
  threads[nthreads] = (struct thread){.depth = 0};
  push(&threads[nthreads++], unit);
}

static struct mck_times ends[UNITS]; // of threads

static void use_lock(struct unit *unit) {
  if (unit->lock >= 0) {
    struct lock *lock = &locks[unit->lock];
    unsigned word = number(WORDS_OF_LOCK), what = number(5);
    uintptr_t address = (uintptr_t)&words[word];
    if (unit->is_known && what == 0) {
      mck_section_load(strand_of(unit), &lock->lock, address + number(4), 1);
      add_all(&unit->before, &lock->values[word]);
      return point(unit);
    }
    if (unit->is_known && what == 1) {
      bool is_whole = number(3);
      mck_section_store(strand_of(unit), is_whole ? address : address + 1, is_whole ? 4 : 2);
      unit->stores |= 1u << word | (unsigned)is_whole << (word + 8);
      return;
    }
    for (unsigned i = 0; i < WORDS_OF_LOCK; i++)
      if (unit->is_known && unit->stores >> i & 1) {
        if (unit->stores >> (i + 8) & 1) lock->values[i] = (struct set){0};
        add_all(&lock->values[i], &unit->before);
      }
    if (!unit->is_known) add_all(&lock->unknown, &unit->before);
    mck_lock_release(strand_of(unit), &lock->lock, lock);
    add_all(&lock->released, &unit->before);
    if (unit->is_shared) lock->nreaders--;
    else lock->nwriters--, add_all(&lock->written, &unit->before);
    unit->lock = -1, unit->is_shared = unit->is_known = false, unit->stores = 0;
    return;
  }
  int i = (int)number(LOCKS);
  bool is_shared = i && !number(2);
  struct lock *lock = &locks[i];
  if (lock->nwriters || (!is_shared && lock->nreaders)) return; // it would wait
  mck_lock_acquire(strand_of(unit), &lock->lock, lock, is_shared);
  if (!is_shared && number(2)) {
    unit->is_known = true;
    mck_section_known(strand_of(unit), &lock->lock);
    add_all(&unit->before, &lock->unknown);
  } else add_all(&unit->before, is_shared ? &lock->written : &lock->released);
  *(is_shared ? &lock->nreaders : &lock->nwriters) += 1;
  unit->lock = i, unit->is_shared = is_shared;
  unit->section = ++nsections;
}

static void use_semaphore(struct unit *unit) {
  int i = (int)number(SEMS); // its first value is i
  struct sem *sem = &sems[i];
  if (number(2)) {
    if (sem->nposts == 64) return;
    mck_semaphore_post(&sem->sem, strand_of(unit));
    sem->posts[sem->nposts++] = unit->before;
  } else if (sem->nwaits < sem->nposts + i) {
    mck_semaphore_wait(&sem->sem, strand_of(unit));
    for (int k = 0; k < ++sem->nwaits - i; k++, sem->nwaits--) add_all(&unit->before, &sem->posts[k]);
  }
}

static bool has_open_tasks(const struct team *team) {
  for (const struct unit *u = units; u < units + nunits; u++)
    if (u->is_explicit && u->team == team && !u->has_ended) return true;
  return false;
}

static bool is_below(const struct unit *u, const struct group *group) { // created in the group
  const struct group *g = u->within;
  while (g && g != group) g = g->outer;
  return g;
}

static void pop(struct thread *thread) { thread->depth--; }

static void end(struct thread *thread, struct unit *unit) {
  if (unit->is_explicit) {
    add_all(&unit->end, &unit->before);
    unit->has_ended = true;
    struct unit *parent = unit->parent;
    mck_task_complete(unit->task);
    if (unit->is_undeferred) add_all(&parent->before, &unit->end);
    pop(thread);
  } else if (unit->team && unit->team->n > 1) {
    unit->waiting = AT_LAST, unit->end = unit->before, unit->team->nlast++;
    mck_task_arrive(unit->task, true);
  } else if (unit->team) {
    unit->waiting = AT_LAST, unit->end = unit->before, unit->team->nlast++;
  } else if (unit->parent) { // a thread
    unit->end = unit->before, unit->has_ended = true;
    mck_strand_end(strand_of(unit), &ends[unit - units]);
    unit->task->strand = NULL;
    mck_task_implicit_end(unit->task);
    pop(thread);
  } else { // the main thread: it joins the others
    for (struct unit *u = units; u < units + nunits; u++)
      if (!u->is_explicit && !u->team && u != unit && !u->joined && !(is_detaching && (u - units) % 5 == 3)) {
        unit->joined = u, unit->waiting = JOINING;
        return;
      }
    pop(thread);
  }
}

// Returns whether the unit goes on.
static bool try_go_on(struct thread *thread, struct unit *unit) {
  struct team *team = unit->team;
  switch (unit->waiting) {
  case RUNS:
  case IN_TEAM: return true;
  case AT_BARRIER:
    if (team->nmet == unit->phase) {
      if (team->narrived < team->n * (unit->phase + 1) || has_open_tasks(team)) return false;
      team->nmet++;
      for (struct unit *u = units; u < units + nunits; u++)
        if (u->team == team && (u->is_explicit ? u->has_ended : true)) add_all(&team->met, &u->end);
    }
    add_all(&unit->before, &team->met);
    unit->phase++;
    mck_task_leave(unit->task);
    break;
  case AT_LAST:
    if (team->nlast < team->n || has_open_tasks(team)) return false;
    if (unit->index) { // the thread goes, its task is ended later
      if (number(2)) mck_task_implicit_end(unit->task);
      pop(thread);
      return false;
    }
    mck_task_implicit_end(unit->task);
    struct mck_strand *strand = strand_of(team->by);
    mck_team_join(team->team, strand);
    for (struct unit *u = units; u < units + nunits; u++)
      if (u->team == team) add_all(&team->by->before, &u->end);
    team->by->waiting = RUNS;
    pop(thread);
    return false;
  case IN_TASKWAIT:
    for (struct unit *u = units; u < units + nunits; u++)
      if (u->is_explicit && u->parent == unit && !u->has_ended) return false;
    for (struct unit *u = units; u < units + nunits; u++)
      if (u->is_explicit && u->parent == unit) add_all(&unit->before, &u->end);
    mck_task_wait(unit->task);
    break;
  case IN_GROUP:
    for (struct unit *u = units; u < units + nunits; u++)
      if (u->is_explicit && is_below(u, unit->group) && !u->has_ended) return false;
    for (struct unit *u = units; u < units + nunits; u++)
      if (u->is_explicit && is_below(u, unit->group)) add_all(&unit->before, &u->end);
    mck_task_group_end(unit->task);
    unit->group = unit->group->outer, unit->ngroups--;
    break;
  case JOINING:
    if (!unit->joined->has_ended) return false;
    add_all(&unit->before, &unit->joined->end);
    mck_strand_acquire(strand_of(unit), &ends[unit->joined - units]);
    mck_strand_joined(strand_of(unit));
    unit->joined->joined = unit;
    break;
  }
  unit->waiting = RUNS;
  return true;
}

static void operate(struct thread *thread, struct unit *unit) {
  static struct group groups[UNITS * 16];
  static int ngroups;
  if (unit->nops <= 0 && unit->lock < 0) {
    if (unit->ngroups) unit->waiting = IN_GROUP;
    else end(thread, unit);
    return;
  }
  unit->nops--;
  point(unit);
  if (unit->lock >= 0) return use_lock(unit);
  switch (number(14)) {
  case 0:
  case 1:
  case 2: create(thread, unit); break;
  case 3: unit->waiting = IN_TASKWAIT; break;
  case 4:
    if (unit->ngroups < 2) {
      struct group *group = &groups[ngroups++ % (UNITS * 16)];
      group->outer = unit->group, unit->group = group, unit->ngroups++;
      mck_task_group_begin(unit->task);
    } else unit->waiting = IN_GROUP;
    break;
  case 5:
  case 6:
    if (!unit->is_explicit && unit->team && unit->team->n > 1 && !unit->ngroups && number(2)) break;
    fork_team(thread, unit);
    break;
  case 7:
    if (!unit->team && !unit->is_explicit && !unit->parent) create_thread(unit);
    break;
  case 8:
  case 9:
  case 10: use_lock(unit); break;
  case 11: use_semaphore(unit); break;
  case 12: wait_depend(unit); break;
  case 13: // whether all members come to it is decided for the team
    break;
  }
}

static void step(struct thread *thread) {
  if (!thread->depth) return;
  struct unit *unit = thread->stack[thread->depth - 1];
  if (!unit->has_begun) { // a thread, or an implicit task
    unit->has_begun = true;
    if (unit->team) unit->task = mck_task_implicit(unit->team->team, (uint32_t)unit->index, (uint32_t)unit->team->n);
    else if (unit->thread) unit->task = mck_task_initial(unit->thread);
    EXPECT(unit->task->strand);
    return;
  }
  if (unit->waiting != RUNS && !try_go_on(thread, unit)) {
    // It may run a task meanwhile.
    if (!unit->team || unit->waiting == JOINING || unit->waiting == RUNS || thread->depth == STACK) return;
    int first = (int)number((unsigned)nunits);
    for (int i = 0; i < nunits; i++) {
      struct unit *task = &units[(first + i) % nunits];
      if (task->is_explicit && task->team == unit->team && !task->has_begun && is_ready(task))
        return run_task(thread, task);
    }
    return;
  }
  // Now and then all members of a team come to a barrier: each has as many of them.
  if (unit->team && !unit->is_explicit && unit->team->n > 1 && unit->lock < 0 && !unit->ngroups &&
      unit->phase < unit->team->nbarriers && unit->nops <= 3 * (2 - unit->phase)) {
    point(unit);
    unit->waiting = AT_BARRIER, unit->end = unit->before, unit->team->narrived++;
    mck_task_arrive(unit->task, false);
    return;
  }
  operate(thread, unit);
}

static void check_pairs(void) {
  for (int i = 0; i < npoints; i++)
    for (int k = 0; k < i; k++) {
      // An era that has ended since puts what came before its end before all that follows.
      if (points[i].taken && points[i].era == mck_strand_era)
        EXPECT(mck_clock_set_has(points[i].taken, points[k].moment) == has(&points[i].before, k));
      bool excludes = points[i].lock >= 0 && points[i].lock == points[k].lock &&
                      points[i].section != points[k].section && !(points[i].is_shared && points[k].is_shared);
      if (points[i].lock >= 0 && points[k].lock >= 0 && points[i].held.n == 1 && points[k].held.n == 1)
        EXPECT(mck_held_excludes(&points[i].held, &points[k].held) == excludes);
    }
}

static uint64_t npairs, nordered;
static void run_program(bool is_last) {
  state = seed * 2654435761u | 1;
  nunits = npoints = 0, nthreads = 1;
  max_units = 4 << number(6);
  is_detaching = is_last;
  is_detached |= is_last;
  memset(sems, 0, sizeof sems);
  for (int i = 0; i < SEMS; i++) sems[i].sem.is_known = true, sems[i].sem.first = (uint64_t)i;
  for (int i = 0; i < LOCKS; i++) memset(&locks[i].released, 0, (3 + WORDS_OF_LOCK) * sizeof(struct set));
  for (int i = 0; i < LOCKS; i++) mck_lock_clear(&locks[i].lock);
  struct unit *unit = make(NULL, NULL);
  unit->has_begun = true, unit->nops = 10 + (int)number(20);
  unit->task = mck_task_initial(main_strand);
  threads[0] = (struct thread){.depth = 0};
  push(&threads[0], unit);
  for (int i = 0; threads[0].depth; i++) {
    EXPECT(i < 10000000);
    step(&threads[number((unsigned)nthreads)]);
  }
  EXPECT(is_detached || (mck_strand_live == 1 && !mck_thread_is_parallel));
  check_pairs();
  for (int i = 0; i < npoints; i++)
    for (int k = 0; k < i; k++) npairs++, nordered += has(&points[i].before, k);
  for (int i = 0; i < npoints; i++) mck_clock_set_release(points[i].taken);
  for (int i = 0; i < UNITS; i++) mck_times_clear(&ends[i]);
  for (int i = 0; i < SEMS; i++) {
    mck_times_clear(&sems[i].sem.passed);
    for (uint64_t k = sems[i].sem.npassed; k < sems[i].sem.nposts; k++) mck_times_clear(&sems[i].sem.posts[k]);
    mck_thread_free(sems[i].sem.posts);
  }
}

int main(int argc, char **argv) {
  unsigned nprograms = argc > 1 ? (unsigned)atoi(argv[1]) : 1000, first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  mck_thread_begin();
  main_strand = mck_strand_self;
  for (seed = first; seed < first + nprograms; seed++) run_program(seed > first + nprograms / 20 * 19);
  printf("ok: %u programs, %llu pairs of points, %llu ordered, %u eras\n", nprograms, (unsigned long long)npairs,
         (unsigned long long)nordered, mck_strand_era);
  return 0;
}
