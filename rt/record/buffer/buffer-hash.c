// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Option hash_sends: whether a buffer was changed while MPI was sending from it, by code that does not signal its
// stores (a library, gcc, Fortran). The bytes that its datatype accesses are hashed when the operation is posted and
// again when it is complete. It is not known which store it was, so the report has the two calls. The memory may be
// unmapped by then: it is read through the kernel, which returns an error where a load would be a signal.
#define _GNU_SOURCE 1
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "record/access/touched-range.h"
#include "record/buffer/buffer-hash.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

enum { CHUNK = 16384 };

static bool hash_bytes(const char *from, uint64_t length, uint64_t *hash) {
  char copy[CHUNK];
  while (length) {
    size_t n = length < CHUNK ? (size_t)length : CHUNK;
    struct iovec here = {copy, n}, there = {(void *)(uintptr_t)from, n};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)n) return false;
    *hash = mck_base_hash(copy, n, *hash);
    from += n, length -= n;
  }
  return true;
}

// 0: it is not known.
static uint64_t hash_of(const struct mck_buffer *b) {
  uint64_t hash = 1;
  const struct mck_type *t = b->type;
  bool is_read = true;
  if (!t) is_read = hash_bytes(b->low, (uint64_t)(b->high - b->low), &hash);
  else if (t->generation != b->generation) return 0; // its bytes are not known any more
  else
    for (int64_t k = 0; k < b->count && is_read; k++)
      for (uint32_t i = 0; i < t->nblocks && is_read; i++)
        is_read = hash_bytes(b->address + k * t->extent + t->blocks[i].offset, t->blocks[i].length, &hash);
  return is_read ? hash | 1 : 0;
}

// What others store, too, is looked at elsewhere.
static bool is_of_others(const struct mck_buffer *b) { return b->is_written || b->is_pooled || b->window; }

void mck_buffer_hash_begin(struct mck_buffer *b) { b->hash = is_of_others(b) ? 0 : hash_of(b); }
void mck_buffer_hash_note(struct mck_buffer *b) { b->hash = !is_of_others(b); }

static struct mck_finding *begin_change(const struct mck_buffer *b, uint32_t site) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_BUFFER_MODIFIED_IN_USE, site, b->site);
  mck_finding_text(f, "the buffer that %s was sending from was changed", mck_fn_names[b->fn]);
  mck_finding_place(f, mck_rt.rank, b->site, "%s on rank %d", mck_fn_names[b->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, site, "complete, and changed by then");
  return f;
}

static const char *change_since(const struct mck_buffer *b) { // also of a persistent send
  return strstr(mck_fn_names[b->fn], "_init") ? "MPI_Start" : mck_fn_names[b->fn];
}

static void check(struct mck_buffer *b, uint32_t site) {
  uint64_t before = b->hash, now = b->is_active && before ? hash_of(b) : 0;
  b->hash = 0;
  if (!now || now == before) return;
  struct mck_finding *f = begin_change(b, site);
  mck_finding_why(f,
                  "the bytes are not those at the time of %s; the store was not seen, as the code that did it was not "
                  "compiled by mpicc-check (MPI-3.1 3.7.2)",
                  change_since(b));
  mck_local_done(f);
}

void mck_buffer_hash_check(struct mck_request *r, uint32_t site) {
  if (r->used & 1) check(&r->buffers[0], site);
}

void mck_buffer_hash_changed(struct mck_buffer *b, uint32_t site) {
  bool is_noted = b->hash;
  b->hash = 0;
  if (!is_noted || mck_windows) return;
  struct mck_finding *f = begin_change(b, site);
  mck_finding_why(f,
                  "the bytes are not those at the time of %s, and no store to them was seen: code that was not "
                  "compiled by mpicc-check has changed them (MPI-3.1 3.7.2), or the MPI library",
                  change_since(b));
  mck_local_done(f);
}
