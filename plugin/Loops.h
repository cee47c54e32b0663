// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses in loops, tested before the loop. Where scalar evolution knows all addresses that an access can have in a
// loop, within which MPI cannot act, the page filter is asked once, for their hull, before the outermost such loop.
// When it says no, the loop runs as it is. When it says yes,
//   - an access that executes in every iteration, whose loop has a trip count known on entry, is signalled as one range
//   right before its loop:
//     these are exactly the bytes that it touches. Where that loop is entered with the same numbers in each iteration
//     of the loop around it, the range has another dimension, and stands before that one;
//   - any other (under a condition, behind an early exit) is signalled one by one where it happens; what is left in the
//   loop is a test of one bit.
#pragma once
#include "Accesses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AssumptionCache;
class Loop;
class LoopInfo;
class TargetTransformInfo;
} // namespace llvm

namespace mck {

/// One test: is any page of [Low, High) of interest? It stands as a call of a function that does not exist, which
/// insertSignals replaces.
struct RangeTest {
  llvm::Instruction *Hit = nullptr;            // i1, before a loop; null: nobody needs it
  llvm::Value *Low = nullptr, *High = nullptr; // i64
  llvm::Value *IsWild = nullptr;               // i1 or null: the numbers are so large that the hull says nothing
  uint32_t Bits = 0;                           // MCK_WATCH_*
};

/// What becomes of an access: Test < 0: it is tested where it is signalled.
struct Sweep {
  int Test = -1;
  bool IsHot = false;  // in an innermost loop, within which MPI cannot act
  bool IsRare = false; // in no loop, of a function that calls so much else that the test itself may be a call
  // Signalled as a range before this instruction, and nowhere else; null: one by one.
  llvm::Instruction *Before = nullptr;
  llvm::Value *Start = nullptr; // i64
  int64_t Offset = 0;           // of the first byte from Start
  llvm::Value *Size = nullptr;  // i64: of each piece, in place of the access's
  struct Dimension {
    llvm::Value *Step, *Count;
  }; // i64: pieces (or what the dimensions before are) Count times, Step bytes apart
  llvm::SmallVector<Dimension, 2> Dimensions; // at most two
  llvm::Value *Guard = nullptr;               // i1: else nothing is to be signalled
};

/// Of each access, in the same order. Adds preheaders and code to them.
llvm::SmallVector<Sweep, 0> findSweeps(llvm::Function &F, llvm::ArrayRef<Access> Accesses, llvm::LoopInfo &LI,
                                       llvm::DominatorTree &DT, llvm::ScalarEvolution &SE, llvm::AssumptionCache &AC,
                                       const llvm::TargetLibraryInfo &TLI, const llvm::TargetTransformInfo &TTI,
                                       llvm::SmallVectorImpl<RangeTest> &Tests);

} // namespace mck
