// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a predefined datatype is to the machine, by its row in log/basic.inc.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Class ('i' integer, 'f' floating point) | bytes of a number << 8. 0: bytes, characters, pairs of different numbers.
static inline uint32_t mck_basic_kind_of(const char *name, unsigned bytes) {
  static const char *const silent[] = {"BYTE",       "PACKED",   "DATATYPE_NULL", "FLOAT_INT",
                                       "DOUBLE_INT", "LONG_INT", "SHORT_INT",     "LONG_DOUBLE_INT"};
  for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
    if (strcmp(name, silent[i]) == 0) return 0;
  if (strstr(name, "CHAR") && strcmp(name, "WCHAR") != 0) return 0;
  if (name[0] == '2') name++, bytes /= 2;
  int is_complex = strstr(name, "COMPLEX") != NULL;
  if (is_complex) bytes /= 2;
  if (bytes <= 1) return 0;
  int is_float = is_complex || strstr(name, "FLOAT") || strstr(name, "DOUBLE") || strstr(name, "REAL");
  return (is_float ? 'f' : 'i') | bytes << 8;
}
