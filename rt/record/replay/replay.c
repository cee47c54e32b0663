// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of this rank: read from the file and from --take, and used for one wildcard after the other.
#include "record/replay/replay.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/decision-list.h"
#include "record/call/call-args.h"
#include "record/runtime.h"

bool mck_replay_is_on;
static struct mck_message_name *decided; // [number - 1]; source -2: not decided
static size_t ndecided;
static uint32_t number; // of wildcards so far

static bool put(uint32_t at, struct mck_message_name name) {
  struct mck_message_name *grown = decided;
  if (at > ndecided) {
    if (!(grown = realloc(decided, at * sizeof *decided))) return false;
    for (size_t i = ndecided; i < at; i++) grown[i].source = -2;
    decided = grown, ndecided = at;
  }
  decided[at - 1] = name;
  return true;
}

// Takes the decisions of --take in their order. Each of them makes undecided what comes after it in the run of the
// file.
static bool take(const struct mck_choices *file) {
  struct mck_choice one;
  const char *text = mck_options.take;
  while (*text) {
    if (!mck_choices_parse(text, &one, &text) || (*text && *text++ != ',')) {
      mck_base_warn("take=%s: must be RANK:NUMBER=SOURCE or RANK:NUMBER=SOURCE:TAG", mck_options.take);
      return false;
    }
    const struct mck_choice *was = mck_choices_find(file, one.rank, one.number);
    for (size_t i = 0; was && i < file->count; i++)
      if (file->items[i].rank == (uint32_t)mck_rt.rank && mck_choices_is_after(was, &file->items[i]) &&
          file->items[i].number <= ndecided)
        decided[file->items[i].number - 1].source = -2;
    if (one.rank == (uint32_t)mck_rt.rank && !put(one.number, one.got)) return false;
  }
  return true;
}

void mck_replay_open(void) {
  struct mck_choices file = {0};
  if (!mck_options.replay[0] && !mck_options.take[0]) return;
  if (mck_rt.is_multiple) {
    // It is not decided which thread comes first.
    if (mck_rt.rank == 0) mck_base_warn("nothing is replayed: the program asks for MPI_THREAD_MULTIPLE");
    return;
  }
  int rc = mck_options.replay[0] ? mck_choices_read(&file, mck_options.replay) : 0;
  if (rc)
    mck_base_warn("cannot replay %s: %s", mck_options.replay, rc == EINVAL ? "not a file of decisions" : strerror(rc));
  else if (file.ranks && file.ranks != (uint32_t)mck_rt.size && mck_rt.rank == 0)
    mck_base_warn("%s is of a run of %u ranks, this one has %d", mck_options.replay, file.ranks, mck_rt.size);
  bool is_good = rc == 0;
  for (size_t i = 0; is_good && i < file.count; i++)
    if (file.items[i].rank == (uint32_t)mck_rt.rank) is_good = put(file.items[i].number, file.items[i].got);
  mck_replay_is_on = is_good && take(&file);
  mck_choices_free(&file);
}

uint8_t mck_replay_peek(struct mck_args *a) {
  uint8_t flags = 0;
  if (number >= ndecided || decided[number].source == -2) return 0;
  struct mck_message_name to = decided[number];
  int size = 0;
  MPI_Comm comm = a->comm;
  int is_inter = 0;
  if (PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && is_inter) PMPI_Comm_remote_size(comm, &size);
  else PMPI_Comm_size(comm, &size);
  if (to.source >= size) return 0; // the run has gone another way
  if (a->source == MPI_ANY_SOURCE) flags |= MCK_FLAG_FORCED_SOURCE, a->source = to.source;
  if (a->recvtag == MPI_ANY_TAG && to.tag >= 0) flags |= MCK_FLAG_FORCED_TAG, a->recvtag = to.tag;
  return flags;
}

void mck_replay_count(void) { number++; }

uint8_t mck_replay_force(struct mck_args *a) {
  uint8_t flags = mck_replay_peek(a);
  number++;
  return flags;
}
