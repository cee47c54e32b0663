// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a run, in MPI_Finalize: first what is still open on this rank, then the judge over all ranks, then the
// report on rank 0.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "flow/flow.h"
#include "flow/recorder-stop.h"
#include "judge/memory-loss.h"
#include "judge/transport/exchange.h"
#include "order/strands.h"
#include "record/run/log-budget.h"
#include "record/p2p/eager-limit.h"
#include "record/run/node-agreement.h"
#include "record/replay/online-run.h"
#include "record/run/log-directory.h"
#include "record/call/profiling.h"
#include "record/collective/user-op.h"
#include "record/content/content.h"
#include "record/call/call-event.h"
#include "record/call/call.h"
#include "record/call/module.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/error/local-finding.h"
#include "record/object/leak.h"
#include "record/run/finalize.h"
#include "record/run/graph-file.h"
#include "record/run/warned-place.h"
#include "record/runtime.h"
#include "record/access/access-budget.h"
#include "record/access/unsignalled.h"
#include "record/call/fortran-redirect.h"
#include "watch/watch.h"
#include "thread/intercept/unknown-order.h"

// errors in the report that this process wrote (process-end.c turns them into the exit code of a plain run)
int mck_finish_errors;

// MPI_Finalize is collective over MPI_COMM_WORLD (MPI-3.1 8.7), and a rank waits here for the others: one event, one
// wait mark.
static void enter_finalize(struct mck_call *call) {
  mck_lock();
  uint32_t site = mck_call_site(call);
  struct mck_event *e = mck_event_begin(call, MCK_EV_COLL, 0);
  uint32_t event = MCK_NONE;
  if (e) {
    e->site = site;
    e->coll.comm = 0, e->coll.root = -1, e->coll.op = MCK_OP_NONE, e->coll.type = MCK_NONE, e->coll.count = 0;
    event = mck_log_commit(&mck_rt.log, 1);
  }
  mck_unlock();
  atomic_store(&mck_rt.log.header->state, MCK_LOG_FINALIZING);
  mck_wait_begin(event);
  PMPI_Barrier(mck_rt.comm);
  mck_wait_end();
}

// Under mpirun-check the text is a file beside the logs: mpirun-check prints it when all output of the ranks has
// passed.
static int report(struct mck_findings *findings, const struct mck_stack_source *stacks,
                  const struct mck_report_run *run) {
  char path[sizeof mck_rt.dir + 32] = "";
  if (!mck_options.report[0] && mck_rt.is_under_mpirun_check) snprintf(path, sizeof path, "%s/report", mck_rt.dir);
  return mck_local_print(findings, stacks, run, path[0] ? path : mck_options.report);
}

// For mpirun-check. The line is "errors N", or "judging" until then.
static void write_result(const char *line) {
  char path[sizeof mck_rt.dir + 32];
  snprintf(path, sizeof path, "%s/result", mck_rt.dir);
  if (!mck_rt.is_under_mpirun_check) return;
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  dprintf(fd, "%s", line); // it allocates nothing: memory may be used up
  close(fd);
}

static void write_errors(int errors) {
  char line[32];
  snprintf(line, sizeof line, "errors %d\n", errors);
  write_result(line);
}

static void say(uint64_t also, const char *text, const char *why) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_UNCHECKED, MCK_NONE, also);
  mck_finding_text(f, "%s", text);
  if (why) mck_finding_why(f, "%s", why);
  mck_local_done(f);
}

bool mck_finish_sees_accesses(void) {
  return mck_rt.is_instrumented && !mck_fortran_is_used && mck_options.access && !mck_access_budget_is_spent();
}

static size_t size_of_log(const struct mck_log_header *header) {
  return MCK_LOG_HEADER + (size_t)atomic_load(&header->units) * MCK_UNIT;
}

// Several threads have called MPI. Are all their calls ordered? Under the lock.
static bool is_in_order(const struct mck_log_header *header) {
  const char *why = "";
  struct mck_reader reader;
  struct mck_strands strands = {0};
  bool is_lost;
  if (mck_log_open_memory(&reader, header, size_of_log(header), &why)) return false;
  bool is_good = mck_strands_read(&strands, &reader, &is_lost) && mck_strands_are_total(&strands);
  mck_strands_free(&strands);
  mck_log_unload(&reader);
  return is_good;
}

static void say_unchecked(void) {
  char text[1024];
  mck_profiling_look(); // libraries may have been loaded since MPI_Init
  if (mck_profiling_write(text, sizeof text)) say(1, text, NULL);
  bool is_seen = !mck_unsignalled_write(text, sizeof text);
  if (!is_seen) say(2, text, mck_unsignalled_calls());
  mck_rt.log.header->has_all_accesses = is_seen && mck_finish_sees_accesses() ? MCK_SEES_ALL : MCK_SEES_UNKNOWN;
  if (mck_profiling_hidden) {
    snprintf(text, sizeof text, "%s in a callback that runs within another call of MPI: not seen",
             mck_profiling_hidden);
    say(4, text, NULL);
  }
  if (mck_thread_write_unknown(text, sizeof text)) say(3, text, NULL);
  if (atomic_load(&mck_rt.log.header->is_multiple) & MCK_LOG_THREADS && !is_in_order(mck_rt.log.header))
    say(0, "several threads called MPI, so not all messages could be compared",
        "where nothing orders the threads, messages are compared only if it does not matter which receive gets which");
}

