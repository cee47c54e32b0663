// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of a deadlock that ends the run.
#include "record/run/deadlock-report.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "judge/whole/log-files.h"
#include "record/run/graph-file.h"
#include "record/run/hang-report.h"
#include "record/run/log-directory.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"
#include "watch/watch.h"

// Under plain mpirun nothing else judges a run that the watch ends.
static void judge_files(void) {
  struct mck_files files;
  struct mck_findings all = {0};
  if (mck_files_load(&files, mck_rt.dir, &all)) return;
  mck_files_judge(&files, &all);
  struct mck_stack_source stacks = mck_files_stacks(&files);
  struct mck_report_run run = mck_files_run(&files);
  mck_local_print(&all, &stacks, &run, mck_options.report);
  if (mck_options.keep_logs) return;
  for (size_t i = 0; i < files.count; i++) {
    char path[sizeof mck_rt.dir + 32];
    snprintf(path, sizeof path, "%s/rank-%u.log", mck_rt.dir, files.logs[i].header->rank);
    unlink(path);
    snprintf(path, sizeof path, "%s/rank-%u.next", mck_rt.dir, files.logs[i].header->rank); // log/log-recycle.h
    unlink(path);
  }
  mck_graph_remove();
  mck_log_directory_remove(mck_rt.dir, false);
}

void mck_deadlock_report(void *context, struct mck_findings *findings) {
  (void)context;
  if (mck_options.on_deadlock) {
    mck_hang_stay(findings);
    return;
  }
  // Only one thread may append to the log. Usually the main thread of this process is in the deadlock and does not.
  // Where it still computes, it stops recording here, and an append that it has begun takes tens of ns: 50 ms are
  // enough for it.
  mck_rt.is_on = mck_rt.is_ready = false;
  if (!atomic_load(&mck_rt.log.header->wait)) nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
  char *graph = mck_watch_take_graph();
  mck_graph_write(graph, findings, MCK_GRAPH_LAST);
  free(graph);
  for (size_t i = 0; i < findings->count; i++) mck_local_done(&findings->items[i]);
  if (!mck_rt.is_under_mpirun_check) judge_files();
  // This ends the run: mpirun ends the other ranks.
  _exit((int)(mck_options.exitcode ? mck_options.exitcode : 1));
}

bool mck_deadlock_find_suspects(void *context, struct mck_findings *findings) {
  (void)context;
  struct mck_files files;
  struct mck_findings damage = {0};
  bool is_known = mck_files_load(&files, mck_rt.dir, &damage) == 0;
  if (is_known) {
    is_known = mck_files_find_stuck(&files, findings);
    mck_files_unload(&files);
  }
  mck_findings_free(&damage);
  return is_known;
}
