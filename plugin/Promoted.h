// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that the optimizer has made where the source has none. LICM keeps a variable in a register during a loop
// (scalar promotion) as soon as one access of it can neither trap nor tear. It loads the variable before the loop even
// where all accesses are under conditions that may never hold. For stores it asks neither for sanitize_thread nor
// whether they happen (`promoteLoopAccessesToScalars`, LLVM 19).
#pragma once

namespace llvm {
class BasicBlock;
class DominatorTree;
class LoadInst;
class LoopInfo;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {
// The load has no place in the source, and no instruction that always follows it uses its value. Stores to the same
// address are signalled where they happen.
bool isPromoted(const llvm::LoadInst &Load, const llvm::DominatorTree &DT, const llvm::LoopInfo &Loops);

// One of two loads that were made of *(c ? &a : &b) and stand before a loop. The loop chooses between them in each
// iteration, perhaps lane by lane. So the place of the loads does not say which one the source reads.
bool isChosenLater(const llvm::LoadInst &Load);

// A load from the head of a loop that GVN (`performLoopLoadPRE`) has moved before the loop and behind a rare call in
// the loop that may change the location. The loop may end between that call and its head, where the source reads: the
// result is that head. Null: the load is none of these.
llvm::BasicBlock *headThatReads(const llvm::LoadInst &Load, const llvm::DominatorTree &DT, const llvm::LoopInfo &Loops,
                                const llvm::TargetLibraryInfo &TLI);
} // namespace mck
