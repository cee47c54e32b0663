// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: the program and the libraries that have code in it. The log has the frames of a stack as offsets in modules,
// and gets a module once, before the first stack with it (stack.c). Under the lock.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/call/python-frame.h"

struct mck_module {
  uintptr_t low, high, bias;
  char *path;
  uint32_t id;
  bool is_own, is_defined;
  bool is_foreign;  // it is not linked with us, so mpicc-check has not compiled it
  bool is_of_mpi;   // it calls MPI for the program
  bool is_language; // the library of C, C++ or Fortran, in which abort, std::terminate and STOP are
};
// The module of an address, NULL: it is no code. Libraries that were loaded since are found.
struct mck_module *mck_module_of(uintptr_t pc);
// The same among those that are known already. Async-signal-safe.
struct mck_module *mck_module_known(uintptr_t pc);
// A function of Python takes the place of a module, and the line that of an offset. NULL: no memory, or too many.
struct mck_module *mck_module_of_python(const struct mck_python_frame *frame);
bool mck_module_is_foreign(uintptr_t pc);
bool mck_module_is_of_mpi(uintptr_t pc);
bool mck_module_is_of_python(const struct mck_module *m);   // the interpreter, or an extension
bool mck_module_is_interpreter(const struct mck_module *m); // the program python3 itself
const char *mck_module_path(uint32_t id);
void mck_module_define(struct mck_module *m); // writes it to the log, where that was not done and there is a log
// is_own: only the program and its own libraries (record/run/own-library.h), also those without a call.
void mck_module_define_all(bool is_own);
