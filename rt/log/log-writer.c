// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer of the log (log.h, docs/formats/log.md). The address range for the whole limit is reserved once (PROT_NONE
// costs no memory), and the file is mapped into it chunk by chunk. So events never move, and &first[index] stays valid:
// record overwrites a receive's peer and tag when it completes. Each chunk is allocated on disk before it is mapped. A
// store into a hole of a full file system would be SIGBUS in the user's program; a failed allocation is an error code.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/own-program.h"
#include "base/address-room.h"
#include "log/log-expand.h"
#include "log/log-repeat.h"
#include "log/log-seal.h"
#include "log/log.h"

// 256 KiB stay in the second-level cache between being zeroed by the kernel and being filled with events: 11 ns an
// event with everything, against 19 ns with 4 MiB, and MPI_Init pays for 64 pages only (docs/formats/log.md). PAGE: a
// multiple of any machine's page size.
// Behind what was left out (log-repeat.h) often little follows: CHUNK_BEHIND, and then twice as much each time.
enum { CHUNK = 256 << 10, CHUNK_BEHIND = 16 << 10, SMALLEST_RANGE = 4 << 20, PAGE = 65536 };

static char *base_of(const struct mck_log *log) { return (char *)log->header; }
static uint64_t mapped_bytes(const struct mck_log *log) { return (uint64_t)((char *)log->end - base_of(log)); }
static uint64_t limit_of(const struct mck_log *log) { return MCK_LOG_HEADER + log->limit_units * MCK_UNIT; }

// On file systems without fallocate the zeroes are written. (glibc's posix_fallocate does so, too, a byte per block,
// but it may fail with EINTR.)
static int write_zeroes(int fd, uint64_t offset, uint64_t size) {
  static const char zeroes[1 << 16];
  while (size > 0) {
    ssize_t n = pwrite(fd, zeroes, size < sizeof zeroes ? size : sizeof zeroes, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : ENOSPC;
    offset += (uint64_t)n;
    size -= (uint64_t)n;
  }
  return 0;
}

int mck_log_allocate(int fd, uint64_t offset, uint64_t size) {
  // Beyond RLIMIT_FSIZE the kernel would not only refuse the write but send SIGXFSZ, which ends the user's program.
  struct rlimit file_size;
  if (getrlimit(RLIMIT_FSIZE, &file_size) == 0 && file_size.rlim_cur != RLIM_INFINITY &&
      offset + size > file_size.rlim_cur)
    return EFBIG;
  int rc;
  do rc = fallocate(fd, 0, (off_t)offset, (off_t)size) == 0 ? 0 : errno;
  while (rc == EINTR);
  return rc == EOPNOTSUPP || rc == ENOSYS ? write_zeroes(fd, offset, size) : rc;
}

// Maps the file's bytes [mapped, mapped + size) behind the mapped ones. They are faulted in for writing at once,
// because a fault per page costs more. Older kernels (before 5.14) cannot do that; then the faults come one by one.
static int map_chunk(struct mck_log *log, uint64_t mapped, uint64_t size) {
  int rc = mck_log_allocate(log->fd, mapped, size);
  if (rc) return rc;
  void *at = base_of(log) + mapped;
  if (mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, log->fd, (off_t)mapped) == MAP_FAILED)
    return errno;
  madvise(at, size, MADV_POPULATE_WRITE);
  log->end = (struct mck_event *)((char *)at + size);
  return 0;
}

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

int mck_log_map_units(struct mck_log *log, struct mck_event *from, struct mck_event *to) {
  if (to <= log->end) return 0;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), limit = limit_of(log);
  uint64_t begin = (uint64_t)((char *)from - base_of(log)) / page * page,
           end = round_up((uint64_t)((char *)to - base_of(log)) + CHUNK_BEHIND, page);
  if (begin < mapped_bytes(log)) begin = mapped_bytes(log);
  log->chunk = CHUNK_BEHIND;
  return map_chunk(log, begin, (end < limit ? end : limit) - begin);
}

int mck_log_remap_units(struct mck_log *log, struct mck_event *from, struct mck_event *to) {
  struct mck_event *end = log->end;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), begin = (uint64_t)((char *)from - base_of(log)) / page * page;
  int rc = map_chunk(log, begin, round_up((uint64_t)((char *)to - base_of(log)), page) - begin);
  log->end = end;
  return rc;
}

