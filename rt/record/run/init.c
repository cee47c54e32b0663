// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The start of a run, in MPI_Init, and the hooks of MPI_Init, MPI_Finalize and MPI_Abort.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "base/memory-failure.h"
#include "base/own-command.h"
#include "record/content/content.h"
#include "record/access/access-sample.h"
#include "record/buffer/buffer-bytes.h"
#include "record/run/log-budget.h"
#include "record/run/deadlock-report.h"
#include "record/run/hang-report.h"
#include "record/object/new-request.h"
#include "record/run/sanitizer-advice.h"
#include "record/call/profiling.h"
#include "record/call/thread-level.h"
#include "record/run/node-agreement.h"
#include "record/replay/online-run.h"
#include "record/run/log-directory.h"
#include "record/replay/replay.h"
#include "record/rma/operation-buffer.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call.h"
#include "record/call/python-frame.h"
#include "record/call/module.h"
#include "record/call/stack.h"
#include "record/error/error-handler.h"
#include "record/error/local-finding.h"
#include "record/run/finalize.h"
#include "record/run/process-end.h"
#include "record/run/self-attribute.h"
#include "record/run/warned-place.h"
#include "record/runtime.h"
#include "report/why.h"
#include "watch/watch.h"
#include "thread/intercept/library-leaks.h"
#include "thread/thread-slot.h"

// Spawned processes are a world of their own with their own ranks (MPI-3.1 10.3.2), but have their parent's
// environment.
static bool is_spawned;
// Read once: MPI_Init changes the environment while other threads may call MPI_Initialized.
static char *given;
static const char *given_dir(void) { return is_spawned ? NULL : given; }

static int environment_rank(void) {
  const char *names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && value[0]) return atoi(value);
  }
  return 0;
}

__attribute__((constructor)) static void load(void) {
  char error[512];
  int saved = errno;
  if (!mck_options_parse(getenv("MPICC_CHECK_OPTIONS"), error, sizeof error) ||
      !mck_why_is_valid(error, sizeof error)) {
    // The run is refused before anything was computed: if a misspelt option were ignored, a check would not be made.
    if (environment_rank() == 0) fprintf(stderr, "==mpicc-check== error: %s\n", error);
    _exit(2);
  }
  if (mck_options.help && environment_rank() == 0) mck_options_help();
  const char *dir = getenv("MPICC_CHECK_DIR");
  given = dir ? strdup(dir) : NULL;
  mck_rt.is_under_mpirun_check = given != NULL;
  mck_rt.rank = environment_rank(); // before MPI_Init nothing else says which rank this is
  if (given) snprintf(mck_rt.dir, sizeof mck_rt.dir, "%s", given);
  mck_rt.is_on = mck_options.on;
  errno = saved;
}

static bool create_log(uint32_t rank, uint32_t size, char *error, size_t error_size) {
  const char *why = "";
  int code = mck_log_create(&mck_rt.log, mck_rt.dir, rank, size, mck_rt.job, (uint64_t)mck_options.log_limit << 20,
                            &why);
  if (!code) {
    atomic_store_explicit(&mck_rt.log.header->calls, mck_rt.calls, memory_order_relaxed); // MPI_Init and those before
    mck_process_end_install();
    mck_python_find();
    mck_python_script(mck_rt.log.header->program, sizeof mck_rt.log.header->program);
    return true;
  }
  snprintf(error, error_size,
           "cannot make the log %s/rank-%u.log: %s: %s; free some space or name another directory with log_dir=",
           mck_rt.dir, rank, why, strerror(code));
  return false;
}

static unsigned nthreads_before, nthreads_after; // around PMPI_Init

// Who we are: rank, size, a communicator of our own, a number for the job.
static bool join_world(void) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &mck_rt.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &mck_rt.size);
  if (PMPI_Comm_dup(MPI_COMM_WORLD, &mck_rt.comm) != MPI_SUCCESS) return false;
  MPI_Comm parent;
  if (PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL) {
    is_spawned = true; // spawned processes report on their own, beside their parents
    mck_rt.is_under_mpirun_check = false;
    mck_options.report[0] = mck_options.json[0] = 0;
  }
  void *value;
  int there = 0;
  if (!PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &there) && there) mck_rt.tag_ub = *(int *)value;
  uint64_t job = 0;
  if (mck_rt.rank == 0 && getrandom(&job, sizeof job, 0) != sizeof job) job = (uint64_t)getpid();
  PMPI_Bcast(&job, 1, MPI_UINT64_T, 0, mck_rt.comm);
  mck_rt.job = job;
  return true;
}

