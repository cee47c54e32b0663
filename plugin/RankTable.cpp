// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the edges and the marks of receives for the runtime (RankFlow.h, rt/abi.h).
#include "Attach.h"
#include "Calls.h"
#include "RankBundles.h"
#include "RankFlow.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using mck::RankFlow;

static DenseSet<uint64_t> reachedFrom(const DenseMap<uint64_t, SmallVector<uint64_t, 2>> &Next,
                                      SmallVector<uint64_t, 32> Work) {
  DenseSet<uint64_t> Found;
  while (!Work.empty()) {
    uint64_t Node = Work.pop_back_val();
    if (!Found.insert(Node).second) continue;
    if (auto To = Next.find(Node); To != Next.end()) Work.append(To->second.begin(), To->second.end());
  }
  return Found;
}

namespace {
// The edges without nodes that only this object has, as far as they become fewer.
class Shortening {
public:
  explicit Shortening(const DenseSet<uint64_t> &Outer) : Outer(Outer) {}
  void add(uint64_t From, uint64_t To) {
    if (From != To && Next[From].insert(To).second) Before[To].insert(From);
  }
  void run() {
    SmallVector<uint64_t, 32> Work;
    for (const auto &Of : Next) Work.push_back(Of.first);
    while (!Work.empty()) {
      uint64_t Node = Work.pop_back_val();
      if (Outer.contains(Node) || Node >> 32 == MCK_RANK_RECEIVE >> 32) continue;
      auto From = Before.find(Node), To = Next.find(Node);
      size_t Ins = From == Before.end() ? 0 : From->second.size(), Outs = To == Next.end() ? 0 : To->second.size();
      if (!Ins || !Outs || Ins * Outs > Ins + Outs) continue;
      SmallVector<uint64_t, 4> Old(From->second.begin(), From->second.end()), New(To->second.begin(), To->second.end());
      for (uint64_t A : Old) Next[A].erase(Node);
      for (uint64_t B : New) Before[B].erase(Node);
      Next.erase(Node), Before.erase(Node);
      for (uint64_t A : Old)
        for (uint64_t B : New) add(A, B);
      Work.append(Old.begin(), Old.end()), Work.append(New.begin(), New.end());
    }
  }
  DenseMap<uint64_t, SmallDenseSet<uint64_t, 2>> Next;

private:
  const DenseSet<uint64_t> &Outer;
  DenseMap<uint64_t, SmallDenseSet<uint64_t, 2>> Before;
};
} // namespace

// Only edges count that lead from what other objects know to what they ask for, or to a receive.
std::vector<RankFlow::Edge> RankFlow::reduce() const {
  DenseMap<uint64_t, SmallVector<uint64_t, 2>> Next, Before;
  SmallVector<uint64_t, 32> Begin(Outer.begin(), Outer.end()), End = Begin;
  for (const Edge &E : Edges) {
    Next[E.From].push_back(E.To), Before[E.To].push_back(E.From);
    if (E.To >> 32 == MCK_RANK_RECEIVE >> 32) End.push_back(E.To);
  }
  DenseSet<uint64_t> IsBegun = reachedFrom(Next, Begin), IsEnding = reachedFrom(Before, End);
  std::vector<Edge> Kept;
  Shortening Short(Outer);
  for (const Edge &E : Edges)
    if (E.Unless || E.To == MCK_RANK_DEFINED) Kept.push_back(E); // both are nodes of other objects, too
    else if (IsBegun.contains(E.From) && IsEnding.contains(E.To)) Short.add(E.From, E.To);
  Short.run();
  for (const auto &[From, All] : Short.Next)
    for (uint64_t To : All) Kept.push_back({0, From, To});
  llvm::sort(Kept, [](const Edge &A, const Edge &B) {
    return std::tie(A.Unless, A.From, A.To) < std::tie(B.Unless, B.From, B.To);
  });
  return Kept;
}

// In groups, as rt/abi.h has it.
SmallVector<uint64_t, 64> RankFlow::write(ArrayRef<Edge> Sorted) const {
  SmallVector<NodePair, 0> Plain;
  SmallVector<uint64_t, 64> Numbers, Rest;
  uint64_t Group = 0;
  for (const Edge &E : Sorted) {
    if (!E.Unless && E.To != MCK_RANK_DEFINED) {
      Plain.push_back({E.From, E.To});
      continue;
    }
    if (E.Unless != Group) Rest.append({MCK_RANK_GROUP, Group = E.Unless});
    (E.Unless ? Rest : Numbers).append({E.From, E.To});
  }
  Bundles All = bundle(Plain);
  for (auto [From, To] : All.Edges) Numbers.append({From, To});
  if (!All.Both.empty()) Numbers.append({MCK_RANK_GROUP, MCK_RANK_BOTH});
  for (auto [From, To] : All.Both) Numbers.append({From, To});
  Numbers.append(Rest);
  if (!All.Both.empty() || !Rest.empty()) Numbers.append({MCK_RANK_GROUP, 0}); // the next table follows
  return Numbers;
}

bool RankFlow::tell() {
  std::vector<Edge> Kept = reduce();
  DenseSet<uint64_t> Late;
  for (const Edge &E : Kept) Late.insert(E.To);
  bool HasMarks = false;
  for (auto [Call, Node] : Receives)
    if (Late.contains(Node)) HasMarks |= markCall(*Call, "mck_received", uint32_t(Node) << 1);
  for (CallBase *Call : Starts) HasMarks |= markCall(*Call, "mck_received", MCK_RANK_STARTED << 1);
  if (HasMarks) attachSection(M, "received", MCK_RANKS_VERSION);
  if (Kept.empty()) return HasMarks;
  SmallVector<uint64_t, 64> Numbers = write(Kept);
  Constant *Value = ConstantDataArray::get(M.getContext(), Numbers);
  auto *Table = new GlobalVariable(M, Value->getType(), true, GlobalValue::PrivateLinkage, Value, "mck.ranks");
  Table->setSection("mck_ranks");
  Table->setAlignment(Align(8)); // no padding between the tables: the section is an array
  GlobalValue::SanitizerMetadata NoRedZone;
  NoRedZone.NoAddress = NoRedZone.NoHWAddress = true;
  Table->setSanitizerMetadata(NoRedZone);
  appendToCompilerUsed(M, {Table});
  attachSection(M, "ranks", MCK_RANKS_VERSION);
  return true;
}
