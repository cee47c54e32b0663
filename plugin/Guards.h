// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards: the condition under which a block is executed in an iteration of a loop, where it is the same in all
// iterations. The vectorizer leaves such conditions inside nests of loops: are there enough iterations for a vector, do
// the arrays overlap, are iterations left over?
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Loop;
class LoopInfo;
class PHINode;
class PostDominatorTree;
class ScalarEvolution;
class SCEV;
class Value;
} // namespace llvm

namespace mck {

class Guards {
public:
  Guards(llvm::Function &F, llvm::LoopInfo &LI, llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);
  ~Guards();

  /// For a block of L that lies in no inner loop: an i1 in L's preheader. Null: it is executed in every iteration.
  /// nullopt: the condition is not known there.
  std::optional<llvm::Value *> conditionOf(llvm::BasicBlock *Block, llvm::Loop *L);
  /// The value of an expression in all iterations of L: what blocks of L choose by such conditions is chosen before L.
  const llvm::SCEV *hoist(const llvm::SCEV *S, llvm::Loop *L);

private:
  llvm::Function &F;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  std::unique_ptr<llvm::PostDominatorTree> PDT;
  llvm::DenseMap<std::pair<llvm::BasicBlock *, llvm::Loop *>, std::optional<llvm::Value *>> Known;
  llvm::DenseMap<std::pair<llvm::PHINode *, llvm::Loop *>, llvm::Value *> Chosen;

  std::optional<llvm::Value *> compute(llvm::BasicBlock *Block, llvm::Loop *L);
  std::optional<llvm::Value *> conditionOfEdge(llvm::BasicBlock *From, llvm::BasicBlock *To, llvm::Loop *L);
  llvm::Value *choose(llvm::PHINode *Phi, llvm::Loop *L);
};

} // namespace mck
