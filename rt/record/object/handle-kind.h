// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of handles that have the same checks and life cycle: X(name, C type).
#pragma once
#include <mpi.h>

// clang-format off
#define MCK_HANDLES(X) \
  X(comm, MPI_Comm) X(type, MPI_Datatype) X(win, MPI_Win) X(group, MPI_Group) X(op, MPI_Op) X(file, MPI_File) \
  X(info, MPI_Info) X(errhandler, MPI_Errhandler) X(keyval, int) X(message, MPI_Message)
// clang-format on
