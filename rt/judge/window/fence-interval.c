// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The intervals of a window in fence epochs: of the operations of all origins, from their parcels, and of the target's
// own loads and stores. What can be wrong with one of them alone is found here, too: bytes that the target does not
// have, and assertions of fences that are not true.
#include "judge/window/fence-sweep.h"
#include "log/signature.h"
#include "rma/basic-type.h"
#include "standard/constants.h"
#include "standard/function.h"

enum { PIECES_MAX = 65536 };

static uint32_t find_group_of(struct mck_sweep *s, const struct mck_sweep_class *class) {
  const struct mck_access_class *a = &class->access;
  uint64_t hash = mck_table_mix(
      (uint64_t)a->site << 32 | a->what.process,
      ((uint64_t)a->fn << 32 | (uint64_t)a->what.kind << 16 | (uint64_t)a->what.op << 1 | class->is_marked) ^
          (uint64_t)a->is_change << 40);
  hash = mck_table_mix(hash, (uint64_t)class->position << 32 | a->what.type);
  uint32_t at, id;
  MCK_TABLE_EACH (&s->group_table, hash, at, id) {
    const struct mck_sweep_class *of = &s->groups[id].of;
    if (of->is_marked == class->is_marked && of->position == class->position && mck_access_is_same(&of->access, a))
      return id;
  }
  struct mck_sweep_group new = {.of = *class};
  if (!MCK_PUSH(s->groups, s->ngroups, s->groups_capacity, new) ||
      !mck_table_add(&s->group_table, hash, (uint32_t)s->ngroups - 1))
    s->is_short = true;
  return (uint32_t)s->ngroups - 1;
}

// Of accesses to bytes that begin at low.
static uint32_t find_group(struct mck_sweep *s, const struct mck_sweep_class *class, uint64_t low, uint64_t length) {
  struct mck_sweep_class at = *class;
  at.position = mck_access_position(low, low + length, class->element);
  return find_group_of(s, &at);
}

static void add(struct mck_sweep *s, uint64_t low, uint64_t length, uint32_t epoch, uint32_t event, uint32_t group) {
  if (!length || low + length < low) return;
  struct mck_sweep_interval i = {low, low + length, epoch, event, group};
  if (!s->is_short && !MCK_PUSH(s->items, s->count, s->capacity, i)) s->is_short = true;
}

// --- operations ---
struct operation { // of a parcel
  uint32_t epoch, type, event;
  uint64_t disp, count;
  struct mck_sweep_class class;
};

// Does the target have these bytes in that epoch (MPI-3.1 11.3.1; of a dynamic window 11.2.4)?
static bool is_there(const struct mck_sweep *s, uint64_t low, uint64_t length, uint32_t epoch) {
  uint64_t size = s->win->body->size;
  if (s->is_dynamic)
    return mck_attachments_ask(&s->attachments, low, low + length, mck_sweep_begin_of(s, epoch),
                               mck_sweep_end_of(s, epoch)) == MCK_ATTACHED_THEN;
  return length <= size && low <= size - length;
}

struct layout { // of one element of the target's datatype
  const struct mck_block *blocks;
  uint32_t nblocks;
  int64_t extent;
  struct mck_block whole; // of a basic type
};

// false: it is not known.
static bool find_layout(struct layout *l, const struct mck_delivery *from, uint32_t type, uint64_t count) {
  if (type < MCK_TYPE_USER) {
    // Pairs have gaps in and behind them that depend on the compiler.
    bool has_gaps = type == MCK_BASIC_DOUBLE_INT || type == MCK_BASIC_LONG_INT || type == MCK_BASIC_SHORT_INT ||
                    type == MCK_BASIC_LONG_DOUBLE_INT;
    uint64_t bytes = mck_basic_bytes(type);
    l->whole = (struct mck_block){0, bytes};
    l->blocks = &l->whole, l->nblocks = 1, l->extent = (int64_t)bytes;
    return count <= 1 || !has_gaps;
  }
  const struct mck_type_def *def = type - MCK_TYPE_USER < from->ntypes ? &from->types[type - MCK_TYPE_USER] : NULL;
  if (!def || def->nblocks == MCK_NONE) return false;
  l->blocks = def->blocks, l->nblocks = def->nblocks, l->extent = def->body->extent;
  return true;
}

