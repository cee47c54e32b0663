// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source files that findings name, each read once. A file that was changed after the program was linked is not used:
// its lines are others by now.
#pragma once
#include <stddef.h>

struct mck_sources {
  struct mck_source *items;
  size_t count, capacity;
};
// The line (from 1) without its end; NULL: there is no such file or line, or the file is newer than module.
const char *mck_sources_line(struct mck_sources *sources, const char *file, const char *module, int line,
                             size_t *length);
// Why no line of the file can be had, in words; NULL: they can.
const char *mck_sources_lack(struct mck_sources *sources, const char *file, const char *module);
void mck_sources_free(struct mck_sources *sources);
