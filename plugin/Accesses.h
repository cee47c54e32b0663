// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of a function that must be signalled. Ground rule: an access in this list really happens whenever the
// instruction is executed, in every byte, as the source says; an optimizer that reads more than the source asked for
// (gaps of interleaved vectors, the unused arm of a select) must not become a false alarm.
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
  llvm::Instruction *Before = nullptr; // the signal goes right before this instruction, with its debug location
  llvm::Value *Address = nullptr;      // a vector of pointers for a gather or scatter
  int64_t Offset = 0;                  // of the first byte from Address
  llvm::TypeSize Size = llvm::TypeSize::getFixed(0); // bytes, unless Length says so; of one lane for a gather
  llvm::Value *Length = nullptr;                     // bytes, when only known at run time; may be zero
  bool IsString = false;             // up to and with the first zero byte, in Size or Length bytes at most
  llvm::Instruction *Call = nullptr; // a call in front of Before, which knows how much it touched only then, or a load
                                     // that stands elsewhere: the place is that of it
  llvm::Align Alignment;             // of the first byte
  uint32_t Flags = 0;                // MCK_SIGNAL_*

  // A vector of which only some lanes are accessed: those set in Lanes and, if there is a Mask, set there, too.
  llvm::SmallBitVector Lanes;  // empty: all of [Address, Address + Size)
  uint64_t LaneSize = 0;       // bytes, with Lanes
  llvm::Value *Mask = nullptr; // <n x i1>, with Lanes

  // The loaded value is only used when this i1 is GuardValue.
  llvm::Value *Guard = nullptr;
  bool GuardValue = true;

  llvm::StringRef Why;  // the memory is relevant
  unsigned Segment = 0; // equal: in one block, with nothing between that may let MPI act or not go on

  bool isWhole() const { return !Length && !IsString && Lanes.empty() && !Guard && !Size.isScalable(); }
};

class Points;

/// In the order of the code within each block.
llvm::SmallVector<Access, 0> collectAccesses(llvm::Function &F, const llvm::DominatorTree &DT,
                                             const llvm::LoopInfo &Loops, const llvm::TargetLibraryInfo &TLI,
                                             llvm::ScalarEvolution &SE, const Points &Module);

} // namespace mck
