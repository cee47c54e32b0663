// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: ELF files and their DWARF, opened once.
#pragma once
#include <elfutils/libdwfl.h>

// The module's file, with addresses equal to its own virtual addresses. NULL when it is not a readable regular ELF
// file.
struct mck_module;
struct mck_module *mck_module_open(const char *path);
void mck_module_close(struct mck_module *module);
// The compilation unit of a virtual address, with bias = what libdwfl adds to addresses in the DWARF; NULL: no debug
// information.
Dwarf_Die *mck_module_unit(struct mck_module *module, uint64_t address, Dwarf_Addr *bias);
// ELF symbol at or before address within its size, or NULL.
const char *mck_module_symbol(struct mck_module *module, uint64_t address, uint64_t *start);
