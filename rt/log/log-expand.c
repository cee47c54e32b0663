// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader's part of what repeats (log-expand.h). The writer may go on meanwhile, and write events that it had left
// out. A log may be forged: nothing is followed that does not lie where the format says.
#include "log/log-expand.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "log/log-repeat.h"

struct run {
  uint64_t first, end; // units
  uint32_t distance;
};
struct runs {
  struct run *items;
  size_t count, capacity;
};

// --- filling --------------------------------------------------------------------------------------------------------

// Unit number part of a completion: its requests are as far back as those of the turn.
static void shift_requests(struct mck_event *unit, const struct mck_event *head, uint64_t part, uint32_t shift) {
  uint32_t *words = part ? (uint32_t *)unit : unit->wait.request, n = part ? MCK_UNIT / 4 : 4;
  uint64_t first = part ? 4 + (part - 1) * (MCK_UNIT / 4) : 0;
  for (uint32_t i = 0; i < n && first + i < head->wait.count; i++)
    if (words[i] != MCK_NONE) words[i] += shift;
}

void mck_log_repeat_copy(const struct mck_event *e, uint64_t units, uint32_t shift, struct mck_event *to) {
  memcpy(to, e, units * sizeof *e);
  for (uint64_t i = 0; mck_event_is_completion(e) && i < units; i++) shift_requests(&to[i], e, i, shift);
}

void mck_log_repeat_fill(const struct mck_event *first, uint32_t distance, uint64_t from, uint64_t n,
                         struct mck_event *to) {
  const struct mck_event *turn = first - distance;
  for (uint64_t at = from - from % distance; at < from + n;) {
    const struct mck_event *e = &turn[at % distance];
    uint64_t units = mck_event_units(e), left = distance - at % distance;
    if (units > left) units = left; // of a forged log
    for (uint64_t i = 0; i < units; i++) {
      if (at + i < from || at + i >= from + n) continue;
      struct mck_event *unit = &to[at + i - from];
      *unit = e[i];
      if (mck_event_is_completion(e)) shift_requests(unit, e, i, (uint32_t)((at / distance + 1) * distance));
    }
    at += units;
  }
}

// Where the requests of a turn are, in words from its begin. Returns how many there are; words NULL: only counts.
static size_t find_requests(const struct mck_event *turn, uint32_t distance, uint32_t *words) {
  const uint32_t *base = (const uint32_t *)turn;
  size_t count = 0;
  for (uint64_t i = 0, units; i < distance; i += units) {
    const struct mck_event *e = &turn[i];
    units = mck_event_units(e);
    if (!mck_event_is_completion(e) || units > distance - i) continue;
    uint64_t most = 4 + (units - 1) * (MCK_UNIT / 4), n = e->wait.count < most ? e->wait.count : most;
    for (uint32_t k = 0; k < n; k++) {
      if (mck_wait_request(e, k) == MCK_NONE) continue;
      const uint32_t *word = k < 4 ? &e->wait.request[k] : (const uint32_t *)(e + 1) + (k - 4);
      if (words) words[count] = (uint32_t)(word - base);
      count++;
    }
  }
  return count;
}

// Each turn is a copy of the one before, but for its requests.
static bool fill_turns(struct mck_event *first, uint32_t distance, uint64_t n, size_t nwords) {
  uint32_t *words = malloc(nwords * sizeof *words);
  if (!words) return false;
  find_requests(first - distance, distance, words);
  uint64_t done = 0;
  for (; n - done >= distance; done += distance) {
    struct mck_event *to = first + done;
    memcpy(to, to - distance, distance * sizeof *to);
    for (size_t i = 0; i < nwords; i++) ((uint32_t *)to)[words[i]] += distance;
  }
  mck_log_repeat_fill(first, distance, done, n - done, first + done);
  free(words);
  return true;
}

// The units of the run, behind its turn, in memory. Where nothing changes from turn to turn, the copy doubles.
static bool fill_run(struct mck_event *events, const struct run *run) {
  struct mck_event *first = &events[run->first];
  uint64_t n = run->end - run->first, turn = run->distance;
  size_t nwords = find_requests(first - turn, run->distance, NULL);
  if (nwords) return fill_turns(first, run->distance, n, nwords);
  for (uint64_t done = 0; done < n;) {
    uint64_t whole = done + turn, some = n - done < whole ? n - done : whole;
    memcpy(first + done, first - turn, some * sizeof *first);
    done += some;
  }
  return true;
}

