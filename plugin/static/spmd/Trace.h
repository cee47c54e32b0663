// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one process does with the memory of windows, as far as it is certain: Execution.h makes it, RemoteRaces.h
// compares those of all ranks.
#pragma once
#include "static/RankValue.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <optional>
#include <set>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wextra"
extern "C" {
#include "standard/conflict.h"
}
#pragma GCC diagnostic pop

namespace mck::statics {

/// A variable, an allocation, what MPI made: the instruction, and how often it was executed before. So it is the same
/// one in all processes of a program.
using Object = std::pair<const llvm::Value *, unsigned>;

struct Datum {
  enum Kind { Unknown, Nothing, Number, Real, Address } What = Unknown; // Nothing: never set
  int64_t Value = 0;       // a number, or the offset in an object; of a floating-point number its bits
  Object Of{};             // of an address; a handle is the address of what MPI made
  bool IsFloating = false; // an address whose offset is not known
  bool operator==(const Datum &O) const {
    return What == O.What && What != Unknown && Value == O.Value && Of == O.Of && !IsFloating && !O.IsFloating;
  }
};

struct WindowMemory {
  CommKey Group = nullptr;
  Datum Base;
  int64_t Unit = 0, Size = -1; // 0, -1: not known
};

struct Access {
  const llvm::Instruction *At;
  mck_conflict_access What;
  Object Window;
  int Target;        // in the window's group; of a load or store the process itself
  int64_t Low, High; // displacements, in the target's units; of loads and stores bytes. High: bytes, of an operation
  // Epoch: behind how many fences of the window, or -1: under a lock. Phase: behind how many collectives of the group,
  // or -1: not known.
  int Epoch, Phase;
  size_t Order; // in the trace
  // In epochs of groups. Start: how many starts had this target, of an operation. Exposure: of a load or store, of
  // those of the own trace. Told, Learned: how often the process had told others what it did, and learned from them.
  int Start = -1, Exposure = -1, Told = 0, Learned = 0;
  std::vector<std::pair<int, int>> Targets{}; // of the epoch of an operation: each target, and its number of starts
  bool isLocal() const { return mck_conflict_is_local(&What); }
};

/// From MPI_Win_post to MPI_Win_wait.
struct Exposure {
  Object Window;
  std::set<int> Origins;
  int Phase, Learned; // at its beginning
  int ToldAtEnd = -1; // -1: it did not end
};

/// A collective call: that of an own communicator has the ranks of a color of a split.
struct Collective {
  const llvm::CallBase *Call;
  CommKey Comm;
  const llvm::CallBase *Split;
  int64_t Color;
  std::optional<int64_t> Root;
  const llvm::Value *Operation; // null: not known, or none
};

/// What is wrong with a call of a process.
struct Fault {
  llvm::StringRef Kind;
  std::string Text;
  std::optional<int64_t> Number{};       // the rank that does not exist
  const llvm::CallBase *Since = nullptr; // that uses the buffer, made the request, freed the object, sent; where the
                                         // other one is
  bool IsOfWaiting = false;              // for ever
};

/// One side of a message. Peer, Tag: -1: any.
struct Message {
  const llvm::CallBase *Call;
  CommKey Comm;
  bool IsSend;
  int64_t Peer, Tag;
};

struct Trace {
  std::vector<Access> Accesses;
  std::map<Object, WindowMemory> Windows;
  std::vector<Exposure> Exposures;
  std::vector<Collective> Collectives;
  llvm::BitVector Visited;                               // blocks that were executed
  std::map<const llvm::Instruction *, Fault> Faults;     // the first thing that is wrong
  std::map<const llvm::Instruction *, Fault> Unfinished; // requests at the end
  bool AreRequestsKnown = true;                          // all of them
  std::map<const llvm::Instruction *, Fault> Leaks;      // other objects at the end
  bool AreObjectsKnown = true;                           // all that free them
  std::vector<Message> Messages;
  bool AreMessagesKnown = true;                                    // all of them, up to where the trace ends
  std::map<const llvm::CallBase *, std::optional<int64_t>> Colors; // that it gave to splits; nothing: not known
  bool IsWhole = false;  // it returned, and all collective calls on its way are known
  std::set<int> Ordered; // phases in which something else may order accesses: messages, atomic operations
  unsigned Steps = 0;
  bool IsEnded = false; // MPI_Abort, exit, a rank that does not exist: the program is none for so many processes
};

} // namespace mck::statics
