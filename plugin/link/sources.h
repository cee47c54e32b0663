// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the modules that objects carry for the check of the whole program (source-abi.h).
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// What is larger is left: the link would take minutes.
#define MCK_SOURCES_MOST (UINT64_C(64) << 20)

struct mck_sources {
  int file;       // they are written here, one behind the other
  unsigned count; // modules
  bool has_mpi;   // one of them calls MPI
  bool is_broken; // something could not be written: there is no whole
  uint64_t bytes; // of bitcode
};

// Adds what an object has; nothing, if it has none or is none. The object begins at offset in the file fd, which may be
// an archive.
void mck_sources_add(struct mck_sources *to, int fd, off_t offset, off_t size);
// Does the object in this file have warnings of the compiler (warning-abi.h)?
bool mck_sources_has_warnings(const char *path);
