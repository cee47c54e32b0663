// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows a process (SureWay.h).
#include "static/SureWay.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace mck::statics;

BitVector mck::statics::sureWay(const Paths &Ways, RankValues &Values, const Process &P) {
  Values.set(P);
  BitVector Found(Ways.size());
  for (unsigned At = 0; At != NoBlock && Ways.isLive(At) && !Found.test(At);) {
    Found.set(At);
    if (Ways.next(At).size() == 1 && Ways.block(At)->getTerminator()->getNumSuccessors() == 1) {
      At = Ways.next(At)[0];
      continue;
    }
    RankValue Why;
    const BasicBlock *Next = Values.successor(*Ways.block(At)->getTerminator(), Why);
    bool IsSure = Next && !Why.IsAssumed && !Why.Loop;
    // A process that ends the program there comes to nothing more.
    At = IsSure ? Ways.indexOf(Next) : Ways.meeting(At);
  }
  return Found;
}

BlockSet mck::statics::possibleBlocks(const Function &F, RankValues &Values, const Process &P) {
  Values.set(P);
  BlockSet Seen;
  SmallVector<const BasicBlock *, 32> Work{&F.getEntryBlock()};
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    if (!Seen.insert(Block).second) continue;
    RankValue Why;
    const BasicBlock *Next = isa<InvokeInst>(Block->getTerminator()) ? nullptr
                                                                     : Values.successor(*Block->getTerminator(), Why);
    if (Next && !Why.IsAssumed && !Why.Loop) Work.push_back(Next);
    else append_range(Work, successors(Block));
  }
  return Seen;
}

BlockSet mck::statics::possibleBlocks(const Function &F, RankValues &Values, CommKey Comm) {
  BlockSet All;
  for (int Size = SmallestSize; Size <= LargestSize; ++Size)
    for (int Rank = 0; Rank < Size; ++Rank)
      for (const BasicBlock *Block : possibleBlocks(F, Values, Process{Comm, Rank, Size, 0})) All.insert(Block);
  return All;
}
