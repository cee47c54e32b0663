// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader of logs. Each event is validated when it is reached for the first time, and definitions go into the
// tables. So later readers need no checks of sizes. The first malformed event ends the log: the events before it were
// committed in order and are sound.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "log/blocks.h"
#include "log/content.h"
#include "log/log-definition.h"
#include "log/log-expand.h"
#include "log/log-seal.h"
#include "log/log.h"
#include "log/window-bytes.h"

enum { REQUESTS_INLINE = 4, REQUESTS_PER_UNIT = MCK_UNIT / 4 };

uint32_t mck_wait_request(const struct mck_event *e, uint32_t i) {
  return i < REQUESTS_INLINE ? e->wait.request[i] : ((const uint32_t *)(e + 1))[i - REQUESTS_INLINE];
}

uint64_t mck_log_place(const struct mck_reader *reader, uint32_t site) {
  const struct mck_stack_def *stack = site < reader->nstacks ? &reader->stacks[site] : NULL;
  if (!stack || !stack->frames || !stack->depth) return 0;
  uint64_t frame = stack->frames[0], module = frame >> 48;
  if (module >= reader->nmodules || !reader->modules[module].path) return 0;
  return mck_base_hash(reader->modules[module].path, reader->modules[module].path_length, frame << 16) | 1;
}

int mck_comm_world_rank(const struct mck_comm_def *comm, int rank, bool remote) {
  if (rank < 0 || !comm->body || (uint32_t)rank >= (remote ? comm->remote_size : comm->size)) return -1;
  uint64_t wanted = (uint64_t)rank + (remote ? comm->size : 0);
  for (uint32_t i = 0; i < comm->nranges; i++) {
    const struct mck_range *r = &comm->ranges[i];
    if (wanted < r->count) return r->first == MCK_NONE ? -1 : (int)(r->first + wanted);
    wanted -= r->count;
  }
  return -1;
}

// The requests of an event name earlier events.
static bool is_wait_sound(const struct mck_event *e, uint64_t index) {
  if (e->wait.count > REQUESTS_INLINE + (uint64_t)e->wait.extra * REQUESTS_PER_UNIT) return false;
  for (uint32_t i = 0; i < e->wait.count; i++) {
    uint32_t request = mck_wait_request(e, i);
    if (request >= index && request != MCK_NONE) return false;
  }
  return true;
}

// n is at the same place in both layouts.
static bool is_list_sound(const struct mck_event *e) { return e->group.n <= (uint64_t)e->group.extra * (MCK_UNIT / 4); }

static bool is_strand_sound(const struct mck_event *e) {
  return e->strand.n * (uint64_t)sizeof(struct mck_strand_news) + e->fn <= e->strand.extra * (uint64_t)MCK_UNIT;
}

static enum mck_define_result read_event(struct mck_reader *reader, const struct mck_event *e, uint64_t index) {
  bool is_sound = true;
  if (e->kind == MCK_EV_RETURN) is_sound = e->returned.event < index;
  else if (e->kind == MCK_EV_MRECV) is_sound = e->mrecv.mprobe < index || e->mrecv.mprobe == MCK_NONE;
  else if (!mck_event_is_variable(e) || mck_event_units(e) > reader->units - index) is_sound = false;
  else if (e->kind <= MCK_EV_DONE) is_sound = is_wait_sound(e, index);
  else if (e->kind == MCK_EV_COLL_ARGS) is_sound = mck_blocks_is_sound(e);
  else if (e->kind == MCK_EV_MEMBERS || e->kind == MCK_EV_GROUP) is_sound = is_list_sound(e);
  else if (e->kind == MCK_EV_STRAND) is_sound = is_strand_sound(e);
  else if (e->kind == MCK_EV_CONTENT) is_sound = mck_content_is_sound(e, index);
  else if (e->kind == MCK_EV_WINDOW_BYTES) is_sound = mck_window_bytes_is_sound(e);
  else return mck_define_enter(reader, e);
  return is_sound ? MCK_DEFINE_OK : MCK_DEFINE_MALFORMED;
}

