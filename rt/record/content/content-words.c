// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes over the bytes of a buffer in packed order and makes its words. Where the blocks of the datatype, one after the
// other, are the packed data, no function of the library takes part. Other type maps (decreasing displacements, bytes
// that are sent twice) are packed by MPI_Pack first.
#define _GNU_SOURCE 1
#include "record/content/content-words.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <sys/mman.h>
#include "log/content.h"
#include "record/content/content-hash.h"
#include "record/runtime.h"
#include "record/strand/strand-call.h"

enum { PIECE = 16384, PIECES = 64 };

// at: packed bytes so far.
struct filler {
  uint64_t *words, at, length;
  uint32_t chunk;
  const struct mck_content_hash *hash;
  struct mck_content_state state;
};

static void feed(struct filler *f, const char *bytes, uint64_t n) {
  if (f->chunk == MCK_CONTENT_RAW) {
    memcpy((char *)f->words + f->at, bytes, n);
    f->at += n;
    return;
  }
  while (n) {
    uint64_t place = f->at % f->chunk, left = f->chunk - place;
    if (left > f->length - f->at) left = f->length - f->at;
    uint64_t step = n < left ? n : left;
    if (!place && step == left) f->words[f->at / f->chunk] = f->hash->whole(bytes, step);
    else {
      if (!place) f->hash->begin(&f->state);
      f->hash->add(&f->state, bytes, step);
      if (step == left) f->words[f->at / f->chunk] = f->hash->end(&f->state);
    }
    f->at += step, bytes += step, n -= step;
  }
}

// Blocks that are read through the kernel together.
struct gather {
  struct filler *filler;
  struct iovec there[PIECES];
  size_t n, bytes;
};

static bool flush(struct gather *g) {
  char copy[PIECE];
  struct iovec here = {copy, g->bytes};
  if (g->n && process_vm_readv(getpid(), &here, 1, g->there, g->n, 0) != (ssize_t)g->bytes) return false;
  feed(g->filler, copy, g->bytes);
  g->n = g->bytes = 0;
  return true;
}

static bool feed_safely(struct gather *g, const char *bytes, uint64_t n) {
  while (n) {
    if ((g->n == PIECES || g->bytes == PIECE) && !flush(g)) return false;
    size_t step = n < PIECE - g->bytes ? (size_t)n : PIECE - g->bytes;
    g->there[g->n++] = (struct iovec){(void *)(uintptr_t)bytes, step};
    g->bytes += step, bytes += step, n -= step;
  }
  return true;
}

bool mck_content_is_mapped(const void *address, uint64_t n) {
  enum { PAGE = 4096, POPULATE_READ = 22 }; // MADV_POPULATE_READ: not in older headers
  uintptr_t low = (uintptr_t)address & ~(uintptr_t)(PAGE - 1), high = (uintptr_t)address + n;
  int error = errno;
  bool is_mapped = !madvise((void *)low, high - low, POPULATE_READ);
  errno = error;
  return is_mapped;
}

// Memory that no other thread of the program may unmap meanwhile is read directly, which is faster than by the kernel.
static bool is_readable(const char *bytes, uint64_t n) {
  enum { LEAST = 4096 };
  return !mck_strands_are_several() &&
         (mck_content_is_sure(bytes, n) || (n >= LEAST && mck_content_is_mapped(bytes, n)));
}

// Of a type with gaps they are asked for, too.
static bool is_all_readable(const struct mck_content_buffer *b) {
  const struct mck_type *t = b->type;
  if (t->is_dense) return is_readable(b->address, b->length);
  int64_t rest, low, high;
  if (b->count <= 0 || __builtin_mul_overflow(b->count - 1, t->extent, &rest)) return false;
  if (__builtin_add_overflow(rest < 0 ? rest : 0, t->low, &low)) return false;
  if (__builtin_add_overflow(rest > 0 ? rest : 0, t->high, &high) || high < low) return false;
  return !mck_strands_are_several() && mck_content_is_sure(b->address + low, (uint64_t)high - (uint64_t)low);
}

static bool feed_block(struct filler *f, struct gather *g, const char *bytes, uint64_t n) {
  if (n > f->length - f->at - g->bytes) n = f->length - f->at - g->bytes;
  if (f->at + g->bytes == f->length) return true;
  if (g->filler) return feed_safely(g, bytes, n);
  feed(f, bytes, n);
  return true;
}

static bool pack(struct filler *f, const struct mck_content_buffer *b) {
  uint64_t size = (uint64_t)b->count * (uint64_t)b->type->size;
  int position = 0;
  if (size > INT_MAX || b->count > INT_MAX || b->is_doubtful || b->type->object.is_freed) return false;
  MPI_Datatype handle = (MPI_Datatype)(uintptr_t)b->type->object.handle;
  char *packed = malloc(size + 1);
  bool is_done = packed &&
                 PMPI_Pack(b->address, (int)b->count, handle, packed, (int)size, &position, mck_rt.comm) == MPI_SUCCESS;
  if (is_done) feed(f, packed, f->length);
  free(packed);
  return is_done;
}

bool mck_content_fill(uint64_t *words, uint32_t chunk, const struct mck_content_buffer *b) {
  const struct mck_type *t = b->type;
  uint64_t n = mck_content_words(b->length, chunk);
  struct filler f;
  f.words = words, f.at = 0, f.length = b->length, f.chunk = chunk, f.hash = mck_content_hash_find();
  if (chunk == MCK_CONTENT_RAW && n) words[n - 1] = 0;
  if (!n) return true;
  struct gather g;
  bool is_doubtful = b->is_doubtful && !is_all_readable(b);
  g.filler = is_doubtful ? &f : NULL, g.n = g.bytes = 0;
  if (t->is_dense) return feed_block(&f, &g, b->address, f.length) && (!g.filler || flush(&g));
  if (t->is_unordered || t->is_overlapping || t->is_inexact) return pack(&f, b);
  for (int64_t k = 0; k < b->count && f.at + g.bytes < f.length; k++)
    for (uint32_t i = 0; i < t->nblocks; i++)
      if (!feed_block(&f, &g, b->address + k * t->extent + t->blocks[i].offset, t->blocks[i].length)) return false;
  return !g.filler || flush(&g);
}
