// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares sequences of collective calls by their hashes (sequence-hash.h).
#include "judge/collective/sequence-hash.h"
#include <stdlib.h>
#include "standard/collective.h"
#include "judge/index.h"
#include "log/signature.h"

enum { MAGIC = 0x4c3 };

struct link {
  uint64_t key, n, hash;
};

// --- the hash of one call -------------------------------------------------------------------------------------------
// The signature of one side, if it is one count of one type for all ranks. Returns false when it is not, or unknown.
static bool one_signature(const struct mck_judge *j, const struct mck_signatures *types, uint32_t list,
                          struct mck_signature *s) {
  const struct mck_block_list *l = list ? &j->calls.lists[list - 1] : NULL;
  if (!l || l->count != 1 || l->runs[0].end != MCK_NONE) return false;
  *s = (struct mck_signature){0};
  if (!l->runs[0].count) return true;
  *s = mck_signature_of(types, l->runs[0].type, l->runs[0].count);
  return mck_signature_is_known(*s);
}

static bool is_equal(struct mck_signature a, struct mck_signature b) {
  return a.elements == b.elements && a.hash == b.hash && a.bytes == b.bytes;
}

// The signature that each rank contributes, which must be alike at all ranks. If a call sends and receives, both must
// have it.
static bool signature_of(const struct mck_judge *j, const struct mck_signatures *types,
                         const struct mck_collective_call *c, struct mck_signature *s) {
  struct mck_signature recv;
  if (c->send && !one_signature(j, types, c->send, s)) return false;
  if (c->recv && !one_signature(j, types, c->recv, &recv)) return false;
  if (c->send && c->recv && !is_equal(*s, recv)) return false;
  if (!c->send) *s = recv;
  return c->send || c->recv;
}

static bool hash_call(const struct mck_judge *j, const struct mck_signatures *types,
                      const struct mck_collective_call *c, uint64_t *hash) {
  struct mck_signature s = {0};
  uint64_t words[7] = {c->fn};
  switch (mck_std_form(c->fn)) {
  case MCK_STD_FORM_NONE: words[1] = (uint64_t)c->same, words[2] = c->flags & MCK_COLL_HAS_SAME; break;
  case MCK_STD_FORM_BCAST:
  case MCK_STD_FORM_GATHER:
  case MCK_STD_FORM_SCATTER:
    if (!signature_of(j, types, c, &s)) return false;
    words[1] = (uint64_t)(uint32_t)c->root;
    break;
  case MCK_STD_FORM_REDUCE:
    if (!signature_of(j, types, c, &s)) return false;
    words[1] = (uint64_t)(uint32_t)c->root, words[2] = c->op;
    break;
  case MCK_STD_FORM_ALLGATHER:
  case MCK_STD_FORM_ALLTOALL:
    if (!signature_of(j, types, c, &s)) return false;
    break;
  case MCK_STD_FORM_REDUCE_SCATTER:
  case MCK_STD_FORM_NEIGHBORS: return false;
  }
  if (mck_std_is_in_place_common(c->fn)) words[3] = c->flags & MCK_COLL_IN_PLACE;
  words[4] = s.hash, words[5] = s.elements, words[6] = s.bytes;
  *hash = mck_base_hash(words, sizeof words, 0);
  return true;
}

// Neighbouring runs of calls that differ only in their call site count as one: another rank may split them otherwise.
static bool hash_sequence(const struct mck_judge *j, const struct mck_signatures *types, const struct mck_sequence *q,
                          uint64_t *hash) {
  uint64_t last = 0, n = 0, all = 0;
  for (size_t i = 0; i < q->runs.count; i++) {
    uint64_t call;
    if (!hash_call(j, types, &j->calls.items[q->runs.items[i].shape], &call)) return false;
    if (n && call != last) {
      uint64_t words[3] = {all, last, n};
      all = mck_base_hash(words, sizeof words, 1), n = 0;
    }
    last = call, n += q->runs.items[i].n;
  }
  uint64_t words[3] = {all, last, n};
  *hash = mck_base_hash(words, sizeof words, 1);
  return true;
}

