// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seals of logs (log-seal.h). xxHash finds damage; it is no protection against somebody who seals a forged log again.
#include "log/log-seal.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "log/abandoned-logs.h"
#include "log/log-expand.h"

#define MAGIC "MCKSEAL\n"
enum { BLOCK = 8192, BATCH = 64 }; // units that have a checksum together; checksums that are written together

// The end of the file. Before it is a checksum for each block of units, and before them the units.
struct seal {
  char magic[8];
  uint64_t units, header;
  uint64_t blocks; // the checksum of the checksums of the blocks
  uint64_t self;   // the checksum of what is above
};

// What others may still change after the log was closed is left out: whether the file is superseded, wait marks.
static uint64_t hash_header(const struct mck_log_header *h) {
  struct {
    uint64_t fixed, units, version;
    uint32_t flags[6];
  } part = {.fixed = mck_base_hash(h, offsetof(struct mck_log_header, units), 1),
            .units = atomic_load(&h->units),
            .version = mck_base_hash(h->tool_version, sizeof h->tool_version, 2),
            .flags = {atomic_load(&h->is_incomplete), atomic_load(&h->is_multiple), atomic_load(&h->state),
                      (uint32_t)atomic_load(&h->how), atomic_load(&h->generation), h->has_all_accesses}};
  return mck_base_hash(&part, sizeof part, 3);
}

static uint64_t hash_self(const struct seal *s) { return mck_base_hash(s, offsetof(struct seal, self), 4); }

static uint64_t count_blocks(uint64_t units) { return (units + BLOCK - 1) / BLOCK; }

static uint64_t hash_block(const struct mck_event *events, uint64_t units, uint64_t block) {
  uint64_t n = units - block * BLOCK < BLOCK ? units - block * BLOCK : BLOCK;
  return mck_base_hash(events + block * BLOCK, n * MCK_UNIT, block);
}

static bool write_at(int fd, const void *data, size_t size, uint64_t *offset) {
  bool is_good = pwrite(fd, data, size, (off_t)*offset) == (ssize_t)size;
  *offset += size;
  return is_good;
}

// The number that stands for all checksums of blocks goes on from block to block, so no memory is needed.
static bool write_seal(const struct mck_log_header *header, int fd, const struct mck_event *events, uint64_t units) {
  uint64_t offset = MCK_LOG_HEADER + units * MCK_UNIT, batch[BATCH], all = 0;
  size_t n = 0;
  for (uint64_t b = 0; b < count_blocks(units); b++) {
    batch[n] = hash_block(events, units, b);
    all = mck_base_hash(&batch[n++], sizeof *batch, all);
    if (n < BATCH && b + 1 < count_blocks(units)) continue;
    if (!write_at(fd, batch, n * sizeof *batch, &offset)) return false;
    n = 0;
  }
  struct seal s = {.magic = MAGIC, .units = units, .header = hash_header(header), .blocks = all};
  s.self = hash_self(&s);
  return write_at(fd, &s, sizeof s, &offset);
}

void mck_log_seal(struct mck_log_header *header, int fd) {
  uint64_t units = atomic_load(&header->units), used = MCK_LOG_HEADER + units * MCK_UNIT;
  void *map = mmap(NULL, used, PROT_READ, MAP_SHARED, fd, 0);
  bool is_good = map != MAP_FAILED && ftruncate(fd, (off_t)used) == 0;
  if (is_good) is_good = write_seal(header, fd, (const struct mck_event *)((char *)map + MCK_LOG_HEADER), units);
  if (map != MAP_FAILED) munmap(map, used);
  if (!is_good && ftruncate(fd, (off_t)used) != 0) { /* what is behind the units is not read */
  }
  atomic_store(&header->is_sealed, is_good);
}

static void seal_file(int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_size < MCK_LOG_HEADER) return;
  struct mck_log_header *h = mmap(NULL, MCK_LOG_HEADER, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (h == MAP_FAILED) return;
  bool is_log = memcmp(h->magic, MCK_LOG_MAGIC, sizeof h->magic) == 0 && h->version == MCK_LOG_VERSION;
  if (is_log && !atomic_load(&h->is_sealed) && mck_log_expand_file(h, fd) && fstat(fd, &st) == 0 &&
      atomic_load(&h->units) <= (uint64_t)(st.st_size - MCK_LOG_HEADER) / MCK_UNIT)
    mck_log_seal(h, fd);
  munmap(h, MCK_LOG_HEADER);
}

// A living process has its log locked.
void mck_log_seal_all(const char *dir) {
  DIR *stream = opendir(dir);
  for (struct dirent *entry; stream && (entry = readdir(stream));) {
    if (!mck_log_is_of_rank(entry->d_name, ".log")) continue;
    int fd = openat(dirfd(stream), entry->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) seal_file(fd);
    if (fd >= 0) close(fd);
  }
  if (stream) closedir(stream);
}

static bool is_whole(const struct seal *s) {
  return memcmp(s->magic, MAGIC, sizeof s->magic) == 0 && s->self == hash_self(s);
}

const char *mck_log_seal_check(const struct mck_log_header *header, size_t size, uint64_t *first_bad) {
  *first_bad = UINT64_MAX;
  // Without the mark there is nothing to look for: the writer may be about to cut the file.
  if (!atomic_load(&header->is_sealed)) return NULL;
  uint64_t units = atomic_load(&header->units), all = 0, block;
  struct seal s = {.units = 0};
  if (size >= MCK_LOG_HEADER + sizeof s) memcpy(&s, (const char *)header + size - sizeof s, sizeof s);
  // Of a file that was cut the reader says so if units are missing.
  if (!is_whole(&s)) return units > (size - MCK_LOG_HEADER) / MCK_UNIT ? NULL : "its checksums are damaged or missing";
  if (s.units != units || s.header != hash_header(header)) return "the header of the log is damaged (checksum)";
  if (size != MCK_LOG_HEADER + units * MCK_UNIT + count_blocks(units) * sizeof block + sizeof s)
    return "its checksums are damaged or missing";
  const struct mck_event *events = (const struct mck_event *)((const char *)header + MCK_LOG_HEADER);
  const char *at = (const char *)(events + units);
  for (uint64_t b = 0; b < count_blocks(units); b++, at += sizeof block) {
    memcpy(&block, at, sizeof block);
    all = mck_base_hash(&block, sizeof block, all);
    if (block != hash_block(events, units, b) && *first_bad == UINT64_MAX) *first_bad = b * BLOCK;
  }
  return all == s.blocks ? NULL : "its checksums are damaged or missing";
}
