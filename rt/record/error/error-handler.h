// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error handlers: one of ours stands before each of the user's, and before MPI_ERRORS_ARE_FATAL (error-handler.c).
#pragma once
#include <stdbool.h>
#include <mpi.h>

bool mck_handler_is_any(void);   // the program has made some: they may leave a call by a jump
void mck_handlers_install(void); // MPI_ERRORS_ARE_FATAL from now on
// The handler that the library is to get in place of the user's.
MPI_Comm_errhandler_function *mck_handler_comm(MPI_Comm_errhandler_function *user);
MPI_Win_errhandler_function *mck_handler_win(MPI_Win_errhandler_function *user);
MPI_File_errhandler_function *mck_handler_file(MPI_File_errhandler_function *user);
