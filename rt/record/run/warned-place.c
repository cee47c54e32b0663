// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands the compiler's warnings on to the log (warned-place.h). Objects are attached before MPI_Init, and may be
// unloaded at any time: what their records say is copied at once, and no record is written to later. So the bytes that
// code sets are at one address from the start: a page of our own, in whose place the log's header is mapped when there
// is a log.
#define _GNU_SOURCE 1
#include "record/run/warned-place.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "warning-abi.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"
#include "report/static-place.h"

_Alignas(MCK_LOG_HEADER) static union {
  struct mck_log_header header;
  char bytes[MCK_LOG_HEADER];
} page;

static struct warned {
  char *strings; // a copy of the record's, owned
  struct mck_static_place place;
  uint64_t hash;
  uint32_t number;
  bool is_told;
} *all;
static size_t count, capacity;
static bool is_mapped; // the page is the header of the log
static void map_header(void);

enum { STRINGS = offsetof(struct mck_static_warning, strings) };

// false: the record is of another version, or damaged.
static bool read_record(const struct mck_static_warning *record, struct warned *w) {
  const char **texts[] = {&w->place.kind, &w->place.file, &w->place.function, &w->place.text};
  size_t room = record->size - STRINGS;
  w->strings = malloc(room + 1);
  if (!w->strings) return false;
  memcpy(w->strings, record->strings, room);
  const char *at = w->strings, *end = w->strings + room;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    if (!zero || zero == at || strchr(at, '\n')) return false;
    *texts[i] = at;
    at = zero + 1;
  }
  w->place.line = record->line, w->place.column = record->column, w->place.is_part = record->is_part;
  w->hash = mck_base_hash(w->strings, (size_t)(at - w->strings), record->line * UINT64_C(8191) + record->column);
  return record->line != 0;
}

static void tell(struct warned *w) {
  if (w->is_told || !mck_rt.log.header) return;
  w->is_told = true;
  struct mck_finding *f = mck_local_add(MCK_CHECK_STATIC_UNEXECUTED, MCK_NONE, w->hash);
  mck_static_fill(f, &w->place, w->number);
  mck_local_done(f);
}

// What sets the byte: code of the record's own, or the mark of a call, which several records may have.
static bool is_seen(const struct mck_static_warning *record) {
  return record->executed || (record->mark && *record->mark);
}

static bool is_ours(const uint8_t *byte) {
  return byte >= page.header.executed && byte < page.header.executed + MCK_LOG_WARNED;
}

static void lead(struct mck_static_warning *record, uint32_t number) {
  if (record->executed) record->executed = &page.header.executed[number];
  else *record->mark = &page.header.executed[number];
}

// One place may be in several objects: an inline function of a header.
static void attach(struct mck_static_warning *record) {
  struct warned w = {.number = MCK_NONE};
  if (!read_record(record, &w)) {
    free(w.strings);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (all[i].hash == w.hash) {
      if (is_seen(record) && all[i].number != MCK_NONE) lead(record, all[i].number);
      free(w.strings);
      return;
    }
  // What comes behind MPI_Finalize is executed when the places are read already.
  bool is_late = strcmp(w.place.kind, "init.after") == 0;
  bool has_number = is_seen(record) && count < MCK_LOG_WARNED && !is_late;
  bool is_shared = has_number && !record->executed && is_ours(*record->mark);
  if (is_shared) w.number = (uint32_t)(*record->mark - page.header.executed);
  else if (has_number) w.number = (uint32_t)count;
  if (!MCK_PUSH(all, count, capacity, w)) {
    free(w.strings);
    return;
  }
  if (has_number) lead(record, w.number);
  tell(&all[count - 1]);
}

MCK_EXPORT void __mck_attach_warnings(uint32_t version, struct mck_static_warning *low,
                                      struct mck_static_warning *high) {
  if (version != MCK_WARNINGS_VERSION || !mck_options.compiler_warnings || !mck_rt.is_on || mck_rt.is_finalized) return;
  mck_lock();
  char *at = (char *)low, *end = (char *)high;
  while (end - at > STRINGS) {
    struct mck_static_warning *record = (struct mck_static_warning *)at;
    bool is_record = record->head == MCK_WARNING_HEAD && record->size > STRINGS && record->size % 8 == 0 &&
                     record->size <= (size_t)(end - at);
    if (is_record) attach(record);
    at += is_record ? record->size : 8;
  }
  if (!is_mapped) map_header();
  mck_unlock();
}

static void map_header(void) {
  struct mck_log_header *header = mck_rt.log.header;
  if (!header || !count) return;
  is_mapped = true;
  // The page so far is kept a moment: another thread may be setting a byte of it.
  for (size_t i = 0; i < MCK_LOG_WARNED; i++) header->executed[i] |= page.header.executed[i];
  void *before = mremap(&page, 0, sizeof page, MREMAP_MAYMOVE); // a second mapping, if it is one of a file
  mmap(&page, sizeof page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, mck_rt.log.fd, 0);
  if (before == MAP_FAILED) return;
  const struct mck_log_header *old = before;
  for (size_t i = 0; i < MCK_LOG_WARNED; i++) header->executed[i] |= old->executed[i];
  munmap(before, sizeof page);
}

void mck_warned_begin(void) {
  map_header();
  for (size_t i = 0; i < count; i++) tell(&all[i]);
}

void mck_warned_switch(void) {
  if (is_mapped) map_header();
}

void mck_warned_finish(void) { mck_static_execute(&mck_rt.findings, 0, page.header.executed, MCK_LOG_WARNED); }
