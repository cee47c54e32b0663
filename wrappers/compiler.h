// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiler: which one Open MPI's wrapper will run, and what of ours it can take.
#pragma once

enum mck_compiler {
  MCK_COMPILER_CLANG,    // the clang that our plugin is built for
  MCK_COMPILER_FLANG,    // the flang beside it
  MCK_COMPILER_GFORTRAN, // the gfortran that our other plugin is built for
  MCK_COMPILER_GNU,      // takes -g and frame pointer options: gcc, another clang
  MCK_COMPILER_UNKNOWN   // gets nothing but the runtime at link time
};

// command: value of OMPI_CC, OMPI_CXX, OMPI_FC or CC, perhaps with a launcher and options ("ccache clang-19 -m64").
enum mck_compiler mck_compiler_identify(const char *command);
