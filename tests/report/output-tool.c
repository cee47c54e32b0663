// Where reports go, and what is said when they cannot.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t && mkdir %t
// A clean run: the summary, or nothing when quiet.
// RUN: %unit/output-tool 0 0 "" "" 2>&1 | FileCheck %s --check-prefix=CLEAN --match-full-lines --strict-whitespace
// CLEAN:==mpicc-check== no errors found in ./output on 1 rank (1 MPI call)
// CLEAN-NOT:{{.}}
// RUN: %unit/output-tool 0 quiet "" %t/quiet.json 2> %t/quiet && count 0 < %t/quiet
// RUN: %python %S/schema.py %source/docs/formats/report.schema.json %t/quiet.json
//
// Text to a file, JSON beside it; nothing on stderr then; an old report is replaced.
// RUN: echo old > %t/report.txt && ln -s real.json %t/link.json && echo old > %t/real.json
// RUN: %unit/output-tool 1 0 %t/report.txt %t/link.json 2> %t/stderr && count 0 < %t/stderr
// RUN: FileCheck %s --check-prefix=TEXT --match-full-lines --strict-whitespace < %t/report.txt
// TEXT:==mpicc-check== version {{[0-9]+([.][0-9]+)+}}
// TEXT-NEXT:==mpicc-check== ERROR [deadlock] window "\xff"
// TEXT-NEXT:  on ranks 0,1
// TEXT-NEXT:  at  output-tool.c:[[#%u,LINE:]] in main
// TEXT-NEXT:  one
// TEXT-NEXT:  two
// TEXT-NEXT:  help: {{.*}}
// TEXT-NEXT:==mpicc-check== 1 error, 0 warnings, 0 notes in ./output on 1 rank (1 MPI call)
// TEXT-NOT:{{.}}
// RUN: %python %S/schema.py %source/docs/formats/report.schema.json %t/real.json | FileCheck %s --check-prefix=JSON
// JSON: deadlock error [0, 1] 2 window "\xff"
// JSON-NEXT: place at 1 [{{[0-9]+}}, 'main', False] {{.*}}/output-tool.c
// JSON-NEXT: why ['one', 'two']
// RUN: ls %t | FileCheck %s --check-prefix=FILES --implicit-check-not=tmp
// FILES: link.json
//
// What cannot be written is said in one line, the text goes to stderr, and the result is -1.
// RUN: %unit/output-tool 1 failing %t/none/report.txt %t/none/report.json 2>&1 | FileCheck %s --check-prefix=FAIL --match-full-lines
// FAIL: ==mpicc-check== warning: cannot write the report to {{.*}}/none/report.txt (No such file or directory): here it is; give option report a file that can be written
// FAIL-NEXT: ==mpicc-check== ERROR [deadlock] window "\xff"
// FAIL: ==mpicc-check== 1 error, 0 warnings, 0 notes in ./output on 1 rank (1 MPI call)
// FAIL-NEXT: ==mpicc-check== warning: cannot write the JSON report to {{.*}}/none/report.json (No such file or directory): give option json a file that can be written
// FAIL-NOT: {{.}}
// RUN: %unit/output-tool 1 failing %t "" 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: cannot write the report to {{.*}} (Is a directory)
// RUN: %unit/output-tool 1 failing "" /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: cannot write the JSON report to /dev/full (No space left on device)
// RUN: %python -c "import os, sys; os.mkfifo(sys.argv[1])" %t/fifo
// RUN: %unit/output-tool 1 failing "" %t/fifo 2>&1 | FileCheck %s --check-prefix=FIFO
// FIFO: cannot write the JSON report to {{.*}}fifo (No such device or address)
// A device is written to, not replaced.
// RUN: %unit/output-tool 1 0 /dev/null /dev/stdout | %python -c "import json, sys; json.load(sys.stdin)"
// RUN: test -c /dev/null
#include "stack.h"

// output-tool FINDINGS 0|quiet|failing TEXT JSON
int main(int argc, char **argv) {
  if (argc != 5) return 2;
  struct mck_findings list = {0};
  if (atoi(argv[1])) {
    uint32_t site = stack_here();
    for (int rank = 1; rank >= 0; rank--) {
      struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_DEADLOCK, rank);
      mck_finding_text(f, "window \"\xff\"");
      mck_finding_place(f, 1, site, "at");
    }
    mck_finding_why(&list.items[1], "one\n");
    mck_finding_why(&list.items[1], "two\n");
  }
  int expected = strcmp(argv[2], "failing") == 0 ? -1 : (int)(list.count > 0);
  struct mck_report_run run = {.program = "./output", .size = 1, .calls = 1};
  int result = mck_report_write(&list, &stack_source, &run,
                                &(struct mck_report_options){
                                    .text_path = argv[3], .json_path = argv[4], .is_quiet = strcmp(argv[2], "quiet") == 0});
  mck_findings_free(&list);
  return result == expected ? 0 : 1;
}
