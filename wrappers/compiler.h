// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which compiler Open MPI's wrapper will run, and which of our additions it accepts.
#pragma once
#include <stdbool.h>
#include "word-list.h"

enum mck_compiler {
  MCK_COMPILER_CLANG,  // the clang that our plugin is built for
  MCK_COMPILER_FLANG,  // the flang beside it
  MCK_COMPILER_GCC,    // the gcc, g++ or gfortran that our other plugin is built for
  MCK_COMPILER_GNU,    // accepts -g and the options for frame pointers: gcc, another clang
  MCK_COMPILER_UNKNOWN // gets only the runtime, at link time
};

// command: the value of OMPI_CC, OMPI_CXX, OMPI_FC or CC. It may have a launcher and options ("ccache clang-19 -m64").
enum mck_compiler mck_compiler_identify(const char *command);

// Does the command run one of our wrappers, by whatever name? What options name does not count: a folder may be called
// mpicc-check.
bool mck_compiler_is_own(const char *command);
// The first program of the command that is not there: a launcher, or the compiler; NULL: they are all there.
const char *mck_compiler_missing(const char *command);
// Only Open MPI's wrapper runs the compiler that we choose. True also for one that cannot be run.
bool mck_wrapper_is_openmpi(const char *wrapper);
// Where the command, with these arguments (without the first), looks for another program; NULL: it finds none.
const char *mck_compiler_find(const char *command, const struct mck_words *arguments, const char *name);
