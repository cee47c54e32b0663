// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation of MPI makes of numbers (MPI-3.1 5.9.2).
#pragma once
#include "static/spmd/Contents.h"

namespace mck::statics {

/// Of buffers with numbers of this kind (log/basic-kind.h), in the order of the ranks. What is not known in one of them
/// is not known; likewise all of it with an operation of the program.
Piece reduce(const std::vector<const Piece *> &All, uint32_t Kind, const llvm::Value *Operation);

} // namespace mck::statics
