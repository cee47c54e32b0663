// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The OMPT tool (OpenMP 5.2, chapter 19): OpenMP's library tells what happens, and task-order.c makes order of it.
// LLVM's library finds ompt_start_tool in the address space when OpenMP is first used, which may be before MPI_Init.
#include <dlfcn.h>
#include <string.h>
#include <stdlib.h>
#include <omp-tools.h>
#include "base/hash-table.h"
#include "thread/intercept/caller.h"
#include "thread/intercept/ompt-tool.h"
#include "thread/sync-object.h"
#include "thread/task-order.h"
#include "thread/thread-order.h"
#include "thread/thread-core.h"
#include "thread/room-memory.h"

static void parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *place) {
  (void)encountering, (void)frame, (void)flags;
  mck_slot_end();
  if (requested > 1 && mck_thread_tell_several) mck_thread_tell_several();
  mck_thread_lock();
  mck_caller_look_at_libraries();
  parallel->ptr = mck_team_fork(mck_strand_self, place);
  mck_thread_unlock();
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *encountering, int flags, const void *place) {
  (void)encountering, (void)flags, (void)place;
  if (!parallel || !parallel->ptr) return;
  mck_thread_lock();
  mck_team_join(parallel->ptr, mck_strand_self);
  mck_thread_unlock();
  parallel->ptr = NULL;
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned n,
                          unsigned index, int flags) {
  if (endpoint == ompt_scope_begin) mck_slot_end();
  if (!task) return;
  mck_thread_lock();
  if (endpoint == ompt_scope_end) {
    if (task->ptr) mck_task_implicit_end(task->ptr);
    task->ptr = NULL;
  } else if (parallel && parallel->ptr) {
    struct mck_task *implicit = mck_task_implicit(parallel->ptr, index, n);
    task->ptr = implicit;
    mck_strand_self = implicit ? implicit->strand : NULL;
  } else if (flags & ompt_task_initial) task->ptr = mck_task_initial(mck_strand_self);
  mck_thread_unlock();
}

static void task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *created, int flags,
                        int has_dependences, const void *place) {
  (void)frame, (void)has_dependences;
  if (!encountering || !encountering->ptr || flags & ompt_task_initial) return;
  mck_thread_lock();
  created->ptr = mck_task_create(encountering->ptr, mck_strand_self, flags & ompt_task_undeferred, place);
  mck_thread_unlock();
}

// The memory of a task that has ended will be that of other ones: its variables on the stack, which lay below the frame
// that has called it, and what OpenMP's library has kept for it behind its data. The next tasks get both.
static void tell_left(const ompt_data_t *task) {
  enum { FRAMES = 512, STACK = 1 << 18, DATA = 1 << 14 };
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0), data = (uintptr_t)task;
  if (!mck_thread_tell_left) return;
  mck_thread_tell_left(frame - STACK, frame + FRAMES);
  mck_thread_tell_left(data, data + DATA);
}

enum { TASKWAIT_COMPLETE = 8 }; // of ompt_task_status_t, in OpenMP 5.1
static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  struct mck_task *before = prior ? prior->ptr : NULL, *then = next ? next->ptr : NULL;
  bool is_left = before && ((int)status == ompt_task_switch || (int)status == ompt_task_yield);
  mck_thread_lock();
  if (before) switch ((int)status) {
    case ompt_task_complete:
    case ompt_task_cancel: mck_task_complete(before), prior->ptr = NULL; break;
    case ompt_task_late_fulfill:
      mck_task_fulfill(before, mck_strand_self);
      mck_task_complete(before), prior->ptr = NULL;
      break;
    case ompt_task_early_fulfill: mck_task_fulfill(before, mck_strand_self); break;
    case ompt_task_detach: mck_task_finish(before); break;
    case TASKWAIT_COMPLETE: mck_task_wait_depend(before, mck_strand_self), prior->ptr = NULL; break;
    default: break;
    }
  if (then) mck_strand_self = mck_task_run(then, mck_strand_self);
  mck_thread_unlock();
  // A thread that waits may run tasks meanwhile.
  if (is_left) before->wait = mck_slot_state();
  struct mck_slot_state wait = {0};
  if (then) wait = then->wait, then->wait = (struct mck_slot_state){0};
  mck_slot_restore(wait);
  if (status == ompt_task_complete || status == ompt_task_detach) tell_left(prior);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                        ompt_data_t *task_data, const void *place) {
  (void)parallel, (void)place;
  struct mck_task *task = task_data ? task_data->ptr : NULL;
  if (!task) return;
  mck_thread_lock();
  switch ((int)kind) {
  case ompt_sync_region_barrier_explicit:
  case ompt_sync_region_barrier_implementation:
  case ompt_sync_region_barrier_implicit_workshare:
  case 1: // ompt_sync_region_barrier, and _implicit, of OpenMP 5.0
  case 2:
    if (endpoint == ompt_scope_begin) mck_task_arrive(task, false);
    else mck_task_leave(task);
    break;
  case ompt_sync_region_barrier_implicit_parallel:
    if (endpoint != ompt_scope_begin) break; // the region's end takes all
    mck_task_arrive(task, true);
    mck_strand_self = task->strand;
    break;
  case ompt_sync_region_taskwait:
    if (endpoint != ompt_scope_begin) mck_task_wait(task);
    break;
  case ompt_sync_region_taskgroup:
    if (endpoint == ompt_scope_begin) mck_task_group_begin(task);
    else mck_task_group_end(task);
    break;
  default: break;
  }
  mck_thread_unlock();
}

