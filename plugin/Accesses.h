// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of a function that must be signalled. Ground rule: whenever the instruction is executed, the access
// really happens in every byte, as the source says. An optimizer may read more than the source asks for (gaps of
// interleaved vectors, the unused arm of a select). That must not become a false alarm.
#pragma once
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/TypeSize.h"
#include <cstdint>

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class LoopInfo;
class ScalarEvolution;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace mck {

struct Access {
  llvm::Instruction *Before = nullptr; // the signal stands right before this instruction and has its debug location
  llvm::Value *Address = nullptr;      // a vector of pointers for a gather or scatter
  int64_t Offset = 0;                  // from Address to the first byte
  llvm::TypeSize Size = llvm::TypeSize::getFixed(0); // bytes, where Length is null; of one lane for a gather
  llvm::Value *Length = nullptr;                     // bytes, where only the run knows them; may be zero
  bool IsString = false;             // up to and including the first zero byte, at most Size or Length bytes
  llvm::Instruction *Call = nullptr; // a call before Before that knows its length only when it has returned, or a load
                                     // that stands elsewhere: the signal has the place of this one
  llvm::Align Alignment;             // of the address of the first byte
  uint32_t Flags = 0;                // MCK_SIGNAL_*

  // A vector with only some lanes accessed: those that are set in Lanes and, if there is a Mask, in the Mask, too.
  llvm::SmallBitVector Lanes;  // empty: all bytes of [Address, Address + Size) are accessed
  uint64_t LaneSize = 0;       // bytes, with Lanes
  llvm::Value *Mask = nullptr; // <n x i1>, with Lanes

  // The loaded value is used only when this i1 equals GuardValue.
  llvm::Value *Guard = nullptr;
  bool GuardValue = true;

  llvm::StringRef Why;  // why the memory is relevant
  unsigned Segment = 0; // equal numbers: one block, and no instruction between that lets MPI act or does not return

  bool isWhole() const { return !Length && !IsString && Lanes.empty() && !Guard && !Size.isScalable(); }
};

class Points;

/// In the order of the code within each block.
llvm::SmallVector<Access, 0> collectAccesses(llvm::Function &F, const llvm::DominatorTree &DT,
                                             const llvm::LoopInfo &Loops, const llvm::TargetLibraryInfo &TLI,
                                             llvm::ScalarEvolution &SE, const Points &Module);

} // namespace mck
