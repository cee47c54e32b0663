// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the programs and libraries of a run (own-objects.h).
#include "judge/own-objects.h"
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

void mck_objects_add(struct mck_objects *objects, const char *path, size_t length) {
  for (size_t i = 0; i < objects->count; i++)
    if (strlen(objects->paths[i]) == length && memcmp(objects->paths[i], path, length) == 0) return;
  char *copy = strndup(path, length);
  if (copy && !MCK_PUSH(objects->paths, objects->count, objects->capacity, copy)) free(copy);
}

void mck_objects_add_log(struct mck_objects *objects, const struct mck_reader *log) {
  for (uint32_t i = 0; i < log->nmodules; i++)
    if (log->modules[i].is_own) mck_objects_add(objects, log->modules[i].path, log->modules[i].path_length);
  objects->lacks |= atomic_load(&log->header->lacks);
}

void mck_objects_tell(const struct mck_objects *objects, struct mck_report_run *run) {
  run->objects = (const char *const *)objects->paths, run->nobjects = objects->count;
  run->has_no_access = !mck_options.access || objects->lacks & MCK_LACKS_ALL;
  run->has_unknown_access = objects->lacks & MCK_LACKS_SOME;
}

void mck_objects_free(struct mck_objects *objects) {
  for (size_t i = 0; i < objects->count; i++) free(objects->paths[i]);
  free(objects->paths);
  *objects = (struct mck_objects){0};
}
