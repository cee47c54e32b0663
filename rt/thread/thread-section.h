// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known sections: the plugin sees all accesses of the section, and signals them (abi.h: __mck_section). Such a section
// comes behind an earlier one of its lock from the moment on that it loads what that one stored. Otherwise nothing says
// in which order the two are in another run (weak causal precedence: Kini, Mathur, Viswanathan, "Dynamic Race
// Prediction in Linear Time", 2017; of its rule (a) only stores that are loaded count here).
#pragma once
#include "thread/thread-lock.h"

void mck_section_begin(struct mck_strand *strand); // it is about to take a lock, and the order of its other sections
// The section that it has just begun is a known one: that order is undone.
void mck_section_known(struct mck_strand *strand, const struct mck_lock *lock);
void mck_section_load(struct mck_strand *strand, const struct mck_lock *lock, uintptr_t address, uint64_t size);
void mck_section_store(struct mck_strand *strand, uintptr_t address, uint64_t size);
void mck_section_store_some(struct mck_strand *strand, uintptr_t address, uint64_t size); // perhaps not all of it
bool mck_section_is_known(struct mck_strand *strand); // the calling strand is in a section that is known so far
void mck_section_give_up(struct mck_strand *strand, const struct mck_lock *lock); // from here on it is not
void mck_section_end(struct mck_strand *strand, struct mck_lock *lock);           // it has given the lock back
void mck_section_clear(struct mck_lock *lock);
