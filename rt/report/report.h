// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Report: merges findings of all ranks by cause and prints them (DESIGN section 7: text, JSON). Runs at the end only:
// on rank 0 in MPI_Finalize, in mpirun-check, or in the watch. Symbolization (libdw) and JSON (jansson) live in
// libmpicc-check-report.so, which the runtime loads only when there is something to report, so that a checked program
// does not carry these libraries.
#pragma once
#include "report/finding.h"

struct mck_frame {
  const char *module;
  uint64_t offset;
}; // path of the ELF file; file offset (virtual address in the file) of the return address
// Where stacks come from: fills frames (innermost first, at most max) and returns how many; 0: unknown.
struct mck_stack_source {
  void *context;
  unsigned (*frames)(void *context, int rank, uint32_t site, struct mck_frame *frames, unsigned max);
};
struct mck_report_run { // what the report says about the run
  const char *program;  // path, may be ""
  uint32_t size;        // ranks
  uint64_t calls;       // MPI calls of all ranks
  bool is_incomplete;
};
struct mck_report_options {
  const char *text_path, *json_path;
  bool is_quiet, is_interim;
}; // is_interim: the run goes on, no summary; "" or NULL: text to stderr, no JSON

// Merges, sorts (errors first, then by rank and place), prints. Returns the number of error-level findings after
// merging, or -1 with one line said when an output cannot be written (the text then goes to stderr all the same).
int mck_report_write(struct mck_findings *findings, const struct mck_stack_source *stacks,
                     const struct mck_report_run *run, const struct mck_report_options *options);