static void work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                 uint64_t count, const void *place) {
  (void)task, (void)count, (void)place;
  const struct mck_team *team = parallel ? parallel->ptr : NULL;
  if (kind == ompt_work_single_executor && team && team->n > 1 && mck_thread_tell_luck)
    mck_thread_tell_luck(endpoint == ompt_scope_begin);
}

static enum mck_slot_wait wait_of(int kind) {
  switch (kind) {
  case ompt_sync_region_taskwait:
  case ompt_sync_region_taskgroup: return MCK_SLOT_OMP_TASKS;
  case ompt_sync_region_reduction: return MCK_SLOT_RUNS;
  default: return MCK_SLOT_OMP_BARRIER;
  }
}

static void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, const void *place) {
  (void)parallel, (void)task, (void)place;
  if (endpoint == ompt_scope_begin) mck_slot_begin(wait_of((int)kind), 0);
  else mck_slot_end();
}

static void thread_begin(ompt_thread_t kind, ompt_data_t *data) {
  data->value = !mck_slot_own;
  mck_slot_claim(kind == ompt_thread_worker);
}
static void thread_end(ompt_data_t *data) {
  if (data->value) mck_slot_release();
}

// Of a doacross loop, each point of the iteration space (all dimensions together) is a synchronization object.
static const void *point_of(const struct mck_task *task, const ompt_dependence_t *points, int n) {
  uint64_t hash = mck_table_mix((uintptr_t)task->team, (uint64_t)n);
  for (int i = 0; i < n; i++) hash = mck_table_mix(hash, points[i].variable.value);
  return (const void *)(uintptr_t)hash;
}

static void dependences(ompt_data_t *task_data, const ompt_dependence_t *list, int n) {
  struct mck_task *task = task_data ? task_data->ptr : NULL;
  if (!task || n <= 0) return;
  mck_thread_lock();
  if (list[0].dependence_type == ompt_dependence_type_source || list[0].dependence_type == ompt_dependence_type_sink) {
    struct mck_sync *point = mck_sync_get(point_of(task, list, n), MCK_SYNC_ORDERED);
    if (!point || !task->strand) {
    } else if (list[0].dependence_type == ompt_dependence_type_source) mck_strand_release(task->strand, &point->clock);
    else mck_strand_acquire(task->strand, &point->clock);
    return mck_thread_unlock();
  }
  struct mck_depends *depends = mck_thread_alloc((size_t)n * sizeof *depends);
  for (int i = 0; i < n && depends; i++) {
    depends[i].address = list[i].variable.ptr;
    switch ((int)list[i].dependence_type) {
    case ompt_dependence_type_in: depends[i].kind = MCK_DEPEND_IN; break;
    case ompt_dependence_type_mutexinoutset: depends[i].kind = MCK_DEPEND_MUTEX; break;
    case ompt_dependence_type_inoutset: depends[i].kind = MCK_DEPEND_SET; break;
    case ompt_dependence_type_out_all_memory:
    case ompt_dependence_type_inout_all_memory: depends[i].address = NULL; // fall through
    default: depends[i].kind = MCK_DEPEND_OUT; break;
    }
  }
  if (depends) mck_task_depend(task, depends, (uint32_t)n);
  mck_thread_free(depends);
  mck_thread_unlock();
}

