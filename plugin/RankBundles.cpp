// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles edges (RankBundles.h): strongly connected components first, by Tarjan, "Depth-first search and linear graph
// algorithms" (1972); then nodes that lead to the same set.
#include "RankBundles.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using mck::NodePair;

constexpr size_t MostReduced = 8192; // nodes: a bit for each pair

using Nodes = SmallVector<uint64_t, 4>;

// FNV-1a
static uint64_t bundleHash(ArrayRef<uint64_t> Sorted, uint64_t Kind) {
  uint64_t Hash = UINT64_C(14695981039346656037) ^ Kind;
  for (uint64_t Node : Sorted)
    for (unsigned Byte = 0; Byte < 8; ++Byte) Hash = (Hash ^ (Node >> 8 * Byte & 0xff)) * UINT64_C(1099511628211);
  return Hash;
}

namespace {

class Components {
public:
  explicit Components(const MapVector<uint64_t, Nodes> &Next) : Next(Next) {
    for (const auto &[Node, To] : Next)
      if (!States.count(Node)) search(Node);
  }
  SmallVector<Nodes, 0> All;

private:
  struct State {
    unsigned Number, Low;
    bool IsOpen;
  };
  const MapVector<uint64_t, Nodes> &Next;
  DenseMap<uint64_t, State> States;
  Nodes Open;
  struct Frame {
    uint64_t Node;
    size_t At;
  };
  SmallVector<Frame, 64> Stack;

  void enter(uint64_t Node) {
    unsigned Number = States.size();
    States[Node] = {Number, Number, true};
    Open.push_back(Node);
    Stack.push_back({Node, 0});
  }
  void leave(uint64_t Node) {
    const State Is = States[Node];
    Stack.pop_back();
    if (!Stack.empty()) States[Stack.back().Node].Low = std::min(States[Stack.back().Node].Low, Is.Low);
    if (Is.Low != Is.Number) return;
    Nodes Members;
    do {
      Members.push_back(Open.pop_back_val());
      States[Members.back()].IsOpen = false;
    } while (Members.back() != Node);
    All.push_back(std::move(Members));
  }
  void search(uint64_t Root) {
    enter(Root);
    while (!Stack.empty()) {
      auto [Node, At] = Stack.back();
      auto To = Next.find(Node);
      if (To == Next.end() || At == To->second.size()) {
        leave(Node);
        continue;
      }
      ++Stack.back().At;
      uint64_t Other = To->second[At];
      auto Seen = States.find(Other);
      if (Seen == States.end()) enter(Other);
      else if (Seen->second.IsOpen) States[Node].Low = std::min(States[Node].Low, Seen->second.Number);
    }
  }
};

} // namespace

static MapVector<uint64_t, Nodes> byBegin(ArrayRef<NodePair> Edges) {
  MapVector<uint64_t, Nodes> Next;
  for (auto [From, To] : Edges) Next[From].push_back(To);
  return Next;
}

// The members of a component are linked with a new node, which has their other edges.
static SmallVector<NodePair, 0> joinComponents(ArrayRef<NodePair> Edges, SmallVector<NodePair, 0> &Links) {
  DenseMap<uint64_t, uint64_t> Joint;
  SmallVector<NodePair, 0> New;
  const MapVector<uint64_t, Nodes> Next = byBegin(Edges);
  for (Nodes &Members : Components(Next).All) {
    if (Members.size() < 2) continue;
    llvm::sort(Members);
    uint64_t Node = bundleHash(Members, 1);
    for (uint64_t Member : Members) {
      Joint[Member] = Node;
      Links.push_back({Member, Node});
    }
  }
  DenseSet<NodePair> Known;
  for (auto [From, To] : Edges) {
    auto A = Joint.find(From), B = Joint.find(To);
    NodePair Is(A == Joint.end() ? From : A->second, B == Joint.end() ? To : B->second);
    if (Is.first != Is.second && Known.insert(Is).second) New.push_back(Is);
  }
  return New;
}

// Without the edges from whose begin others lead to the same end: there are no cycles. (Aho, Garey, Ullman, "The
// transitive reduction of a directed graph", 1972.)
static SmallVector<NodePair, 0> leaveLongWays(ArrayRef<NodePair> Edges) {
  const MapVector<uint64_t, Nodes> Next = byBegin(Edges);
  SmallVector<uint64_t, 0> Order; // the ends first
  DenseMap<uint64_t, unsigned> Place;
  for (const Nodes &One : Components(Next).All) {
    Place[One.front()] = Order.size();
    Order.push_back(One.front());
  }
  if (Order.size() > MostReduced) return {Edges.begin(), Edges.end()};
  std::vector<BitVector> Reached(Order.size());
  SmallVector<NodePair, 0> New;
  for (unsigned At = 0; At < Order.size(); ++At) {
    Reached[At].resize(unsigned(Order.size()));
    auto To = Next.find(Order[At]);
    if (To == Next.end()) continue;
    SmallVector<unsigned, 16> Ends;
    for (uint64_t End : To->second) Ends.push_back(Place[End]);
    llvm::sort(Ends, std::greater<>()); // the next ones first
    for (unsigned End : Ends) {
      if (Reached[At].test(End)) continue;
      New.push_back({Order[At], Order[End]});
      Reached[At] |= Reached[End];
      Reached[At].set(End);
    }
  }
  return New;
}

static SmallVector<NodePair, 0> joinSets(ArrayRef<NodePair> Edges) {
  std::map<Nodes, Nodes> BySet; // who leads to it
  for (auto &[From, To] : byBegin(Edges)) {
    Nodes Set = To;
    llvm::sort(Set);
    BySet[Set].push_back(From);
  }
  SmallVector<NodePair, 0> New;
  for (const auto &[Set, All] : BySet) {
    bool IsFewer = All.size() * Set.size() > All.size() + Set.size();
    uint64_t Node = IsFewer ? bundleHash(Set, 2) : 0;
    for (uint64_t From : All) {
      if (IsFewer) New.push_back({From, Node});
      else
        for (uint64_t To : Set) New.push_back({From, To});
    }
    for (uint64_t To : Set)
      if (IsFewer) New.push_back({Node, To});
  }
  return New;
}

mck::Bundles mck::bundle(ArrayRef<NodePair> Edges) {
  auto Turned = [](ArrayRef<NodePair> All) {
    SmallVector<NodePair, 0> New;
    for (auto [From, To] : All) New.push_back({To, From});
    return New;
  };
  Bundles All;
  auto Joined = joinSets(leaveLongWays(joinComponents(Edges, All.Both)));
  All.Edges = Turned(joinSets(Turned(Joined)));
  return All;
}
