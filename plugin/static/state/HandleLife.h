// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One handle of a communicator, datatype, group, window or file: used before it is committed or after it was freed, and
// not freed on some path (MPI-3.1 4.1.9, 6.4.3, 11.2.5, 13.2.2). Requests are PendingOperation's.
#pragma once
#include "static/state/Buffers.h"
#include "static/state/PathWalk.h"

namespace mck::statics {

class HandleLife : public CandidateMachine {
public:
  HandleLife(FunctionView &View, const llvm::CallBase &Start, const MpiFunction &What);
  /// Does the call make or free such an object?
  static bool isStart(const llvm::CallBase &Call, const MpiFunction &Function, FunctionView &View);
  bool isEvent(const llvm::Instruction &I) override;
  void turn(Node &N, const llvm::Loop &L, PathWalk &Walk) override;
  void step(const llvm::Instruction &I, Node &N, PathWalk &Walk, llvm::SmallVectorImpl<Node> &More) override;
  void end(const llvm::Instruction &Return, Node &N, PathWalk &Walk) override;

private:
  FunctionView &View;
  const llvm::CallBase &Start;
  const MpiFunction &What;
  llvm::StringRef Role;    // newcomm, newtype ...
  const llvm::Value *Own;  // the handle; of a free the null handle that it leaves
  bool IsFree;             // the start is a call that frees
  bool IsFreed = false;    // some call frees it
  bool IsFollowed = false; // to the end: nobody else has the handle
  // AliasAt: one of Aliases, from 1 on, or 0: Own. ThereAt: it is no null handle.
  enum { CommittedAt, AliasAt, ThereAt };
  std::vector<const llvm::PHINode *> Aliases; // variables of loops
  Meeting compare(const llvm::Value *Handle, const Node &N, PathWalk &Walk) const;
  void use(const llvm::CallBase &Call, const MpiFunction &Other, unsigned Parameter, Node &N);
  llvm::SmallVector<const llvm::Value *, 4> Names; // the handle, and where it meets null handles
  llvm::SmallVector<const llvm::User *, 8> Users;  // of the handle, also where it meets others
  void collectUsers();
  bool isOurs() const;
  bool asksForNull(const llvm::User *By) const;
  void learn(Node &N);
};

} // namespace mck::statics
