// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: ELF files and their DWARF. Each is opened once.
#pragma once
#include <elfutils/libdwfl.h>

// Opens the module's file, at its own virtual addresses. NULL when it is not a readable regular ELF file.
struct mck_module;
struct mck_module *mck_module_open(const char *path);
void mck_module_close(struct mck_module *module);
// The compilation unit of a virtual address; bias: the number that libdwfl adds to addresses in the DWARF. NULL: there
// is no debug information.
Dwarf_Die *mck_module_unit(struct mck_module *module, uint64_t address, Dwarf_Addr *bias);
// The ELF symbol whose bytes include the address, or NULL.
const char *mck_module_symbol(struct mck_module *module, uint64_t address, uint64_t *start);
Dwfl_Module *mck_module_dwfl(struct mck_module *module);
