// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python frames: where the Python program is when an extension (mpi4py) calls MPI. All such calls have the same frames
// of C, so the place of a call is the line of the program.
//
// The frames are read, and nothing of the interpreter is called that could run code, take a reference or need the
// interpreter's lock, which the extension has given up for the call. They belong to this thread, which stands in the
// call meanwhile. This needs the layout of CPython 3.11 (Debian 12). In other versions the place stays that in the
// extension.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mck_python_frame {
  const void *code; // a PyCodeObject
  int line;
};
extern bool mck_python_is_here; // a CPython of that version runs this process
void mck_python_find(void);     // sets it; after MPI_Init
// The frames of this thread, innermost first; their number, 0: it runs no Python, or what was read is not as expected.
unsigned mck_python_frames(struct mck_python_frame *frames, unsigned max);
// The script that the interpreter runs: the file of the outermost frame. Returns false where it is not known.
bool mck_python_script(char *path, size_t size);
// The frame of what the interpreter itself calls when it ends, and no Python code runs: it has the script, and no line.
// Returns false where the script is not known.
bool mck_python_end(struct mck_python_frame *frame);
uint64_t mck_python_hash(const struct mck_python_frame *frame); // of file, function and line
// Writes "<python>FILE!FUNCTION", which takes the place of a module's path in the log (report/symbol.c reads it).
// Returns false where it is too long.
bool mck_python_write(const struct mck_python_frame *frame, char *text, size_t size);
