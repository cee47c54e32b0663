// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers make a function of its own of each parallel region and task of OpenMP, and the runtime calls it. A user
// knows only the function that the region is written in.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define MCK_OUTLINED_TASK "an OpenMP task" // clang's functions of tasks do not say in which function they are written

enum mck_outlined {
  MCK_OUTLINED_NOT,
  MCK_OUTLINED_BODY,
  MCK_OUTLINED_ENTRY // with -g, clang puts the body into a second function, which this one calls
};
// length: of the name of the function around it; 0: it is not known.
enum mck_outlined mck_outlined_name(const char *function, size_t *length);
bool mck_outlined_is_runtime(const char *function); // between the region and what is around it
