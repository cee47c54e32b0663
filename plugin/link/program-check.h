// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a link the compiler checks the sources of all objects as one program (static/program). What goes wrong here never
// stops a link.
//
// From the environment, set by mpicc-check: MPICC_CHECK_LINK_COMPILER, a command; MPICC_CHECK_LINK_PASS, the pass
// plugin; MPICC_CHECK_LINK_OBJECTS, how the names of the objects begin that the linker writes of the files that LTO
// concerns.
#pragma once
#include <stdbool.h>
#include <sys/types.h>
#include "sources.h"

enum mck_program_result {
  MCK_PROGRAM_SILENT,   // also where nothing could be checked
  MCK_PROGRAM_WARNINGS, // they are in an object for the link
  MCK_PROGRAM_ERRORS    // -Werror=mpicc-check
};

struct mck_program_check {
  struct mck_sources found;
  char folder[4096], object[4200];
  volatile pid_t compiler; // while it runs
};

// Has mpicc-check asked for it?
bool mck_program_is_asked(void);
// The sources can be added now. False: there is no room for them.
bool mck_program_begin(struct mck_program_check *check);
// Checks what was added, and what LTO has made.
enum mck_program_result mck_program_finish(struct mck_program_check *check);
// The objects are needed no more.
void mck_program_clean_up(struct mck_program_check *check);
