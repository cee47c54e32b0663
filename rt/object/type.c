// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Datatypes: the signature as a DAG of (count, type) parts, and the bytes that one element touches. Both come from the
// envelope and contents that MPI itself keeps (MPI-3.1 4.1.13), so all constructors are understood in one place.
#include "object/object-table.h"
#include "object/type-map.h"

static struct mck_type *types;
static uint32_t next_id = MCK_TYPE_USER;

// MPI-3.1 4.1.3: a subarray, by recursion over the dimensions, the slowest first.
static void add_subarray(struct mck_flat *f, const struct mck_type *t, int ndims, const int *sizes, const int *subsizes,
                         const int *starts, int order) {
  if (!t || ndims <= 0) {
    f->is_unknown = true;
    return;
  }
  int64_t index[16] = {0}, stride[16];
  if (ndims > 16) {
    f->is_unknown = true;
    return;
  }
  int64_t total = 1, rows = 1;
  int fast = order == MPI_ORDER_C ? ndims - 1 : 0;
  for (int k = 0; k < ndims; k++) {
    int d = order == MPI_ORDER_C ? ndims - 1 - k : k;
    stride[d] = total;
    total *= sizes[d];
    if (d != fast) rows *= subsizes[d];
  }
  if (rows > 4 * MCK_TYPE_BLOCKS_MAX) {
    f->is_unknown = true;
    return;
  }
  for (int64_t row = 0; row < rows && !f->is_unknown; row++) {
    int64_t element = 0;
    for (int d = 0; d < ndims; d++) element += (starts[d] + (d == fast ? 0 : index[d])) * stride[d];
    mck_flat_add(f, t, subsizes[fast], element * t->extent);
    for (int k = 0; k < ndims; k++) {
      int d = order == MPI_ORDER_C ? ndims - 1 - k : k;
      if (d == fast) continue;
      if (++index[d] < subsizes[d]) break;
      index[d] = 0;
    }
  }
}

struct parts {
  struct mck_type_part *items;
  size_t count, capacity;
};
static void add_part(struct parts *p, int64_t count, const struct mck_type *t) {
  if (count > 0 && t)
    (void)!MCK_PUSH(p->items, p->count, p->capacity, ((struct mck_type_part){(uint64_t)count, t->object.id, 0}));
}

static struct mck_type *find(MPI_Datatype type);
bool mck_type_is_derived(MPI_Datatype type) {
  int i, a, d, combiner;
  return !PMPI_Type_get_envelope(type, &i, &a, &d, &combiner) && combiner != MPI_COMBINER_NAMED &&
         combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX &&
         combiner != MPI_COMBINER_F90_INTEGER;
}

// A derived type among the contents is a new reference (MPI-3.1 4.1.13), in Open MPI a new handle. A table entry of
// that value belongs to a type that was freed: it must be neither used nor lost. Decoding contents recursively grows
// like a tree where the types are a DAG, so it has a bound.
struct content {
  struct mck_type *type;
  struct mck_object before;
  bool is_own, was_there;
};
static int contents_left;

static bool open_content(struct content *c, MPI_Datatype handle) {
  c->type = find(handle);
  if (!mck_type_is_derived(handle)) c->type = mck_type_find(handle);
  else if (!c->type || c->type->object.is_freed || c->type->object.is_predefined || c->type->object.is_adopted) {
    if (contents_left-- <= 0) return c->type = NULL, false;
    c->was_there = c->type && c->type->object.is_freed;
    if (c->type) c->before = c->type->object;
    c->is_own = true;
    c->type = mck_type_add(handle, MPI_DATATYPE_NULL, 0, MCK_NONE);
  }
  return c->type && c->type->object.id != MCK_NONE;
}

static void close_content(struct content *c) {
  if (!c->is_own || !c->type) return;
  if (c->was_there) c->type->object = c->before;
  else c->type->object.is_adopted = c->type->is_forgotten = true;
}

