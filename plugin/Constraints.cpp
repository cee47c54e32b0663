// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves the constraints of the points-to analysis (Constraints.h). Cycles.cpp makes nodes of a cycle one.
#include "Constraints.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using mck::Constraints;

Constraints::Constraints() {
  newNode(); // node 0, the outside: what flows there leaves the module
  Objects.emplace_back();
  OutsideLocation = locationOf(0, Anywhere);
  Objects[0].Why = WhyOutside;
}

Constraints::Node Constraints::newNode() {
  Node N = Node(Nodes.size());
  Nodes.emplace_back();
  Nodes[N].Parent = N;
  return N;
}

Constraints::Location Constraints::locationOf(unsigned Object, int64_t Offset) {
  auto [Entry, IsNew] = LocationOf.try_emplace({Object, Offset}, Location(Locations.size()));
  if (IsNew) Locations.push_back({Object, Offset});
  return Entry->second;
}

const Constraints::Set &Constraints::setOf(Node N) const {
  while (Nodes[N].Parent != N) N = Nodes[N].Parent;
  return Nodes[N].Held;
}

void Constraints::note(Node N) { IsAnyNew = Nodes[N].IsNew = true; }

void Constraints::add(Node N, Location L) {
  N = find(N);
  if (N == 0) Leaving.push_back(L);
  else if (Nodes[N].Held.test_and_set(L)) note(N);
}

void Constraints::addAll(Node To, const Set &Some) {
  ++Steps;
  if (To != 0) {
    if ((Nodes[To].Held |= Some)) note(To);
    return;
  }
  for (Location L : Some)
    if (!Objects[Locations[L].Object].IsOutside) Leaving.push_back(L);
}

void Constraints::copy(Node From, Node To) {
  From = find(From);
  To = find(To);
  if (From == To || From == 0 || !Copied.insert({From, To}).second) return;
  Nodes[From].Copies.push_back(To);
  if (!Nodes[From].Passed.empty()) addAll(To, Nodes[From].Passed);
}

Constraints::Node Constraints::partOf(Node Pointer, Part P) {
  if (!(Nodes[Pointer].*P)) {
    Node N = newNode();
    Nodes[Pointer].*P = N;
  }
  return Nodes[Pointer].*P;
}

void Constraints::constrain(Node Pointer, Kind What, Node To, int64_t Offset) {
  if (Pointer == 0) return;
  switch (What) {
  case Load: return copy(partOf(Pointer, &NodeData::Loaded), To);
  case Store: return copy(To, partOf(Pointer, &NodeData::Stored));
  case CopyAll: return copy(partOf(Pointer, &NodeData::AllLoaded), partOf(To, &NodeData::AllStored));
  case Move:
    if (Offset == 0) return copy(Pointer, To);
    Nodes[Pointer].Moves.push_back({To, Offset});
    return;
  case Uses: Nodes[Pointer].IsUsed = true; return;
  case Fills: Nodes[Pointer].IsFilled = true; return;
  }
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
    Entry->second = newNode();
    if (Objects[O].All) copy(Entry->second, Objects[O].All);
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

Constraints::Location Constraints::moved(Location L, int64_t Offset) {
  Place P = Locations[L];
  if (P.Object == 0) return L;
  if (P.Offset == Anywhere || Offset == Anywhere || std::abs(P.Offset + Offset) > Farthest)
    return locationOf(P.Object, Anywhere);
  return locationOf(P.Object, P.Offset + Offset);
}

// The location has arrived at the pointer.
void Constraints::apply(Node Pointer, Location L) {
  ++Steps;
  Place P = Locations[L];
  unsigned O = P.Object;
  if (Node To = Nodes[Pointer].Loaded) {
    if (O == 0) add(To, OutsideLocation);
    else if (P.Offset == Anywhere) copy(allOf(O), To);
    else {
      copy(fieldOf(O, P.Offset), To);
      copy(fieldOf(O, Anywhere), To);
    }
  }
  if (Node To = Nodes[Pointer].AllLoaded) {
    if (O == 0) add(To, OutsideLocation);
    else copy(allOf(O), To);
  }
  if (Node From = Nodes[Pointer].Stored) copy(From, O == 0 ? 0 : fieldOf(O, P.Offset));
  if (Node From = Nodes[Pointer].AllStored) copy(From, O == 0 ? 0 : fieldOf(O, Anywhere));
  if (Nodes[Pointer].IsUsed) use(O, WhyMpi);
  if (Nodes[Pointer].IsFilled && O != 0) add(fieldOf(O, Anywhere), OutsideLocation);
}

// The node passes on what is new in it.
void Constraints::pass(Node N) {
  Nodes[N].IsNew = false;
  Set New = Nodes[N].Held;
  New.intersectWithComplement(Nodes[N].Passed);
  Nodes[N].Passed |= New;
  for (size_t I = 0; I < Nodes[N].Copies.size(); ++I) addAll(find(Nodes[N].Copies[I]), New);
  for (size_t I = 0; I < Nodes[N].Moves.size(); ++I) {
    auto [To, Offset] = Nodes[N].Moves[I];
    Set There;
    for (Location L : New) There.set(moved(L, Offset));
    addAll(find(To), There);
    Steps += There.count();
  }
  const NodeData &D = Nodes[N];
  if (D.Loaded || D.AllLoaded || D.Stored || D.AllStored || D.IsUsed || D.IsFilled)
    for (Location L : New) apply(N, L);
}

bool Constraints::solve() {
  do {
    while (!Leaving.empty()) {
      Location L = Leaving.back();
      Leaving.pop_back();
      leave(L);
    }
    IsAnyNew = false;
    Steps += Nodes.size(); // so many are ordered
    for (Node N : order()) {
      if (Nodes[N].Parent == N && Nodes[N].IsNew) pass(N);
      if (Steps > MaxSteps || Locations.size() > 2'000'000 || Nodes.size() > 4'000'000) return false;
    }
  } while (IsAnyNew || !Leaving.empty());
  return true;
}
