// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of the points-to analysis (Points.h). It knows no code. Each node has a set of locations, an edge copies
// them, and a constraint says what each arriving location causes. A location is an object and an offset. Node 0 and
// object 0 are the outside.
//
// It is solved in waves (Pereira and Berlin, "Wave Propagation and Deep Propagation for Pointer Analysis", CGO 2009):
// nodes that form a cycle become one, each node passes on what is new in topological order, and what loads and stores
// find makes new edges for the next wave.
#pragma once
#include "llvm/ADT/ArrayRef.h"
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
  using Set = llvm::SparseBitVector<512>;
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
  // A constraint belongs to a pointer node P. Load: To gets what P's targets hold. Store: P's targets get To's set.
  // Move: To gets P's locations, Offset further. CopyAll: To's targets get what P's targets hold. Uses: MPI uses the
  // memory that P points to. Fills: pointers from outside are stored there.
  enum Kind : uint8_t { Load, Store, Move, CopyAll, Uses, Fills };

  Constraints();
  Node newNode();
  Location locationOf(unsigned Object, int64_t Offset);
  void add(Node N, Location L);
  void copy(Node From, Node To);
  void constrain(Node Pointer, Kind What, Node To, int64_t Offset = 0); // before it is solved only
  Node fieldOf(unsigned O, int64_t Offset);
  // The outside has a pointer to the object: it may read and write it, and everything that can be reached from it.
  void leave(Location L);
  bool solve();
  const Set &setOf(Node N) const;

  std::vector<Object> Objects;
  std::vector<Place> Locations;
  Location OutsideLocation;

private:
  struct NodeData {
    Node Parent;      // the node that it became one with, or itself
    Set Held, Passed; // its locations, and those that it has passed on
    SmallVector<Node, 2> Copies;
    SmallVector<std::pair<Node, int64_t>, 1> Moves;
    // Nodes of what its targets hold at their offset and anywhere, and of what is stored there (0: none).
    Node Loaded = 0, AllLoaded = 0, Stored = 0, AllStored = 0;
    bool IsUsed = false, IsFilled = false, IsNew = false;
  };
  using Part = Node NodeData::*;

  std::vector<NodeData> Nodes;
  llvm::DenseMap<std::pair<unsigned, int64_t>, Location> LocationOf;
  std::vector<Location> Leaving; // the locations that have flowed to the outside
  llvm::DenseSet<std::pair<Node, Node>> Copied;
  uint64_t Steps = 0;
  bool IsAnyNew = false;

  Node find(Node N);
  void note(Node N);
  void addAll(Node To, const Set &Locations);
  Node partOf(Node Pointer, Part P);
  Node allOf(unsigned O);
  void use(unsigned O, StringRef Why);
  Location moved(Location L, int64_t Offset);
  void apply(Node Pointer, Location L);
  void pass(Node N);

  void unite(Node A, Node B);
  void join(llvm::ArrayRef<Node> Cycle);
  void tidy(Node N);
  std::vector<Node> order();
};

} // namespace mck
