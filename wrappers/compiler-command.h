// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command: what a compiler command line asks for, seen as the clang and gcc drivers see it, response files included. It
// decides only what mpicc-check adds; the line itself goes on to Open MPI's wrapper word by word as it came.
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
  MCK_SHOW_OTHER    // -showme:command, :version, :incdirs, :help: nothing of ours in it
};

struct mck_command {
  enum mck_command_show show;
  bool is_query;         // --version, -print-*: the compiler speaks of itself, nothing is built
  bool is_complete;      // no option waits for its value at the end; else what we append would become that value
  bool has_input;        // a file, "-" or a library
  bool compiles;         // source becomes code
  bool compiles_fortran; // or what else gcc's driver knows: the plugin must not see it
  bool precompiles;      // only headers
  bool links;            // a program or shared library is made that can use our shared library
  bool misleads_wrapper; // nothing is linked, which Open MPI's wrapper sees only from -c, -S, -E and -M
  bool has_debug;        // a -g option that sets a level, also -g0
  size_t runtime_at;     // where in argv the runtime must stand: before the first word that brings libmpi, else argc
};

struct mck_command mck_command_read(int argc, char **argv);
