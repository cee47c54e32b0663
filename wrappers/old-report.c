// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes old reports (old-report.h).
#include "old-report.h"
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_input(const struct stat *output, const char *const *inputs) {
  struct stat input;
  for (; *inputs; inputs++)
    if (stat(*inputs, &input) == 0 && input.st_dev == output->st_dev && input.st_ino == output->st_ino) return true;
  return false;
}

void mck_old_report_remove(const char *const *outputs, const char *const *inputs) {
  struct stat target, link;
  for (; *outputs; outputs++) {
    const char *path = *outputs;
    if (strcmp(path, "-") == 0 || stat(path, &target) || !S_ISREG(target.st_mode)) continue;
    if (is_input(&target, inputs)) continue;
    // A link stays, and so does a file in a directory where nothing may be removed: they are emptied. Where that fails,
    // this run's report will fail, too, and that is said then.
    if (lstat(path, &link) || !S_ISREG(link.st_mode) || unlink(path)) (void)!truncate(path, 0);
  }
}
