// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recompiled objects and the runtime agree on about warnings of the compiler (plugin/static), beside abi.h: they
// are in the section mck_warnings, as records of struct mck_static_warning. A constructor mck.attach.warnings passes
// the section's bounds to __mck_attach_warnings (weak).
#pragma once
#include <stdint.h>

// size: bytes of the record, a multiple of 8; a word of zeroes between two records is skipped. head is MCK_WARNING_HEAD
// in the byte order of the machine. Code stores 1 to *executed before the instruction that the warning is about; at
// first that is a byte of the record itself, and where it is null nothing tells whether the instruction was executed.
// strings: kind, file (its whole path), function, text, each with its 0.
// A warning of the link is about code that is compiled already: each call of MPI there sets, through a pointer of its
// own, a byte that is 0. mark is where that pointer is; it points to a constant 1 at first, and is led to another byte
// by the runtime. is_part: the mark is that of another call which the warning names; executed says nothing then.
enum { MCK_WARNINGS_VERSION = 2, MCK_WARNING_HEAD = 0x4d434b57 };
struct mck_static_warning {
  uint32_t head, size;
  uint8_t *executed;
  uint8_t **mark;        // or null
  uint32_t line, column; // column 0: unknown
  uint8_t own, is_part;
  char strings[];
};
void __mck_attach_warnings(uint32_t version, struct mck_static_warning *low, struct mck_static_warning *high);
