// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that the optimizer has made where the source has none. LICM keeps a variable in a register during a loop
// (scalar promotion) as soon as one access of it can neither trap nor tear, and loads it ahead of the loop even where
// all its accesses are under conditions that may never hold; for stores it asks neither for sanitize_thread nor whether
// they happen (`promoteLoopAccessesToScalars`, LLVM 19).
#pragma once

namespace llvm {
class BasicBlock;
class DominatorTree;
class LoadInst;
class LoopInfo;
class TargetLibraryInfo;
} // namespace llvm

namespace mck {
// It has no place in the source, and nothing that happens whenever it happens looks at what it loads. Stores of the
// same address stand for it where they happen.
bool isPromoted(const llvm::LoadInst &Load, const llvm::DominatorTree &DT, const llvm::LoopInfo &Loops);

// One of two loads made of a single one, *(c ? &a : &b), that stand in front of a loop and are chosen from in it again
// and again, perhaps lane by lane: which was meant is not told where it is loaded.
bool isChosenLater(const llvm::LoadInst &Load);

// A load that stood at the head of a loop, and since then stands before the loop and behind the seldom call in it that
// may change the place (GVN, `performLoopLoadPRE`), though the loop may end between that and its head: there, where the
// source reads. Null: it is none of these.
llvm::BasicBlock *headThatReads(const llvm::LoadInst &Load, const llvm::DominatorTree &DT, const llvm::LoopInfo &Loops,
                                const llvm::TargetLibraryInfo &TLI);
} // namespace mck
