// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that comes from the user's program (names of windows, files, functions) may hold anything; what we print may
// not.
#pragma once
#include <stdio.h>

// Bytes of the well-formed UTF-8 sequence at text (RFC 3629: no overlong form, no surrogate), or 0.
unsigned mck_utf8_sequence(const char *text);
// Writes at most size bytes of text as valid UTF-8 without control characters: what is not valid or not printable
// becomes \xNN. Returns the width in code points.
unsigned mck_utf8_print(FILE *out, const char *text, size_t size);
// A copy of text with only its invalid bytes escaped (JSON escapes control characters itself); NULL: out of memory.
char *mck_utf8_repair(const char *text);
