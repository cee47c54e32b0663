// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elf: the calls that a loaded program or library makes by name, read from the dynamic section that the loader used. It
// reads 64-bit ELF with addends (x86-64, AArch64); elsewhere nothing is found.
#pragma once
#include <link.h>
#include "base/base.h"

struct mck_elf {
  const char *path;                  // "" for the program itself
  uintptr_t base, low, high;         // load bias; its segments lie in [low, high)
  uintptr_t sealed_low, sealed_high; // the part that the loader made read-only after relocation (RELRO)
  const ElfW(Sym) * symbols;
  const char *names;
  struct {
    const ElfW(Rela) * first;
    size_t bytes;
  } tables[2]; // the jump slots, and all other relocations
};
// Returns false where the object has no dynamic symbols, or is of a kind that we do not read.
bool mck_elf_read(const struct dl_phdr_info *info, struct mck_elf *elf);
bool mck_elf_needs(const struct dl_phdr_info *info, const char *library); // is it linked with it?
bool mck_elf_has(const struct mck_elf *elf, uintptr_t address);           // decided by the segments; nothing is read

// Visits each place that gets the address of another object's symbol, with its address and the name. It stops and
// returns true when the visitor returns true.
typedef bool mck_elf_visitor(const struct mck_elf *elf, const char *name, uintptr_t *place, void *context);
bool mck_elf_visit(const struct mck_elf *elf, mck_elf_visitor *visit, void *context);
// Writes a place, also where the loader made it read-only.
bool mck_elf_set(const struct mck_elf *elf, uintptr_t *place, uintptr_t value);
const char *mck_elf_name(const char *path); // the name without its directories
