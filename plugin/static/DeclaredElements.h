// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of which numbers the source declares a buffer to be: in "MPI_Bcast(f->u, n, MPI_DOUBLE, 0, comm)" the member u may be
// a pointer to float. A cast says that the program means something else, and debug information does not have casts: so
// the source is read, and only an argument that is a variable, a member or an element of these is looked at.
#pragma once
#include "static/Call.h"
#include "static/SourceText.h"

namespace mck::statics {

class DeclaredElements {
public:
  /// Of a function with the debug information of its variables.
  void note(llvm::Function &F);
  /// What was noted at a call, as kindOfNumber() has it. 0: nothing is known.
  static uint32_t of(const llvm::CallBase &Call, unsigned Parameter);

private:
  SourceText Sources;
};

} // namespace mck::statics