// For rt/flow: elements of numbers of a basic type, by the program's function. A type that the program made may be gone
// by now, so the function gets another one with the same type map.
static bool compute(uint32_t number, uint32_t basic, uint32_t numbers, void *in, void *inout, uint64_t n) {
  MPI_Datatype type = mck_type_of_basic(basic);
  if (type == MPI_DATATYPE_NULL || n > INT32_MAX || numbers > INT32_MAX) return false;
  bool is_made = numbers != 1;
  if (is_made && PMPI_Type_contiguous((int)numbers, type, &type) != MPI_SUCCESS) return false;
  if (is_made) PMPI_Type_commit(&type);
  bool is_good = mck_user_op_compute(number, in, inout, (int)n, type);
  if (is_made) PMPI_Type_free(&type);
  return is_good;
}

// The judge over all ranks, and the report on rank 0.
static void judge(struct mck_reader *reader) {
  struct mck_findings all = {0};
  struct mck_stack_source stacks = {0};
  struct mck_report_run run = {0};
  struct mck_exchange *exchange = NULL;
  double begin = mck_judge_cost_begin();
  if (mck_rt.rank == 0) write_result("judging\n");
  if (mck_content_is_on) mck_flow_set_operations(compute);
  int rc = mck_judge_exchange(reader, mck_rt.dir, mck_rt.comm, &mck_rt.findings, &mck_rt.early, &all, &stacks, &run,
                              &exchange);
  if (rc != MPI_SUCCESS) {
    mck_base_warn("the judge could not exchange its data (MPI error %d): the run is not judged", rc);
    if (mck_rt.rank == 0) mck_finish_errors = 1; // what was not judged is no success
  } else if (mck_rt.rank == 0) {
    mck_eager_explain(&all);
    mck_memory_loss_say(&all, run.nshort);
    int errors = report(&all, &stacks, &run);
    mck_finish_errors = errors > 0 ? errors : run.nshort > 0; // there may have been no memory to say so
  }
  if (mck_rt.rank == 0) write_errors(mck_finish_errors);
  mck_judge_cost_end(begin, false);
  mck_judge_cost_print(reader->units);
  if (exchange) mck_exchange_free(exchange);
  mck_findings_free(&all);
}

// Unless the logs are to be kept. mpirun-check removes only its own directory.
static void remove_log(void) {
  char path[sizeof mck_rt.dir + 32];
  snprintf(path, sizeof path, "%s/rank-%d.log", mck_rt.dir, mck_rt.rank);
  if (mck_options.keep_logs) {
    if (mck_rt.rank == 0 && !mck_rt.is_under_mpirun_check)
      fprintf(stderr, "==mpicc-check== the logs are in %s\n", mck_rt.dir);
  } else if (!mck_rt.is_under_mpirun_check || !mck_nodes_is_first())
    unlink(path), mck_graph_remove(), mck_log_directory_remove(mck_rt.dir, false);
}

void mck_finish(struct mck_call *call) {
  mck_lock();
  mck_leaks_find();
  say_unchecked();
  mck_module_define_all(true); // libraries may have been loaded since MPI_Init
  mck_unlock();
  enter_finalize(call);
  mck_online_finish();
  mck_watch_stop();
  mck_rt.is_ready = false;
  struct mck_log_header *header = mck_rt.log.header;
  atomic_store(&header->calls, mck_rt.calls);
  const char *why = "";
  struct mck_reader reader;
  int bad = mck_log_open_memory(&reader, header, size_of_log(header), &why), any_bad = 0;
  PMPI_Allreduce(&bad, &any_bad, 1, MPI_INT, MPI_LOR, mck_rt.comm);
  if (mck_flow_stop) mck_flow_stop(); // no rank has a message under way any more
  if (bad) mck_base_warn("rank %d cannot read its own log (%s): the run is not judged", mck_rt.rank, why);
  mck_warned_finish();
  if (!any_bad) judge(&reader);
  if (!bad) mck_log_unload(&reader);
  PMPI_Comm_free(&mck_rt.comm);
  mck_log_close(&mck_rt.log, MCK_LOG_FINALIZED);
  mck_rt.log.header = NULL;
  remove_log();
}

// A finding after the report was written (init.after) is reported on its own.
void mck_finish_late(void) {
  struct mck_stack_source stacks = mck_local_stacks();
  struct mck_report_run run = {.program = "", .size = (uint32_t)mck_rt.size, .calls = mck_rt.calls};
  struct mck_findings last = {.items = NULL};
  if (!mck_rt.findings.count) return;
  struct mck_finding *f = &mck_rt.findings.items[mck_rt.findings.count - 1];
  size_t size;
  void *bytes = mck_finding_pack(f, &size);
  if (bytes && mck_finding_unpack(&last, bytes, size)) {
    if (mck_rt.is_finalized) mck_options.report[0] = mck_options.json[0] = 0; // those are written already
    int errors = mck_local_print(&last, &stacks, &run, mck_options.report);
    mck_finish_errors += errors > 0 ? errors : 0;
    write_errors(mck_finish_errors);
  }
  free(bytes);
  mck_findings_free(&last);
}