// --- links ----------------------------------------------------------------------------------------------------------
static bool make_link(const struct mck_judge *j, const struct mck_signatures *types, const struct mck_sequence *q,
                      struct link *link) {
  link->key = q->key, link->n = q->runs.n;
  return hash_sequence(j, types, q, &link->hash);
}

struct item {
  int world;
  struct link link;
};
static int compare_items(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  if (x->world != y->world) return x->world < y->world ? -1 : 1;
  return x->link.key < y->link.key ? -1 : x->link.key > y->link.key;
}

// The links of this rank. is_behind: to its successors in the communicators; else to its predecessors.
static bool make_links(const struct mck_judge *j, bool is_behind, struct item **items, size_t *n) {
  struct mck_signatures types;
  *n = 0;
  *items = malloc((j->nsequences + 1) * sizeof **items);
  bool is_plain = *items && !j->is_partial && mck_signatures_load(&types, j->log);
  if (!is_plain) return false;
  for (size_t i = 0; is_plain && i < j->nsequences; i++) {
    const struct mck_comm_def *comm = mck_judge_comm(j, j->sequences[i].comm);
    struct item *item = &(*items)[*n];
    is_plain = comm && !comm->remote_size && !comm->has_own_neighbors &&
               make_link(j, &types, &j->sequences[i], &item->link);
    if (!is_plain || (is_behind ? comm->rank + 1 >= comm->size : !comm->rank)) continue;
    item->world = mck_comm_world_rank(comm, (int)comm->rank + (is_behind ? 1 : -1), false);
    is_plain = item->world >= 0 && (uint32_t)item->world < j->size;
    ++*n;
  }
  mck_signatures_free(&types);
  if (is_plain && *n) qsort(*items, *n, sizeof **items, compare_items);
  return is_plain;
}

bool mck_sequence_hash_make(struct mck_judge *j, struct mck_parcels *to) {
  struct item *items;
  size_t n = 0;
  bool is_plain = make_links(j, false, &items, &n);
  for (size_t i = 0, end; is_plain && i < n; i = end) {
    for (end = i; end < n && items[end].world == items[i].world;) end++;
    struct mck_parcel *parcel = mck_parcels_add(to, items[i].world);
    if (!(is_plain = parcel)) break;
    mck_parcel_put(parcel, MAGIC);
    mck_parcel_put(parcel, end - i);
    for (size_t k = i; k < end; k++) {
      mck_parcel_put(parcel, items[k].link.key);
      mck_parcel_put(parcel, items[k].link.n);
      mck_parcel_put(parcel, items[k].link.hash);
    }
    is_plain = parcel->capacity != SIZE_MAX;
  }
  free(items);
  return is_plain;
}

bool mck_sequence_hash_is_alike(struct mck_judge *j, const struct mck_parcels *from) {
  struct item *items;
  size_t n = 0, at = 0;
  bool is_alike = make_links(j, true, &items, &n);
  for (size_t i = 0; is_alike && i < from->count; i++) {
    const struct mck_parcel *parcel = &from->items[i].parcel;
    if (!parcel->size) continue;
    struct mck_parcel_in in = {parcel->data, parcel->data + parcel->size, false};
    is_alike = mck_parcel_get(&in) == MAGIC;
    for (uint32_t k = mck_parcel_get_count(&in, 3); is_alike && k > 0; k--, at++) {
      struct link link = {.key = mck_parcel_get(&in)};
      link.n = mck_parcel_get(&in), link.hash = mck_parcel_get(&in);
      is_alike = !in.is_bad && at < n && items[at].world == from->items[i].rank && items[at].link.key == link.key &&
                 items[at].link.n == link.n && items[at].link.hash == link.hash;
    }
    is_alike &= in.at == in.end;
  }
  free(items);
  return is_alike && at == n;
}

void mck_sequence_hash_agreed(struct mck_judge *j) { j->is_agreed = true; }
