// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spells: when which memory was attached to a dynamic window, from MPI_Win_attach to MPI_Win_detach (MPI-3.1 11.2.4),
// in events of its owner's log.
#pragma once
#include "log/log.h"
#include "report/finding.h"
#include "report/byte-range-text.h"

struct mck_spell {
  uint64_t low, high;
  uint32_t from, to;   // events; to MCK_NONE: never detached
  uint32_t site, next; // of the attach; the first spell with other bytes, where this is the first with these
};
// By bytes and then by time: the same memory may be attached again and again.
struct mck_spells {
  struct mck_spell *items;
  size_t count, capacity;
  uint64_t *reach;
}; // reach: the last byte + 1 of all up to here
enum mck_spell_verdict { MCK_SPELL_THERE, MCK_SPELL_ELSEWHEN, MCK_SPELL_NEVER };

bool mck_spells_make(struct mck_spells *spells, const struct mck_reader *log, uint32_t win); // false: out of memory
void mck_spells_free(struct mck_spells *spells);
// Was each byte of [low, high) attached at some moment behind event after and before event before? ELSEWHEN: only at
// other times.
enum mck_spell_verdict mck_spells_ask(const struct mck_spells *spells, uint64_t low, uint64_t high, uint32_t after,
                                      uint32_t before);
// Says of an operation that its bytes were not attached: headline and why.
void mck_spells_say_stray(struct mck_finding *finding, const struct mck_spells *spells, const char *name, int owner,
                          uint64_t low, uint64_t high, uint32_t after, uint32_t before);
// Bytes of a dynamic window are counted from where the memory was attached.
const char *mck_spell_say(char text[MCK_RANGE_SIZE], const struct mck_spell *spell, uint64_t low, uint64_t high);
// The spell that a byte lies in at such a moment, or NULL.
const struct mck_spell *mck_spells_find(const struct mck_spells *spells, uint64_t byte, uint32_t after,
                                        uint32_t before);
// Where the bytes of any other window come from, if no variable is known that they are.
void mck_window_place(struct mck_finding *finding, int owner, const struct mck_win_def *win);
