// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of MPI that a program makes and frees: communicators, datatypes, groups, windows, files, infos, operations.
#pragma once
#include "static/Call.h"

namespace mck::statics {

struct HandleSort {
  llvm::StringRef Role, Kind, Name; // of the parameter that gives it; of the leak; as MPI's null handle names it
};
/// The sort of the object that a call makes (OUT) or frees (INOUT); null: none.
const HandleSort *handleSortOf(const MpiFunction &Function, Direction Way);
/// Does the call free such an object?
bool freesObject(const MpiFunction &Function);
/// Is the parameter a handle of such an object?
bool isOfSort(const Parameter &P);
/// What it gives belongs to the caller: not the communicator of the parent, nor a datatype that MPI has itself.
bool isOwned(const MpiFunction &Function);

} // namespace mck::statics
