// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logs of several ranks, through the reader and the judge as mpirun-check runs them: local findings, deaths, judge,
// report. Each also through the index that reads as it goes, as in MPI_Finalize: it must end where the reader does.
#include <stdio.h>
#include "base/base.h"
#include "input.h"
#include "judge/whole/log-files.h"
#include "judge/judge.h"
#include "mutate.h"
#include "report/merge.h"
#include "report/report-text.h"

static void index_open(const struct mck_reader *loaded, void *log, size_t bytes) {
  struct mck_reader reader;
  const char *why;
  if (mck_log_open_memory(&reader, log, bytes, &why) != 0) abort();
  struct mck_judge *judge = mck_judge_index_open(&reader, reader.header->size <= 64 ? reader.header->size : 1);
  if (judge && (reader.units != loaded->units || reader.damaged != loaded->damaged)) abort();
  mck_judge_free(judge);
  mck_log_unload(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!mck_options.pedantic) mck_options_parse("pedantic=1", (char[256]){0}, 256);
  struct input in = input_split(data, size);
  struct input_logs logs = input_load(&in, in.count);
  for (size_t i = 0; i < logs.count; i++) index_open(&logs.readers[i], logs.memory[i], logs.bytes[i]);
  struct mck_files files = {.logs = logs.readers, .count = logs.count};
  // Like judge/whole/log-files.c, which refuses larger worlds and logs that do not agree.
  for (size_t i = 0; i < logs.count; i++)
    if (logs.readers[i].header->size <= 64 && logs.readers[i].header->size > files.size)
      files.size = logs.readers[i].header->size;
  struct mck_findings findings = {0};
  if (files.size) mck_files_judge(&files, &findings);
  struct mck_stack_source stacks = mck_files_stacks(&files);
  struct mck_report_run run = mck_files_run(&files);
  struct mck_report_options options = {0};
  struct mck_report report = {.run = &run, .options = &options};
  mck_groups_merge(&report.groups, &findings, &stacks);
  mck_groups_sort(&report.groups);
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) abort();
  mck_text_print(out, &report);
  fclose(out);
  free(text);
  mck_report_free(&report);
  mck_findings_free(&findings);
  if (files.objects) mck_objects_free(files.objects), free(files.objects);
  input_unload(&logs);
  return 0;
}
