// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions: each length is checked against the units of the event before a pointer is stored. The rules are those of
// docs/formats/log.md, one function per kind.
#include "log/log-definition.h"
#include <string.h>

enum { IDS_FREE = 1024, MODULES_MAX = 1 << 16, DEPTH_MAX = 64 };

static bool has_payload(const struct mck_event *e, uint64_t bytes) {
  return e->def.extra == (bytes + MCK_UNIT - 1) / MCK_UNIT;
}

// Grows the table up to place; new entries are zero. Ids are dense: a log can define at most one id per unit. So an id
// far above the number of units before it is forged, and to follow it would allocate gigabytes.
static enum mck_define_result cover(void **items, size_t *capacity, uint32_t *count, uint32_t place, size_t item_size,
                                    const struct mck_reader *reader, const struct mck_event *e) {
  if (place >= (uint64_t)(e - reader->events) + IDS_FREE) return MCK_DEFINE_MALFORMED;
  if (place < *count) return MCK_DEFINE_OK;
  if (!mck_base_grow(items, capacity, (size_t)place + 1, item_size)) return MCK_DEFINE_NO_MEMORY;
  memset((char *)*items + *count * item_size, 0, (place + 1 - *count) * item_size);
  *count = place + 1;
  return MCK_DEFINE_OK;
}
#define COVER(table, place) cover((void **)&r->table, &r->room.table, &r->n##table, (place), sizeof *r->table, r, e)

static enum mck_define_result enter_module(struct mck_reader *r, const struct mck_event *e) {
  if (e->def.id >= MODULES_MAX || !has_payload(e, (uint64_t)e->def.a + e->def.b)) return MCK_DEFINE_MALFORMED;
  enum mck_define_result result = COVER(modules, e->def.id);
  if (result != MCK_DEFINE_OK) return result;
  struct mck_module_def *m = &r->modules[e->def.id];
  if (m->path) return MCK_DEFINE_MALFORMED;
  const char *path = (const char *)(e + 1);
  *m = (struct mck_module_def){e->def.id, path, e->def.a, (const uint8_t *)path + e->def.a, e->def.b, e->def.c == 1};
  return MCK_DEFINE_OK;
}

static enum mck_define_result enter_stack(struct mck_reader *r, const struct mck_event *e) {
  if (e->def.a > DEPTH_MAX || !has_payload(e, 8 * (uint64_t)e->def.a)) return MCK_DEFINE_MALFORMED;
  enum mck_define_result result = COVER(stacks, e->def.id);
  if (result != MCK_DEFINE_OK) return result;
  struct mck_stack_def *s = &r->stacks[e->def.id];
  if (s->frames) return MCK_DEFINE_MALFORMED;
  *s = (struct mck_stack_def){e->def.id, e->def.a, e->def.b, (const uint64_t *)(e + 1)};
  return MCK_DEFINE_OK;
}

// The local ranges, then the remote ones, add up to exactly the size of the group. They name ranks of the world (or
// MCK_NONE: processes outside of it).
static bool are_ranges_sound(const struct mck_range *ranges, uint32_t n, uint64_t local, uint64_t remote,
                             uint32_t world) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (ranges[i].count == 0) return false;
    if (ranges[i].first != MCK_NONE && (uint64_t)ranges[i].first + ranges[i].count > world) return false;
    bool is_local = sum < local;
    sum += ranges[i].count;
    if (is_local && sum > local) return false;
  }
  return sum == local + remote;
}

