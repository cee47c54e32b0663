// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of the points-to analysis (Points.h). It knows no code. Each node has a set of locations, an edge copies
// them, and a constraint says what each arriving location causes. A location is an object and an offset. Node 0 and
// object 0 are the outside.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/SparseBitVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <vector>

namespace mck {

// Why memory is relevant.
inline constexpr char WhyOutside[] = "comes from outside", WhyEscapes[] = "its address leaves what is seen",
                      WhyMpi[] = "MPI uses it while the program goes on";

class Constraints {
protected:
  template <class T, unsigned N>
  using SmallVector = llvm::SmallVector<T, N>;
  using StringRef = llvm::StringRef;
  using Node = unsigned;
  using Location = unsigned;
  static constexpr int64_t Anywhere = INT64_MIN;
  // A module that needs more steps counts as too large.
  static constexpr uint64_t MaxSteps = 20'000'000;
  // Offsets beyond this one are not kept apart: a pointer that advances in a loop would have a location at each step.
  static constexpr int64_t Farthest = 512;

  struct Object {
    StringRef Why;          // why the object is relevant; empty: it is not
    bool IsOutside = false; // the outside can reach the object
    Node All = 0;           // the node of everything that the object holds (0: not made yet)
    std::map<int64_t, Node> Fields;
  };
  struct Place {
    unsigned Object;
    int64_t Offset;
  };
  enum Kind : uint8_t { Copy, Load, Store, Move, Shift, Uses, Fills, CopyAll };
  // A constraint belongs to a pointer node P. Load: To gets what P's targets hold. Store: P's targets get To's set.
  // Move: To gets P's locations, Offset further. CopyAll: P's targets get what To's targets hold. Uses: MPI uses the
  // memory that P points to. Fills: pointers from outside are stored there.
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
  std::vector<Location> Leaving; // the locations that have flowed to the outside
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
  // The outside has a pointer to the object: it may read and write it, and everything that can be reached from it.
  void leave(Location L);
  void apply(const Constraint &C, Location L);
  bool solve();
};

} // namespace mck
