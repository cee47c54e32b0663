// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Report: merges the findings of all ranks by cause and prints them as text and JSON. It runs at the end only: on rank
// 0 in MPI_Finalize, in mpirun-check, or in the watch. Symbolization (libdw) and JSON (jansson) are in
// libmpicc-check-report.so. The runtime loads it only when there is something to report, so a checked program does not
// carry these libraries.
#pragma once
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
};
struct mck_report_options {
  const char *text_path, *json_path; // "" or NULL: text to stderr, no JSON
  bool is_quiet;
  bool is_interim;   // the run goes on: no summary
  bool is_forwarded; // mpirun-check prints the file of the text: it does not name our version
};

// Merges, sorts (errors first, then by rank and place) and prints. Returns the number of errors after merging. When an
// output cannot be written, it prints one line and returns -1; the text then goes to stderr.
int mck_report_write(struct mck_findings *findings, const struct mck_stack_source *stacks,
                     const struct mck_report_run *run, const struct mck_report_options *options);