static enum mck_define_result enter_comm(struct mck_reader *r, const struct mck_event *e) {
  uint64_t bytes = sizeof(struct mck_comm_body) + (uint64_t)e->def.d * sizeof(struct mck_range);
  const struct mck_comm_body *body = (const struct mck_comm_body *)(e + 1);
  const struct mck_range *ranges = (const struct mck_range *)(body + 1);
  if (!has_payload(e, bytes) || e->def.a >= e->def.b || e->def.b > INT32_MAX || e->def.c > INT32_MAX ||
      !are_ranges_sound(ranges, e->def.d, e->def.b, e->def.c, r->header->size))
    return MCK_DEFINE_MALFORMED;
  enum mck_define_result result = COVER(comms, e->def.id);
  if (result != MCK_DEFINE_OK) return result;
  struct mck_comm_def *c = &r->comms[e->def.id];
  if (c->body) return MCK_DEFINE_MALFORMED;
  *c = (struct mck_comm_def){.id = e->def.id,
                             .rank = e->def.a,
                             .size = e->def.b,
                             .remote_size = e->def.c,
                             .nranges = e->def.d,
                             .body = body,
                             .ranges = ranges};
  return MCK_DEFINE_OK;
}

// The neighbours are kept with the communicator.
static enum mck_define_result enter_topology(struct mck_reader *r, const struct mck_event *e) {
  if (!has_payload(e, ((uint64_t)e->def.a + e->def.b) * 4) || e->def.id >= r->ncomms || !r->comms[e->def.id].body ||
      r->comms[e->def.id].neighbors)
    return MCK_DEFINE_MALFORMED;
  struct mck_comm_def *c = &r->comms[e->def.id];
  c->neighbors = (const int32_t *)(e + 1), c->nsources = e->def.a, c->ndestinations = e->def.b;
  c->has_own_neighbors = e->def.c == 1, c->neighbors_site = e->site;
  return MCK_DEFINE_OK;
}

static bool are_blocks_sound(const struct mck_block *blocks, uint32_t n) {
  int64_t end = INT64_MIN;
  for (uint32_t i = 0; i < n; i++) {
    if (blocks[i].length == 0 || blocks[i].length > INT64_MAX || blocks[i].offset < end) return false;
    if (__builtin_add_overflow(blocks[i].offset, (int64_t)blocks[i].length, &end)) return false;
  }
  return true;
}

static enum mck_define_result enter_type(struct mck_reader *r, const struct mck_event *e) {
  uint32_t nblocks = e->def.b == MCK_NONE ? 0 : e->def.b;
  uint64_t bytes = sizeof(struct mck_type_body) + (uint64_t)e->def.a * sizeof(struct mck_type_part) +
                   (uint64_t)nblocks * sizeof(struct mck_block);
  if (e->def.id < MCK_TYPE_USER || nblocks > MCK_TYPE_BLOCKS_MAX || !has_payload(e, bytes)) return MCK_DEFINE_MALFORMED;
  const struct mck_type_body *body = (const struct mck_type_body *)(e + 1);
  const struct mck_type_part *parts = (const struct mck_type_part *)(body + 1);
  const struct mck_block *blocks = (const struct mck_block *)(parts + e->def.a);
  // Parts name basic types or types defined before, so the definitions form a DAG.
  for (uint32_t i = 0; i < e->def.a; i++) {
    uint32_t type = parts[i].type;
    if (type >= MCK_TYPE_USER && (type - MCK_TYPE_USER >= r->ntypes || !r->types[type - MCK_TYPE_USER].body))
      return MCK_DEFINE_MALFORMED;
  }
  if (!are_blocks_sound(blocks, nblocks)) return MCK_DEFINE_MALFORMED;
  uint32_t place = e->def.id - MCK_TYPE_USER;
  enum mck_define_result result = COVER(types, place);
  if (result != MCK_DEFINE_OK) return result;
  struct mck_type_def *t = &r->types[place];
  if (t->body) return MCK_DEFINE_MALFORMED;
  *t = (struct mck_type_def){.id = e->def.id,
                             .nparts = e->def.a,
                             .nblocks = e->def.b,
                             .is_ordered = e->def.c & MCK_TYPE_ORDERED,
                             .body = body,
                             .parts = parts,
                             .blocks = blocks,
                             .site = e->site,
                             .fn = e->fn};
  return MCK_DEFINE_OK;
}

