// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/thread-section.h"
void mck_section_unknown(struct mck_strand *strand, const struct mck_lock *lock) { (void)strand, (void)lock; }
void mck_section_end(struct mck_strand *strand, struct mck_lock *lock) { (void)strand, (void)lock; }
void mck_section_clear(struct mck_lock *lock) { (void)lock; }
