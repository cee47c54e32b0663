// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows one object (a request, the epochs of a window, a handle) along the paths of a function, with the facts of the
// path, so that a path whose conditions contradict each other is none. Paths are merged where the object's state and
// the facts are equal ("ESP: path-sensitive program verification in polynomial time", Das, Lerner, Seigle, PLDI 2002);
// where too many differ, what they have in common is kept at last.
#pragma once
#include "static/Divergence.h"
#include "static/Paths.h"
#include "static/Warning.h"
#include "static/state/Place.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <array>
#include <memory>

namespace mck::statics {

/// A function, as all walks see it.
class FunctionView {
public:
  FunctionView(const Canonical &Code, const Memory &Stored, llvm::Function &F);
  const Canonical &Code;
  const Memory &Stored;
  llvm::Function &F;
  Paths Ways;
  llvm::DominatorTree Tree;
  llvm::LoopInfo Loops;
  ValueNumbers Numbers;
  /// The blocks between a condition and where its ways meet.
  const llvm::BitVector &region(unsigned At);
  /// May it be asked for again? Other facts are not kept.
  bool isOfUse(ValueNumber About);
  /// Has the load a number of its own, as its value is used when its address may hold another one?
  bool isKept(const llvm::LoadInst &Load) const { return Old.contains(&Load); }
  /// The values from which a condition comes, through places where values meet.
  void sources(const llvm::Value *V, llvm::SmallPtrSetImpl<const llvm::Value *> &Found);
  /// Where it is in the function: its block, and its place there.
  std::pair<unsigned, unsigned> order(const llvm::Instruction &I) const;
  /// Calls that tell the rank or the size; empty: ranks play no part.
  llvm::ArrayRef<const llvm::CallBase *> rankCalls() const { return RankCalls; }
  /// Blocks that walks entered until they were given up, by the kind of try.
  std::array<size_t, 5> InVain{};

private:
  std::vector<std::unique_ptr<llvm::BitVector>> Regions;
  llvm::DenseMap<const llvm::Value *, unsigned> Uses;
  std::vector<std::optional<bool>> OfUse; // by number, what was asked before
  llvm::DenseMap<ValueNumber, llvm::SmallVector<const llvm::StoreInst *, 2>> Assigned; // by the address
  llvm::SmallPtrSet<const llvm::LoadInst *, 8> Old;
  bool isAssigned(const llvm::Value *Leaf);
  bool isOld(const llvm::LoadInst &Load);
  llvm::SmallVector<const llvm::CallBase *, 4> RankCalls;
  void countUses(const llvm::Value *V);
};

/// The object's state; the machine says what the numbers are.
using MachineState = std::array<int64_t, 11>;

struct Node {
  unsigned Block = 0, Step = 0;
  int Trail = -1;
  bool IsDead = false;
  bool IsTracking = false; // the object is there
  uint64_t Open = 0;       // conditions around its beginning that were not decided
  uint64_t Turning = 0;    // loops (turningBit) that are left behind one more turn only
  MachineState State{};
  Facts Known;
};

class Machine;

/// How much a walk may do until it is given up.
struct WalkBudget {
  size_t Blocks; // entered on all paths together
  size_t Facts;  // different ones with one state of the object before one block
  bool IsMerged; // where there are more facts, what all of them have in common is kept and the walk goes on
};

class PathWalk {
public:
  PathWalk(FunctionView &View, Machine &Object, RankValues *Values);
  /// Start: where the object begins, or null: it is there from the beginning. IsCareful: with the rule that conditions
  /// which may belong together are not taken in different ways. False: it was given up, and nothing was found.
  bool run(const llvm::Instruction *Start, bool IsCareful);
  /// The last condition on the way to here that could have led to a block of these.
  const llvm::Instruction *turningPoint(const Node &N, const llvm::BitVector &To) const;
  /// Is an instruction of a loop that is not followed turn by turn certain to be executed in a turn?
  bool isSure(const llvm::Instruction &I) const;
  /// Does it only look for what may be wrong? What is found is looked at again.
  bool isFirst() const { return !IsCareful; }

