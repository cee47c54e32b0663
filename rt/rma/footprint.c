// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Footprint: the bytes of target memory that an operation touches, and the basic type of its elements.
#include "log/signature.h"
#include "rma/rma-run.h"
#include "standard/constants.h"

enum { PIECES_MAX = 1 << 20, DEPTH_MAX = 64, PARTS_MAX = 1 << 12 };

// Pairs (MPI_DOUBLE_INT) have gaps in and behind them that depend on the compiler.
static bool has_gaps(uint32_t type) {
  return type == MCK_BASIC_DOUBLE_INT || type == MCK_BASIC_LONG_INT || type == MCK_BASIC_SHORT_INT ||
         type == MCK_BASIC_LONG_DOUBLE_INT;
}

static const struct mck_type_def *find_type(const struct mck_type_def *types, uint32_t ntypes, uint32_t type) {
  if (type < MCK_TYPE_USER || type - MCK_TYPE_USER >= ntypes) return NULL;
  const struct mck_type_def *def = &types[type - MCK_TYPE_USER];
  return def->body ? def : NULL;
}

// The bytes are count copies of the type's blocks, disp displacement units behind the base (MPI-3.1 11.3.1). In a
// dynamic window the base is 0 and displacements are addresses (11.2.4).
bool mck_rma_footprint(const struct mck_reader *from, const struct mck_event *e, const struct mck_win_def *target,
                       mck_rma_visit_piece *visit, void *context) {
  struct mck_block whole;
  const struct mck_block *blocks = &whole;
  uint32_t nblocks = 1;
  int64_t extent;
  uint64_t base, count = e->rma.count, length;
  const struct mck_type_def *def = find_type(from->types, from->ntypes, e->rma.type);
  if (e->rma.type < MCK_TYPE_USER) {
    if (count > 1 && has_gaps(e->rma.type)) return false;
    whole = (struct mck_block){0, mck_basic_bytes(e->rma.type)};
    extent = (int64_t)whole.length;
    if (!whole.length) return false;
  } else if (def && def->nblocks != MCK_NONE) {
    blocks = def->blocks, nblocks = def->nblocks, extent = def->body->extent;
  } else return false;
  if (!count || !nblocks) return true;
  if (__builtin_mul_overflow(e->rma.disp, (uint64_t)target->disp_unit, &base)) return false;
  base += target->flavor == MCK_WIN_FLAVOR_DYNAMIC ? 0 : target->body->base;
  if (nblocks == 1 && extent > 0 && (uint64_t)extent == blocks[0].length) { // one piece however many
    if (__builtin_mul_overflow(count, blocks[0].length, &length)) return false;
    uint64_t low = base + (uint64_t)blocks[0].offset;
    return low + length > low && visit(context, low, low + length);
  }
  if (count > PIECES_MAX || count * nblocks > PIECES_MAX) return false;
  for (uint64_t i = 0; i < count; i++)
    for (uint32_t b = 0; b < nblocks; b++) {
      uint64_t low = base + i * (uint64_t)extent + (uint64_t)blocks[b].offset;
      if (low + blocks[b].length <= low || !visit(context, low, low + blocks[b].length)) return false;
    }
  return true;
}

// Returns whether all parts that were looked at are of one basic type. left: how many parts are still looked at: a type
// that is made of one twice, and that one of another twice, has many.
static bool find_basic(const struct mck_type_def *types, uint32_t ntypes, uint32_t type, uint32_t *basic, int depth,
                       int *left) {
  if (--*left < 0) return false;
  if (type < MCK_TYPE_USER) {
    if (*basic != MCK_NONE && *basic != type) return false;
    *basic = type;
    return true;
  }
  const struct mck_type_def *def = find_type(types, ntypes, type);
  if (!def || depth > DEPTH_MAX) return false;
  for (uint32_t i = 0; i < def->nparts; i++)
    if (def->parts[i].count && !find_basic(types, ntypes, def->parts[i].type, basic, depth + 1, left)) return false;
  return true;
}

uint32_t mck_rma_basic_of(const struct mck_type_def *types, uint32_t ntypes, uint32_t type) {
  uint32_t basic = MCK_NONE;
  int left = PARTS_MAX;
  return find_basic(types, ntypes, type, &basic, 0, &left) ? basic : MCK_NONE;
}
