// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the ways of a function and where they meet (Paths.h). Post-dominators as in "A Simple, Fast Dominance
// Algorithm" (Cooper, Harvey, Kennedy), on the blocks that are live.
#include "static/Paths.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace mck::statics;

static bool endsProgram(const BasicBlock &Block) {
  return any_of(Block, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && isAbort(*Mpi);
  });
}

bool mck::statics::isThrow(const Instruction &End) {
  const auto *Invoke = dyn_cast<InvokeInst>(&End);
  const Function *Callee = Invoke ? Invoke->getCalledFunction() : nullptr;
  return Callee && (Callee->getName() == "__cxa_throw" || Callee->getName() == "__cxa_rethrow");
}

Paths::Paths(const Function &F) {
  for (const BasicBlock &Block : F) {
    Index[&Block] = unsigned(Blocks.size());
    Blocks.push_back(&Block);
  }
  Next.resize(Blocks.size());
  Before.resize(Blocks.size());
  findLive();
  findMeetings();
}

unsigned Paths::indexOf(const BasicBlock *Block) const {
  auto Found = Index.find(Block);
  return Found == Index.end() ? NoBlock : Found->second;
}

void Paths::findLive() {
  Live.resize(size());
  std::vector<SmallVector<unsigned, 2>> From(size());
  SmallVector<unsigned, 32> Work;
  for (unsigned At = 0; At < size(); ++At) {
    if (endsProgram(*Blocks[At])) continue;
    const Instruction *End = Blocks[At]->getTerminator();
    if (isa<ReturnInst>(End)) Work.push_back(At);
    for (unsigned I = 0; I < End->getNumSuccessors(); ++I) {
      if (isa<InvokeInst>(End) && I == (isThrow(*End) ? 0 : 1)) continue;
      unsigned To = Index[End->getSuccessor(I)];
      if (!is_contained(From[To], At)) From[To].push_back(At);
    }
  }
  for (unsigned At : Work) Live.set(At);
  while (!Work.empty())
    for (unsigned At : From[Work.pop_back_val()])
      if (!Live.test(At)) {
        Live.set(At);
        Work.push_back(At);
      }
  for (unsigned To = 0; To < size(); ++To)
    for (unsigned At : From[To])
      if (Live.test(To)) Next[At].push_back(To), Before[To].push_back(At);
}

void Paths::findMeetings() {
  // Postorder of the reversed graph, with a common end behind all returns.
  const unsigned End = size();
  std::vector<SmallVector<unsigned, 2>> Back(size() + 1);
  for (unsigned At = 0; At < size(); ++At) {
    if (!Live.test(At)) continue;
    for (unsigned To : Next[At]) Back[To].push_back(At);
    if (Next[At].empty()) Back[End].push_back(At);
  }
  std::vector<unsigned> Order, Number(size() + 1, NoBlock);
  SmallVector<std::pair<unsigned, unsigned>, 64> Stack{{End, 0}};
  BitVector Seen(size() + 1);
  Seen.set(End);
  while (!Stack.empty()) {
    auto &[At, I] = Stack.back();
    if (I < Back[At].size()) {
      unsigned To = Back[At][I++];
      if (!Seen.test(To)) {
        Seen.set(To);
        Stack.push_back({To, 0});
      }
    } else {
      Number[At] = unsigned(Order.size());
      Order.push_back(At);
      Stack.pop_back();
    }
  }
  std::vector<unsigned> Found(size() + 1, NoBlock);
  Found[End] = End;
  auto Common = [&](unsigned A, unsigned B) {
    while (A != B) {
      while (Number[A] < Number[B]) A = Found[A];
      while (Number[B] < Number[A]) B = Found[B];
    }
    return A;
  };
  for (bool IsChanged = true; IsChanged;) {
    IsChanged = false;
    for (auto At = Order.rbegin(); At != Order.rend(); ++At) {
      if (*At == End) continue;
      unsigned New = NoBlock;
      auto Take = [&](unsigned To) {
        if (Found[To] != NoBlock) New = New == NoBlock ? To : Common(New, To);
      };
      for (unsigned To : Next[*At]) Take(To);
      if (Next[*At].empty()) Take(End);
      if (New != Found[*At]) Found[*At] = New, IsChanged = true;
    }
  }
  for (unsigned At = 0; At < size(); ++At) Meeting.push_back(Found[At] == End ? NoBlock : Found[At]);
}

BitVector Paths::between(unsigned At) const {
  BitVector Found(size());
  SmallVector<unsigned, 32> Work(Next[At].begin(), Next[At].end());
  while (!Work.empty()) {
    unsigned Block = Work.pop_back_val();
    if (Block == Meeting[At] || Found.test(Block)) continue;
    Found.set(Block);
    Work.append(Next[Block].begin(), Next[Block].end());
  }
  Found.reset(At); // a loop: its condition is evaluated again
  return Found;
}

static BitVector reach(unsigned From, const std::vector<SmallVector<unsigned, 2>> &Steps) {
  BitVector Found(unsigned(Steps.size()));
  SmallVector<unsigned, 32> Work(Steps[From].begin(), Steps[From].end());
  while (!Work.empty()) {
    unsigned Block = Work.pop_back_val();
    if (Found.test(Block)) continue;
    Found.set(Block);
    Work.append(Steps[Block].begin(), Steps[Block].end());
  }
  return Found;
}

BitVector Paths::behind(unsigned At) const { return reach(At, Next); }

BitVector Paths::before(unsigned At) const { return reach(At, Before); }
