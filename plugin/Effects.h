// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can an instruction do to the meaning of the accesses around it?
#pragma once

namespace llvm {
class Instruction;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {

/// Can MPI begin or end to use memory here: because it is called, perhaps by what is called, or because another thread
/// that this one synchronizes with here calls it?
bool mayLetMpiAct(const llvm::Instruction &I, const llvm::TargetLibraryInfo &TLI);

} // namespace mck
