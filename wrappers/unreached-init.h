// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is told after a run that has not done what its command line asked for. Why no process has called MPI_Init: the
// program is not there, a library of it is missing, it is no MPI program, an option stands at the wrong place. It is
// asked after the run, so it may take a while.
#pragma once
#include "word-list.h"

// "--json FILE": one of these options stands behind a program, which has not written that file. NULL: none does.
const char *mck_misplaced_find(char **arguments, const char *const *outputs);

// One line. dir: of the logs. own_flags: our own options, which stand before those of mpirun. status: that of mpirun.
const char *mck_unreached_explain(char **arguments, const char *dir, const char *const *own_flags, int status);
