// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UTF-8: text from the user's program (names of windows, files, functions) may contain any bytes. Printed text must be
// valid.
#pragma once
#include <stdint.h>
#include <stdio.h>

// The length of the well-formed UTF-8 sequence at text (RFC 3629: no overlong form, no surrogate), or 0.
unsigned mck_utf8_sequence(const char *text);
// The character at text if it is one that JSON lets through and that must not come out raw; else 0. Either it controls
// a terminal (DEL, and C1: U+0080 to U+009F), or it changes the direction of what follows (U+202A to U+202E, U+2066 to
// U+2069), so that a name could make the text around it read differently. *length: its bytes, where it is one.
uint32_t mck_utf8_hidden(const char *text, unsigned *length);
// Writes at most size bytes of text as valid UTF-8 without control characters and the above: other bytes become \xNN.
// Returns the width in code points.
unsigned mck_utf8_print(FILE *out, const char *text, size_t size);
// A copy of text with only its invalid bytes escaped (JSON escapes control characters itself); NULL: out of memory.
char *mck_utf8_repair(const char *text);
