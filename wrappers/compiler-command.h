// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compiler's command line asks for, read as the drivers of clang and gcc read it, response files included. This
// decides only what mpicc-check adds: Open MPI's wrapper gets the line itself word by word.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum mck_command_show {
  MCK_SHOW_NONE,
  MCK_SHOW_COMMAND, // -show, -showme: the whole line
  MCK_SHOW_COMPILE, // -showme:compile
  MCK_SHOW_LINK,    // -showme:link
  MCK_SHOW_LIBDIRS, // -showme:libdirs
  MCK_SHOW_LIBS,    // -showme:libs
  MCK_SHOW_OTHER    // -showme:command, :version, :incdirs, :help: they have nothing of ours
};

struct mck_command {
  enum mck_command_show show;
  bool is_query;         // --version, -print-*: the compiler describes itself and builds nothing
  bool is_complete;      // no option at the end lacks its value; else what we append would become that value
  bool has_input;        // a file, "-" or a library
  bool compiles;         // source is compiled to code
  bool compiles_fortran; // Fortran, or another language of gcc's driver: the plugin must not get it
  bool precompiles;      // all inputs are headers
  bool links;            // the output is a program or shared library that can use our shared library
  bool links_statically; // -static: the output is a program that cannot
  bool misleads_wrapper; // nothing is linked, but Open MPI's wrapper knows that only from -c, -S, -E and -M
  bool has_debug;        // a -g option that sets a level, also -g0
  bool has_memory_sanitizer;
  bool is_optimized;           // the last -O is not -O0
  bool decides_ends_of_blocks; // AddressSanitizer looks for uses of variables whose block has ended, or is not to
  size_t runtime_at;           // the runtime's place in argv: before the first word that names libmpi, else argc
};

struct mck_command mck_command_read(int argc, char **argv);
