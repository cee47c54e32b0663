// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation that goes on when its call has returned, followed to its completion: what becomes of its request, and
// who touches its buffers meanwhile (MPI-3.1 3.7, 3.9, 11.3, 11.5).
#pragma once
#include "static/Fortran.h"
#include "static/state/Buffers.h"
#include "static/state/PathWalk.h"

namespace mck::statics {

class PendingOperation : public CandidateMachine {
public:
  PendingOperation(FunctionView &View, const llvm::CallBase &Start, const MpiFunction &What)
      : View(View), Start(Start), What(What) {}
  /// Does a call start an operation that is to be followed?
  static bool isStart(const MpiFunction &Function);
  bool isEvent(const llvm::Instruction &I) override;
  void step(const llvm::Instruction &I, Node &N, PathWalk &Walk, llvm::SmallVectorImpl<Node> &More) override;
  void turn(Node &N, const llvm::Loop &L, PathWalk &Walk) override;
  bool isAllowed(unsigned At, Node &N, PathWalk &Walk) override;
  const llvm::Loop *onlyInto(unsigned At, Node &N, PathWalk &Walk) override;
  void end(const llvm::Instruction &Return, Node &N, PathWalk &Walk) override;

private:
  FunctionView &View;
  const llvm::CallBase &Start;
  const MpiFunction &What;
  // The state of a node: phase, request's offset, and of up to two buffers offset, length and which it is (Buffers).
  // Was the request copied? Where was a test that found it pending (a block and one, or 0)? In which of SlotObjects is
  // the request (and one, or 0)?
  enum Phase { Active, Inactive };
  // An offset that is computed anew from the call, and one of an earlier turn of a loop, or from before a store to what
  // it was loaded from.
  static constexpr int64_t Unknown = INT64_MIN, Stale = INT64_MIN + 1;
  enum { PhaseAt, SlotAt, BufferAt, LengthAt, Buffer2At, Length2At, WhichAt, Which2At, CopiedAt, TestedAt, ObjectAt };
  std::vector<CallBuffer> Buffers;              // all that some path has begun with
  std::vector<const llvm::Value *> SlotObjects; // to which pointers have led that are others in the next turn of a loop
  int64_t keep(const CallBuffer &Found);
  void keepSlot(Node &N, PathWalk &Walk);
  static int requestOf(const MpiFunction &Function) {
    int At = Function.find("request");
    return At >= 0 ? At : Function.find("requests");
  }
  bool isPersistent() const { return What.row().persistent == What.Number; }
  bool isRma() const { return What.row().access != MCK_STD_ACCESS_NONE; }
  bool isSplit() const { return What.row().split == MCK_STD_SPLIT_BEGIN; } // a collective call of a file in two halves
  bool isOfObject() const { return isRma() || isSplit(); } // by whom it is completed, and not by a request
  int64_t handleSize() const { return isOfFortran(Start) ? 4 : 8; }
  Place slot(const Node &N, PathWalk &Walk) const;
  Meeting meetsSlot(const llvm::Value *Address, int64_t Length, const Node &N, PathWalk &Walk) const;
  void begin(Node &N, PathWalk &Walk);
  void stepCall(const llvm::CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk,
                llvm::SmallVectorImpl<Node> &More);
  void useRequest(const llvm::CallBase &Call, const MpiFunction &Other, unsigned Parameter, Node &N, PathWalk &Walk,
                  llvm::SmallVectorImpl<Node> &More);
  void giveRequest(const llvm::CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk);
  void complete(const llvm::CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk,
                llvm::SmallVectorImpl<Node> &More);
  void start(const llvm::CallBase &Call, Node &N);
  void synchronize(const llvm::CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk);
  bool endsSplit(const llvm::CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk) const;
  void endOfVariable(const llvm::CallBase &Call, Node &N, PathWalk &Walk);
  void learn(const llvm::LoadInst &Load, Node &N, PathWalk &Walk);
  const llvm::Loop *loopOfTest(const Node &N) const;
  bool hasCompletion(const llvm::Loop &L, const Node &N, PathWalk &Walk, bool IsTest = false);
  llvm::DenseMap<const llvm::Value *, llvm::BitVector> Completions; // by the object of the request
  const llvm::BitVector &completions(const Node &N, PathWalk &Walk);
  llvm::BitVector AnyCompletions; // blocks that may complete a request which was copied
  bool mayCompleteCopy(const llvm::Instruction &I);
  bool isListed(const llvm::LoadInst &Load);
  bool AreListsKnown = false;
  llvm::SmallPtrSet<const llvm::Value *, 8> Lists; // memory that MPI gets as requests
  const llvm::BitVector &anyCompletions();
  llvm::BitVector Synchronizations; // blocks that may complete an operation on a window
  const llvm::BitVector &synchronizations();
  bool asksForCount(const llvm::BasicBlock &Block, PathWalk &Walk);
  void copy(const llvm::LoadInst &Load, Node &N, PathWalk &Walk);
  bool mayTouch(const llvm::Value *Address);
  bool HasRelease = false; // the function frees memory
  bool mayRelease(unsigned At, const Node &N, PathWalk &Walk);
  llvm::DenseMap<const llvm::LoadInst *, bool> Written; // what isWritten has found
  bool isWritten(const llvm::LoadInst &Load, PathWalk &Walk);
  bool mayChange(const llvm::LoadInst &Load);
  bool asksForWritten(const llvm::BasicBlock &Block, const llvm::Value *Own, PathWalk &Walk);
  void lose(const llvm::Instruction &At, Node &N, PathWalk &Walk);
  void follow(const llvm::Instruction &I, Node &N, PathWalk &Walk, llvm::SmallVectorImpl<Node> &More);
  // PendingMoves.cpp
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<const llvm::LoadInst *, 2>> LoadsOf;
  llvm::DenseMap<const llvm::Function *, bool> PointerStores;
  llvm::ArrayRef<const llvm::LoadInst *> loadsOf(const llvm::Value *Address);
  bool mayMove(const llvm::StoreInst &Store);
  bool storesPointers(const llvm::Function &F, unsigned Depth);
  bool changes(const llvm::Instruction &I, const llvm::LoadInst &Load, const Node &N, PathWalk &Walk);
  bool asksForMoved(unsigned At, const Node &N, PathWalk &Walk);
  void move(const llvm::Instruction &I, Node &N, PathWalk &Walk);
  // PendingAccess.cpp
  void touch(const llvm::Instruction &I, const Place &At, int64_t Length, bool IsWrite, Node &N, PathWalk &Walk);
  bool mayLeaveAlone(const llvm::Instruction &I, const Node &N, PathWalk &Walk) const;
  void touchByCall(const llvm::CallBase &Call, const MpiFunction &Other, Node &N, PathWalk &Walk);
  void touchByCallee(const llvm::CallBase &Call, Node &N, PathWalk &Walk);
  void touchByCopy(const llvm::Instruction &I, Node &N, PathWalk &Walk);
  void endOfMemory(const llvm::Instruction &I, const llvm::Value *Address, Node &N, PathWalk &Walk);
  std::optional<CallBuffer> buffer(unsigned Which, const Node &N, PathWalk &Walk) const;
  void conflict(llvm::StringRef Kind, const llvm::Instruction &I, std::string Text, Node &N);
};

} // namespace mck::statics
