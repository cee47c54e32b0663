// RUN: %unit/test-log-seal
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seals: each flipped bit of a kept log is noticed, and names the block of units that it is in; a log that is whole has
// no damage; a log of a process that died gets its seal later; one whose writer lives gets none.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include "log/log-seal.h"
#include "sample-log.h"

enum { BLOCK = 8192 };
static const char *why = "";

static void make_log(uint32_t rank, unsigned rounds, bool is_kept, bool is_closed, struct mck_log *log) {
  if (mck_log_create(log, log_dir, rank, 8, 1, 64 << 20, &why)) exit(1);
  log->header->is_kept = is_kept;
  fill_sample(log, rounds);
  if (is_closed) mck_log_close(log, MCK_LOG_FINALIZED);
}

// What a load says of it: the units that it has, or -1 where nothing can be used.
static int64_t load(uint32_t rank, uint64_t *damaged) {
  struct mck_reader reader;
  if (mck_log_load(&reader, log_path(rank), &why)) return -1;
  int64_t units = (int64_t)reader.units;
  *damaged = reader.damaged;
  mck_log_unload(&reader);
  return units;
}

static void flip(uint32_t rank, uint64_t offset, int bit) {
  int fd = open(log_path(rank), O_RDWR);
  unsigned char byte = 0;
  EXPECT(pread(fd, &byte, 1, (off_t)offset) == 1);
  byte ^= (unsigned char)(1 << bit);
  EXPECT(pwrite(fd, &byte, 1, (off_t)offset) == 1);
  close(fd);
}

static uint64_t size_of(uint32_t rank) {
  struct stat st;
  EXPECT(stat(log_path(rank), &st) == 0);
  return (uint64_t)st.st_size;
}

// What may change behind a log that is closed does not count.
static bool is_counted(uint64_t offset) {
  const struct mck_log_header *h = NULL;
  return offset < offsetof(struct mck_log_header, units) + sizeof h->units || offset >= MCK_LOG_HEADER;
}

static void test_flips(unsigned rounds) {
  struct mck_log log;
  make_log_dir();
  make_log(1, rounds, true, true, &log);
  uint64_t damaged = 0, size = size_of(1);
  int64_t units = load(1, &damaged);
  EXPECT(units > 0 && damaged == UINT64_MAX);
  uint64_t step = size / 700 + 1;
  for (uint64_t offset = 0; offset < size; offset += step) {
    if (!is_counted(offset)) continue;
    flip(1, offset, (int)(offset % 8));
    int64_t now = load(1, &damaged);
    uint64_t unit = offset < MCK_LOG_HEADER ? UINT64_MAX : (offset - MCK_LOG_HEADER) / MCK_UNIT;
    bool is_event = unit < (uint64_t)units;
    EXPECT(is_event ? now >= 0 && (uint64_t)now == damaged && damaged == unit / BLOCK * BLOCK : now == -1);
    flip(1, offset, (int)(offset % 8));
  }
  EXPECT(load(1, &damaged) == units && damaged == UINT64_MAX);
  for (uint64_t less = 1; less < 200; less += 7) { // cut
    EXPECT(truncate(log_path(1), (off_t)(size - less)) == 0);
    int64_t now = load(1, &damaged);
    EXPECT(now == -1 || damaged != UINT64_MAX);
  }
  remove_logs();
}

static void test_others(void) {
  struct mck_log living, left;
  uint64_t damaged = 0;
  make_log_dir();
  make_log(0, 10, true, false, &living);
  make_log(1, 10, true, false, &left);
  flock(left.fd, LOCK_UN); // as if its process had died
  mck_log_seal_all(log_dir);
  EXPECT(!atomic_load(&living.header->is_sealed) && atomic_load(&left.header->is_sealed));
  EXPECT(load(0, &damaged) > 0 && damaged == UINT64_MAX);
  EXPECT(load(1, &damaged) > 0 && damaged == UINT64_MAX);
  flip(1, MCK_LOG_HEADER + 5 * MCK_UNIT + 20, 3);
  EXPECT(load(1, &damaged) == 0 && damaged == 0);
  mck_log_seal_all(log_dir); // a damaged log is not sealed again
  EXPECT(load(1, &damaged) == 0 && damaged == 0);
  mck_log_close(&living, MCK_LOG_FINALIZED);
  EXPECT(load(0, &damaged) > 0 && damaged == UINT64_MAX);
  remove_logs();
  make_log_dir();
  make_log(0, 10, false, true, &living); // not kept: no seal, and no byte more than its units
  EXPECT(size_of(0) == MCK_LOG_HEADER + (uint64_t)load(0, &damaged) * MCK_UNIT);
  remove_logs();
}

int main(void) {
  test_flips(20);
  test_flips(2000);
  test_others();
  return verdict();
}
