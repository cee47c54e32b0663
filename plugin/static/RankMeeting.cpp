// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of ranks where ways meet, and in loops (RankValue.h).
#include "static/RankValue.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace mck::statics;

RankValue RankValues::ofIteration(const PHINode &Phi) {
  RankValue Found = symbol(&Phi);
  Found.Loop = Phi.getParent();
  return Found;
}

// What all ways from a block bring, or null.
static const Value *onlyValueFrom(const BasicBlock *From, const PHINode &Phi) {
  const Value *Found = nullptr;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Work{From};
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    if (!Seen.insert(Block).second) continue;
    if (Seen.size() > 64) return nullptr;
    for (const BasicBlock *To : successors(Block)) {
      if (To != Phi.getParent()) {
        Work.push_back(To);
        continue;
      }
      const Value *Incoming = Phi.getIncomingValueForBlock(Block);
      if (Found && Found != Incoming) return nullptr;
      Found = Incoming;
    }
  }
  return Found;
}

// Why ranks may leave a loop with this header in different iterations, if the block is behind the loop; else null.
const Value *RankValues::leftBy(const BasicBlock &Header, const BasicBlock &Behind) {
  if (Header.getParent() != Behind.getParent()) return nullptr;
  if (isPotentiallyReachable(&Behind, &Header)) return nullptr;
  for (const BasicBlock &Block : *Header.getParent()) {
    if (!isPotentiallyReachable(&Header, &Block) || !isPotentiallyReachable(&Block, &Header)) continue;
    bool IsExit = any_of(successors(&Block),
                         [&](const BasicBlock *To) { return !isPotentiallyReachable(To, &Header); });
    RankValue Why;
    if (IsExit) successor(*Block.getTerminator(), Why);
    if (Why.Source) return Why.Source;
  }
  return nullptr;
}

// A variable of a loop.
RankValue RankValues::ofHeader(const PHINode &Phi) {
  // In each iteration it is equal on all ranks if its start and its step are.
  Assumed.insert(&Phi);
  bool IsEqual = true, IsLocal = false;
  RankValue Other;
  for (const Value *Incoming : Phi.incoming_values()) {
    RankValue One = of(Incoming);
    bool IsFound = One.What == RankValue::Unknown && One.IsLocal && !One.Source; // such as what the loop reads
    IsEqual &= IsFound || (One.What != RankValue::Unknown && One.What != RankValue::Own && !One.isDifferent());
    IsLocal |= IsFound;
    if (One.Source) Other.Source = One.Source;
    // What another loop has left depends on what it is left by.
    if (const Value *Source = One.Loop && One.Loop != Phi.getParent() ? leftBy(*One.Loop, *Phi.getParent()) : nullptr)
      Other.Source = Source, IsEqual = false;
  }
  Assumed.erase(&Phi);
  Other.IsLocal = IsEqual && IsLocal;
  return IsEqual && !IsLocal ? ofIteration(Phi) : Other;
}

// Where values meet: the way from the block that decides.
RankValue RankValues::ofPhi(const PHINode &Phi) {
  const BasicBlock *Block = Phi.getParent();
  std::unique_ptr<DominatorTree> &Made = Trees[Phi.getFunction()];
  if (!Made) Made = std::make_unique<DominatorTree>(const_cast<Function &>(*Phi.getFunction()));
  const DominatorTree &Tree = *Made;
  if (!Tree.getNode(Block) || !Tree.getNode(Block)->getIDom()) return {};
  bool IsHeader = any_of(predecessors(Block), [&](const BasicBlock *P) { return Tree.dominates(Block, P); });
  if (IsHeader) return ofHeader(Phi);
  const BasicBlock *At = Tree.getNode(Block)->getIDom()->getBlock();
  RankValue Why;
  const Value *Only = nullptr;
  const Value *Source = nullptr;
  const BasicBlock *Loop = nullptr;
  bool IsAssumed = false;
  for (unsigned Step = 0; Step < 64; ++Step) {
    RankValue Here;
    const BasicBlock *Next = successor(*At->getTerminator(), Here);
    if (Here.Source) Source = Here.Source;
    if (Here.Loop) Loop = Here.Loop;
    IsAssumed |= Here.IsAssumed;
    if (!Next) {
      Why = Here;
      Only = onlyValueFrom(At, Phi);
      if (!Only) break;
    }
    if (Only || Next == Block) {
      RankValue Found = of(Only ? Only : Phi.getIncomingValueForBlock(At));
      if (Found.IsLocal && Source) Found.What = RankValue::Own; // other ranks come here in another way
      if (!Found.Source) Found.Source = Source;
      if (!Found.Loop) Found.Loop = Loop;
      Found.IsAssumed |= IsAssumed;
      return Found;
    }
    At = Next;
  }
  if (Why.IsLocal) return ofLocalPhi(Phi, Source);
  RankValue Found;
  if (Why.What != RankValue::Own && Why.What != RankValue::Uniform) return Found;
  for (const Value *Incoming : Phi.incoming_values()) {
    RankValue One = of(Incoming);
    if (One.What == RankValue::Unknown || One.isDifferent()) return {};
  }
  if (Why.What == RankValue::Own) return Why;
  return symbol(&Phi);
}

// What meets where a process found out by itself where to go.
RankValue RankValues::ofLocalPhi(const PHINode &Phi, const Value *Source) {
  for (const Value *Incoming : Phi.incoming_values()) {
    RankValue One = of(Incoming);
    if ((One.What == RankValue::Unknown && !One.IsLocal) || One.isDifferent()) return {};
  }
  RankValue Found;
  Found.IsLocal = true;
  if (Source) Found.What = RankValue::Own, Found.Source = Source;
  return Found;
}
