// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends and receives copies of logs, block by block (log-copy.h).
#include "watch/node/log-copy.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 'H', BLOCK = 'B' };
// The head of both messages. All processes of a job have one byte order, like their logs.
struct head {
  uint8_t kind, is_first, unused[2];
  uint32_t rank;
  uint64_t at;
}; // at: units of the log; or bytes behind the header
struct head_message {
  struct head head;
  uint8_t header[sizeof(struct mck_log_header)];
};
struct block_message {
  struct head head;
  uint8_t bytes[MCK_COPY_BLOCK];
};

static bool remember(struct mck_copy_source *s, size_t i, uint64_t hash, bool *is_new) {
  *is_new = i >= s->nhashes || s->hashes[i] != hash;
  if (i >= s->nhashes) return MCK_PUSH(s->hashes, s->nhashes, s->capacity, hash);
  s->hashes[i] = hash;
  return true;
}

static int send_blocks(struct mck_copy_source *s, uint32_t rank, const uint8_t *units, size_t size, mck_copy_emit *emit,
                       void *context) {
  struct block_message *m = calloc(1, sizeof *m);
  if (!m) return ENOMEM;
  int rc = 0;
  for (size_t at = 0, i = 0; !rc && at < size; at += MCK_COPY_BLOCK, i++) {
    size_t n = size - at < MCK_COPY_BLOCK ? size - at : MCK_COPY_BLOCK;
    bool is_new;
    memcpy(m->bytes, units + at, n); // the hash is that of the bytes that are sent
    if (!remember(s, i, mck_base_hash(m->bytes, n, n), &is_new)) rc = ENOMEM;
    m->head = (struct head){.kind = BLOCK, .rank = rank, .at = at};
    if (!rc && is_new && !emit(context, m, offsetof(struct block_message, bytes) + n)) rc = EIO;
  }
  free(m);
  return rc;
}

int mck_copy_send(struct mck_copy_source *s, const char *path, uint64_t *units, mck_copy_emit *emit, void *context) {
  struct mck_reader log;
  const char *why;
  if (mck_log_map(&log, path, UINT64_MAX, &why)) return EINVAL;
  uint64_t committed = log.units;
  if (log.damaged != UINT64_MAX) {
    mck_log_unload(&log);
    return EINVAL;
  }
  struct head_message m = {.head = {.kind = HEAD}};
  memcpy(m.header, log.header, sizeof m.header);
  struct mck_log_header *header = (struct mck_log_header *)m.header;
  atomic_store(&header->units, committed);
  atomic_store(&header->has_repeats, 0); // the reader has all units
  uint32_t generation = atomic_load(&header->generation);
  if (!s->is_begun || s->generation != generation) s->nhashes = 0, m.head.is_first = true;
  s->is_begun = true;
  s->generation = generation;
  m.head.rank = header->rank;
  m.head.at = *units = committed;
  int rc = emit(context, &m, sizeof m)
               ? send_blocks(s, header->rank, (const uint8_t *)log.events, committed * MCK_UNIT, emit, context)
               : EIO;
  mck_log_unload(&log);
  if (rc) s->is_begun = false; // it is unknown what has arrived: the next time all of it is sent
  return rc;
}

void mck_copy_source_free(struct mck_copy_source *s) {
  free(s->hashes);
  *s = (struct mck_copy_source){0};
}

static void drop(struct mck_copies *copies, struct mck_copy *c) {
  copies->total -= c->capacity;
  free(c->bytes);
  *c = (struct mck_copy){.rank = c->rank};
}

const struct mck_copy *mck_copies_find(const struct mck_copies *copies, uint32_t rank) {
  uint32_t slot, id;
  MCK_TABLE_EACH (&copies->table, mck_table_mix(rank, 0), slot, id)
    if (copies->items[id].rank == rank) return &copies->items[id];
  return NULL;
}

static struct mck_copy *find_or_add(struct mck_copies *copies, uint32_t rank) {
  const struct mck_copy *known = mck_copies_find(copies, rank);
  if (known) return &copies->items[known - copies->items];
  if (!MCK_PUSH(copies->items, copies->count, copies->capacity, ((struct mck_copy){.rank = rank}))) return NULL;
  if (!mck_table_add(&copies->table, mck_table_mix(rank, 0), (uint32_t)copies->count - 1)) return copies->count--, NULL;
  return &copies->items[copies->count - 1];
}

static bool resize(struct mck_copies *copies, struct mck_copy *c, size_t size) {
  if (size > c->capacity) {
    size_t capacity = size + size / 4;
    if (capacity > copies->limit || copies->total - c->capacity > copies->limit - capacity) return false;
    uint8_t *bytes = realloc(c->bytes, capacity);
    if (!bytes) return false;
    copies->total += capacity - c->capacity;
    c->bytes = bytes;
    c->capacity = capacity;
  }
  if (size > c->size) memset(c->bytes + c->size, 0, size - c->size);
  c->size = size;
  return true;
}

static bool take_head(struct mck_copies *copies, struct mck_copy *c, const struct head_message *m) {
  struct mck_log_header header;
  memcpy(&header, m->header, sizeof header);
  if (header.rank != m->head.rank || header.size != copies->size || header.job != copies->job || m->head.at >= MCK_NONE)
    return false;
  if (m->head.is_first) drop(copies, c);
  if (!m->head.is_first && !c->size) return copies->is_full; // a copy that had no room
  if (!resize(copies, c, MCK_LOG_HEADER + (size_t)m->head.at * MCK_UNIT)) {
    drop(copies, c);
    copies->is_full = true;
    return true;
  }
  atomic_store(&header.units, m->head.at);
  memcpy(c->bytes, &header, sizeof header);
  return true;
}

bool mck_copy_take(struct mck_copies *copies, const uint8_t *message, size_t size,
                   bool (*is_of_sender)(const void *context, uint32_t rank), const void *context) {
  struct head head;
  if (size < sizeof head) return false;
  memcpy(&head, message, sizeof head);
  if (head.rank >= copies->size || !is_of_sender(context, head.rank)) return false;
  struct mck_copy *c = find_or_add(copies, head.rank);
  if (!c) return copies->is_full = true;
  if (head.kind == HEAD) {
    struct head_message m;
    if (size != sizeof m) return false;
    memcpy(&m, message, sizeof m);
    return take_head(copies, c, &m);
  }
  size_t offset = offsetof(struct block_message, bytes), n = size - offset;
  if (head.kind != BLOCK || head.at % MCK_COPY_BLOCK || !n || n > MCK_COPY_BLOCK) return false;
  if (!c->size) return copies->is_full;
  if (head.at > c->size - MCK_LOG_HEADER || n > c->size - MCK_LOG_HEADER - head.at) return false;
  memcpy(c->bytes + MCK_LOG_HEADER + head.at, message + offset, n);
  return true;
}

void mck_copies_free(struct mck_copies *copies) {
  for (size_t i = 0; i < copies->count; i++) free(copies->items[i].bytes);
  free(copies->items);
  mck_table_free(&copies->table);
  *copies = (struct mck_copies){0};
}
