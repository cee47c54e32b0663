// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread levels (MPI-3.1 12.4.3): which thread may call MPI, and when the runtime takes its lock.
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"

struct mck_call;
struct mck_args;
// This is the main thread, and no other may call MPI: the call may take the short way. False in every new thread.
extern __thread bool mck_is_plain __attribute__((tls_model("initial-exec")));
void mck_level_init(struct mck_call *call, const struct mck_args *a); // at the end of MPI_Init, on the main thread
void mck_level_enter(struct mck_call *call); // a call of the program, not on the short way: reports what is beyond the
                                             // level
bool mck_level_has_one_caller(void);         // the level lets only one thread call MPI
void mck_level_release(void);                // the end of a call with is_serialized
// Another thread than the main one enters the runtime below MPI_THREAD_SERIALIZED. That is legal for a load or store
// of its own. From now on the lock is taken; the function returns when no thread is in the runtime without it.
void mck_level_share(void);
