// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One window, followed from the call that made it, or from a call that synchronizes it: which epochs are open, and what
// does not fit (MPI-3.1 11.5). The rules and kinds are those of rt/record/rma/epoch.c.
#pragma once
#include "static/state/Buffers.h"
#include "static/state/OpenConditions.h"

namespace mck::statics {

class WindowEpochs : public CandidateMachine {
public:
  WindowEpochs(FunctionView &View, const llvm::CallBase &Start, const MpiFunction &What);
  /// Is a window to be followed from this call on?
  static bool isStart(const llvm::CallBase &Call, const MpiFunction &Function, FunctionView &View);
  bool isEvent(const llvm::Instruction &I) override;
  void step(const llvm::Instruction &I, Node &N, PathWalk &Walk, llvm::SmallVectorImpl<Node> &More) override;
  void turn(Node &N, const llvm::Loop &L, PathWalk &Walk) override;
  bool isAllowed(unsigned At, Node &N, PathWalk &Walk) override;
  bool mayGo(unsigned At, unsigned To, Node &N) override;

private:
  FunctionView &View;
  const llvm::CallBase &Start;
  const llvm::Value *Own; // the window's handle
  bool IsMade;            // by the start
  bool IsPrivate = false; // functions that are not known do not have it

  // The access epoch. Fenced: a fence was called, and nothing since then; Used: operations followed it.
  // Several: more than one target may be locked.
  enum Access { None, Fenced, Used, Started, Locked, LockedAll, Several, Unknown };
  // HolderAt: the opening call, of Calls. TargetAt: what is locked, of Targets, or -1: not known. AloneAt: no other
  // lock is held. OpenAt: of Conditions.
  enum { AccessAt, HolderAt, TargetAt, AloneAt, PostAt, OpenAt };
  enum { NotPosted = -1, PerhapsPosted = -2 };
  std::vector<const llvm::Instruction *> Calls;
  std::vector<Sum> Targets;
  OpenConditions Conditions{OpenAt};
  llvm::DenseMap<unsigned, bool> Relevant;

  int64_t numberOf(const llvm::Instruction &I);
  int64_t targetOf(const llvm::CallBase &Call, const MpiFunction &Function, PathWalk &Walk, const Facts &F);
  Meeting meetsTarget(const llvm::CallBase &Call, const MpiFunction &Function, const Node &N, PathWalk &Walk);
  Meeting isOwn(const llvm::Value *Handle, PathWalk &Walk, const Facts &F);
  void synchronize(const llvm::CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk,
                   llvm::SmallVectorImpl<Node> &More);
  void fence(const llvm::CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk);
  void start(const llvm::CallBase &Call, Node &N);
  void post(const llvm::CallBase &Call, Node &N);
  void wait(const llvm::CallBase &Call, const MpiFunction &Function, Node &N, llvm::SmallVectorImpl<Node> &More);
  llvm::SmallVector<const llvm::CallBase *, 8> callsOf(int Is, PathWalk &Walk) const;
  bool isUnlockedInTurn(const llvm::CallBase &Lock, PathWalk &Walk) const;
  void lock(const llvm::CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk);
  void unlock(const llvm::CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk);
  void flush(const llvm::CallBase &Call, const MpiFunction &Function, Node &N);
  void operate(const llvm::CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk);
  void finish(const llvm::CallBase &Call, const MpiFunction &Function, Node &N);
  void open(Access Is, const llvm::CallBase &Call, Node &N);
  void forget(Node &N); // which epochs are open
  /// What is open is named by a note, if anything is.
  void wrong(llvm::StringRef Kind, const llvm::CallBase &Call, std::string Text, Node &N);
  bool isMixed(const llvm::CallBase &Call, Node &N);
  bool isRelevant(unsigned At, PathWalk &Walk);
};

} // namespace mck::statics
