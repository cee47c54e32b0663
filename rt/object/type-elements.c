// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands a datatype by its envelopes and contents (MPI-3.1 4.1.13). A type among the contents is expanded once, and
// its runs are copied.
#include "object/type-elements.h"
#include <string.h>
#include "log/basic-kind.h"
#include "log/signature.h"

uint32_t mck_basic_kind(uint32_t basic) {
  static const struct {
    uint32_t id;
    const char *name;
    unsigned bytes;
  } rows[] = {
#define MCK_BASIC(id, name, text, bytes) {id, #name, bytes},
#include "log/basic.inc"
#undef MCK_BASIC
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].id == basic) return mck_basic_kind_of(rows[i].name, rows[i].bytes);
  return 0;
}

static bool add_run(struct mck_type_elements *e, struct mck_type_run run) {
  if (e->count >= MCK_TYPE_RUNS_MAX) e->is_cut = true;
  else if (!MCK_PUSH(e->items, e->count, e->capacity, run)) return false;
  return true;
}

// A pair for MPI_MINLOC and MPI_MAXLOC is a C structure (MPI-3.1 5.9.4).
static bool add_pair(struct mck_type_elements *e, uint32_t basic, char class, size_t bytes, size_t index) {
  e->positions = 2;
  return add_run(e, (struct mck_type_run){0, 1, 0, basic, (uint16_t)bytes, 1, class}) &&
         add_run(e, (struct mck_type_run){(int64_t)index, 1, 1, MCK_BASIC_INT, sizeof(int), 1, 'i'});
}

// MPI_INT of MPI_2INT; else the type itself.
static uint32_t part_of(uint32_t basic) {
  static const uint32_t twos[][2] = {
      {MCK_BASIC_2INT, MCK_BASIC_INT},         {MCK_BASIC_2INTEGER, MCK_BASIC_INTEGER},
      {MCK_BASIC_2REAL, MCK_BASIC_REAL},       {MCK_BASIC_2DOUBLE_PRECISION, MCK_BASIC_DOUBLE_PRECISION},
      {MCK_BASIC_2COMPLEX, MCK_BASIC_COMPLEX}, {MCK_BASIC_2DOUBLE_COMPLEX, MCK_BASIC_DOUBLE_COMPLEX}};
  for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
    if (twos[i][0] == basic) return twos[i][1];
  return basic;
}

static bool read_basic(MPI_Datatype type, struct mck_type_elements *e) {
#define PAIR(type, class, first)                                                                                       \
  do {                                                                                                                 \
    struct pair {                                                                                                      \
      type value;                                                                                                      \
      int index;                                                                                                       \
    };                                                                                                                 \
    return add_pair(e, first, class, sizeof(type), offsetof(struct pair, index));                                      \
  } while (0)
  const struct mck_type *t = mck_type_find(type);
  if (!t || t->object.id == MCK_NONE || t->object.id >= MCK_TYPE_USER) return false;
  uint32_t basic = t->object.id;
  switch (basic) {
  case MCK_BASIC_FLOAT_INT: PAIR(float, 'f', MCK_BASIC_FLOAT);
  case MCK_BASIC_DOUBLE_INT: PAIR(double, 'f', MCK_BASIC_DOUBLE);
  case MCK_BASIC_LONG_INT: PAIR(long, 'i', MCK_BASIC_LONG);
  case MCK_BASIC_SHORT_INT: PAIR(short, 'i', MCK_BASIC_SHORT);
  case MCK_BASIC_LONG_DOUBLE_INT: PAIR(long double, 'f', MCK_BASIC_LONG_DOUBLE);
  default: break;
  }
#undef PAIR
  uint32_t kind = mck_basic_kind(basic), bytes = kind >> 8, part = part_of(basic);
  e->positions = part == basic ? 1 : 2;
  if (!kind && t->size == 1) {
    bool is_untyped = basic == MCK_BASIC_BYTE || basic == MCK_BASIC_PACKED;
    return add_run(e, (struct mck_type_run){0, 1, 0, basic, 1, 1, is_untyped ? 'b' : 'i'});
  }
  if (!kind || t->size <= 0 || t->size % bytes) return true;
  uint64_t units = (uint64_t)t->size / bytes;
  return add_run(e, (struct mck_type_run){0, units, 0, part, (uint16_t)bytes, (uint8_t)(units / e->positions),
                                          (char)(kind & 0xff)});
}

