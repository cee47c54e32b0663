// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the datatypes of a reproducer.
#include <inttypes.h>
#include <stdlib.h>
#include "base/base.h"
#include "log/signature.h"
#include "view/reproduce.h"

static uint32_t basic_of(const struct mck_reader *reader, uint32_t type) {
  struct mck_signatures signatures;
  uint32_t basic = MCK_NONE;
  if (!mck_signatures_load(&signatures, reader)) return basic;
  uint32_t first = mck_signature_element(&signatures, type, 1, 0);
  if (mck_signature_is_all(&signatures, type, first)) basic = first;
  mck_signatures_free(&signatures);
  return basic;
}

int mck_reproduce_type(struct mck_reproduce_types *types, const struct mck_reader *reader, uint32_t log,
                       uint32_t type) {
  for (size_t i = 0; i < types->n; i++)
    if (types->items[i].type == type && (types->items[i].log == log || type < MCK_TYPE_USER)) return (int)i;
  struct mck_reproduce_type new = {log, type, NULL, type};
  if (type >= MCK_TYPE_USER && type - MCK_TYPE_USER < reader->ntypes && reader->types[type - MCK_TYPE_USER].body)
    new.def = &reader->types[type - MCK_TYPE_USER], new.basic = basic_of(reader, type);
  if (!MCK_PUSH(types->items, types->n, types->capacity, new)) return 0;
  return (int)types->n - 1;
}

int64_t mck_reproduce_extent(const struct mck_reproduce_types *types, int type) {
  const struct mck_reproduce_type *t = &types->items[type];
  return t->def ? t->def->body->extent : (int64_t)mck_basic_bytes(t->type);
}
uint64_t mck_reproduce_size(const struct mck_reproduce_types *types, int type) {
  const struct mck_reproduce_type *t = &types->items[type];
  return t->def ? t->def->body->size : mck_basic_bytes(t->type);
}
uint64_t mck_reproduce_span(const struct mck_reproduce_types *types, int type) {
  const struct mck_type_def *d = types->items[type].def;
  if (!d || d->nblocks == MCK_NONE || !d->nblocks) return mck_reproduce_size(types, type);
  const struct mck_block *last = &d->blocks[d->nblocks - 1];
  return last->offset < 0 ? 0 : (uint64_t)last->offset + last->length;
}

void mck_reproduce_write_types(const struct mck_reproduce_types *types, FILE *out) {
  for (size_t i = 0; i < types->n; i++) {
    const struct mck_reproduce_type *t = &types->items[i];
    uint32_t n = t->def && t->def->nblocks != MCK_NONE ? t->def->nblocks : 0;
    fprintf(out, "static const int blocks_%zu[][2] = {", i);
    if (!t->def) fprintf(out, "{0, %u}", mck_basic_bytes(t->type));
    for (uint32_t b = 0; b < n; b++)
      fprintf(out, "%s{%" PRId64 ", %" PRIu64 "}",
              !b      ? ""
              : b % 8 ? ", "
                      : ",\n    ",
              t->def->blocks[b].offset, t->def->blocks[b].length);
    fprintf(out, "};\nstatic const struct map map_%zu = {%u, %" PRId64 ", blocks_%zu};\n", i, t->def ? n : 1,
            mck_reproduce_extent(types, (int)i), i);
  }
}

// A basic type that all elements have, and whose size fits each block; else bytes.
static void write_type(const struct mck_reproduce_type *t, size_t i, FILE *out) {
  if (!t->def) {
    fprintf(out, "  MPI_Datatype type_%zu = %s;\n", i, mck_basic_name(t->type));
    return;
  }
  uint32_t size = t->basic == MCK_NONE ? 0 : mck_basic_bytes(t->basic);
  for (uint32_t b = 0; size && b < t->def->nblocks; b++)
    if (t->def->blocks[b].length % size) size = 0;
  fprintf(out, "  MPI_Datatype type_%zu = make(&map_%zu, %s, %u, %" PRId64 ");\n", i, i,
          size ? mck_basic_name(t->basic) : "MPI_BYTE", size ? size : 1, t->def->body->lb);
}

void mck_reproduce_write_begin(const struct mck_reproduce_types *types, FILE *out, uint64_t room, uint32_t nranks) {
  bool has_maps = false;
  for (size_t i = 0; i < types->n; i++) has_maps |= types->items[i].def != NULL;
  if (has_maps)
    fprintf(out, "\nstatic MPI_Datatype make(const struct map *map, MPI_Datatype basic, int size, MPI_Aint lb) {\n"
                 "  MPI_Datatype plain, made;\n"
                 "  int *lengths = malloc((size_t)map->n * sizeof *lengths);\n"
                 "  MPI_Aint *offsets = malloc((size_t)map->n * sizeof *offsets);\n"
                 "  for (int i = 0; i < map->n; i++) lengths[i] = map->blocks[i][1] / size, offsets[i] = "
                 "map->blocks[i][0];\n"
                 "  MPI_Type_create_hindexed(map->n, lengths, offsets, basic, &plain);\n"
                 "  MPI_Type_create_resized(plain, lb, map->extent, &made);\n"
                 "  MPI_Type_commit(&made);\n  MPI_Type_free(&plain);\n  free(lengths), free(offsets);\n"
                 "  return made;\n}\n");
  fprintf(
      out,
      "\nint main(int argc, char **argv) {\n"
      "  int rank, size, wrong = 0, rounds = argc > 1 ? atoi(argv[1]) : 100;\n"
      "  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
      "  MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
      "  if (size < %u) {\n    if (rank == 0) printf(\"%u ranks are needed\\n\");\n    MPI_Abort(MPI_COMM_WORLD, 2);\n"
      "  }\n"
      "  char *out = calloc(1, %" PRIu64 "), *in = calloc(1, %" PRIu64 ");\n",
      nranks, nranks, room, room);
  for (size_t i = 0; i < types->n; i++) write_type(&types->items[i], i, out);
  fprintf(out, "  for (int round = 0; round < rounds; round++) {\n");
}

void mck_reproduce_free(struct mck_reproduce_types *types) { free(types->items); }

bool mck_reproduce_is_integer(const struct mck_reproduce_types *types, int type) {
  uint32_t basic = types->items[type].basic;
  return basic == MCK_BASIC_CHAR || basic == MCK_BASIC_INT || basic == MCK_BASIC_LONG || basic == MCK_BASIC_UNSIGNED ||
         basic == MCK_BASIC_UNSIGNED_LONG || basic == MCK_BASIC_LONG_LONG_INT || basic == MCK_BASIC_INT64_T ||
         basic == MCK_BASIC_UINT64_T || basic == MCK_BASIC_INT32_T || basic == MCK_BASIC_UINT32_T;
}
