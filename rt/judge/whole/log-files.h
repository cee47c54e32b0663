// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Log files: the judge on the files of a run that died, hung or was killed, for mpirun-check and the watch. It loads
// every log of a directory, collects the local findings in them, decides how each rank ended (run.died,
// init.no-finalize), and judges.
#pragma once
#include "judge/judge.h"
#include "judge/own-objects.h"
#include "report/report.h"

struct mck_files {
  struct mck_reader *logs;
  size_t count;                // ascending by rank
  uint32_t size;               // ranks in MPI_COMM_WORLD
  char ***modules;             // [log][module id]: its path, or NULL
  bool is_interrupted;         // the user asked for the end of the run
  bool is_damaged;             // a log could not be used, or not to its end
  struct mck_objects *objects; // set by mck_files_run
  unsigned nthreads;           // threads to judge by, set by a caller that may start threads; 0: only the caller's own
};
// Returns 0, or -1 with one line on stderr that names the file or directory and what to do. A damaged log is used up to
// the damage (finding "incomplete").
int mck_files_load(struct mck_files *files, const char *dir, struct mck_findings *findings);
uint32_t mck_files_nodes(const struct mck_files *files); // on which the ranks were; 0: one, or it is not known
// Adds all findings of the run: the local ones, those about deaths, and those of the judge.
void mck_files_judge(const struct mck_files *files, struct mck_findings *findings);
// Do the ranks stand in a collective whose arguments do not agree (collective-standstill.c)? Then it adds a finding
// "deadlock", which mck_files_judge makes part of the collective's finding. To be called when nothing has moved for
// long.
bool mck_files_find_stuck(const struct mck_files *files, struct mck_findings *findings);
struct mck_stack_source mck_files_stacks(const struct mck_files *files);
// It belongs to files.
struct mck_report_run mck_files_run(struct mck_files *files);
void mck_files_unload(struct mck_files *files);
