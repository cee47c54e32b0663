// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coverage-tool JSON OBJECT...: the summary of a run of these programs and libraries, without findings (coverage.test).
#include <stdio.h>
#include "report/report.h"

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  struct mck_report_options options = {.json_path = argv[1]};
  struct mck_report_run run = {.program = argv[2],
                               .size = 1,
                               .calls = 7,
                               .objects = (const char *const *)argv + 2,
                               .nobjects = (size_t)argc - 2};
  struct mck_findings findings = {0};
  return mck_report_write(&findings, NULL, &run, &options) != 0;
}