// --- runs -----------------------------------------------------------------------------------------------------------
// Passes over what is written, and finds each REPEAT. Where the log is damaged the units end: the reader will say so.
static bool find_runs(struct runs *runs, const struct mck_event *events, uint64_t present, uint64_t *units) {
  uint64_t at = 0, literal = 0;
  while (at < *units && at < present) {
    const struct mck_event *e = &events[at];
    struct mck_event seen = {.kind = __atomic_load_n(&e->kind, __ATOMIC_ACQUIRE)};
    if (!mck_event_is_variable(&seen)) {
      at++;
      continue;
    }
    seen.def = e->def;
    if (seen.kind != MCK_EV_REPEAT) {
      if (mck_event_units(&seen) > present - at) break;
      at += mck_event_units(&seen);
      continue;
    }
    // While it was read the writer may have written its events: then it is a REPEAT no more.
    seen.repeat.extra = __atomic_load_n(&e->repeat.extra, __ATOMIC_ACQUIRE);
    atomic_thread_fence(memory_order_acquire);
    if (__atomic_load_n(&e->kind, __ATOMIC_RELAXED) != MCK_EV_REPEAT) continue;
    struct run run = {at, seen.repeat.extra == MCK_NONE ? *units : at + seen.repeat.extra + 1, seen.repeat.distance};
    if (run.end > *units) run.end = *units;
    if (!run.distance || run.distance > MCK_REPEAT_LONGEST || run.distance > at - literal) break;
    if (!MCK_PUSH(runs->items, runs->count, runs->capacity, run)) return false;
    at = literal = run.end;
  }
  if (at < *units) *units = at;
  return true;
}

// A forged number must not fill the memory.
static void *allocate(size_t size) {
  uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES), page = (uint64_t)sysconf(_SC_PAGESIZE);
  if (size / page > pages) return NULL;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, size, MADV_HUGEPAGE); // a fifth of the time
  return memory;
}

static struct mck_event *fill_all(const struct mck_event *events, uint64_t units, const struct runs *runs,
                                  size_t *size) {
  *size = (size_t)(units + !units) * MCK_UNIT;
  struct mck_event *whole = allocate(*size);
  if (!whole) return NULL;
  uint64_t at = 0;
  for (size_t i = 0; i < runs->count; i++) {
    const struct run *run = &runs->items[i];
    memcpy(whole + at, events + at, (run->first - at) * sizeof *whole);
    if (!fill_run(whole, run)) {
      munmap(whole, *size);
      return NULL;
    }
    at = run->end;
  }
  memcpy(whole + at, events + at, (units - at) * sizeof *whole);
  return whole;
}

int mck_log_expand(struct mck_reader *reader, uint64_t present, const char **why) {
  struct runs runs = {0};
  uint64_t units = reader->units;
  bool is_good = find_runs(&runs, reader->events, present, &units);
  struct mck_event *whole = is_good ? fill_all(reader->events, units, &runs, &reader->whole_size) : NULL;
  free(runs.items);
  if (!whole) {
    *why = "out of memory";
    return -1;
  }
  if (units < reader->units) reader->units = reader->damaged = units;
  reader->whole = whole, reader->events = whole;
  return 0;
}

// --- files ----------------------------------------------------------------------------------------------------------
static bool write_runs(int fd, const struct mck_event *events, uint64_t units, const struct runs *runs, uint64_t end) {
  size_t size;
  struct mck_event *whole = fill_all(events, units, runs, &size);
  if (!whole) return false;
  bool is_good = ftruncate(fd, (off_t)end) == 0;
  for (size_t i = 0; i < runs->count && is_good; i++) {
    uint64_t at = runs->items[i].first, offset = MCK_LOG_HEADER + at * MCK_UNIT;
    uint64_t n = (runs->items[i].end - at) * MCK_UNIT;
    is_good = mck_log_allocate(fd, offset, n) == 0 && mck_log_write(fd, whole + at, n, offset) == 0;
  }
  munmap(whole, size);
  return is_good;
}

bool mck_log_expand_file(struct mck_log_header *header, int fd) {
  if (!atomic_load(&header->has_repeats)) return true;
  struct stat st;
  uint64_t units = atomic_load(&header->units), end = MCK_LOG_HEADER + units * MCK_UNIT, all = units;
  if (fstat(fd, &st) != 0 || st.st_size < MCK_LOG_HEADER) return false;
  size_t size = (size_t)st.st_size;
  void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) return false;
  const struct mck_event *events = (const struct mck_event *)((char *)map + MCK_LOG_HEADER);
  struct runs runs = {0};
  bool is_good = find_runs(&runs, events, (size - MCK_LOG_HEADER) / MCK_UNIT, &units) && units == all &&
                 write_runs(fd, events, units, &runs, end);
  munmap(map, size);
  free(runs.items);
  if (is_good) atomic_store(&header->has_repeats, 0);
  return is_good;
}
