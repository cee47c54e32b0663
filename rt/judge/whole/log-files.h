// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge on the files of a run that died, hung or was killed: loads every log of a directory, collects the local
// findings in them, says how each rank ended (run.died, init.no-finalize), judges, and reports. Used by mpirun-check
// and by the watch.
#pragma once
#include "judge/judge.h"
#include "report/report.h"

struct mck_files {
  struct mck_reader *logs;
  size_t count;        // by rank
  uint32_t size;       // ranks in MPI_COMM_WORLD
  char ***modules;     // [log][module id]: its path, or NULL
  bool is_interrupted; // somebody asked for the end of the run
  unsigned nthreads;   // to judge by, set by whoever may start threads; 0: the caller's alone
};
// 0 or -1 with one line said on stderr naming the file or directory and what to do. Damaged logs are used up to the
// damage (finding "incomplete").
int mck_files_load(struct mck_files *files, const char *dir, struct mck_findings *findings);
// All findings of the run: local, about deaths, by the judge.
void mck_files_judge(const struct mck_files *files, struct mck_findings *findings);
// The ranks stand in a collective whose arguments do not fit each other (collective-standstill.c): then with a finding
// "deadlock", which mck_files_judge tells within the collective's. To be asked when nothing has moved for long.
bool mck_files_find_stuck(const struct mck_files *files, struct mck_findings *findings);
struct mck_stack_source mck_files_stacks(const struct mck_files *files);
struct mck_report_run mck_files_run(const struct mck_files *files);
void mck_files_unload(struct mck_files *files);
