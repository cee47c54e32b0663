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

/// One test: is any page of [Low, High) of interest? Until insertSignals replaces it, it is a call of a function that
/// does not exist.
struct RangeTest {
  llvm::Instruction *Hit = nullptr;            // i1, before a loop; null: no access needs it
  llvm::Value *Low = nullptr, *High = nullptr; // i64
  llvm::Value *IsWild = nullptr;               // i1 or null; true: the numbers are so large that the hull is unknown
  uint32_t Bits = 0;                           // MCK_WATCH_*
};

/// What becomes of an access. Test < 0: it is tested where it is signalled.
struct Sweep {
  int Test = -1;
  bool IsHot = false;  // in an innermost loop in which MPI cannot act
  bool IsRare = false; // in no loop, of a function that calls so much that the test may be a call, too
  // It is signalled as a range before this instruction, and nowhere else. Null: it is signalled one by one.
  llvm::Instruction *Before = nullptr;
  llvm::Value *Start = nullptr; // i64
  int64_t Offset = 0;           // from Start to the first byte
  llvm::Value *Size = nullptr;  // i64: bytes of each piece; replaces the access's size
  struct Dimension {
    llvm::Value *Step, *Count;
  }; // i64: pieces (or what the dimensions before are) Count times, Step bytes apart
  llvm::SmallVector<Dimension, 2> Dimensions; // at most two
  llvm::Value *Guard = nullptr;               // i1: if false, nothing is signalled
  // In a loop, and no range: why not; "": that was not looked at.
  llvm::StringRef WhySingle;
};

/// Returns one sweep per access, in the same order. Adds preheaders and code in them.
llvm::SmallVector<Sweep, 0> findSweeps(llvm::Function &F, llvm::ArrayRef<Access> Accesses, llvm::LoopInfo &LI,
                                       llvm::DominatorTree &DT, llvm::ScalarEvolution &SE, llvm::AssumptionCache &AC,
                                       const llvm::TargetLibraryInfo &TLI, const llvm::TargetTransformInfo &TTI,
                                       llvm::SmallVectorImpl<RangeTest> &Tests);

} // namespace mck