// Appends count copies of a type, extent bytes apart.
static bool add_copies(struct mck_type_elements *to, const struct mck_type_elements *one, int64_t extent, int64_t count,
                       int64_t offset) {
  if (count <= 0) return true;
  to->is_cut |= one->is_cut;
  struct mck_type_run run;
  if (one->count == 1 && (run = one->items[0], (int64_t)(run.units * run.bytes) == extent) &&
      run.units == one->positions * run.per_element) {
    run.offset += offset, run.position += to->positions, run.units *= (uint64_t)count;
    to->positions += one->positions * (uint64_t)count;
    return add_run(to, run);
  }
  for (int64_t i = 0; i < count && one->count; i++) {
    if (to->is_cut) break;
    for (size_t k = 0; k < one->count; k++) {
      run = one->items[k];
      run.offset += offset + i * extent, run.position += to->positions + (uint64_t)i * one->positions;
      if (!add_run(to, run)) return false;
    }
  }
  to->positions += one->positions * (uint64_t)count;
  return true;
}

struct content {
  struct mck_type_elements elements;
  MPI_Aint extent;
};

// The indexes of a dimension that a process of a distributed array has (MPI-3.1 4.1.4): those of its blocks of argument
// indexes, dealt out round by round. MPI_DISTRIBUTE_BLOCK has one round.
struct dimension {
  int size, argument, processes, coordinate;
};
static bool is_own(const struct dimension *d, int index) { return index / d->argument % d->processes == d->coordinate; }

static bool add_array(struct mck_type_elements *e, const struct content *c, const struct dimension *dims, int ndims,
                      bool is_c_order) {
  int index[16] = {0};
  for (;;) {
    int64_t at = 0;
    bool is_in = true;
    for (int k = 0; k < ndims; k++) {
      int d = is_c_order ? k : ndims - 1 - k;
      at = at * dims[d].size + index[d], is_in &= is_own(&dims[d], index[d]);
    }
    if (is_in && !add_copies(e, &c->elements, c->extent, 1, at * c->extent)) return false;
    int k = ndims - 1;
    for (; k >= 0; k--) { // the next index; the fastest dimension is the last in C's order
      int d = is_c_order ? k : ndims - 1 - k;
      if (++index[d] < dims[d].size) break;
      index[d] = 0;
    }
    if (k < 0 || e->is_cut) return true;
  }
}

// i: size, rank, ndims, gsizes, distributions, arguments, processes, order.
static bool add_darray(struct mck_type_elements *e, const struct content *c, const int *i) {
  int ndims = i[2], rank = i[1], processes = i[0];
  if (ndims < 1 || ndims > 16) return false;
  const int *sizes = i + 3, *distributions = sizes + ndims, *arguments = distributions + ndims,
            *grid = arguments + ndims;
  struct dimension dims[16];
  for (int d = 0; d < ndims; d++) { // ranks are in row-major order (MPI-3.1 4.1.4)
    if (grid[d] < 1 || sizes[d] < 1) return false;
    processes /= grid[d];
    if (processes < 1) return false;
    dims[d] = (struct dimension){sizes[d], arguments[d], grid[d], rank / processes};
    rank %= processes;
    if (distributions[d] == MPI_DISTRIBUTE_NONE) dims[d].argument = sizes[d], dims[d].coordinate = 0;
    else if (arguments[d] == MPI_DISTRIBUTE_DFLT_DARG)
      dims[d].argument = distributions[d] == MPI_DISTRIBUTE_BLOCK ? (sizes[d] + grid[d] - 1) / grid[d] : 1;
    if (dims[d].argument < 1) return false;
  }
  return add_array(e, c, dims, ndims, grid[ndims] == MPI_ORDER_C);
}

