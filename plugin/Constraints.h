// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of the points-to analysis (Points.h), which knows no code: nodes have sets of locations; edges copy them;
// constraints say what becomes of each location that arrives. Location: an object and an offset. Node 0 and object 0
// are the outside.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/SparseBitVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <vector>

namespace mck {

class Constraints {
protected:
  template <class T, unsigned N>
  using SmallVector = llvm::SmallVector<T, N>;
  using StringRef = llvm::StringRef;
  using Node = unsigned;
  using Location = unsigned;
  static constexpr int64_t Anywhere = INT64_MIN;
  // Steps after which a module counts as too large.
  static constexpr uint64_t MaxSteps = 20'000'000;
  // Members beyond are not kept apart: a pointer that is moved on in a loop would have a location at each step.
  static constexpr int64_t Farthest = 512;

  struct Object {
    StringRef Why;          // not empty: relevant
    bool IsOutside = false; // the outside can reach it
    Node All = 0;           // everything that it holds (0: not made yet)
    std::map<int64_t, Node> Fields;
  };
  struct Place {
    unsigned Object;
    int64_t Offset;
  };
  enum Kind : uint8_t { Copy, Load, Store, Move, Shift, Uses, Fills, CopyAll };
  // From the pointer node it hangs on: Load: To gets what it points to; Store: To's set goes there; Move: To gets it,
  // Offset further; CopyAll: what To's targets hold goes to its targets; Uses: MPI uses the memory; Fills: something
  // outside is stored there.
  struct Constraint {
    Kind What;
    Node To;
    int64_t Offset;
    bool operator==(const Constraint &C) const { return What == C.What && To == C.To && Offset == C.Offset; }
  };
  struct NodeData {
    llvm::SparseBitVector<> Set, New;
    SmallVector<Node, 2> Copies;
    SmallVector<Constraint, 2> Constraints;
    bool IsQueued = false;
  };

  std::vector<NodeData> Nodes;
  std::vector<Object> Objects;
  std::vector<Place> Locations;
  llvm::DenseMap<std::pair<unsigned, int64_t>, Location> LocationOf;
  std::vector<Node> Queue;
  std::vector<Location> Leaving; // what has flowed Outside
  llvm::DenseSet<std::pair<Node, Node>> Copied;
  Location OutsideLocation;
  uint64_t Steps = 0;

  Constraints();
  Node newNode();
  Location locationOf(unsigned Object, int64_t Offset);

  void enqueue(Node N);
  void add(Node N, Location L);
  void addAll(Node To, const llvm::SparseBitVector<> &Set);
  void copy(Node From, Node To);
  void constrain(Node Pointer, Kind What, Node To, int64_t Offset = 0);

  Node allOf(unsigned O);
  Node fieldOf(unsigned O, int64_t Offset);
  void use(unsigned O, StringRef Why);
  // The outside has a pointer to it: it may do with it, and with all that it leads to, what it likes.
  void leave(Location L);
  void apply(const Constraint &C, Location L);
  bool solve();
};

} // namespace mck
