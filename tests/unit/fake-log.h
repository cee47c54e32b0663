// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logs written by hand, in memory, for the tests of judge and watch:
//
//   struct fake log;
//   fake_begin(&log, rank, size);                        // communicator 0 is MPI_COMM_WORLD, key 100
//   fake_send(&log, MCK_FN_MPI_Send, site, 0, peer, tag, MCK_BASIC_INT, count);
//   fake_load(&log, &reader);
//   ...
//   fake_end(&log, &reader);
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "judge/judge.h"
#include "log/log.h"
#include "log/signature.h"

struct fake {
  struct mck_log_header *header;
  uint32_t units, capacity;
};

static inline struct mck_event *fake_at(struct fake *log, uint32_t index) {
  return (struct mck_event *)((char *)log->header + MCK_LOG_HEADER) + index;
}
static inline uint32_t fake_units(struct fake *log, const struct mck_event *e, uint32_t n) {
  if (!log->header || log->units + n > log->capacity) {
    size_t old = MCK_LOG_HEADER + (size_t)log->capacity * MCK_UNIT;
    log->capacity = 2 * (log->units + n) + 64;
    size_t new = MCK_LOG_HEADER + (size_t)log->capacity *MCK_UNIT;
    void *moved = aligned_alloc(4096, (new + 4095) / 4096 * 4096);
    if (!moved) abort();
    if (log->header) memcpy(moved, log->header, old);
    else memset(moved, 0, MCK_LOG_HEADER);
    free(log->header);
    log->header = moved;
  }
  if (n) memcpy(fake_at(log, log->units), e, (size_t)n * MCK_UNIT);
  log->units += n;
  return log->units - n;
}
static inline uint32_t fake_event(struct fake *log, struct mck_event e) { return fake_units(log, &e, 1); }
// A definition: head and what follows.
static inline uint32_t fake_define(struct fake *log, uint8_t kind, uint32_t id, uint32_t a, uint32_t b, uint32_t c,
                                   uint32_t d, const void *first, size_t first_size, const void *second,
                                   size_t second_size) {
  struct mck_event units[130];
  memset(units, 0, sizeof units);
  size_t bytes = first_size + second_size;
  units[0] = (struct mck_event){
      .kind = kind, .site = MCK_NONE, .def = {(uint32_t)((bytes + MCK_UNIT - 1) / MCK_UNIT), id, a, b, c, d}};
  if (first_size) memcpy(&units[1], first, first_size);
  if (second_size) memcpy((char *)&units[1] + first_size, second, second_size);
  return fake_units(log, units, 1 + units[0].def.extra);
}
static inline void fake_comm(struct fake *log, uint32_t id, uint64_t key, uint32_t rank, const struct mck_range *ranges,
                             uint32_t n, uint32_t size, uint32_t remote) {
  struct mck_comm_body body = {.key = key};
  fake_define(log, MCK_EV_DEF_COMM, id, rank, size, remote, n, &body, sizeof body, ranges, n * sizeof *ranges);
}
static inline void fake_begin(struct fake *log, uint32_t rank, uint32_t size) {
  *log = (struct fake){0};
  fake_units(log, NULL, 0);
  memcpy(log->header->magic, MCK_LOG_MAGIC, 8);
  log->header->version = MCK_LOG_VERSION;
  log->header->header_size = MCK_LOG_HEADER;
  log->header->unit_size = MCK_UNIT;
  log->header->rank = rank;
  log->header->size = size;
  log->header->state = MCK_LOG_FINALIZED;
  struct mck_range world = {0, size};
  fake_comm(log, 0, 100, rank, &world, 1, size, 0);
}
// A type of nparts parts; a contiguous block of size bytes.
static inline void fake_type(struct fake *log, uint32_t id, uint64_t size, const struct mck_type_part *parts,
                             uint32_t nparts, int64_t extent, const struct mck_block *blocks, uint32_t nblocks) {
  struct mck_type_body body = {size, 0, extent};
  struct {
    struct mck_type_body body;
    struct mck_type_part parts[16];
  } head;
  memset(&head, 0, sizeof head);
  head.body = body;
  memcpy(head.parts, parts, nparts * sizeof *parts);
  fake_define(log, MCK_EV_DEF_TYPE, id, nparts, nblocks, 0, 0, &head, sizeof body + nparts * sizeof *parts, blocks,
              nblocks * sizeof *blocks);
}
static inline void fake_win(struct fake *log, uint32_t id, uint32_t comm, uint64_t key, uint32_t disp_unit,
                            uint64_t size, const char *name) {
  struct mck_win_body body = {key, 0x1000, size};
  fake_define(log, MCK_EV_DEF_WIN, id, comm, disp_unit, 1, (uint32_t)strlen(name), &body, sizeof body, name,
              strlen(name));
}
static inline uint32_t fake_message(struct fake *log, uint8_t kind, uint8_t flags, uint16_t fn, uint32_t site,
                                    uint32_t comm, int32_t peer, int32_t tag, uint32_t type, uint64_t count) {
  return fake_event(
      log,
      (struct mck_event){.kind = kind, .flags = flags, .fn = fn, .site = site, .msg = {comm, peer, tag, type, count}});
}
#define fake_send(log, fn, site, comm, peer, tag, type, count)                                                         \
  fake_message(log, MCK_EV_SEND, 0, fn, site, comm, peer, tag, type, count)
