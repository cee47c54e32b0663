// RUN: %unit/catalogue-tool %source/docs/checks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kind of finding has its page, which names its severity as checks.inc has it, and its row in the index.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/finding.h"

static char *slurp(const char *dir, const char *name) {
  char path[4096], *text = calloc(1, 1 << 16);
  snprintf(path, sizeof path, "%s/%s.md", dir, name);
  FILE *file = fopen(path, "r");
  if (!file || !text) {
    free(text);
    return NULL;
  }
  size_t n = fread(text, 1, (1 << 16) - 1, file);
  text[n] = '\0';
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  static const char *const severities[] = {"note", "warning", "error"};
  int bad = 0;
  char *index = argc == 2 ? slurp(argv[1], "README") : NULL;
  if (!index) return 2;
  for (int i = 0; i < MCK_CHECK_COUNT; i++) {
    const struct mck_check_info *info = &mck_check_infos[i];
    char row[256], head[256], severity[64];
    snprintf(row, sizeof row, "\n| [%s](%s.md) | %s |", info->id, info->id, severities[mck_check_severity(i)]);
    snprintf(head, sizeof head, "# %s\n", info->id);
    snprintf(severity, sizeof severity, "**Severity:** %s", severities[mck_check_severity(i)]);
    char *page = slurp(argv[1], info->id);
    if (!strstr(index, row)) bad++, printf("README.md has no row like:%s\n", row);
    if (!page) bad++, printf("%s.md is missing\n", info->id);
    else if (strncmp(page, head, strlen(head)) != 0) bad++, printf("%s.md does not begin with: %s", info->id, head);
    else if (!strstr(page, severity)) bad++, printf("%s.md does not say: %s\n", info->id, severity);
    free(page);
  }
  free(index);
  return bad ? 1 : 0;
}
