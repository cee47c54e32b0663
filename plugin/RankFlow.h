// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that come from data, through the functions of a program: may what a receive brings name a rank, as where a
// message holds the number of a worker, or decide whether such a call is made? Another message then leads to other
// calls (Statuses.h). Each object lists the edges of a graph that all objects have together (section mck_ranks,
// rt/abi.h), and the runtime follows it. It knows no order among functions: what may be a rank, is one.
#pragma once
#include "RankGraph.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mck {

class RankFlow {
public:
  explicit RankFlow(llvm::Module &M);
  /// May what this call receives name a rank, as its function alone shows?
  bool isNaming(const llvm::CallBase &Receive) const { return Naming.contains(&Receive); }
  /// Adds the edges and the marks of receives to the module. Returns true if anything was changed.
  bool tell();

private:
  struct Edge {
    uint64_t Unless, From, To; // rt/abi.h
  };
  struct Question { // what makes a rank of something in this function
    llvm::SmallVector<std::pair<const llvm::Value *, const llvm::CallBase *>, 2> Values, Memory, Behind;
    llvm::SmallVector<const llvm::BasicBlock *, 2> Blocks;
    const llvm::GlobalVariable *Variable = nullptr;
    bool IsBehind = false, IsResult = false;
  };
  struct Received {
    llvm::CallBase *Call; // in the function itself
    const llvm::CallBase *Copy;
    uint64_t Node;
  };
  using Questions = llvm::MapVector<uint64_t, Question>;

  llvm::Module &M;
  RankNames Names;
  llvm::SmallPtrSet<const llvm::CallBase *, 8> Naming;
  llvm::SmallVector<std::pair<llvm::CallBase *, uint64_t>, 16> Receives; // and their nodes
  llvm::SmallVector<llvm::CallBase *, 4> Starts;
  std::vector<Edge> Edges;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> Known;
  llvm::DenseSet<uint64_t> Outer; // nodes that other objects may have, too

  void add(uint64_t From, uint64_t To, uint64_t Unless = 0);
  void look(llvm::Function &F);
  void lookAt(const llvm::Function &F, const llvm::Function &Of, llvm::SmallVectorImpl<Received> &Calls);
  void ask(RankGraph &Graph, const llvm::Function &Of, uint64_t Node, const Question &What,
           llvm::ArrayRef<Received> Calls);
  void addOwn(Questions &All, const llvm::Function &F, const llvm::Function &Of);
  void addCall(Questions &All, const llvm::CallBase &Call, const llvm::Function &Of);
  void addCallbacks(Questions &All, const llvm::CallBase &Call);
  void addUnknown(const llvm::CallBase &Call, const llvm::Function *Callee);
  void addPointer(const llvm::Function &F);
  void giveUp(const llvm::Function &F, const llvm::Function &Of, llvm::ArrayRef<Received> Calls);
  void receive(const Received &R, uint64_t From);
  std::vector<Edge> reduce() const;
  llvm::SmallVector<uint64_t, 64> write(llvm::ArrayRef<Edge> Sorted) const;
};

} // namespace mck
