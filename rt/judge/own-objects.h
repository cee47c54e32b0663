// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of a run and their own libraries (DEF_MODULE of the logs), each path once: the report says of these
// whether their loads and stores were checked.
#pragma once
#include "log/log.h"
#include "report/report.h"

struct mck_objects {
  char **paths;
  size_t count, capacity;
  uint32_t lacks; // MCK_LACKS_ of all logs
};
void mck_objects_add(struct mck_objects *objects, const char *path, size_t length);
void mck_objects_add_log(struct mck_objects *objects, const struct mck_reader *log);
void mck_objects_tell(const struct mck_objects *objects, struct mck_report_run *run); // run gets them, not a copy
void mck_objects_free(struct mck_objects *objects);