bool mck_log_read_on(struct mck_reader *reader, uint64_t index) {
  const struct mck_event *e = &reader->events[index];
  enum mck_define_result result = read_event(reader, e, index);
  if (result == MCK_DEFINE_OK) return reader->known = index + mck_event_units(e), true;
  if (result == MCK_DEFINE_NO_MEMORY) reader->is_short = true;
  else reader->damaged = index;
  reader->units = index;
  return false;
}

static const char *check_header(const struct mck_log_header *h) {
  if (memcmp(h->magic, MCK_LOG_MAGIC, sizeof h->magic) != 0) return "not a log of mpicc-check";
  if (h->version != MCK_LOG_VERSION) return "a log of another version of mpicc-check";
  if (h->header_size != MCK_LOG_HEADER || h->unit_size != MCK_UNIT) return "the header of the log is damaged (sizes)";
  if (h->features != 0) return "a log with features that this version of mpicc-check does not know";
  if (h->size == 0 || h->size > INT32_MAX || h->rank >= h->size) return "the header of the log is damaged (rank)";
  if (!memchr(h->host, 0, sizeof h->host) || !memchr(h->program, 0, sizeof h->program) ||
      !memchr(h->tool_version, 0, sizeof h->tool_version))
    return "the header of the log is damaged (names)";
  return NULL;
}

// known: the number of committed units where it was read before, else NULL.
static int open_log(struct mck_reader *reader, const void *log, size_t size, const uint64_t *known, const char **why) {
  memset(reader, 0, sizeof *reader);
  reader->damaged = UINT64_MAX, reader->death = MCK_NONE;
  if (size < MCK_LOG_HEADER) {
    *why = "too short for a log of mpicc-check";
    return -1;
  }
  if ((uintptr_t)log % _Alignof(uint64_t)) {
    *why = "a log in memory must be aligned";
    return -1;
  }
  const struct mck_log_header *h = log;
  *why = check_header(h);
  if (*why) return -1;
  // This load comes first: what the writer stored before it published the number is visible after the load.
  uint64_t committed = known ? *known : atomic_load_explicit(&h->units, memory_order_acquire);
  uint64_t present = (size - MCK_LOG_HEADER) / MCK_UNIT;
  reader->header = h;
  reader->events = (const struct mck_event *)((const char *)log + MCK_LOG_HEADER);
  // A log that is sealed has all its units.
  bool has_all = !atomic_load_explicit(&h->has_repeats, memory_order_acquire) || atomic_load(&h->is_sealed);
  // Indices have 32 bits, and MCK_NONE is no index.
  reader->units = committed < present || !has_all ? committed : present;
  if (reader->units >= MCK_NONE) reader->units = MCK_NONE - 1;
  if (reader->units < committed) reader->damaged = reader->units;
  return has_all ? 0 : mck_log_expand(reader, present, why);
}

static void forget(struct mck_reader *reader) {
  free(reader->comms), free(reader->types), free(reader->wins), free(reader->modules), free(reader->stacks);
  reader->comms = NULL, reader->types = NULL, reader->wins = NULL, reader->modules = NULL, reader->stacks = NULL;
  reader->ncomms = reader->ntypes = reader->nwins = reader->nmodules = reader->nstacks = 0;
  memset(&reader->room, 0, sizeof reader->room);
  reader->known = 0;
}

// The place of death becomes one more site.
static void define_death(struct mck_reader *reader) {
  uint32_t depth = atomic_load(&reader->header->ndied), site = reader->nstacks;
  reader->death = MCK_NONE;
  if (!depth || depth > MCK_LOG_DIED || site == MCK_NONE ||
      !mck_base_grow((void **)&reader->stacks, &reader->room.stacks, (size_t)site + 1, sizeof *reader->stacks))
    return;
  reader->stacks[site] = (struct mck_stack_def){site, depth, 0, reader->header->died};
  reader->nstacks++;
  reader->death = site;
}