static bool add_subarray(struct mck_type_elements *e, const struct content *c, const int *i) {
  int ndims = i[0];
  const int *sizes = i + 1, *parts = sizes + ndims, *starts = parts + ndims;
  bool is_c_order = starts[ndims] == MPI_ORDER_C;
  int64_t index[16] = {0};
  if (ndims < 1 || ndims > 16) return false;
  int fast = is_c_order ? ndims - 1 : 0;
  for (;;) {
    int64_t at = 0;
    for (int k = 0; k < ndims; k++) {
      int d = is_c_order ? k : ndims - 1 - k;
      at = at * sizes[d] + starts[d] + index[d];
    }
    if (!add_copies(e, &c->elements, c->extent, parts[fast], at * c->extent)) return false;
    int k = ndims - 2;
    for (; k >= 0; k--) {
      int d = is_c_order ? k : ndims - 1 - k;
      if (++index[d] < parts[d]) break;
      index[d] = 0;
    }
    if (k < 0 || e->is_cut) return true;
  }
}

static bool add_contents(struct mck_type_elements *e, int combiner, const int *i, const MPI_Aint *a,
                         const struct content *c) {
  const struct mck_type_elements *one = &c->elements;
  bool ok = true;
  switch (combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED: return add_copies(e, one, 0, 1, 0);
  case MPI_COMBINER_CONTIGUOUS: return add_copies(e, one, c->extent, i[0], 0);
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR: {
    int64_t step = combiner == MPI_COMBINER_VECTOR ? (int64_t)i[2] * c->extent : (int64_t)a[0];
    for (int k = 0; k < i[0] && ok && !e->is_cut; k++) ok = add_copies(e, one, c->extent, i[1], k * step);
    return ok;
  }
  case MPI_COMBINER_INDEXED:
  case MPI_COMBINER_HINDEXED:
    for (int k = 0; k < i[0] && ok && !e->is_cut; k++)
      ok = add_copies(e, one, c->extent, i[1 + k],
                      combiner == MPI_COMBINER_INDEXED ? (int64_t)i[1 + i[0] + k] * c->extent : (int64_t)a[k]);
    return ok;
  case MPI_COMBINER_INDEXED_BLOCK:
  case MPI_COMBINER_HINDEXED_BLOCK:
    for (int k = 0; k < i[0] && ok && !e->is_cut; k++)
      ok = add_copies(e, one, c->extent, i[1],
                      combiner == MPI_COMBINER_INDEXED_BLOCK ? (int64_t)i[2 + k] * c->extent : (int64_t)a[k]);
    return ok;
  case MPI_COMBINER_STRUCT:
    for (int k = 0; k < i[0] && ok && !e->is_cut; k++) ok = add_copies(e, &c[k].elements, c[k].extent, i[1 + k], a[k]);
    return ok;
  case MPI_COMBINER_SUBARRAY: return add_subarray(e, c, i);
  case MPI_COMBINER_DARRAY: return add_darray(e, c, i);
  default: return false;
  }
}

static bool read_type(MPI_Datatype type, struct mck_type_elements *e, int depth) {
  int ni, na, nd, combiner;
  if (!mck_type_is_derived(type)) return read_basic(type, e);
  if (!depth || PMPI_Type_get_envelope(type, &ni, &na, &nd, &combiner) || nd < 1) return false;
  int *i = calloc((size_t)ni + 1, sizeof *i);
  MPI_Aint *a = calloc((size_t)na + 1, sizeof *a);
  MPI_Datatype *d = calloc((size_t)nd, sizeof(MPI_Datatype));
  struct content *c = calloc((size_t)nd, sizeof *c);
  bool is_taken = i && a && d && c && PMPI_Type_get_contents(type, ni, na, nd, i, a, d) == MPI_SUCCESS;
  bool ok = is_taken;
  for (int k = 0; ok && k < nd; k++) {
    MPI_Aint lb;
    ok = PMPI_Type_get_extent(d[k], &lb, &c[k].extent) == MPI_SUCCESS && read_type(d[k], &c[k].elements, depth - 1);
  }
  ok = ok && add_contents(e, combiner, i, a, c);
  for (int k = 0; is_taken && k < nd; k++) { // types among the contents are references (MPI-3.1 4.1.13)
    if (mck_type_is_derived(d[k])) PMPI_Type_free(&d[k]);
    free(c[k].elements.items);
  }
  free(i), free(a), free(d), free(c);
  return ok;
}

bool mck_type_read_elements(MPI_Datatype type, struct mck_type_elements *e) { return read_type(type, e, 32); }