static enum mck_define_result enter_win(struct mck_reader *r, const struct mck_event *e) {
  const struct mck_win_body *body = (const struct mck_win_body *)(e + 1);
  uint64_t end;
  if (!has_payload(e, sizeof *body + (uint64_t)e->def.d) || __builtin_add_overflow(body->base, body->size, &end))
    return MCK_DEFINE_MALFORMED;
  enum mck_define_result result = COVER(wins, e->def.id);
  if (result != MCK_DEFINE_OK) return result;
  struct mck_win_def *w = &r->wins[e->def.id];
  if (w->body) return MCK_DEFINE_MALFORMED;
  *w = (struct mck_win_def){.id = e->def.id,
                            .comm = e->def.a,
                            .disp_unit = e->def.b,
                            .flavor = e->def.c & 0xff,
                            .traits = e->def.c >> 8,
                            .body = body,
                            .name = (const char *)(body + 1),
                            .name_length = e->def.d,
                            .site = e->site,
                            .memory_site = MCK_NONE,
                            .fn = e->fn};
  return MCK_DEFINE_OK;
}

static void name_type(struct mck_reader *r, const struct mck_event *e) {
  uint32_t place = e->name.object - MCK_TYPE_USER;
  if (e->name.object < MCK_TYPE_USER || place >= r->ntypes || !r->types[place].body) return;
  struct mck_type_def *t = &r->types[place];
  const char *name = (const char *)(e + 1);
  bool is_other = t->name && (t->name_length != e->name.length || memcmp(t->name, name, e->name.length) != 0);
  if (is_other || t->has_names) t->has_names = true, t->name = NULL, t->name_length = 0;
  else t->name = name, t->name_length = e->name.length;
}

static bool has_payload_of(const struct mck_event *e, uint64_t bytes) {
  return bytes <= (uint64_t)e->def.extra * MCK_UNIT;
}

enum mck_define_result mck_define_enter(struct mck_reader *r, const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_DEF_MODULE: return enter_module(r, e);
  case MCK_EV_DEF_STACK: return enter_stack(r, e);
  case MCK_EV_DEF_COMM: return enter_comm(r, e);
  case MCK_EV_DEF_TYPE: return enter_type(r, e);
  case MCK_EV_DEF_WIN: return enter_win(r, e);
  case MCK_EV_DEF_TOPOLOGY: return enter_topology(r, e);
  case MCK_EV_WIN_NAME:
    if (!has_payload_of(e, e->name.length)) return MCK_DEFINE_MALFORMED;
    if (e->name.object < r->nwins && r->wins[e->name.object].body)
      r->wins[e->name.object].name = (const char *)(e + 1), r->wins[e->name.object].name_length = e->name.length;
    return MCK_DEFINE_OK;
  case MCK_EV_COMM_NAME:
    if (!has_payload_of(e, e->name.length)) return MCK_DEFINE_MALFORMED;
    if (e->name.object < r->ncomms && r->comms[e->name.object].body)
      r->comms[e->name.object].name = (const char *)(e + 1), r->comms[e->name.object].name_length = e->name.length;
    return MCK_DEFINE_OK;
  case MCK_EV_TYPE_NAME:
    if (!has_payload_of(e, e->name.length)) return MCK_DEFINE_MALFORMED;
    name_type(r, e);
    return MCK_DEFINE_OK;
  case MCK_EV_WIN_MEMORY:
    if (!has_payload_of(e, e->memory.length)) return MCK_DEFINE_MALFORMED;
    if (e->memory.win < r->nwins && r->wins[e->memory.win].body) {
      struct mck_win_def *w = &r->wins[e->memory.win];
      if (e->memory.length)
        w->variable = (const char *)(e + 1), w->variable_length = e->memory.length, w->element = e->memory.element,
        w->offset = e->memory.offset;
      else w->memory_site = e->site;
    }
    return MCK_DEFINE_OK;
  case MCK_EV_FINDING: return has_payload(e, e->def.a) ? MCK_DEFINE_OK : MCK_DEFINE_MALFORMED;
  default: return MCK_DEFINE_OK; // kinds of a later minor version are skipped
  }
}