  FunctionView &View;
  Reasoning Thinker;
  Places Memories;
  llvm::BitVector EventBlocks;
  /// A condition that leads to a call in any case, or null.
  const MissingCall *Given = nullptr;

private:
  struct Mark {
    int Parent;
    unsigned Block, Next;
  };
  Machine &Object;
  const llvm::Instruction *Start = nullptr;
  bool IsCareful = true, IsGivenUp = false;
  WalkBudget Budget{};
  llvm::SmallVector<const llvm::Loop *, 4> Vague; // loops in which nothing happens to the object (VagueLoops.cpp)
  mutable llvm::DenseMap<ValueNumber, bool> MadeVaguely; // what was asked before
  std::vector<Mark> Trail;
  std::vector<std::vector<const llvm::Instruction *>> Steps; // of each block
  std::vector<unsigned> Around;                              // conditions around the beginning
  llvm::BitVector Leading;                                   // blocks from which a way leads to the beginning
  std::vector<Node> Work;
  std::map<std::tuple<unsigned, MachineState, uint64_t, uint64_t>, std::vector<Facts>> Seen;
  llvm::SmallVector<const llvm::Loop *, 8> Turned;        // loops with a bit in Node::Turning
  llvm::SmallVector<const llvm::Instruction *, 8> Events; // that are calls
  static bool isOfTurn(const llvm::Instruction &Event, const llvm::Loop &L);
  uint64_t turningBit(unsigned Header); // 0: it has none
  void turnOnce(Node &N, const Facts &Before);
  void prepare();
  bool tryOnce(WalkBudget Most, unsigned Which);
  bool follow(WalkBudget Most);
  size_t relevantBlocks() const;
  enum VagueSort { Computing, Quiet, QuietWithAccesses };
  void findVague(VagueSort Which);
  void forgetVague(Node &N, bool IsTurn) const;
  bool isMadeVaguely(ValueNumber About) const;
  bool isFirstTurn(ValueNumber About, const llvm::BasicBlock *Here) const;
  bool asksForVague(unsigned At, const llvm::Value *Condition) const;
  llvm::SmallPtrSet<const llvm::Value *, 32> Lost; // of which facts were lost where paths were merged
  Facts merge(const std::vector<Facts> &All);
  bool asksForLost(unsigned At, const llvm::Value *Condition) const;
  void advance(Node N);
  void leave(Node &N);
  const llvm::Instruction &returnOf(const Node &N, const llvm::Instruction &End) const;
  void forgetSearched(Node &N, const llvm::BasicBlock &From, const llvm::BasicBlock &To) const;
  void go(Node N, unsigned To);
  void arrive(Node &&N, bool IsTurn);
  bool isAllowed(Node &N, unsigned At);
  bool isFresh(const llvm::Value *Condition, uint64_t Open);
  void remember(const llvm::StoreInst &Store, Facts &F);
  void keep(const llvm::LoadInst &Load, Facts &F);
  void forget(const llvm::CallBase &Call, Facts &F);
  void forgetShared(Facts &F);
  void forgetRequests(const llvm::CallBase &Call, Facts &F);
  void forgetFilled(const llvm::AnyMemIntrinsic &Fill, Facts &F);
  void forgetReceived(const llvm::CallBase &Call, const MpiFunction &Mpi, Facts &F);
  void forgetArguments(const llvm::CallBase &Call, Facts &F);
  void dropLoads(Facts &F, llvm::function_ref<bool(const llvm::LoadInst &)> IsGone);
  void turn(Facts &F, const llvm::Loop &L, const llvm::SmallPtrSetImpl<const llvm::Value *> &Same);
  void widen(Facts &F, const std::vector<Facts> &Before, unsigned Block);
};

class Machine {
public:
  virtual ~Machine() = default;
  virtual bool isEvent(const llvm::Instruction &I) = 0;
  /// More nodes are other ways to go on behind the instruction.
  virtual void step(const llvm::Instruction &I, Node &N, PathWalk &Walk, llvm::SmallVectorImpl<Node> &More) = 0;
  /// The loop begins again: what was computed in it is of another iteration.
  virtual void turn(Node &, const llvm::Loop &, PathWalk &) {}
  virtual void end(const llvm::Instruction &, Node &, PathWalk &) {}
  /// Is something wrong on a path that was followed?
  virtual bool hasFound() const { return false; }
  /// May this condition, which nothing decides, be taken in both ways on this path?
  virtual bool isAllowed(unsigned, Node &, PathWalk &) { return true; }
  /// May it be taken to this block then?
  virtual bool mayGo(unsigned, unsigned, Node &) { return true; }
  /// Where it may be taken into this loop only.
  virtual const llvm::Loop *onlyInto(unsigned, Node &, PathWalk &) { return nullptr; }
};

/// Warnings of one walk, by kind and place.
using Candidates = std::map<std::pair<std::string, const llvm::Instruction *>, Warning>;
class CandidateMachine : public Machine {
public:
  Candidates Found;
  bool hasFound() const override { return !Found.empty(); }

protected:
  void warn(llvm::StringRef Kind, const llvm::Instruction *At, std::string Text, std::vector<Note> Notes) {
    Found.try_emplace({Kind.str(), At}, Warning{Kind, At, std::move(Text), std::move(Notes)});
  }
};

} // namespace mck::statics