#define fake_recv(log, fn, site, comm, peer, tag, type, count)                                                         \
  fake_message(log, MCK_EV_RECV, MCK_FLAG_MATCHED, fn, site, comm, peer, tag, type, count)
static inline uint32_t fake_collective(struct fake *log, uint16_t fn, uint32_t site, uint32_t comm, int32_t root) {
  return fake_event(
      log, (struct mck_event){.kind = MCK_EV_COLL, .fn = fn, .site = site, .coll = {.comm = comm, .root = root}});
}
static inline uint32_t fake_fence(struct fake *log, uint32_t site, uint32_t win) {
  return fake_event(
      log, (struct mck_event){
               .kind = MCK_EV_FENCE, .fn = MCK_FN_MPI_Win_fence, .site = site, .sync = {.win = win, .rank = -1}});
}
static inline uint32_t fake_rma(struct fake *log, uint8_t kind, uint8_t op, uint32_t site, uint32_t win, int32_t target,
                                uint64_t disp, uint32_t count, uint32_t type) {
  uint16_t fn = kind == MCK_EV_PUT ? MCK_FN_MPI_Put : kind == MCK_EV_GET ? MCK_FN_MPI_Get : MCK_FN_MPI_Accumulate;
  return fake_event(
      log,
      (struct mck_event){.kind = kind, .flags = op, .fn = fn, .site = site, .rma = {win, target, disp, count, type}});
}
static inline uint32_t fake_access(struct fake *log, uint8_t flags, uint32_t site, uint32_t win, uint64_t offset,
                                   uint32_t size, uint32_t n, int32_t stride) {
  return fake_event(log,
                    (struct mck_event){
                        .kind = MCK_EV_ACCESS, .flags = flags, .site = site, .access = {win, size, offset, n, stride}});
}
static inline void fake_load(struct fake *log, struct mck_reader *reader) {
  const char *why = NULL;
  log->header->units = log->units;
  if (mck_log_load_memory(reader, log->header, MCK_LOG_HEADER + (size_t)log->units * MCK_UNIT, &why) != 0 ||
      reader->damaged != UINT64_MAX) {
    fprintf(stderr, "a hand-written log is malformed: %s (unit %llu)\n", why ? why : "",
            (unsigned long long)reader->damaged);
    exit(1);
  }
}
static inline void fake_end(struct fake *log, struct mck_reader *reader) {
  if (reader) mck_log_unload(reader);
  free(log->header);
  *log = (struct fake){0};
}
static inline bool fake_is_same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }
// Judges n logs of a world of n ranks; also by three threads, which must find the same in the same order.
static inline void fake_judge(struct fake *logs, uint32_t n, bool is_complete, struct mck_findings *findings) {
  struct mck_reader *readers = calloc(n, sizeof *readers);
  for (uint32_t i = 0; i < n; i++) fake_load(&logs[i], &readers[i]);
  struct mck_judge_run run = {n, is_complete};
  struct mck_findings again = {0};
  mck_judge_logs(readers, n, &run, findings);
  mck_judge_logs_with(readers, n, &run, 3, &again);
  bool is_same = again.count == findings->count;
  for (size_t i = 0; is_same && i < again.count; i++) {
    const struct mck_finding *a = &again.items[i], *b = &findings->items[i];
    is_same = a->check == b->check && a->rank == b->rank && a->count == b->count &&
              fake_is_same_text(a->text, b->text) && fake_is_same_text(a->why, b->why);
  }
  if (!is_same) {
    fprintf(stderr, "three threads find %zu, one %zu, or not the same\n", again.count, findings->count);
    exit(1);
  }
  mck_findings_free(&again);
  for (uint32_t i = 0; i < n; i++) fake_end(&logs[i], &readers[i]);
  free(readers);
}
static inline void fake_print(const struct mck_findings *findings) {
  for (size_t i = 0; i < findings->count; i++) {
    const struct mck_finding *f = &findings->items[i];
    printf("[%s] rank %d x%u: %s | %s\n", mck_check_infos[f->check].id, f->rank, f->count, f->text,
           f->why ? f->why : "");
    for (uint32_t k = 0; k < f->nplaces; k++)
      printf("    %s (rank %d site %d)\n", f->places[k].label, f->places[k].rank, (int)f->places[k].site);
  }
}
