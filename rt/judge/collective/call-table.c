// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of the different collective calls of a rank (call-table.h).
#include "judge/collective/call-table.h"
#include <stdlib.h>
#include <string.h>

static uint64_t hash_list(const struct mck_blocks_run *runs, size_t n) {
  uint64_t hash = n;
  for (size_t i = 0; i < n; i++) hash = mck_table_mix(hash ^ runs[i].count, (uint64_t)runs[i].end << 32 | runs[i].type);
  return hash;
}

static bool is_same_list(const struct mck_block_list *list, const struct mck_blocks *b) {
  if (list->count != b->count) return false;
  for (size_t i = 0; i < b->count; i++) {
    const struct mck_blocks_run *x = &list->runs[i], *y = &b->runs[i];
    if (x->end != y->end || x->type != y->type || x->count != y->count) return false;
  }
  return true;
}

// The number + 1 of the list in scratch; 0: the list is empty. MCK_NONE: out of memory.
static uint32_t add_list(struct mck_call_table *c) {
  const struct mck_blocks *b = &c->scratch;
  if (!b->count) return 0;
  uint64_t hash = hash_list(b->runs, b->count);
  uint32_t at, id;
  MCK_TABLE_EACH (&c->list_table, hash, at, id)
    if (is_same_list(&c->lists[id], b)) return id + 1;
  struct mck_block_list list = {malloc(b->count * sizeof *b->runs), (uint32_t)b->count};
  if (list.runs) memcpy(list.runs, b->runs, b->count * sizeof *b->runs);
  if (!list.runs || !MCK_PUSH(c->lists, c->nlists, c->lists_capacity, list)) {
    free(list.runs);
    return MCK_NONE;
  }
  return mck_table_add(&c->list_table, hash, (uint32_t)c->nlists - 1) ? (uint32_t)c->nlists : MCK_NONE;
}

static bool is_same(const struct mck_collective_call *a, const struct mck_collective_call *b) {
  return a->site == b->site && a->send == b->send && a->recv == b->recv && a->root == b->root && a->fn == b->fn &&
         a->op == b->op && a->flags == b->flags && a->same == b->same;
}

uint32_t mck_call_table_add(struct mck_call_table *c, const struct mck_event *e, uint64_t left) {
  struct mck_collective_call new = {.site = e->site,
                                    .root = e->coll.root,
                                    .fn = e->fn,
                                    .op = (uint8_t)e->coll.op,
                                    .flags = e->flags & (MCK_COLL_IN_PLACE | MCK_FLAG_NONBLOCKING | MCK_COLL_HAS_SAME)};
  if (new.flags & MCK_COLL_HAS_SAME) new.same = (int64_t)e->coll.count;
  if (!mck_blocks_read(&c->scratch, e, left, false) || (new.send = add_list(c)) == MCK_NONE) return MCK_NONE;
  if (!mck_blocks_read(&c->scratch, e, left, true) || (new.recv = add_list(c)) == MCK_NONE) return MCK_NONE;
  uint64_t hash = mck_table_mix((uint64_t)new.site << 32 | new.fn, (uint64_t)new.send << 32 | new.recv);
  hash = mck_table_mix(hash, (uint64_t)(uint32_t)new.root << 32 | (uint64_t)new.op << 8 | new.flags) ^
         (uint64_t)new.same;
  uint32_t at, id;
  MCK_TABLE_EACH (&c->table, hash, at, id)
    if (is_same(&c->items[id], &new)) return id;
  if (!MCK_PUSH(c->items, c->count, c->capacity, new) || !mck_table_add(&c->table, hash, (uint32_t)c->count - 1))
    return MCK_NONE;
  return (uint32_t)c->count - 1;
}

void mck_call_table_free(struct mck_call_table *c) {
  for (size_t i = 0; i < c->nlists; i++) free(c->lists[i].runs);
  free(c->lists);
  free(c->items);
  free(c->scratch.runs);
  mck_table_free(&c->table);
  mck_table_free(&c->list_table);
  *c = (struct mck_call_table){0};
}