// The parts and blocks of a type with this combiner and these contents (MPI-3.1 4.1.13): integers i, addresses a, types
// t. Returns false where the combiner is not understood.
static bool decode(int combiner, const int *i, const MPI_Aint *a, const struct mck_type *const *t, int64_t size,
                   struct parts *parts, struct mck_flat *flat) {
  switch (combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED: add_part(parts, 1, t[0]), mck_flat_add(flat, t[0], 1, 0); break;
  case MPI_COMBINER_CONTIGUOUS: add_part(parts, i[0], t[0]), mck_flat_add(flat, t[0], i[0], 0); break;
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR:
    add_part(parts, (int64_t)i[0] * i[1], t[0]);
    for (int64_t k = 0; k < i[0] && !flat->is_unknown; k++)
      mck_flat_add(flat, t[0], i[1],
                   k * (combiner == MPI_COMBINER_VECTOR ? (int64_t)i[2] * t[0]->extent : (int64_t)a[0]));
    break;
  case MPI_COMBINER_INDEXED:
  case MPI_COMBINER_HINDEXED: {
    int64_t total = 0;
    for (int k = 0; k < i[0]; k++) {
      total += i[1 + k];
      mck_flat_add(flat, t[0], i[1 + k],
                   combiner == MPI_COMBINER_INDEXED ? (int64_t)i[1 + i[0] + k] * t[0]->extent : (int64_t)a[k]);
    }
    add_part(parts, total, t[0]);
    break;
  }
  case MPI_COMBINER_INDEXED_BLOCK:
  case MPI_COMBINER_HINDEXED_BLOCK:
    for (int k = 0; k < i[0]; k++)
      mck_flat_add(flat, t[0], i[1],
                   combiner == MPI_COMBINER_INDEXED_BLOCK ? (int64_t)i[2 + k] * t[0]->extent : (int64_t)a[k]);
    add_part(parts, (int64_t)i[0] * i[1], t[0]);
    break;
  case MPI_COMBINER_STRUCT:
    for (int k = 0; k < i[0]; k++) add_part(parts, i[1 + k], t[k]), mck_flat_add(flat, t[k], i[1 + k], a[k]);
    break;
  case MPI_COMBINER_SUBARRAY: {
    int64_t total = 1;
    for (int k = 0; k < i[0]; k++) total *= i[1 + i[0] + k];
    add_part(parts, total, t[0]);
    add_subarray(flat, t[0], i[0], i + 1, i + 1 + i[0], i + 1 + 2 * i[0], i[1 + 3 * i[0]]);
    break;
  }
  case MPI_COMBINER_DARRAY: // the signature is plain, the layout is not worth a copy of MPI-3.1 4.1.4 here
    if (t[0]->size > 0) add_part(parts, size / t[0]->size, t[0]);
    flat->is_unknown = true;
    break;
  default: return false; // create_f90_*: opaque
  }
  return true;
}

// Fills parts and blocks from the envelope. Returns false where the type is not understood: then it has no definition,
// and nothing is concluded from it. old: the type that it was made of, where there is just one and it is known.
static bool read_contents(MPI_Datatype type, MPI_Datatype old, struct parts *parts, struct mck_flat *flat,
                          int64_t size) {
  int ni, na, nd, combiner;
  if (PMPI_Type_get_envelope(type, &ni, &na, &nd, &combiner) || combiner == MPI_COMBINER_NAMED || nd < 1) return false;
  int *i = calloc((size_t)ni + 1, sizeof *i);
  MPI_Aint *a = calloc((size_t)na + 1, sizeof *a);
  MPI_Datatype *d = calloc((size_t)nd, sizeof *d);
  const struct mck_type **t = calloc((size_t)nd, sizeof *t);
  struct content *contents = calloc((size_t)nd, sizeof *contents);
  bool ok = i && a && d && t && contents && PMPI_Type_get_contents(type, ni, na, nd, i, a, d) == MPI_SUCCESS;
  bool is_taken = ok;
  if (ok && nd == 1 && old != MPI_DATATYPE_NULL)
    ok = (t[0] = mck_type_find(old)) != NULL && t[0]->object.id != MCK_NONE;
  else
    for (int k = 0; ok && k < nd; k++) ok = open_content(&contents[k], d[k]), t[k] = contents[k].type;
  flat->has_addresses = !ok || combiner == MPI_COMBINER_STRUCT || combiner == MPI_COMBINER_HINDEXED ||
                        combiner == MPI_COMBINER_HINDEXED_BLOCK;
  for (int k = 0; ok && k < nd; k++) flat->has_addresses |= t[k]->has_addresses;
  ok = ok && decode(combiner, i, a, t, size, parts, flat);
  // Derived types among the contents are new references, which must be freed (MPI-3.1 4.1.13).
  for (int k = 0; is_taken && k < nd; k++) {
    if (mck_type_is_derived(d[k])) PMPI_Type_free(&d[k]);
    close_content(&contents[k]);
  }
  free(i), free(a), free(d), free((void *)t), free(contents);
  return ok;
}

