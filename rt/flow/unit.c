// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transmission units: the type maps of both ends are walked in step, and a unit ends where either has a gap.
#include "flow/unit.h"
#include "log/signature.h"

// A walk through the packed bytes of one end.
struct walk {
  const struct mck_type_def *type; // NULL: a basic type
  uint64_t address, size;          // size: of a basic type
  uint64_t copy;
  uint32_t block;
  uint64_t used; // bytes of the block
};

static bool open_walk(struct walk *w, const struct mck_reader *log, const struct mck_flow_end *end) {
  *w = (struct walk){.address = end->address};
  if (end->type < MCK_TYPE_USER) return end->type != MCK_NONE && (w->size = mck_basic_bytes(end->type)) > 0;
  uint32_t place = end->type - MCK_TYPE_USER;
  if (end->type == MCK_NONE || place >= log->ntypes || !log->types[place].body) return false;
  w->type = &log->types[place];
  return w->type->is_ordered && w->type->nblocks != MCK_NONE && w->type->nblocks > 0;
}

// The bytes that lie together from here on: where, and how many. A basic type has no gaps between its copies.
static uint64_t look(const struct walk *w, uint64_t left, uint64_t *at) {
  if (!w->type) return *at = w->address + w->used, left;
  const struct mck_block *b = &w->type->blocks[w->block];
  *at = w->address + w->copy * (uint64_t)w->type->body->extent + (uint64_t)b->offset + w->used;
  return b->length - w->used < left ? b->length - w->used : left;
}

static void advance(struct walk *w, uint64_t n) {
  w->used += n;
  if (!w->type || w->used < w->type->blocks[w->block].length) return;
  w->used = 0;
  if (++w->block == w->type->nblocks) w->block = 0, w->copy++;
}

bool mck_flow_units(const struct mck_flow_transfer *transfer, const struct mck_reader *source,
                    const struct mck_reader *dest, mck_flow_visit *visit, void *context) {
  struct walk from, to;
  if (!open_walk(&from, source, &transfer->source) || !open_walk(&to, dest, &transfer->dest)) return false;
  struct mck_flow_unit unit = {.transfer = transfer};
  for (uint64_t done = 0; done < transfer->length;) {
    uint64_t from_at, to_at, left = transfer->length - done;
    uint64_t n = look(&from, left, &from_at), m = look(&to, left, &to_at), step = n < m ? n : m;
    if (!step) break;
    bool is_joined = unit.length && unit.from + unit.length == from_at && unit.to + unit.length == to_at;
    if (is_joined) unit.length += step;
    else {
      if (unit.length && !visit(context, &unit)) return true;
      unit.from = from_at, unit.to = to_at, unit.length = step, unit.position = done;
    }
    advance(&from, step), advance(&to, step);
    done += step;
  }
  if (unit.length) visit(context, &unit);
  return true;
}
