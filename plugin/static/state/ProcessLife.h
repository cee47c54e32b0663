// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's life in a process, from MPI_Init to MPI_Finalize (MPI-3.1 8.7): calls before and behind it, a second MPI_Init,
// and main's return without MPI_Finalize. What functions do that are not known is not known: they may begin MPI and end
// it.
#pragma once
#include "static/state/OpenConditions.h"

namespace mck::statics {

class ProcessLife : public CandidateMachine {
public:
  explicit ProcessLife(FunctionView &View);
  /// Is the function main, or does it begin or end MPI?
  static bool isWorth(FunctionView &View);
  bool isEvent(const llvm::Instruction &I) override;
  void step(const llvm::Instruction &I, Node &N, PathWalk &Walk, llvm::SmallVectorImpl<Node> &More) override;
  void end(const llvm::Instruction &Return, Node &N, PathWalk &Walk) override;
  bool isAllowed(unsigned At, Node &N, PathWalk &Walk) override;
  bool mayGo(unsigned At, unsigned To, Node &N) override { return Conditions.go(At, To, N, View); }

private:
  FunctionView &View;
  enum Life { AtEntry, NotYet, Running, Ended, Begun, Unknown }; // Begun: perhaps ended
  enum { LifeAt, BeginAt, EndAt, OpenAt };                       // BeginAt, EndAt: of Calls, or 0
  Life Entry = Unknown;
  bool IsEndedElsewhere = false; // by a function that the program hands over: atexit, a destructor
  std::vector<const llvm::Instruction *> Calls{nullptr};
  OpenConditions Conditions{OpenAt};
  struct Region {
    bool HasLife = false, HasCalls = false;
  };
  llvm::DenseMap<unsigned, Region> Regions;

  Life now(const Node &N) const { return N.State[LifeAt] == AtEntry ? Entry : Life(N.State[LifeAt]); }
  int64_t numberOf(const llvm::Instruction &I);
  llvm::BitVector blocksWith(llvm::function_ref<bool(const MpiFunction &)> Is) const;
  Region look(unsigned Block);
  void begin(const llvm::CallBase &Call, const MpiFunction &Function, Node &N);
  void use(const llvm::CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk);
  void ask(const llvm::CallBase &Call, const MpiFunction &Function, Node &N, llvm::SmallVectorImpl<Node> &More);
  void wrong(llvm::StringRef Kind, const llvm::CallBase &Call, std::string Text, int64_t Other, Node &N);
};

} // namespace mck::statics
