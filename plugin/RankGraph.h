// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that come from data, in one function: what does a value that names a rank depend on, in variables and memory?
// It goes against the data: from arguments of MPI back to where they were received, to parameters, results of calls,
// variables of the module (RankFlow.h joins the functions). It may say yes too often, never no too often.
#pragma once
#include "RankNames.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace mck {

/// Bytes from From to To of Base, or what lies behind the pointers there. Base is a variable, a parameter, the result
/// of a call, or another value that is not followed.
struct Spot {
  const llvm::Value *Base;
  int64_t From, To;
  bool IsBehind;
  bool meets(const Spot &O) const { return Base == O.Base && IsBehind == O.IsBehind && From < O.To && O.From < To; }
  bool operator==(const Spot &O) const {
    return Base == O.Base && From == O.From && To == O.To && IsBehind == O.IsBehind;
  }
};
constexpr int64_t AnyFrom = INT64_MIN, AnyTo = INT64_MAX;

class RankGraph {
public:
  /// F: a copy of Of in which variables are values as far as they can be, or Of itself.
  RankGraph(const llvm::Function &F, const llvm::Function &Of, const RankNames &Names);

  // What names a rank. Then run() follows it, and nodes() are the nodes of other functions that it depends on.
  void begin();
  void addValue(const llvm::Value *V) { Work.push_back(V); }
  /// What decides whether the block runs.
  void addCondition(const llvm::BasicBlock *Block);
  /// What Pointer points to, from Reader's view; behind: what the pointers there point to.
  void addMemory(const llvm::Value *Pointer, bool IsBehind, const llvm::Instruction *Reader);
  void addVariable(const llvm::GlobalVariable &Variable, bool IsBehind);
  void addResult();
  void run();
  const llvm::DenseSet<uint64_t> &nodes() const { return Nodes; }
  /// Does it depend on what this call receives?
  bool isReceived(const llvm::CallBase &Receive);
  /// Does the call receive into this variable?
  bool isOf(const llvm::CallBase &Receive, const llvm::GlobalVariable &Variable);
  /// The same of what a call leaves in a variable, when only code outside of the function reads it. Left: it may be any
  /// code; otherwise these functions.
  bool isLeft(const llvm::CallBase &Receive, const llvm::GlobalVariable &Variable,
              llvm::SmallPtrSetImpl<const llvm::Function *> &Next);
  static llvm::SmallPtrSet<const llvm::GlobalVariable *, 8> variables(const llvm::Function &F);
  bool isTooLarge() const { return Steps > MostSteps; }

private:
  static constexpr uint64_t MostSteps = 4000000;
  struct Store {
    Spot To;
    const llvm::Value *What;
    const llvm::Instruction *At;
  };
  struct Passed {
    Spot Of;
    const llvm::CallBase *Call;
    unsigned At;
  };
  using Spots = llvm::SmallVector<Spot, 2>;

  const llvm::Function &F, &Of;
  const RankNames &Names;
  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Store, 2>> Stores; // by base
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Passed, 2>> Given; // to calls, by base
  llvm::DenseMap<std::pair<const llvm::Value *, int64_t>, Spots> Known;    // of pointers
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<const llvm::BasicBlock *, 2>> Deciders;
  uint64_t Steps = 0;
  // Of the present question.
  llvm::DenseSet<uint64_t> Nodes;
  llvm::SmallPtrSet<const llvm::Value *, 32> Seen;
  llvm::SmallVector<const llvm::Value *, 32> Work;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Spot, 2>> Reached;
  llvm::DenseMap<const llvm::Value *, llvm::SmallPtrSet<const llvm::Instruction *, 2>> Readers;
  llvm::SmallVector<Spot, 16> Memory;

  void findDeciders();
  void findStores(bool IsOfPointers);
  void findSpots(const llvm::Value *Pointer, int64_t Bytes, Spots &Found, unsigned Level);
  void findBehind(const llvm::LoadInst &Load, Spot What, int64_t Bytes, Spots &Found, unsigned Level);
  Spots spotsOf(const llvm::Value *Pointer, int64_t Bytes);
  void follow(const llvm::Instruction &I);
  void followChoice(const llvm::PHINode &Choice);
  void followIndices(const llvm::Value *Pointer);
  void followCall(const llvm::CallBase &Call);
  void addArguments(const llvm::CallBase &Call, unsigned But, bool IsDirect, bool IsBehind);
  void reach(const Spot &S, const llvm::Instruction *Reader);
  void enter(const Spot &S);
  void enterCall(const Spot &S, const Passed &To);
  bool isRead(const llvm::Value *Object, const llvm::CallBase &Receive) const;
};

} // namespace mck