static void remove_log(void) {
  char path[sizeof mck_rt.dir + 32];
  snprintf(path, sizeof path, "%s/rank-%d.log", mck_rt.dir, mck_rt.rank);
  unlink(path);
  mck_log_close(&mck_rt.log, MCK_LOG_FINALIZED);
  mck_log_directory_remove(mck_rt.dir, given_dir() != NULL);
}

// What the ranks agree on when they have made their logs.
struct agreement {
  bool is_one_node; // all ranks are on one node
  bool is_online;   // all ranks have clocks=online
};

// Makes the log; all ranks have one, or none goes on. The terms of all ranks come together in one MPI_Allreduce, of
// which each rank has the minimum: the first rank without a log, the terms of log-budget.h, whether the clocks are
// online.
static bool make_logs(struct agreement *agreed) {
  enum { FAILED = 0, BUDGET = 1, ONLINE = 1 + MCK_BUDGET_TERMS, TERMS };
  const int none = INT_MAX;
  char error[sizeof mck_rt.dir + 512] = "";
  bool is_made = mck_log_directory_make(mck_rt.dir, sizeof mck_rt.dir, given_dir(), mck_rt.job, mck_nodes_simulated(),
                                        error, sizeof error) &&
                 create_log((uint32_t)mck_rt.rank, (uint32_t)mck_rt.size, error, sizeof error);
  int terms[TERMS] = {[FAILED] = is_made ? none : mck_rt.rank};
  terms[ONLINE] = strcmp(mck_options.clocks, "online") == 0;
  if (is_made) mck_budget_open(mck_rt.dir, terms + BUDGET);
  PMPI_Allreduce(MPI_IN_PLACE, terms, TERMS, MPI_INT, MPI_MIN, mck_rt.comm);
  agreed->is_one_node = is_made && mck_budget_agreed(mck_rt.dir, terms + BUDGET);
  agreed->is_online = terms[ONLINE];
  if (terms[FAILED] == none) return true;
  if (terms[FAILED] == mck_rt.rank) mck_base_warn("%s; nothing is checked in this run", error);
  if (is_made) remove_log();
  return false;
}

// From here on an absent event proves nothing.
static void note_memory_failure(void) {
  static atomic_flag is_said = ATOMIC_FLAG_INIT;
  struct mck_log_header *header = mck_rt.log.header;
  if (header) atomic_store(&header->is_incomplete, MCK_LOG_HOLES);
  if (!atomic_flag_test_and_set(&is_said))
    mck_base_warn("rank %d has no memory for a part of what is to be recorded: the run is not checked completely",
                  mck_rt.rank);
}

// Writes into the new log what was before it, and makes ready what needs the log.
static void begin_recording(bool has_online_clocks, bool is_one_node) {
  mck_rt.log.header->is_kept = mck_options.keep_logs;
  atomic_store(&mck_rt.log.header->lacks, atomic_load(&mck_rt.lacks));
  mck_slots_move(mck_rt.log.header->threads);
  atomic_store(&mck_rt.log.header->main_slot, mck_slot_own);
  MPI_Request shared; // see object/request.c
  PMPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, mck_rt.comm, &shared);
  mck_request_init(shared);
  PMPI_Wait(&shared, MPI_STATUS_IGNORE);
  mck_stack_rewrite();
  mck_module_define_all(true);
  mck_object_init(&mck_rt.log);
  for (size_t i = 0; i < mck_rt.findings.count; i++) mck_local_done(&mck_rt.findings.items[i]);
  mck_warned_begin();
  mck_profiling_look();
  mck_replay_open();
  if (mck_rt.rank == 0 && !is_spawned) mck_own_command_note(mck_rt.size);
  mck_self_set();
  mck_memory_set_hook(note_memory_failure);
  if (mck_memory_failures()) note_memory_failure();
  mck_content_open();
  if (has_online_clocks) mck_online_start(is_one_node);
  mck_handlers_install();
  mck_hang_listen();
}