static void add_one_piece(struct mck_sweep *s, const struct operation *op, const struct mck_block *block,
                          uint64_t base) {
  uint64_t length, low = base + (uint64_t)block->offset;
  if (block->offset < 0 || __builtin_mul_overflow(op->count, block->length, &length)) return;
  if (length && !is_there(s, low, length, op->epoch))
    mck_sweep_say_beyond(s, low, length, op->epoch, &op->class.access);
  else add(s, low, length, op->epoch, op->event, find_group(s, &op->class, low, length));
}

static void add_pieces(struct mck_sweep *s, const struct operation *op, const struct layout *l, uint64_t base) {
  uint32_t group = MCK_NONE;
  for (uint64_t i = 0; i < op->count; i++)
    for (uint32_t b = 0; b < l->nblocks; b++) {
      int64_t low;
      if (__builtin_mul_overflow((int64_t)i, l->extent, &low) || __builtin_add_overflow(low, (int64_t)base, &low) ||
          __builtin_add_overflow(low, l->blocks[b].offset, &low))
        continue;
      if (low < 0 || !is_there(s, (uint64_t)low, l->blocks[b].length, op->epoch)) {
        mck_sweep_say_beyond(s, (uint64_t)low, l->blocks[b].length, op->epoch, &op->class.access);
        return;
      }
      if (group == MCK_NONE || op->class.element) // where elements lie may differ from piece to piece
        group = find_group(s, &op->class, (uint64_t)low, l->blocks[b].length);
      add(s, (uint64_t)low, l->blocks[b].length, op->epoch, op->event, group);
    }
}

// The bytes at the target: disp displacement units behind the base, count copies of the type's blocks (MPI-3.1 11.3.1).
static void add_operation(struct mck_sweep *s, const struct mck_delivery *from, const struct operation *op) {
  struct layout l;
  uint64_t base;
  if (!find_layout(&l, from, op->type, op->count) || !l.nblocks || !op->count ||
      __builtin_mul_overflow(op->disp, (uint64_t)s->win->disp_unit, &base) || base > INT64_MAX)
    return;
  const struct mck_fence *opening = mck_sweep_fence_of(s, op->epoch, false);
  if (opening && opening->assertion & MCK_MODE_NOPUT && l.blocks[0].length &&
      mck_conflict_is_writing(&op->class.access.what))
    mck_sweep_say_untrue(s, opening, op->epoch, &op->class.access);
  if (l.nblocks == 1 && l.extent > 0 && (uint64_t)l.extent == l.blocks[0].length)
    add_one_piece(s, op, &l.blocks[0], base);
  else if (op->count <= PIECES_MAX && op->count * l.nblocks <= PIECES_MAX) add_pieces(s, op, &l, base);
}

// Reads the next operation of a parcel. false: it cannot be one.
static bool read_operation(struct operation *op, const struct mck_delivery *from, struct mck_parcel_in *in) {
  uint64_t epoch = mck_parcel_get(in), disp = mck_parcel_get(in), count = mck_parcel_get(in), type = mck_parcel_get(in),
           kind = mck_parcel_get(in), operation = mck_parcel_get(in), is_marked = mck_parcel_get(in),
           site = mck_parcel_get(in), fn = mck_parcel_get(in), event = mck_parcel_get(in);
  bool is_accumulate = kind == MCK_EV_ACC;
  if (epoch > UINT32_MAX || count > UINT32_MAX || type > UINT32_MAX) return false;
  if (kind != MCK_EV_PUT && kind != MCK_EV_GET && !is_accumulate) return false;
  *op = (struct operation){.epoch = (uint32_t)epoch,
                           .disp = disp,
                           .count = count,
                           .type = (uint32_t)type,
                           .event = (uint32_t)event,
                           .class.is_marked = is_marked != 0,
                           .class.access = {.fn = (uint16_t)fn, .site = (uint32_t)site}};
  op->class.access.what = (struct mck_conflict_access){
      .kind = is_accumulate        ? MCK_CONFLICT_ACCUMULATE
              : kind == MCK_EV_PUT ? MCK_CONFLICT_PUT
                                   : MCK_CONFLICT_GET,
      .op = is_accumulate ? mck_access_op((uint8_t)operation) : 0,
      .is_fetching = mck_std_is_fetching((uint16_t)fn),
      .type = is_accumulate ? mck_rma_basic_of(from->types, from->ntypes, (uint32_t)type) : MCK_CONFLICT_UNKNOWN_TYPE,
      .process = (uint32_t)from->rank};
  uint32_t basic = op->class.access.what.type;
  op->class.element = basic < MCK_TYPE_USER ? mck_basic_bytes(basic) : 0;
  return true;
}

