// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a JSON report (docs/formats/report.md) back into groups, so that mpicc-check-report makes every form of it.
// The file may come from anywhere: each value is checked.
#pragma once
#include <jansson.h>
#include "report/coverage.h"
#include "report/static-warning.h"

struct mck_document {
  struct mck_groups groups;
  struct mck_report_run run;
  struct mck_coverage coverage;
  struct mck_findings findings; // what the groups point to
  struct mck_static_warnings warnings;
  json_t *root; // owns the names in frames and warnings
  char *program;
};
// path "-": standard input. On false, error holds one line about what is wrong, and document is empty.
bool mck_document_read(struct mck_document *document, const char *path, char *error, size_t size);
void mck_document_free(struct mck_document *document);
