// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epochs that this process has open on a window (MPI-3.1 11.5), and calls that do not fit them. All calls are
// made under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

void mck_epochs_start(struct mck_window *w, int rank); // the window has just been made; rank: ours in its group
void mck_epochs_end(struct mck_window *w);
int mck_epoch_rank(const struct mck_window *w); // ours in its group; -1: it is not known
// A lock, flush, post, ... is about to be called. ranks: the group of a post or start, as ranks in the window's
// group; NULL: none.
void mck_epoch_check_sync(struct mck_call *call, const struct mck_args *a, struct mck_window *w, const int *ranks,
                          int nranks);
void mck_epoch_synced(const struct mck_call *call, const struct mck_args *a, struct mck_window *w, const int *ranks,
                      int nranks);
// No check has anything to say: of an operation to this target; a flush of a target that is locked.
bool mck_epoch_lets_in(const struct mck_window *w, int target);
bool mck_epoch_is_locked(const struct mck_window *w, int target);
// An operation is about to be called. false, and a finding: no epoch lets it reach its target.
bool mck_epoch_check_operation(struct mck_call *call, const struct mck_args *a, struct mck_window *w, bool is_request);
void mck_epoch_check_free(struct mck_call *call, struct mck_window *w);
// What opened an epoch that is to be closed. false: no epoch is open, or only that of a fence, which may stay open
// (MPI-3.1 11.5.1).
bool mck_epoch_is_open(const struct mck_window *w, uint16_t *fn, uint32_t *site);
uint32_t mck_epoch_posted(const struct mck_window *w); // the event of the MPI_Win_post that is to be ended, or MCK_NONE
bool mck_epoch_is_doubtful(const struct mck_window *w); // some call did not fit
// The ranks of a group in the window's group, in memory that is valid until the next such call. NULL: they are not
// known.
const int *mck_epoch_ranks(struct mck_window *w, MPI_Win win, MPI_Group group, int *n);
