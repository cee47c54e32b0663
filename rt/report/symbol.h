// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols: from return addresses to functions and lines, with libdw, from local files only (never debuginfod).
#pragma once
#include <stdbool.h>
#include "report/outlined-name.h"
#include "report/report.h"

enum { MCK_FRAMES_MAX = 64 };

// All strings belong to the symbolizer.
struct mck_source_frame {
  const char *module;
  uint64_t offset;
  const char *file;           // full path as the compiler saw it; NULL: no line information
  int line;                   // 0: unknown
  const char *function;       // demangled; NULL: nothing known but module and offset
  uint64_t distance;          // bytes from the start of an ELF symbol; only when file is NULL
  bool is_inlined;            // the next frame holds this function's code
  enum mck_outlined outlined; // it is a region of function, which the compiler made a function of its own
};
struct mck_source_stack {
  struct mck_source_frame *frames;
  unsigned count;
};

struct mck_symbols;
struct mck_symbols *mck_symbols_open(void); // NULL: out of memory
void mck_symbols_close(struct mck_symbols *symbols);
// The frames of a stack that a user wants to see. Inlined functions are expanded; frames of our own library and below
// main are left out, and functions of libraries that cannot be resolved; the first such caller of a program ends it. It
// may be empty. The caller frees frames.
struct mck_source_stack mck_symbols_stack(struct mck_symbols *symbols, const struct mck_frame *frames, unsigned n);
bool mck_source_is_fortran(const char *file); // by its name, which is what compilers go by
