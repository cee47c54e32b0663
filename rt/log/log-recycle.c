// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The new file is mapped at the address of the old one, so &log->first[index] and log->header stay valid. Addresses of
// the old file behind the new one become reserved address range again.
#include "log/log-recycle.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>
#include "log/log-repeat.h"

enum { CHUNK = 256 << 10 };

int mck_log_write(int fd, const void *data, uint64_t size, uint64_t offset) {
  while (size > 0) {
    ssize_t n = pwrite(fd, data, size < 1 << 30 ? size : 1 << 30, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : ENOSPC;
    data = (const char *)data + n;
    offset += (uint64_t)n;
    size -= (uint64_t)n;
  }
  return 0;
}

int mck_log_prepare(struct mck_log *log, struct mck_next *next, const char *dir, const struct mck_event *events,
                    uint64_t units) {
  *next = (struct mck_next){.fd = -1, .units = units};
  uint32_t rank = log->header->rank;
  int n = snprintf(next->path, sizeof next->path, "%s/rank-%u.next", dir, rank);
  if (n < 0 || (size_t)n >= sizeof next->path) return ENAMETOOLONG;
  snprintf(next->log_path, sizeof next->log_path, "%s/rank-%u.log", dir, rank);
  uint64_t limit = MCK_LOG_HEADER + log->limit_units * MCK_UNIT;
  next->bytes = (MCK_LOG_HEADER + units * MCK_UNIT + CHUNK - 1) / CHUNK * CHUNK;
  if (next->bytes > limit) return EFBIG;
  unlink(next->path);
  next->fd = open(next->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (next->fd < 0) return errno;
  flock(next->fd, LOCK_SH | LOCK_NB); // the lock of a log (log-writer.c)
  int rc = mck_log_allocate(next->fd, 0, next->bytes);
  // The header is copied through atomics: the watch and signal handlers use its fields.
  _Alignas(64) char page[MCK_LOG_HEADER];
  memcpy(page, log->header, sizeof page);
  struct mck_log_header *header = (struct mck_log_header *)page;
  atomic_store(&header->units, units);
  atomic_store(&header->has_repeats, 0); // all events are written
  // What a thread stores until the new file is there may be lost: each one counts as running until its next wait.
  for (uint32_t i = 0; i < MCK_THREAD_SLOTS; i++)
    atomic_store(&header->threads[i].wait, 0), atomic_store(&header->threads[i].what, 0);
  atomic_store(&header->generation, atomic_load(&log->header->generation) + 1);
  if (!rc) rc = mck_log_write(next->fd, page, sizeof page, 0);
  if (!rc) rc = mck_log_write(next->fd, events, units * MCK_UNIT, MCK_LOG_HEADER);
  if (rc) mck_log_discard(next);
  return rc;
}

void mck_log_discard(struct mck_next *next) {
  if (next->fd < 0) return;
  close(next->fd);
  unlink(next->path);
  next->fd = -1;
}

void mck_log_switch(struct mck_log *log, struct mck_next *next) {
  mck_log_repeat_restart(log);
  char *base = (char *)log->header;
  uint64_t mapped = (uint64_t)((char *)log->end - base);
  void *map = mmap(NULL, next->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, next->fd, 0);
  if (map == MAP_FAILED || rename(next->path, next->log_path) != 0) {
    // The other ranks have gone on, so events of this rank from here on would not be in the current generation.
    struct mck_log_header *header = map == MAP_FAILED ? NULL : map;
    uint32_t yes = 1;
    if (header) atomic_store(&header->is_incomplete, MCK_LOG_STOPPED);
    else if (mck_log_write(next->fd, &yes, sizeof yes,
                           offsetof(struct mck_log_header, is_incomplete))) { /* nothing helps */
    }
    if (header) munmap(map, next->bytes);
    rename(next->path, next->log_path);
    close(next->fd);
    mck_log_stop(log, ENOMEM);
    return;
  }
  struct mck_log_header *old = mmap(NULL, MCK_LOG_HEADER, PROT_READ | PROT_WRITE, MAP_SHARED, log->fd, 0);
  // The fields that have changed since the file was prepared.
  struct mck_log_header *new = map;
  atomic_store(&new->calls, atomic_load(&log->header->calls));
  atomic_store(&new->state, atomic_load(&log->header->state));
  atomic_store(&new->how, atomic_load(&log->header->how));
  if (mremap(map, next->bytes, next->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, base) == MAP_FAILED) {
    atomic_store(&new->is_incomplete, MCK_LOG_STOPPED);
    munmap(map, next->bytes);
    mck_log_stop(log, ENOMEM);
  } else {
    if (next->bytes < mapped)
      mmap(base + next->bytes, mapped - next->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
           -1, 0);
    log->next = log->first + next->units;
    log->end = (struct mck_event *)(base + next->bytes);
    madvise(base, next->bytes, MADV_POPULATE_WRITE);
  }
  // A reader of the old file's header then looks for the new file.
  if (old != MAP_FAILED) {
    atomic_store(&old->is_superseded, 1);
    munmap(old, MCK_LOG_HEADER);
  }
  close(log->fd);
  log->fd = next->fd;
  next->fd = -1;
}
