// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that hold handles (handle-variable.c). A constructor that stores a new handle in a variable may lose the
// old one.
#pragma once
#include "record/call/call.h"

void mck_held(struct mck_call *call, const void *variable); // before the constructor
// After it, by kind:
void mck_held_comm(const struct mck_call *call, const MPI_Comm *variable);
void mck_held_group(const struct mck_call *call, const MPI_Group *variable);
void mck_held_type(const struct mck_call *call, const MPI_Datatype *variable);
void mck_held_op(const struct mck_call *call, const MPI_Op *variable);
void mck_held_win(const struct mck_call *call, const MPI_Win *variable);
void mck_held_file(const struct mck_call *call, const MPI_File *variable);
void mck_held_info(const struct mck_call *call, const MPI_Info *variable);
void mck_held_errhandler(const struct mck_call *call, const MPI_Errhandler *variable);
