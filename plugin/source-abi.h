// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The section mck.source of an object: the module as the source has it, for the check of the whole program in the link.
// It begins with this head; the module's bitcode follows, and zeros up to a multiple of 8 bytes. `ld -r` puts several
// behind each other. Linkers leave the section out of programs (SHF_EXCLUDE). Numbers are in the machine's own order:
// the compiler and the linker run on one machine, and another order is another magic number.
#pragma once
#include <stdint.h>

#define MCK_SOURCE_SECTION "mck.source"
#define MCK_SOURCE_MAGIC UINT64_C(0x31306372736b636d) // "mckcrs01"

enum {
  MCK_SOURCE_CALLS_MPI = 1, // the module names a function of MPI
  MCK_SOURCE_COMPRESSED = 2 // by zstd
};

struct mck_source {
  uint64_t magic;
  uint32_t flags, reserved;
  uint64_t stored; // bytes that follow, without the zeros at the end
  uint64_t size;   // bytes of the bitcode
};
