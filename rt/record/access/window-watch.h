// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows whose memory is watched for loads and stores (window-watch.c). All calls are made under the lock.
#pragma once
#include "object/object.h"

void mck_window_watch(struct mck_window *w);
void mck_window_unwatch(struct mck_window *w);
void mck_window_forget(struct mck_window *w); // and its memory for ranges