// The same type made again at the same place (as in a loop) gets the same definition, so the log does not grow.
struct defined {
  uint64_t key;
  uint32_t id;
  UT_hash_handle hh;
};
static struct defined *definitions;

// Definitions stay in the log for good. Those with many blocks have 16 MiB of it; beyond that the judge does not know
// the blocks.
enum { LARGE = 4096, LARGE_ALL = 1 << 20 };
static size_t large_blocks;

static void log_definition(struct mck_type *t, const struct parts *parts) {
  struct mck_type_body body = {(uint64_t)t->size, t->lb, t->extent};
  size_t nblocks = t->nblocks == MCK_NONE ? 0 : t->nblocks;
  // Its blocks one after the other are the packed data.
  bool is_ordered = t->nblocks != MCK_NONE && !t->is_unordered && !t->is_overlapping && !t->is_inexact;
  uint64_t key = mck_base_hash(&body, sizeof body, (uint64_t)t->object.site << 32 | t->nblocks) + is_ordered;
  key = mck_base_hash(parts->items, parts->count * sizeof *parts->items, key);
  key = mck_base_hash(t->blocks, nblocks * sizeof *t->blocks, key);
  struct defined *d;
  TABLE_FIND(definitions, key, key, d);
  if (d) {
    t->object.id = d->id;
    return;
  }
  t->object.id = next_id++;
  bool has_room = nblocks <= LARGE || nblocks <= LARGE_ALL - large_blocks;
  if (!has_room) nblocks = 0;
  else if (nblocks > LARGE) large_blocks += nblocks;
  struct mck_event head = {.kind = MCK_EV_DEF_TYPE, .fn = t->object.fn, .site = t->object.site};
  head.def.id = t->object.id, head.def.a = (uint32_t)parts->count, head.def.b = has_room ? t->nblocks : MCK_NONE,
  head.def.c = is_ordered ? MCK_TYPE_ORDERED : 0;
  struct mck_piece pieces[] = {{&body, sizeof body},
                               {parts->items, parts->count * sizeof *parts->items},
                               {t->blocks, nblocks * sizeof *t->blocks}};
  mck_log_append(mck_object_log, &head, pieces, 3);
  mck_type_sign(t->object.id, body.size, parts->items, (uint32_t)parts->count);
  d = malloc(sizeof *d);
  if (!d) return;
  d->key = key, d->id = t->object.id;
  TABLE_ADD(definitions, key, d);
}

static void define(struct mck_type *t, MPI_Datatype type, MPI_Datatype old) {
  MPI_Count size;
  MPI_Aint lb, extent;
  PMPI_Type_size_x(type, &size); // an int is too small for many types
  MPI_Aint true_lb = 0, true_extent = 0;
  PMPI_Type_get_extent(type, &lb, &extent);
  PMPI_Type_get_true_extent(type, &true_lb, &true_extent);
  t->size = size, t->lb = lb, t->extent = extent, t->low = true_lb, t->high = true_lb + true_extent;
  struct parts parts = {0};
  struct mck_flat flat = {0};
  t->object.id = MCK_NONE, t->nblocks = MCK_NONE;
  flat.has_addresses = true;
  if (read_contents(type, old, &parts, &flat, size)) {
    mck_flat_merge(&flat);
    if (!flat.is_unknown) t->nblocks = (uint32_t)flat.count, t->blocks = flat.items, flat.items = NULL;
    log_definition(t, &parts);
  }
  t->has_addresses = flat.has_addresses;
  t->is_dense = t->nblocks == 1 && t->blocks[0].offset == 0 && (int64_t)t->blocks[0].length == t->extent;
  t->stride = t->nblocks == MCK_NONE ? 0 : mck_type_stride(t->blocks, t->nblocks);
  t->is_inexact = flat.is_inexact, t->is_overlapping = flat.is_overlapping && !flat.is_inexact,
  t->is_unordered = flat.is_unordered;
  mck_type_look_for_overlap(t);
  free(flat.items), free(parts.items);
}

static struct mck_type no_type;
struct mck_type *mck_type_last = &no_type;

MCK_HOT static struct mck_type *find(MPI_Datatype type) {
  uint64_t handle = (uint64_t)(uintptr_t)type;
  if (MCK_LIKELY(mck_type_last->object.handle == handle) && handle) return mck_type_last;
  struct mck_type *t;
  TABLE_FIND(types, object.handle, handle, t);
  if (t) mck_type_last = t;
  return t;
}