// Writes the number of a list. The first call that needs a list has its runs behind the number.
static void put_list(const struct mck_call_table *c, uint32_t list, uint32_t *numbers, uint32_t *next,
                     struct mck_type_map map, struct mck_parcel *out) {
  bool is_new = list && !numbers[list - 1];
  if (is_new) numbers[list - 1] = ++*next;
  mck_parcel_put(out, list ? numbers[list - 1] : 0);
  if (!is_new) return;
  const struct mck_block_list *l = &c->lists[list - 1];
  mck_parcel_put(out, l->count);
  for (uint32_t i = 0, end = 0; i < l->count; end = l->runs[i++].end) {
    mck_parcel_put(out, l->runs[i].end == MCK_NONE ? 0 : l->runs[i].end - end);
    mck_parcel_put(out, map.number(map.context, l->runs[i].type));
    mck_parcel_put(out, l->runs[i].count);
  }
}

void mck_call_table_pack(const struct mck_call_table *c, const uint32_t *calls, size_t n, struct mck_type_map map,
                         struct mck_parcel *out) {
  uint32_t *numbers = calloc(c->nlists + 1, sizeof *numbers), next = 0;
  if (!numbers) n = 0; // its reader finds the parcel malformed
  mck_parcel_put(out, n);
  for (size_t i = 0; i < n; i++) {
    const struct mck_collective_call *x = &c->items[calls[i]];
    mck_parcel_put(out, x->site);
    mck_parcel_put(out, x->fn);
    mck_parcel_put(out, x->op);
    mck_parcel_put(out, x->flags);
    mck_parcel_put_signed(out, x->root);
    if (x->flags & MCK_COLL_HAS_SAME) mck_parcel_put_signed(out, x->same);
    put_list(c, x->send, numbers, &next, map, out);
    put_list(c, x->recv, numbers, &next, map, out);
  }
  free(numbers);
}

static bool get_list(struct mck_call_table *c, struct mck_parcel_in *in, uint32_t ntypes, uint32_t *list) {
  *list = mck_parcel_get32(in);
  if (*list <= c->nlists) return !in->is_bad;
  if (*list != c->nlists + 1) return false;
  uint32_t n = mck_parcel_get_count(in, 3);
  struct mck_block_list new = {calloc((size_t)n + 1, sizeof *new.runs), n};
  if (!new.runs || !MCK_PUSH(c->lists, c->nlists, c->lists_capacity, new)) {
    free(new.runs);
    return false;
  }
  for (uint32_t i = 0, end = 0; i < n; end = new.runs[i++].end) {
    uint32_t length = mck_parcel_get32(in);
    new.runs[i].end = length &&length < MCK_NONE - end ? end + length : MCK_NONE;
    new.runs[i].type = mck_parcel_get32(in);
    new.runs[i].count = mck_parcel_get(in);
    if (new.runs[i].type != MCK_NONE &&new.runs[i].type >= MCK_TYPE_USER + ntypes) return false;
  }
  return !in->is_bad;
}

bool mck_call_table_unpack(struct mck_call_table *c, struct mck_parcel_in *in, uint32_t ntypes) {
  for (uint32_t n = mck_parcel_get_count(in, 7); n > 0; n--) {
    struct mck_collective_call x = {.site = mck_parcel_get32(in)};
    x.fn = (uint16_t)mck_parcel_get(in);
    x.op = (uint8_t)mck_parcel_get(in);
    x.flags = (uint8_t)mck_parcel_get(in);
    x.root = (int32_t)mck_parcel_get_signed(in);
    if (x.flags & MCK_COLL_HAS_SAME) x.same = mck_parcel_get_signed(in);
    if (!get_list(c, in, ntypes, &x.send) || !get_list(c, in, ntypes, &x.recv)) return false;
    if (!MCK_PUSH(c->items, c->count, c->capacity, x)) return false;
  }
  return !in->is_bad;
}
