// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Report: merges the findings of all ranks by cause and prints them as text and JSON. It runs at the end only: on rank
// 0 in MPI_Finalize, in mpirun-check, or in the watch. Symbolization (libdw) and JSON (jansson) are in
// libmpicc-check-report.so. The runtime loads it only when there is something to report, so a checked program does not
// carry these libraries.
#pragma once
#include "base/base.h"
#include "report/finding.h"

struct mck_frame {
  const char *module;
  uint64_t offset;
}; // path of the ELF file; file offset (virtual address in the file) of the return address
// The source of stacks: fills frames (innermost first, at most max) and returns their number; 0: unknown.
struct mck_stack_source {
  void *context;
  unsigned (*frames)(void *context, int rank, uint32_t site, struct mck_frame *frames, unsigned max);
};
struct mck_report_run { // facts about the run
  const char *program;  // path, may be ""
  uint32_t size;        // ranks
  uint64_t calls;       // MPI calls of all ranks
  bool is_incomplete;
  uint32_t nshort; // ranks in which an allocation of ours failed
  // The program of rank 0, then other programs and all own libraries: paths. None: nothing is said of loads and stores.
  const char *const *objects;
  size_t nobjects;
  bool has_no_access;      // option access=0, or no room for it
  bool has_unknown_access; // some recompiled objects are of another version
};
struct mck_report_options {
  const char *text_path, *json_path; // "" or NULL: text to stderr, no JSON
  const char *sarif_path, *junit_path, *html_path;
  const char *suppressions, *baseline, *fail_on;
  const char *graph; // the picture of the wait-for graph, for the HTML page; "" or NULL, or it is not there: none
  const char *logs;  // the directory of the logs, and what draws time lines from it (view/time-line.c); NULL: none
  char *(*time_lines)(const char *logs, uint32_t size, const struct mck_finding *const *findings, size_t n);
  bool prints_rules; // a suppression for each finding
  bool is_filtered;  // the findings are some of a report: nothing is said of those that are not there
  bool is_quiet;
  bool is_interim;   // the run goes on: no summary
  bool begins_line;  // on standard error: what the program has written there may end within a line
  bool is_forwarded; // mpirun-check prints the file of the text: it does not name our version
};

// Merges, sorts (errors first, then by rank and place) and prints. Returns the number of findings after merging that
// make the run fail (option fail_on). When an output cannot be written, it prints one line and returns -1; the text
// then goes to stderr.
int mck_report_write(struct mck_findings *findings, const struct mck_stack_source *stacks,
                     const struct mck_report_run *run, const struct mck_report_options *options);
// Can the files of suppressions and of the baseline be read, and are the outputs different files? If not, error holds
// one line. For a look before the run.
bool mck_report_check_files(const struct mck_report_options *options, char *error, size_t size);
// The options of the run. text_path: that of option report, or where mpirun-check looks for it.
static inline struct mck_report_options mck_report_options_of(const char *text_path) {
  return (struct mck_report_options){.text_path = text_path,
                                     .json_path = mck_options.json,
                                     .sarif_path = mck_options.sarif,
                                     .junit_path = mck_options.junit,
                                     .html_path = mck_options.html,
                                     .suppressions = mck_options.suppressions,
                                     .baseline = mck_options.baseline,
                                     .fail_on = mck_options.fail_on,
                                     .prints_rules = mck_options.gen_suppressions,
                                     .is_quiet = mck_options.quiet,
                                     .is_forwarded = text_path != mck_options.report};
}
// Writes a text report to a descriptor, with colours where it is a terminal. Returns errno, or 0.
int mck_text_write(int fd, const char *text, size_t size);