struct mck_type *mck_type_add(MPI_Datatype type, MPI_Datatype old, uint16_t fn, uint32_t site) {
  if (type == MPI_DATATYPE_NULL) return NULL;
  struct mck_type *t = find(type);
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->object.handle = (uint64_t)(uintptr_t)type;
    TABLE_ADD(types, object.handle, t);
  }
  free(t->blocks), t->blocks = NULL;
  t->generation++, t->is_forgotten = t->is_uncommitted = false;
  mck_object_start(&t->object, (uint64_t)(uintptr_t)type, fn, site);
  if (fn) contents_left = 256; // the user's call
  define(t, type, old);
  return t;
}

struct mck_type *mck_type_find(MPI_Datatype type) {
  if (!type) return NULL; // no handle: Open MPI makes NULL of a wrong Fortran handle
  struct mck_type *t = find(type);
  if ((t && !t->is_forgotten) || type == MPI_DATATYPE_NULL) return t;
  if (!t && mck_object_is_garbage(MCK_OBJECT_TYPE, (uint64_t)(uintptr_t)type)) return NULL;
  contents_left = 256;
  t = mck_type_add(type, MPI_DATATYPE_NULL, 0,
                   MCK_NONE); // it was made unseen (Fortran, PMPI_): it is never called a leak
  if (t) t->object.is_adopted = true, t->object.is_predefined = !mck_type_is_derived(type);
  return t;
}

MCK_HOT struct mck_type *mck_type_known(MPI_Datatype type) { return find(type); }

static void add_basic(MPI_Datatype type, uint32_t id) {
  if (type == MPI_DATATYPE_NULL || find(type)) return; // this MPI lacks the optional type, or it is an alias
  struct mck_type *t = calloc(1, sizeof *t);
  if (!t) return;
  t->object = (struct mck_object){
      .handle = (uint64_t)(uintptr_t)type, .id = id, .site = MCK_NONE, .free_site = MCK_NONE, .is_predefined = true};
  MPI_Count size = 0;
  MPI_Aint lb = 0, extent = 0, true_lb = 0, true_extent = 0;
  PMPI_Type_size_x(type, &size);
  PMPI_Type_get_extent(type, &lb, &extent);
  PMPI_Type_get_true_extent(type, &true_lb, &true_extent);
  t->size = size, t->lb = lb, t->extent = extent, t->low = true_lb, t->high = true_lb + true_extent;
  t->blocks = malloc(2 * sizeof *t->blocks);
  struct {
    short value;
    int index;
  } pair;
  bool is_split = type == MPI_SHORT_INT && true_extent == (MPI_Aint)sizeof pair; // the program may use the gap
  if (!t->blocks) t->nblocks = MCK_NONE;
  else if (is_split)
    t->nblocks = 2, t->blocks[0] = (struct mck_block){0, sizeof pair.value},
    t->blocks[1] = (struct mck_block){true_extent - (MPI_Aint)sizeof pair.index, sizeof pair.index};
  else
    t->nblocks = 1,
    t->blocks[0] = (struct mck_block){true_lb, (uint64_t)true_extent}; // other pair types with a gap: their hull
  t->is_dense = t->nblocks == 1 && true_lb == 0 && true_extent == extent;
  t->is_inexact = size != true_extent && !is_split;
  t->misaligned = mck_type_misaligned(id);
  TABLE_ADD(types, object.handle, t);
}

void mck_type_init(void) {
#define MCK_BASIC_HANDLES
#define MCK_BASIC(id, name, ...) add_basic(MPI_##name, id);
#include "log/basic.inc"
#undef MCK_BASIC
#undef MCK_BASIC_HANDLES
}

MPI_Datatype mck_type_of_basic(uint32_t id) {
  for (struct mck_type *t = types; t; t = t->hh.next)
    if (t->object.is_predefined && t->object.id == id) return (MPI_Datatype)(uintptr_t)t->object.handle;
  return MPI_DATATYPE_NULL;
}

void mck_type_visit(mck_object_visitor *visit) {
  for (struct mck_type *t = types; t; t = t->hh.next)
    visit(MCK_OBJECT_TYPE, &t->object, (struct mck_reference){t->object.site, t->object.fn, 1});
}

void mck_type_forget(struct mck_type *t) {
  t->object.is_freed = false, t->object.is_adopted = true, t->object.id = MCK_NONE, t->is_forgotten = true;
}

void mck_type_forget_freed(void) {
  struct mck_type *t, *next;
  HASH_ITER(hh, types, t, next) if (t->object.is_freed) mck_type_forget(t);
}
