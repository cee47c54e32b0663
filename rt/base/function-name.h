// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of functions, as C++ demangles them: which part is what. It needs nothing but libc.
#pragma once
#include <stddef.h>

// The length of the operator at this place of a name, if the word operator is before it: no bracket of templates or
// parameters. 0: it is none.
size_t mck_name_operator(const char *name, const char *at);

// Behind the bracket that closes the one at open: < ( or {.
const char *mck_name_behind(const char *open);

// The length of a number at this place by which compilers tell lambdas and types without names apart: the 1 of
// "main::$_1" (clang) or "main::{lambda(int)#1}". Another lambda above changes it. 0: it is none.
size_t mck_name_number(const char *name, const char *at);

// The parts of "double ns::put<int>(int) const": ns::put<int> begins at begin, and ends before parameters.
struct mck_name_parts {
  size_t begin, parameters;
};
struct mck_name_parts mck_name_parts(const char *name);
