// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that pass their locations in a cycle hold the same ones, so they become one node. A cycle that moves a pointer
// is one, too: whatever it holds comes back at any offset.
#include "Constraints.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using mck::Constraints;

Constraints::Node Constraints::find(Node N) {
  while (Nodes[N].Parent != N) N = Nodes[N].Parent = Nodes[Nodes[N].Parent].Parent;
  return N;
}

// Where both have a part (Constraints.h), the parts are equal as well.
void Constraints::unite(Node First, Node Second) {
  SmallVector<std::pair<Node, Node>, 4> Equal = {{First, Second}};
  while (!Equal.empty()) {
    auto [A, B] = Equal.pop_back_val();
    if ((A = find(A)) == (B = find(B))) continue;
    NodeData &Into = Nodes[A], &From = Nodes[B];
    From.Parent = A;
    Into.Held |= From.Held;
    Into.Passed &= From.Passed;
    append_range(Into.Copies, From.Copies);
    append_range(Into.Moves, From.Moves);
    for (Part P : {&NodeData::Loaded, &NodeData::AllLoaded, &NodeData::Stored, &NodeData::AllStored}) {
      if (Into.*P && From.*P) Equal.push_back({Into.*P, From.*P});
      else if (From.*P) Into.*P = From.*P;
    }
    Into.IsUsed |= From.IsUsed;
    Into.IsFilled |= From.IsFilled;
    From = NodeData();
    From.Parent = A;
    note(A);
  }
}

// Its edges lead to the nodes of today, once each.
void Constraints::tidy(Node N) {
  SmallVectorImpl<Node> &Copies = Nodes[N].Copies;
  for (Node &To : Copies) To = find(To);
  llvm::sort(Copies);
  Copies.erase(llvm::unique(Copies), Copies.end());
  Copies.erase(std::remove(Copies.begin(), Copies.end(), N), Copies.end());
  auto &Moves = Nodes[N].Moves;
  for (auto &[To, Offset] : Moves)
    if ((To = find(To)) == N) Offset = Anywhere;
  llvm::sort(Moves);
  Moves.erase(llvm::unique(Moves), Moves.end());
}

// Nodes of a cycle hold the same locations, each at its distance from the first node. Where two ways around give two
// distances, a pointer advances: all of them hold it at any offset.
void Constraints::join(ArrayRef<Node> Cycle) {
  DenseMap<Node, int64_t> Distance;
  for (Node N : Cycle) Distance[N] = Anywhere;
  Distance[Cycle[0]] = 0;
  SmallVector<Node, 8> Open = {Cycle[0]};
  bool IsExact = true;
  auto Follow = [&](Node To, int64_t At) {
    auto Found = Distance.find(To);
    if (Found == Distance.end()) return; // it is outside the cycle
    if (Found->second == Anywhere) {
      Found->second = At;
      Open.push_back(To);
    } else IsExact &= Found->second == At;
  };
  while (!Open.empty() && IsExact) {
    Node N = Open.pop_back_val();
    int64_t At = Distance[N];
    for (Node To : Nodes[N].Copies) Follow(To, At);
    for (auto [To, Offset] : Nodes[N].Moves) {
      if (Offset != Anywhere) Follow(To, At + Offset);
      else if (Distance.count(To)) IsExact = false;
    }
  }
  DenseMap<int64_t, Node> First;
  for (Node N : Cycle) unite(First.try_emplace(IsExact ? Distance[N] : 0, N).first->second, N);
}

// All nodes, those that pass something on before those that get it. Nodes of a cycle are joined (Tarjan's algorithm for
// strongly connected components, without recursion: paths are as long as the program).
std::vector<Constraints::Node> Constraints::order() {
  struct Visit {
    Node N;
    unsigned Next;
  };
  std::vector<unsigned> Number(Nodes.size()), Low(Nodes.size());
  std::vector<Node> Order, Open;
  std::vector<Visit> Path;
  std::vector<std::pair<size_t, size_t>> Cycles; // from and to in Order
  unsigned Count = 0;
  auto Enter = [&](Node N) {
    tidy(N);
    Number[N] = Low[N] = ++Count;
    Open.push_back(N);
    Path.push_back({N, 0});
  };
  auto Leave = [&](Node Root) {
    size_t From = Order.size();
    do {
      Order.push_back(Open.back());
      Low[Open.back()] = ~0U; // it is no part of a later cycle
      Open.pop_back();
    } while (Order.back() != Root);
    if (Order.size() - From > 1) Cycles.push_back({From, Order.size()});
  };
  for (Node Root = 1; Root < Nodes.size(); ++Root) {
    if (Nodes[Root].Parent != Root || Number[Root]) continue;
    Enter(Root);
    while (!Path.empty()) {
      auto &[N, Next] = Path.back();
      const NodeData &D = Nodes[N];
      if (Next < D.Copies.size() + D.Moves.size()) {
        Node To = Next < D.Copies.size() ? D.Copies[Next] : D.Moves[Next - D.Copies.size()].first;
        ++Next;
        if (To == 0) continue;
        if (!Number[To]) Enter(To);
        else Low[N] = std::min(Low[N], Low[To]);
        continue;
      }
      Node Done = N;
      Path.pop_back();
      if (!Path.empty()) Low[Path.back().N] = std::min(Low[Path.back().N], Low[Done]);
      if (Low[Done] == Number[Done]) Leave(Done);
    }
  }
  for (auto [From, To] : Cycles) join(ArrayRef(Order).slice(From, To - From));
  if (!Cycles.empty())
    for (Node N : Order)
      if (Nodes[N].Parent == N) tidy(N);
  return {Order.rbegin(), Order.rend()};
}
