// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What mpicc-check does beside compiling: its help, and "mpicc-check explain".
#pragma once

// Prints our part of --help; name: that under which we were called.
void mck_own_help(const char *name);
// mpicc-check explain FILE:LINE FILE:LINE LOGS...: what orders two places in the logs of a run; mpicc-check explain
// KIND: the page of a kind of finding. It does not return: it runs another program, or prints what is wrong. A compiler
// would take no input file called "explain", which has no suffix.
_Noreturn void mck_own_explain(const char *name, int argc, char **argv);
// mpicc-check reproduce LOGS FILE:LINE: a program with the calls of a finding of flow.content, on standard output.
_Noreturn void mck_own_reproduce(const char *name, int argc, char **argv);
