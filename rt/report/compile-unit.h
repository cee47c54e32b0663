// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile units of an ELF file, and which of them were recompiled by mpicc-check. They are known by three things:
// the marks that recompiled objects have (rt/checked-mark.h), the units of the debug information that have
// code, and the file symbols, which objects without debug information have, too.
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct mck_unit {
  char *name, *directory; // as the compiler was called; the directory of a file symbol is ""
  char *compiler;         // "gcc"; "": unknown
  bool is_checked;
};
struct mck_units {
  struct mck_unit *items; // by name
  size_t count, capacity;
  bool is_readable; // the file is there, and memory sufficed
  bool is_marked;   // a unit was recompiled, even if it is unknown which
  bool is_linked;   // the runtime is one of its libraries
  bool is_whole;    // all units are known but those of assembler without debug information; false: it is stripped
};
void mck_units_read(struct mck_units *units, const char *path);
void mck_units_free(struct mck_units *units);