static void fill_header(struct mck_log_header *h, uint32_t rank, uint32_t size, uint64_t job) {
  h->version = MCK_LOG_VERSION;
  h->header_size = MCK_LOG_HEADER;
  h->unit_size = MCK_UNIT;
  h->job = job;
  h->rank = rank;
  h->size = size;
  h->pid = (uint32_t)getpid();
  h->uid = (uint32_t)getuid();
  if (gethostname(h->host, sizeof h->host - 1) != 0) h->host[0] = 0;
  mck_own_program(h->program, sizeof h->program);
  _Static_assert(sizeof MCK_VERSION <= sizeof h->tool_version, "the header has room for the version");
  strcpy(h->tool_version, MCK_VERSION);
  atomic_store_explicit(&h->state, MCK_LOG_RUNNING, memory_order_relaxed);
  // The magic is written last: a reader that sees it sees a whole header.
  atomic_thread_fence(memory_order_release);
  memcpy(h->magic, MCK_LOG_MAGIC, sizeof h->magic);
}

static int create(struct mck_log *log, const char *dir, uint32_t rank, uint32_t size, uint64_t job,
                  uint64_t limit_bytes, const char **why) {
  memset(log, 0, sizeof *log);
  log->fd = -1;
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/rank-%u.log", dir, rank);
  if (length < 0 || (size_t)length >= sizeof path) {
    *why = "the name of the log directory is too long";
    return ENAMETOOLONG;
  }
  // The largest index is below MCK_NONE, and a log has room for at least one event.
  uint64_t most = (uint64_t)MCK_NONE * MCK_UNIT / PAGE * PAGE;
  uint64_t limit = limit_bytes < 4 * PAGE ? 4 * PAGE : limit_bytes > most ? most : limit_bytes / PAGE * PAGE;
  log->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (log->fd < 0) {
    int rc = errno;
    *why = rc == EEXIST ? "a log of this rank exists already in the log directory" : "cannot create the log file";
    return rc;
  }
  flock(log->fd, LOCK_SH | LOCK_NB); // for log/abandoned-logs.c; without locks the process number is used
  // Under a limit of the address space (ulimit -v) the range is smaller.
  uint64_t room = mck_base_address_room() / PAGE * PAGE;
  if (limit > room) limit = room > SMALLEST_RANGE ? room : limit < SMALLEST_RANGE ? limit : SMALLEST_RANGE;
  void *range = MAP_FAILED;
  int rc = 0;
  for (uint64_t bytes = limit;; limit = bytes = round_up(bytes / 2, PAGE)) {
    range = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range != MAP_FAILED) break;
    rc = errno;
    if (bytes <= SMALLEST_RANGE) break;
  }
  if (range == MAP_FAILED) {
    *why = "cannot reserve address space for the log";
  } else {
    log->header = range;
    log->limit_units = (limit - MCK_LOG_HEADER) / MCK_UNIT;
    log->chunk = CHUNK;
    rc = map_chunk(log, 0, limit < CHUNK ? limit : CHUNK);
    if (rc == 0) {
      log->next = log->first = (struct mck_event *)((char *)range + MCK_LOG_HEADER);
      fill_header(log->header, rank, size, job);
      return 0;
    }
    munmap(range, limit);
    *why = rc == EFBIG    ? "the log does not fit the limit of file sizes (ulimit -f)"
           : rc == ENOSPC ? "the file system of the log directory is full"
                          : "cannot allocate and map the log file";
  }
  close(log->fd);
  unlink(path);
  memset(log, 0, sizeof *log);
  log->fd = -1;
  return rc;
}

// Other threads may load the pointer to the header at any time: they see NULL or a mapped header.
int mck_log_create(struct mck_log *log, const char *dir, uint32_t rank, uint32_t size, uint64_t job,
                   uint64_t limit_bytes, const char **why) {
  struct mck_log made;
  int rc = create(&made, dir, rank, size, job, limit_bytes, why);
  *log = made;
  return rc;
}

// All ranks reach their limit at about the same time, and one line is enough. The first rank keeps the directory's lock
// from then on. A lock leaves nothing behind; where locks do not work, each rank prints the line.
static bool is_first_to_stop(const struct mck_log *log) {
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", log->fd);
  ssize_t n = readlink(name, path, sizeof path - 1);
  char *slash = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;
  if (!slash) return true;
  *slash = 0;
  int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0) return true;
  if (flock(dir, LOCK_EX | LOCK_NB) == 0) return true; // it stays open: the lock is held until the process ends
  bool is_taken = errno == EWOULDBLOCK;
  close(dir);
  return !is_taken;
}

