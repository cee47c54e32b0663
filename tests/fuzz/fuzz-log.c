// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logs of several ranks, through the reader and the judge as mpirun-check runs them: local findings, deaths, judge,
// report.
#include <stdio.h>
#include "base/base.h"
#include "input.h"
#include "judge/files.h"
#include "mutate.h"
#include "report/merge.h"
#include "report/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!mck_options.pedantic) mck_options_parse("pedantic=1", (char[256]){0}, 256);
  struct input in = input_split(data, size);
  struct input_logs logs = input_load(&in, in.count);
  struct mck_files files = {.logs = logs.readers, .count = logs.count};
  // Like judge/files.c, which refuses larger worlds and logs that do not agree.
  for (size_t i = 0; i < logs.count; i++)
    if (logs.readers[i].header->size <= 64 && logs.readers[i].header->size > files.size)
      files.size = logs.readers[i].header->size;
  struct mck_findings findings = {0};
  if (files.size) mck_files_judge(&files, &findings);
  struct mck_stack_source stacks = mck_files_stacks(&files);
  struct mck_groups groups = {0};
  mck_groups_merge(&groups, &findings, &stacks);
  mck_groups_sort(&groups);
  struct mck_report_run run = mck_files_run(&files);
  struct mck_counts counts = {0};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  mck_text_print(out, &groups, &counts, &run, false, false, false);
  fclose(out);
  free(text);
  mck_groups_free(&groups);
  mck_findings_free(&findings);
  input_unload(&logs);
  return 0;
}
