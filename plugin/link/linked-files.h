// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a linker with --trace prints: the objects and libraries that it links, "PATH" or "ARCHIVE(MEMBER)", a line each.
#pragma once
#include <stdbool.h>
#include "sources.h"
#include "word-list.h"

// Is the line such a name? No other line of a linker is one of an existing file.
bool mck_linked_is_file(const char *line);
// Adds the sources of all files. A member is left out if another of its archive has the same name, and is not linked:
// it is not told which one is.
void mck_linked_add(const struct mck_words *lines, struct mck_sources *to);
