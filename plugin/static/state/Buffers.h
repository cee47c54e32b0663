// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that a call of MPI surely reads or writes, if it moves data at all.
#pragma once
#include "static/Call.h"
#include "static/state/Place.h"

namespace mck::statics {

struct CallBuffer {
  unsigned Parameter;
  Place At;
  int64_t Length; // in bytes; 0: not known how many, at least one
  bool IsRead, IsWritten;
  bool IsOfRoot = false;  // only the root has it
  bool IsSettled = false; // that it is used; the numbers of the call are of an earlier turn of a loop
};

/// Does the call surely not touch this buffer: nothing is sent, or to nobody?
bool isUnused(const llvm::CallBase &Call, const MpiFunction &Function, unsigned Number, Reasoning &Thinker,
              const Facts &F);
/// Buffers whose place is not known, or which may play no part on this process, are left out. WithRoots: but for those
/// of a root alone.
llvm::SmallVector<CallBuffer, 2> buffersOf(const llvm::CallBase &Call, const MpiFunction &Function, Reasoning &Thinker,
                                           Places &Memories, const Facts &F, bool WithRoots = false);

/// Are two handles (of windows, communicators) the same object?
Meeting compareHandles(const llvm::Value *A, const llvm::Value *B, const Canonical &Code, Reasoning &Thinker,
                       const Facts &F);
/// The value that MPI gives for a parameter of a call, or null.
const llvm::Value *givenBy(const llvm::CallBase &Call, llvm::StringRef Role, const Canonical &Code);
/// Nobody but MPI and this function has the handle that MPI gave.
bool isPrivateHandle(const llvm::Value *Given, Places &Memories);

} // namespace mck::statics
