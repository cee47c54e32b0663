// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rma.race-local: a load, a store or another operation of the bytes that a pending RMA operation reads (origin) or
// writes (result) on this process; or an RMA operation of the bytes that a pending operation uses. Before an operation
// is complete at its origin the local buffer must not be updated, and not be accessed at all if it is written (MPI-3.1
// 11.3, 11.7). The finding is made at the access. The place where the operation would have been complete is added when
// the program comes there.
#include "record/buffer/buffer-lifetime.h"
#include "record/buffer/buffer-map.h"
#include "record/error/local-finding.h"
#include "record/rma/local-race.h"
#include "record/runtime.h"

enum { ACCUSED_MAX = 64 }; // if there are more at a time, these have no third place
static struct {
  const struct mck_buffer *buffer;
  uint32_t site;
  size_t finding;
} accused[ACCUSED_MAX];
unsigned mck_nlocal_races;

static const char *buffer_name(const struct mck_buffer *b) {
  return b->is_written ? "result buffer" : b->is_compared ? "compare buffer" : "origin buffer";
}

static void why(struct mck_finding *f, const struct mck_buffer *b) {
  if (b->is_late)
    mck_finding_why(f, "only a synchronization of the window completes it at its target: flush, unlock, fence, wait "
                       "(MPI-3.1 11.3, 11.5)");
  else if (b->window)
    mck_finding_why(f, b->is_pooled ? "only a synchronization of the window completes it at its origin: flush, "
                                      "flush_local, unlock, fence, complete (MPI-3.1 11.3, 11.5)"
                                    : "only MPI_Wait or MPI_Test completes it at its origin, or a synchronization of "
                                      "the window (MPI-3.1 11.3.5)");
  else
    mck_finding_why(f, mck_std_is_file(b->fn) && mck_std(b->fn)->split == MCK_STD_SPLIT_BEGIN
                           ? "the access is complete only when its end function has returned (MPI-3.1 13.4.5)"
                           : "it is complete only when MPI_Wait or MPI_Test says so (MPI-3.1 3.7.2, 11.3)");
}

// found: how many findings there were before this one.
static void accuse(const struct mck_finding *f, const struct mck_buffer *b, size_t found) {
  if (!f || !b->window || mck_rt.findings.count == found || mck_nlocal_races == ACCUSED_MAX) return;
  accused[mck_nlocal_races].buffer = b, accused[mck_nlocal_races].site = b->site,
  accused[mck_nlocal_races++].finding = found;
}

void mck_local_race_add(const struct mck_buffer *b, uint32_t site, const struct mck_pieces *a) {
  uint32_t flags = a->flags;
  const char *fn = mck_fn_names[b->fn];
  size_t found = mck_rt.findings.count;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_RACE_LOCAL, site, b->site);
  mck_finding_text(f, "%s the %s of %s before that is complete", mck_access_verb(flags), buffer_name(b), fn);
  mck_finding_place(f, mck_rt.rank, site, "%s by rank %d", mck_access_noun(flags), mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, b->site, "in use since %s", fn);
  why(f, b);
  struct mck_bytes bytes = mck_bytes_of_buffer(b);
  mck_buffer_map_add(f, b, (struct mck_map_side){.pieces = a}, (struct mck_map_side){.bytes = &bytes});
  mck_local_done(f);
  accuse(f, b, found);
}

// Which of the two comes first may depend on the iteration of a loop: they are one pair.
void mck_local_race_between(struct mck_local_use use, const struct mck_buffer *b) {
  const char *fn = mck_fn_names[b->fn];
  size_t found = mck_rt.findings.count;
  uint32_t low = use.site < b->site ? use.site : b->site, high = use.site < b->site ? b->site : use.site;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_RACE_LOCAL, low, (uint64_t)1 << 32 | high);
  if (!f) return;
  const char *name = mck_fn_names[use.fn], *verb = use.is_written ? "writes" : "reads",
             *another = use.fn == b->fn ? "another " : "";
  if (b->is_target)
    mck_finding_text(f, "%s %s what %s%s on this rank's own window %s, before that is complete", name, verb, another,
                     fn, b->is_written ? "writes" : "reads");
  else
    mck_finding_text(f, "%s %s%s the %s of %s%s before that is complete", name,
                     use.is_target ? "on this rank's own window " : "", verb, b->window ? buffer_name(b) : "buffer",
                     another, fn);
  mck_finding_place(f, mck_rt.rank, use.site, "%s on rank %d", mck_fn_names[use.fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, b->site, "in use since %s", fn);
  why(f, b);
  mck_finding_help(f, "complete the first operation before the second one uses the bytes, or give each a buffer of "
                      "its own");
  struct mck_bytes bytes = mck_bytes_of_buffer(b);
  mck_buffer_map_add(f, b, (struct mck_map_side){.bytes = use.bytes}, (struct mck_map_side){.bytes = &bytes});
  mck_local_done(f);
  accuse(f, b, found);
}

void mck_local_race_left(const struct mck_buffer *b, uint32_t site, uint16_t fn) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_RACE_LOCAL, b->site, (uint64_t)2 << 32);
  mck_finding_text(f, "the local variable that is the %s of a pending %s no longer exists: its function has returned",
                   buffer_name(b), mck_fn_names[b->fn]);
  mck_finding_place(f, mck_rt.rank, b->site, "%s on rank %d", mck_fn_names[b->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, site, "the function has returned before %s", mck_fn_names[fn]);
  why(f, b);
  mck_finding_help(f, "let the variable live until the operation is complete: make it static, allocate it, or "
                      "complete the operation within the function");
  mck_local_done(f);
}

void mck_local_race_block(const struct mck_buffer *b, uint32_t site, bool is_jump) {
  size_t found = mck_rt.findings.count;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_RACE_LOCAL, b->site, (uint64_t)3 << 32 | site);
  mck_finding_text(f, "the local variable that is the %s of a pending %s ends before that is complete", buffer_name(b),
                   mck_fn_names[b->fn]);
  mck_finding_place(f, mck_rt.rank, b->site, "%s on rank %d", mck_fn_names[b->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, site, MCK_BLOCK_END(is_jump), mck_rt.rank);
  why(f, b);
  mck_finding_help(f, "declare the variable outside the block, or complete the operation within it");
  mck_local_done(f);
  accuse(f, b, found);
}

void mck_local_race_end(const struct mck_buffer *b, uint32_t site, uint16_t fn) {
  for (unsigned i = 0; i < mck_nlocal_races; i++) {
    if (accused[i].buffer != b || accused[i].site != b->site) continue;
    size_t at = accused[i].finding;
    accused[i--] = accused[--mck_nlocal_races];
    if (at >= mck_rt.findings.count) continue;
    mck_finding_place(&mck_rt.findings.items[at], mck_rt.rank, site, "complete at its origin with %s",
                      fn ? mck_fn_names[fn] : "this");
  }
}
