// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fuzz targets eat: the logs of a run, small. Behind each other, for each of at most 3 ranks:
//
//   struct piece, then size bytes: a whole file (is_raw, as it is), or the units of a log whose header is made here,
//   so that mutations go where the events are.
//
// Target parcel: the first piece is the log of the rank that decides, the others are parcels for it.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "log/log.h"

enum { PIECES = 3 };
struct piece {
  uint32_t size;
  uint8_t is_raw, state, is_incomplete, is_multiple;
  uint32_t claimed;   // units that the header promises beyond those that are there
  uint8_t more_ranks; // ranks in MPI_COMM_WORLD that left no log
  uint8_t how, wait, unused;
};
struct input {
  size_t count;
  struct {
    struct piece head;
    const uint8_t *data;
  } pieces[PIECES];
};

// Sizes that do not fit are cut, so any bytes are an input.
static inline struct input input_split(const uint8_t *data, size_t size) {
  struct input in = {0};
  for (; in.count < PIECES && size >= sizeof(struct piece); in.count++) {
    struct piece *head = &in.pieces[in.count].head;
    memcpy(head, data, sizeof *head);
    data += sizeof *head, size -= sizeof *head;
    if (head->size > size) head->size = (uint32_t)size;
    in.pieces[in.count].data = data;
    data += head->size, size -= head->size;
  }
  return in;
}

// A log in memory of its own, of exactly its size, so that a read behind it is seen; *bytes is that size.
static inline void *input_log(const struct input *in, size_t i, size_t *bytes) {
  const struct piece *head = &in->pieces[i].head;
  *bytes = head->is_raw ? head->size : MCK_LOG_HEADER + (size_t)head->size;
  void *log = malloc(*bytes ? *bytes : 1);
  if (!log) abort();
  if (head->is_raw) {
    memcpy(log, in->pieces[i].data, head->size);
    return log;
  }
  struct mck_log_header *h = memset(log, 0, MCK_LOG_HEADER);
  memcpy(h->magic, MCK_LOG_MAGIC, sizeof h->magic);
  h->version = MCK_LOG_VERSION;
  h->header_size = MCK_LOG_HEADER;
  h->unit_size = MCK_UNIT;
  h->rank = (uint32_t)i;
  h->size = (uint32_t)in->count + head->more_ranks % 4;
  strcpy(h->program, "program");
  h->units = (head->size + MCK_UNIT - 1) / MCK_UNIT + head->claimed;
  h->is_incomplete = head->is_incomplete;
  h->is_multiple = head->is_multiple;
  h->state = head->state;
  h->how = head->how;
  h->wait = head->wait;
  memcpy((char *)log + MCK_LOG_HEADER, in->pieces[i].data, head->size);
  return log;
}

struct input_logs {
  size_t count;
  void *memory[PIECES];
  size_t bytes[PIECES];
  struct mck_reader readers[PIECES];
};

// Those that load; a log that is refused is left out, as mpirun-check does.
static inline struct input_logs input_load(const struct input *in, size_t n) {
  struct input_logs logs = {0};
  for (size_t i = 0; i < n; i++) {
    size_t bytes;
    const char *why = NULL;
    void *log = input_log(in, i, &bytes);
    if (mck_log_load_memory(&logs.readers[logs.count], log, bytes, &why) == 0)
      logs.bytes[logs.count] = bytes, logs.memory[logs.count++] = log;
    else if (!why) abort();
    else free(log);
  }
  return logs;
}

static inline void input_unload(struct input_logs *logs) {
  for (size_t i = 0; i < logs->count; i++) {
    mck_log_unload(&logs->readers[i]);
    free(logs->memory[i]);
  }
}
