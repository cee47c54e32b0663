// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks: what a generated wrapper calls (api/generate.py). They are declared by sub-room; this is the wrappers' one
// include. A wrapper of class C is
//
//   struct mck_call call;
//   if (mck_plain_<x>_begin(&call, ...)) { ... }  // some functions: one look finds nothing wrong (p2p/plain-message.h)
//   if (!mck_call_enter(&call, MCK_FN_MPI_Xyz, __builtin_return_address(0), __builtin_frame_address(0)))
//     return PMPI_Xyz(...);
//   struct mck_args a = { ...every parameter whose role has a field of that name... };
//   call.given = ...;                             // where a report of its failure finds the arguments
//   mck_check_<role>(&call, "parameter", value[, &a]);  // for each parameter whose role has a check, in order
//   mck_use...(&call, "parameter", ...);          // for each buffer, when the checks found nothing
//   mck_old_<kind>(&call, "parameter", pointer);  // what the function frees (a new* role, inout), unless C does that
//   mck_free_begin(&call);                        // if it frees something
//   mck_held(&call, pointer);                     // the variable that gets a new object
//   if (mck_strands_are_several()) mck_strands_before(&call, &a); // not for class local
//   mck_<C>_before(&call, &a);                    // not for class local
//   if (mck_content_is_on) mck_content_before(&call, &a); // classes that move data; and mck_content_after
//   int rc = PMPI_Xyz(...);                       // status(es), request(s) and argv of MPI_Init as in a; all others as
//                                                 // given
//   mck_<C>_after(&call, &a, rc);                 // not for class local
//   mck_free_end(&call, rc);                      // if it frees something
//   if (rc == MPI_SUCCESS)
//     mck_new_<kind>(&call, pointer, ...);        // what the function makes (a new* role, out), unless C does that
//   if (rc == MPI_SUCCESS) mck_held_<kind>(&call, pointer);
//   mck_call_leave(&call, &a, rc);
//   return rc;
//
// All hooks run on the calling thread, in the caller's stack frame, and never fail.
#pragma once
#include "record/buffer/call-buffer.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call.h"
#include "record/call/quick-call.h"
#include "record/check/checks.h"
#include "record/collective/plain-collective.h"
#include "record/collective/user-op.h"
#include "record/content/content-answer.h"
#include "record/content/content.h"
#include "record/error/error-handler.h"
#include "record/object/handle-variable.h"
#include "record/object/new-object.h"
#include "record/p2p/plain-message.h"
#include "record/p2p/plain-wait.h"
#include "record/rma/plain-operation.h"
#include "record/strand/strand-call.h"