static void mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
                          const void *place) {
  (void)hint, (void)implementation, (void)place, (void)id;
  switch ((int)kind) {
  case ompt_mutex_lock:
  case ompt_mutex_critical: mck_slot_begin(MCK_SLOT_OMP_LOCK, 0); break;
  case ompt_mutex_ordered: mck_slot_begin(MCK_SLOT_OMP_ORDERED, 0); break;
  default: break; // tests do not wait; the end of the wait for a nested lock is not always told
  }
}

// Ordered regions follow one another in the order of the iterations (OpenMP 5.2, 15.10): that is no lock. It is
// recorded also where one strand lives: what that holds it may give back beside others.
static struct mck_sync *mutex_of(ompt_mutex_t kind, ompt_wait_id_t id) {
  return mck_sync_get((void *)id, kind == ompt_mutex_ordered ? MCK_SYNC_ORDERED : MCK_SYNC_LOCK);
}

static void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *place) {
  (void)place;
  mck_slot_end();
  if (!mck_strand_self) return;
  mck_thread_lock();
  struct mck_sync *sync = mutex_of(kind, id);
  if (sync) mck_sync_acquired(sync, mck_strand_self);
  mck_thread_unlock();
}

static void mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *place) {
  (void)place;
  if (!mck_strand_self) return;
  mck_thread_lock();
  struct mck_sync *sync = mutex_of(kind, id);
  if (sync) mck_sync_released(sync, mck_strand_self);
  mck_thread_unlock();
}

static void lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *place) {
  (void)kind, (void)place;
  mck_thread_lock();
  mck_sync_remove((void *)id, MCK_SYNC_LOCK);
  mck_thread_unlock();
}

bool mck_ompt_is_active, mck_ompt_was_asked;
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  if (!set) return 0;
  bool is_complete = true;
#define SET(name)                                                                                                      \
  if (set(ompt_callback_##name, (ompt_callback_t)(name)) != ompt_set_always) is_complete = false
  SET(parallel_begin);
  SET(parallel_end);
  SET(implicit_task);
  SET(task_create);
  SET(task_schedule);
  SET(sync_region);
  SET(sync_region_wait);
  SET(thread_begin);
  SET(thread_end);
  SET(dependences);
  SET(mutex_acquire);
  SET(mutex_acquired);
  SET(mutex_released);
  SET(lock_destroy);
#undef SET
  set(ompt_callback_work, (ompt_callback_t)work); // the order of threads needs none of it
  mck_ompt_is_active = is_complete;
  return is_complete; // 0: without some of the events there is no order: OpenMP's library calls us no more
}

static void finalize(ompt_data_t *data) { (void)data; }

// Archer does nothing without ThreadSanitizer, and OpenMP's library goes on to ask for a tool: then it may be us.
static bool is_archer_only(const char *libraries) {
  for (const char *end; *libraries; libraries = *end ? end + 1 : end) {
    end = libraries + strcspn(libraries, ":");
    const char *name = end;
    while (name > libraries && name[-1] != '/') name--;
    if (end - name != (ptrdiff_t)strlen("libarcher.so") || strncmp(name, "libarcher.so", (size_t)(end - name)))
      return false;
  }
  return true;
}

MCK_EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  const char *libraries = getenv("OMP_TOOL_LIBRARIES");
  mck_ompt_was_asked = true;
  // Another tool is wanted (Archer, where there is ThreadSanitizer). There can be one only: the order is not known
  // then.
  if ((libraries && !is_archer_only(libraries)) || dlsym(RTLD_DEFAULT, "__tsan_init")) return NULL;
  ompt_start_tool_result_t *(*next)(unsigned, const char *) = (ompt_start_tool_result_t * (*)(unsigned, const char *))
      dlsym(RTLD_NEXT, "ompt_start_tool");
  ompt_start_tool_result_t *other = next ? next(omp_version, runtime_version) : NULL;
  return other ? other : &result;
}
