// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that a call makes and frees (new-object.c). The table says which those are (rt/api/mpi.txt, new* roles).
#pragma once
#include "record/call/call.h"
#include "record/object/handle-kind.h"

#define MCK_HANDLE_HOOKS(kind, type)                                                                                   \
  void mck_old_##kind(struct mck_call *call, const char *what, const type *given); /* about to be freed */             \
  void mck_known_##kind(type value); /* MPI_..._f2c: the handle is live, whatever was known of it */
MCK_HANDLES(MCK_HANDLE_HOOKS)
#undef MCK_HANDLE_HOOKS
void mck_known_request(MPI_Request value);
void mck_old_memory(struct mck_call *call, const char *what, const void *base);

// The call made this object, which is the program's from now on: the program must free it.
void mck_new_comm(struct mck_call *call, const MPI_Comm *made);
void mck_new_group(struct mck_call *call, const MPI_Group *made);
void mck_new_op(struct mck_call *call, const MPI_Op *made);
void mck_new_type(struct mck_call *call, const MPI_Datatype *made);                   // unless it is a predefined one
void mck_new_types(struct mck_call *call, const MPI_Datatype *made, MPI_Datatype of); // MPI_Type_get_contents
void mck_new_file(struct mck_call *call, const MPI_File *made);
void mck_new_info(struct mck_call *call, const MPI_Info *made);
void mck_new_errhandler(struct mck_call *call, const MPI_Errhandler *made);
// Made by Fortran's binding alone.
void mck_fortran_new_errhandler(struct mck_call *call, const MPI_Fint *made);
void mck_fortran_new_keyval(struct mck_call *call, const MPI_Fint *made);
void mck_new_keyval(struct mck_call *call, const int *made, void (*delete_callback)(void));
void mck_new_message(struct mck_call *call, const MPI_Message *made, uint32_t event);
void mck_new_memory(struct mck_call *call, const void *baseptr); // void **, as MPI declares it

void mck_free_begin(struct mck_call *call);       // the object of mck_old_<kind> is about to be freed
void mck_free_end(struct mck_call *call, int rc); // it was freed; or it still lives, since the call failed
void mck_objects_unseen(void);                    // something is made where we do not see it