// A parcel has the windows of its rank one after the other: it is read once for each window.
bool mck_sweep_add_origin(struct mck_sweep *s, const struct mck_delivery *from) {
  struct mck_parcel_in in = from->windows;
  // At a cut the open epoch waits for the next one.
  uint64_t open = mck_rma_epoch(s->window), last = open - s->decide->is_cut;
  bool is_whole = s->decide->is_complete || s->decide->is_cut;
  for (uint32_t n = mck_parcel_get_count(&in, 4); n > 0; n--) {
    uint64_t key = mck_parcel_get(&in), fences = mck_parcel_get(&in), is_locked = mck_parcel_get(&in);
    uint32_t nops = mck_parcel_get_count(&in, 10);
    bool is_ours = key == s->win->body->key;
    // A fence that one rank has and another has not: in a whole run epochs cannot be told apart then.
    if (is_ours && (is_locked || (is_whole && fences != open))) return false;
    for (uint32_t k = 0; k < nops; k++) {
      struct operation op;
      bool is_good = read_operation(&op, from, &in);
      if (is_ours && is_good && op.epoch > s->window->base && op.epoch <= last) add_operation(s, from, &op);
    }
  }
  return true;
}

// --- loads and stores ---
// Whether an operation touches a byte between the first and the last one of an access.
static bool is_near_operation(struct mck_sweep *s, const struct mck_event *e, uint32_t epoch) {
  if (e->kind == MCK_EV_ATTACH)
    return mck_cover_touches(&s->cover, epoch, e->attach.address, e->attach.address + e->attach.size);
  int64_t reach = e->access.n > 1 ? (int64_t)(e->access.n - 1) * e->access.stride : 0;
  uint64_t first = e->access.offset + (reach < 0 ? (uint64_t)reach : 0),
           last = e->access.offset + (reach > 0 ? (uint64_t)reach : 0);
  return mck_cover_touches(&s->cover, epoch, first, last + e->access.size);
}

void mck_sweep_add_access(struct mck_sweep *s, const struct mck_rma_access *access) {
  const struct mck_judge *j = s->decide->judge;
  const struct mck_event *e = &j->log->events[access->event];
  if (!is_near_operation(s, e, access->epoch)) return;
  struct mck_sweep_class class = {.is_marked = mck_sweep_told_in(s, access->epoch) > access->event,
                                  .access = {.site = e->site}};
  class.access.what = (struct mck_conflict_access){
      .kind = MCK_CONFLICT_STORE, .type = MCK_CONFLICT_UNKNOWN_TYPE, .process = j->rank};
  if (e->kind == MCK_EV_ATTACH) {
    class.access.is_change = true, class.access.fn = e->fn;
    if (e->attach.size)
      add(s, e->attach.address, e->attach.size, access->epoch, access->event, find_group_of(s, &class));
    return;
  }
  bool is_store = e->flags & MCK_ACCESS_STORE;
  if (!is_store && e->flags & (MCK_ACCESS_ATOMIC | MCK_ACCESS_VOLATILE))
    return; // polling (MPI-3.1 11.7, the unified model)
  class.access.what.kind = is_store ? MCK_CONFLICT_STORE : MCK_CONFLICT_LOAD;
  class.access.end = mck_access_end_of(e->flags), class.access.is_change = class.access.end != MCK_END_NONE;
  int made_by = mck_access_made_by(j->log->events, access->event);
  if (made_by >= 0) class.access.fn = (uint16_t)made_by, class.access.what.is_buffer = true;
  uint32_t n = e->access.n, group = find_group_of(s, &class);
  if (n == 1 || e->access.stride == (int64_t)e->access.size) {
    add(s, e->access.offset, (uint64_t)n * e->access.size, access->epoch, access->event, group);
    return;
  }
  for (uint32_t i = 0; n <= PIECES_MAX && i < n; i++) {
    uint64_t low = e->access.offset + (uint64_t)((int64_t)i * e->access.stride);
    if (mck_cover_touches(&s->cover, access->epoch, low, low + e->access.size))
      add(s, low, e->access.size, access->epoch, access->event, group);
  }
}
