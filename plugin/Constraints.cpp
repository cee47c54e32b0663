// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves the constraints of the points-to analysis (Constraints.h).
#include "Constraints.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using mck::Constraints;

Constraints::Constraints() {
  Nodes.emplace_back(); // node 0, the outside: what flows there leaves the module
  Objects.emplace_back();
  OutsideLocation = locationOf(0, Anywhere);
  Objects[0].Why = WhyOutside;
}

Constraints::Node Constraints::newNode() {
  Nodes.emplace_back();
  return Node(Nodes.size() - 1);
}

Constraints::Location Constraints::locationOf(unsigned Object, int64_t Offset) {
  auto [Entry, IsNew] = LocationOf.try_emplace({Object, Offset}, Location(Locations.size()));
  if (IsNew) Locations.push_back({Object, Offset});
  return Entry->second;
}

void Constraints::enqueue(Node N) {
  if (!Nodes[N].IsQueued) {
    Nodes[N].IsQueued = true;
    Queue.push_back(N);
  }
}

void Constraints::add(Node N, Location L) {
  if (N != 0 && Nodes[N].Set.test_and_set(L)) {
    Nodes[N].New.set(L);
    enqueue(N);
  } else if (N == 0) Leaving.push_back(L);
}

void Constraints::addAll(Node To, const SparseBitVector<> &Set) {
  if (To == 0) {
    for (Location L : Set)
      if (!Objects[Locations[L].Object].IsOutside) Leaving.push_back(L);
    return;
  }
  SparseBitVector<> Fresh = Set;
  Fresh.intersectWithComplement(Nodes[To].Set);
  if (Fresh.empty()) return;
  Nodes[To].Set |= Fresh;
  Nodes[To].New |= Fresh;
  enqueue(To);
}

void Constraints::copy(Node From, Node To) {
  if (From == To || From == 0 || !Copied.insert({From, To}).second) return;
  Nodes[From].Copies.push_back(To);
  SparseBitVector<> Set = Nodes[From].Set;
  addAll(To, Set);
}

void Constraints::constrain(Node Pointer, Kind What, Node To, int64_t Offset) {
  Constraint C{What, To, Offset};
  constexpr size_t Recent = 32; // an older duplicate costs only work; a table of pointers has thousands of edges
  if (Pointer == 0) return;
  ArrayRef<Constraint> Known = Nodes[Pointer].Constraints;
  if (is_contained(Known.take_back(std::min(Recent, Known.size())), C)) return;
  Nodes[Pointer].Constraints.push_back(C);
  SparseBitVector<> Set = Nodes[Pointer].Set;
  for (Location L : Set) apply(C, L);
}

Constraints::Node Constraints::allOf(unsigned O) {
  if (!Objects[O].All) {
    Node All = newNode();
    Objects[O].All = All;
    for (auto &[Offset, Field] : Objects[O].Fields) copy(Field, All);
  }
  return Objects[O].All;
}

Constraints::Node Constraints::fieldOf(unsigned O, int64_t Offset) {
  auto [Entry, IsNew] = Objects[O].Fields.try_emplace(Offset, 0);
  if (IsNew) {
    Node Field = newNode();
    Objects[O].Fields[Offset] = Field;
    if (Objects[O].All) copy(Field, Objects[O].All);
    return Field;
  }
  return Entry->second;
}

void Constraints::use(unsigned O, StringRef Why) {
  if (Objects[O].Why.empty()) Objects[O].Why = Why;
}

void Constraints::leave(Location L) {
  unsigned O = Locations[L].Object;
  if (O == 0 || Objects[O].IsOutside) return;
  Objects[O].IsOutside = true;
  use(O, WhyEscapes);
  add(fieldOf(O, Anywhere), OutsideLocation);
  copy(allOf(O), 0);
}

void Constraints::apply(const Constraint &C, Location L) {
  ++Steps;
  Place P = Locations[L];
  switch (C.What) {
  case Load:
    if (P.Object == 0) return add(C.To, OutsideLocation);
    if (P.Offset == Anywhere) return copy(allOf(P.Object), C.To);
    copy(fieldOf(P.Object, P.Offset), C.To);
    return copy(fieldOf(P.Object, Anywhere), C.To);
  case Store: return copy(C.To, P.Object == 0 ? 0 : fieldOf(P.Object, P.Offset));
  case Move:
    if (P.Object == 0) return add(C.To, L);
    if (P.Offset == Anywhere || C.Offset == Anywhere || std::abs(P.Offset + C.Offset) > Farthest)
      return add(C.To, locationOf(P.Object, Anywhere));
    return add(C.To, locationOf(P.Object, P.Offset + C.Offset));
  case CopyAll: { // this node is the source's pointer, To is the target's
    Node All = P.Object == 0 ? newNode() : allOf(P.Object);
    if (P.Object == 0) add(All, OutsideLocation);
    return constrain(C.To, Shift, All);
  }
  case Shift: // the pointers that To holds may be stored anywhere in it
    return copy(C.To, P.Object == 0 ? 0 : fieldOf(P.Object, Anywhere));
  case Uses: return use(P.Object, WhyMpi);
  case Fills:
    if (P.Object != 0) add(fieldOf(P.Object, Anywhere), OutsideLocation);
    return;
  case Copy: return;
  }
}

bool Constraints::solve() {
  while (!Queue.empty() || !Leaving.empty()) {
    if (!Leaving.empty()) {
      Location L = Leaving.back();
      Leaving.pop_back();
      leave(L);
      continue;
    }
    Node N = Queue.back();
    Queue.pop_back();
    Nodes[N].IsQueued = false;
    SparseBitVector<> New;
    std::swap(New, Nodes[N].New);
    for (size_t I = 0; I < Nodes[N].Copies.size(); ++I, ++Steps) addAll(Nodes[N].Copies[I], New);
    for (size_t I = 0; I < Nodes[N].Constraints.size(); ++I) {
      Constraint C = Nodes[N].Constraints[I];
      for (Location L : New) apply(C, L);
    }
    if (Steps > MaxSteps || Locations.size() > 2'000'000 || Nodes.size() > 4'000'000) return false;
  }
  return true;
}
