// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed findings, from a log or from another rank: what unpacks must pack to the same bytes, and must print.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "report/report-json.h"
#include "report/report-text.h"

static unsigned no_frames(void *context, int rank, uint32_t site, struct mck_frame *frames, unsigned max) {
  (void)context, (void)rank, (void)site, (void)frames, (void)max;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mck_findings findings = {0};
  // One after the other; each begins with its size.
  while (size >= 4) {
    uint32_t n;
    memcpy(&n, data, 4);
    data += 4, size -= 4;
    if (n > size) n = (uint32_t)size;
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy) abort();
    memcpy(copy, data, n);
    if (mck_finding_unpack(&findings, copy, n)) {
      size_t packed;
      void *again = mck_finding_pack(&findings.items[findings.count - 1], &packed);
      MCK_CHECK(again && packed == n && memcmp(again, copy, n) == 0);
      free(again);
    }
    free(copy);
    data += n, size -= n;
  }
  struct mck_stack_source stacks = {NULL, no_frames};
  struct mck_report_run run = {.program = "program", .size = 4};
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
  free(mck_json_make(&report, &length));
  mck_report_free(&report);
  mck_findings_free(&findings);
  return 0;
}