// 0 on one rank of each node.
static int find_local_rank(void) {
  int rank = 0;
  const char *text = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
  if (mck_nodes_are_several()) return !mck_nodes_is_leader();
  if (text && text[0]) return atoi(text);
  MPI_Comm node;
  PMPI_Comm_split_type(mck_rt.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  PMPI_Comm_rank(node, &rank);
  PMPI_Comm_free(&node);
  return rank;
}

// One rank of each node cleans up and has the watch.
static void start_watch(void) {
  int local_rank = find_local_rank();
  bool has_watch = mck_options.watch && local_rank == 0;
  if (local_rank == 0) mck_log_directory_clean(mck_rt.dir, given_dir() != NULL);
  if (mck_rt.is_multiple)
    atomic_store(&mck_rt.log.header->nothers,
                 1 + (nthreads_after > nthreads_before ? nthreads_after - nthreads_before : 0) + has_watch);
  mck_watch_set_note(mck_hang_note);
  mck_watch_set_where(mck_hang_where);
  mck_watch_set_suspect(mck_deadlock_find_suspects);
  mck_nodes_start_watch();
  if (!has_watch) return;
  int rc = mck_watch_start(mck_rt.dir, (uint32_t)mck_rt.size, (unsigned)mck_options.watch_period, mck_deadlock_report,
                           NULL);
  if (!rc) return;
  if (mck_rt.is_multiple) atomic_fetch_sub(&mck_rt.log.header->nothers, 1);
  mck_base_warn("rank %d cannot start the thread that looks for deadlocks (%s): a deadlock hangs as without checks",
                mck_rt.rank, strerror(rc));
}

bool mck_start(void) {
  struct agreement agreed;
  if (!join_world() || !make_logs(&agreed)) return false;
  begin_recording(agreed.is_online, agreed.is_one_node);
  mck_request_find_valgrind();
  // With the content of buffers, online clocks or several threads in MPI, events refer to others by their indices.
  mck_rt.log.repeat.after = mck_rt.is_followed || mck_rt.is_multiple ? 0 : MCK_REPEAT_AFTER;
  mck_rt.is_ready = true;
  if (!agreed.is_one_node) mck_nodes_agree();
  start_watch();
#ifndef MCK_SANITIZE
  if (!mck_rt.rank) mck_sanitizer_advise(mck_is_locked());
#endif
  return true;
}

void mck_init_before(struct mck_call *call, struct mck_args *a) {
  nthreads_before = a->required == MPI_THREAD_MULTIPLE ? mck_base_count_threads(getpid()) : 0;
  if (mck_rt.is_initialized && !mck_rt.is_finalized)
    mck_local_report(call, MCK_CHECK_INIT_TWICE, "%s is called a second time", mck_fn_names[call->fn]);
  mck_library_leaks_begin();
}

static void begin_run(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || mck_rt.is_initialized) return;
  mck_rt.is_initialized = true;
  mck_level_init(call, a);
  nthreads_after = mck_rt.is_multiple && nthreads_before ? mck_base_count_threads(getpid()) : 0;
  if (!mck_start()) {
    mck_rt.is_on = mck_rt.is_ready = false;
    return;
  }
  mck_access_sample_watch();
  mck_lock();
  mck_event_plain(call);
  mck_unlock();
}

void mck_init_after(struct mck_call *call, struct mck_args *a, int rc) {
  begin_run(call, a, rc);
  mck_library_leaks_end(); // our own attribute of MPI_COMM_SELF is in it
}

void mck_finalize_before(struct mck_call *call, struct mck_args *a) {
  (void)a;
  mck_library_leaks_begin();
  if (!mck_rt.is_ready) return;
  if (mck_rt.is_attribute_user) mck_self_begin(call);
  else mck_finish(call);
}

void mck_finalize_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)call, (void)a, (void)rc;
  mck_library_leaks_end();
  if (mck_self_end())
    mck_base_warn("an attribute callback of rank %d failed in MPI_Finalize: the run is not judged", mck_rt.rank);
  mck_rt.is_ready = false;
  mck_rt.is_finalized = true;
  if (!mck_library_leaks_are_looked_for()) return;
  mck_lock();
  mck_memory_forget();
  mck_range_set_forget_hulls();
  mck_request_forget_addresses();
  mck_operation_forget_addresses();
  mck_unlock();
}

void mck_abort_before(struct mck_call *call, struct mck_args *a) {
  if (!mck_rt.is_ready) return;
  mck_lock();
  mck_event_plain(call);
  mck_unlock();
  atomic_store(&mck_rt.log.header->how, a->errorcode);
  atomic_store(&mck_rt.log.header->state, MCK_LOG_ABORTED);
}
void mck_abort_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }
