// RUN: rm -rf %t.d && mkdir %t.d && %unit/test-log-recycle %t.d
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recycled log: its content, its place in memory and its private file; and what is read when ranks died between
// preparing and switching.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "judge/whole/log-files.h"
#include "log/log-recycle.h"

static int failures;
#define EXPECT(condition) ((condition) ? 0 : (failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static void add_calls(struct mck_log *log, uint32_t n, uint32_t site) {
  for (uint32_t i = 0; i < n; i++) {
    struct mck_event *e = mck_log_reserve(log, 1);
    *e = (struct mck_event){.kind = MCK_EV_CALL, .fn = 1, .site = site};
    mck_log_commit(log, 1);
  }
}

static const char *path_in(const char *dir, const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return path;
}

static uint32_t first_site(const struct mck_files *files, uint32_t i) { return files->logs[i].events[0].site; }

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const char *dir = argv[1], *why;
  struct mck_log logs[2];
  for (uint32_t r = 0; r < 2; r++) {
    EXPECT(mck_log_create(&logs[r], dir, r, 2, 7, 64 << 20, &why) == 0);
    add_calls(&logs[r], 100000, 10 + r); // several chunks
  }
  struct mck_event kept[3];
  struct mck_next next[2];
  for (int i = 0; i < 3; i++) kept[i] = (struct mck_event){.kind = MCK_EV_CALL, .fn = 2, .site = 20};
  for (uint32_t r = 0; r < 2; r++) EXPECT(mck_log_prepare(&logs[r], &next[r], dir, kept, 3) == 0);
  struct stat st;
  EXPECT(stat(path_in(dir, "rank-1.next"), &st) == 0 && (st.st_mode & 0777) == 0600);

  // Nobody has switched: the old generation counts.
  struct mck_files files;
  struct mck_findings findings = {0};
  EXPECT(mck_files_load(&files, dir, &findings) == 0 && files.count == 2 && findings.count == 0);
  EXPECT(first_site(&files, 0) == 10 && first_site(&files, 1) == 11);
  mck_files_unload(&files);

  // One has: all had prepared.
  struct mck_log_header *header = logs[0].header;
  struct mck_reader old;
  EXPECT(mck_log_load(&old, path_in(dir, "rank-0.log"), &why) == 0);
  mck_log_switch(&logs[0], &next[0]);
  EXPECT(logs[0].header == header && atomic_load(&header->generation) == 1 && atomic_load(&header->units) == 3);
  EXPECT(logs[0].first[2].site == 20 && atomic_load(&old.header->is_superseded) && old.events[99999].site == 10);
  mck_log_unload(&old);
  EXPECT(mck_files_load(&files, dir, &findings) == 0 && files.count == 2 && findings.count == 0);
  EXPECT(first_site(&files, 0) == 20 && first_site(&files, 1) == 20);
  mck_files_unload(&files);

  // It grows again over what was mapped before; one of an earlier generation without its successor is of no use.
  add_calls(&logs[0], 100000, 12);
  EXPECT(atomic_load(&header->units) == 100003 && logs[0].first[100002].site == 12);
  mck_log_discard(&next[1]);
  EXPECT(mck_files_load(&files, dir, &findings) == 0 && files.count == 1 && findings.count == 1);
  EXPECT(files.logs[0].units == 100003 && findings.count == 1 && findings.items[0].check == MCK_CHECK_INCOMPLETE);
  mck_files_unload(&files);
  mck_findings_free(&findings);
  for (uint32_t r = 0; r < 2; r++) mck_log_close(&logs[r], MCK_LOG_FINALIZED);
  EXPECT(stat(path_in(dir, "rank-0.log"), &st) == 0 && st.st_size == MCK_LOG_HEADER + 100003 * MCK_UNIT);
  return failures != 0;
}