void mck_log_stop(struct mck_log *log, int rc) {
  struct mck_log_header *h = log->header;
  unsigned long long mib = mapped_bytes(log) >> 20, kib = mapped_bytes(log) >> 10;
  atomic_store_explicit(&h->is_incomplete, MCK_LOG_STOPPED, memory_order_release);
  if (!is_first_to_stop(log)) { /* said already */
  } else if (rc == 0)
    mck_base_warn("the log of rank %u reached its limit of %llu MiB; calls from here on are not recorded and the "
                  "checks at the end see only "
                  "what came before; raise it with MPICC_CHECK_OPTIONS=log_limit=MIB",
                  h->rank, mib);
  else if (rc == EFBIG)
    mck_base_warn("the log of rank %u cannot grow beyond %llu KiB (ulimit -f); calls from here on are not recorded; "
                  "raise that limit",
                  h->rank, kib);
  else
    mck_base_warn("the log of rank %u cannot grow beyond %llu KiB (%s); calls from here on are not recorded; make "
                  "room, or choose another "
                  "directory with MPICC_CHECK_OPTIONS=log_dir=DIR",
                  h->rank, kib, strerror(rc));
  // A failed allocation may have left a tail of the file, and a full file system needs the room. The mapped part stays.
  if (ftruncate(log->fd, (off_t)mapped_bytes(log)) != 0) { /* the tail is harmless */
  }
  mck_log_repeat_close(log);
  log->end = log->next; // from now on each reserve comes here, and the flag refuses it
}

bool mck_log_grow(struct mck_log *log, size_t n) {
  if (!log->header || atomic_load_explicit(&log->header->is_incomplete, memory_order_relaxed)) return false;
  while ((size_t)(log->end - log->next) < n) {
    uint64_t mapped = mapped_bytes(log), left = limit_of(log) - mapped;
    uint64_t size = left < log->chunk ? left : log->chunk;
    // The first half of an event that cannot fit must not fill the disk.
    bool fits = n <= left / MCK_UNIT + (size_t)(log->end - log->next);
    int rc = fits ? map_chunk(log, mapped, size) : 0;
    if (!fits || rc) {
      mck_log_stop(log, rc);
      return false;
    }
    if (log->chunk < CHUNK) log->chunk *= 2;
  }
  return true;
}

uint32_t mck_log_append(struct mck_log *log, const struct mck_event *head, const struct mck_piece *pieces, size_t n) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < n; i++)
    if (__builtin_add_overflow(bytes, pieces[i].size, &bytes)) return MCK_NONE;
  uint64_t extra = bytes / MCK_UNIT + (bytes % MCK_UNIT != 0);
  // The limit is below 2^32 units, so a larger event is refused. The sum below must not wrap around.
  struct mck_event *e = mck_log_reserve(log, extra >= MCK_NONE ? SIZE_MAX : (size_t)(1 + extra));
  if (!e) return MCK_NONE;
  *e = *head;
  e->def.extra = (uint32_t)extra;
  char *to = (char *)(e + 1);
  for (size_t i = 0; i < n; i++) {
    if (pieces[i].size) memcpy(to, pieces[i].data, pieces[i].size);
    to += pieces[i].size;
  }
  memset(to, 0, extra * MCK_UNIT - bytes);
  return mck_log_commit(log, 1 + extra);
}

void mck_log_close(struct mck_log *log, enum mck_log_state state) {
  if (!log->header) return;
  mck_log_repeat_close(log);
  uint64_t limit = limit_of(log);
  uint64_t used = MCK_LOG_HEADER + (uint64_t)(log->next - log->first) * MCK_UNIT;
  atomic_store_explicit(&log->header->state, state, memory_order_release);
  // The header stays: other threads may still read it.
  munmap((char *)log->header + PAGE, limit - PAGE);
  // Readers never read behind the committed units, so the unused end of the last chunk is cut off.
  if (log->header->is_kept && mck_log_expand_file(log->header, log->fd)) mck_log_seal(log->header, log->fd);
  else if (ftruncate(log->fd, (off_t)used) != 0) { /* only larger than needed */ }
  close(log->fd);
  memset(log, 0, sizeof *log);
  log->fd = -1;
}