bool mck_log_read_all(struct mck_reader *reader) {
  forget(reader);
  for (uint64_t i = 0; mck_log_reach(reader, i); i += mck_event_units(&reader->events[i])) {}
  if (reader->is_short) reader->damaged = reader->units;
  define_death(reader);
  return !reader->is_short;
}

bool mck_log_read_parts(struct mck_reader *reader, uint64_t first, const uint32_t *definitions, size_t n) {
  uint64_t i = 0, units = reader->units, damaged = reader->damaged;
  forget(reader);
  for (; i < first && mck_log_reach(reader, i); i += mck_event_units(&reader->events[i])) {}
  bool is_good = reader->units == units;
  for (size_t k = 0; k < n && is_good; k++) {
    if (definitions[k] < i) continue;
    is_good = definitions[k] < units && mck_log_read_on(reader, definitions[k]);
    if (is_good) i = reader->known;
  }
  // A unit that looks malformed may not be the first of an event.
  reader->units = units, reader->damaged = damaged;
  if (is_good) reader->known = units;
  return is_good;
}

static int read_all(struct mck_reader *reader, const char **why) {
  if (mck_log_read_all(reader)) return 0;
  mck_log_unload(reader);
  *why = "out of memory";
  return -1;
}

int mck_log_open_memory(struct mck_reader *reader, const void *log, size_t size, const char **why) {
  return open_log(reader, log, size, NULL, why);
}

int mck_log_load_memory(struct mck_reader *reader, const void *log, size_t size, const char **why) {
  return open_log(reader, log, size, NULL, why) ? -1 : read_all(reader, why);
}

int mck_log_load(struct mck_reader *reader, const char *path, const char **why) {
  return mck_log_load_first(reader, path, UINT64_MAX, why);
}

int mck_log_load_first(struct mck_reader *reader, const char *path, uint64_t units, const char **why) {
  if (mck_log_map(reader, path, units, why)) return -1;
  uint64_t first_bad = UINT64_MAX;
  *why = units == UINT64_MAX ? mck_log_seal_check(reader->header, reader->map_size, &first_bad) : NULL;
  if (*why) {
    mck_log_unload(reader);
    return -1;
  }
  if (first_bad != UINT64_MAX) reader->units = reader->damaged = first_bad;
  return read_all(reader, why);
}

int mck_log_map(struct mck_reader *reader, const char *path, uint64_t units, const char **why) {
  memset(reader, 0, sizeof *reader);
  // O_NONBLOCK: a pipe of that name must not block the open.
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    *why = errno == ENOENT ? "no such file" : errno == EACCES ? "no permission to read it" : "cannot open it";
    return -1;
  }
  // The number of units is read first, then the size of the file. The file grows before units in the new part are
  // committed; in the other order a log that grows in between would look cut.
  uint64_t committed = 0;
  ssize_t n = pread(fd, &committed, sizeof committed, offsetof(struct mck_log_header, units));
  atomic_thread_fence(memory_order_acquire);
  if (committed > units) committed = units;
  struct stat st;
  int rc = -1;
  void *map = MAP_FAILED;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
    *why = "not a regular file";
  } else if (n != sizeof committed || st.st_size < MCK_LOG_HEADER) {
    *why = "too short for a log of mpicc-check";
  } else if ((map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0)) == MAP_FAILED) {
    *why = "cannot map it into memory";
  } else {
    rc = open_log(reader, map, (size_t)st.st_size, &committed, why);
    if (rc == 0) {
      reader->map = map;
      reader->map_size = (size_t)st.st_size;
    } else {
      munmap(map, (size_t)st.st_size);
    }
  }
  close(fd);
  return rc;
}

void mck_log_unload(struct mck_reader *reader) {
  forget(reader);
  if (reader->map) munmap(reader->map, reader->map_size);
  if (reader->whole) munmap(reader->whole, reader->whole_size);
  memset(reader, 0, sizeof *reader);
}
