// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that depend on the rank (Arguments.h): the neighbor that the last rank does not have, MPI_IN_PLACE on a
// rank that is not the root. A warning needs a process that surely comes to the call, and computes a wrong value there,
// with each number of ranks with which some process surely comes there: many programs are for two ranks.
#include "static/ArgumentSearch.h"
#include "static/SureWay.h"
extern "C" {
#include "standard/constants.h"
}

using namespace llvm;
using namespace mck::statics;

static bool isWrong(int64_t Value, int Size, bool IsSource) {
  return (Value < 0 || Value >= Size) && Value != MCK_PROC_NULL && !(IsSource && Value == MCK_ANY_SOURCE);
}

std::optional<ArgumentSearch::Wrong> ArgumentSearch::findWrongPeer(const Paths &Ways, unsigned Block, unsigned Number,
                                                                   const Parameter &P) {
  std::optional<Wrong> First;
  for (int Size = SmallestSize; Size <= LargestSize; ++Size) {
    bool IsReached = false, HasWrong = false;
    for (int Rank = 0; Rank < Size; ++Rank) {
      Process One{World, Rank, Size, 0};
      if (!sureWay(Ways, Values, One).test(Block)) continue;
      IsReached = true;
      RankValue Value = Values.of(At.Call->getArgOperand(Number));
      if (Value.What != RankValue::Number || Value.IsAssumed || Value.Loop) continue;
      if (!isWrong(Value.Value, Size, P.is("source"))) continue;
      HasWrong = true;
      if (!First) First = Wrong{Rank, Size, Value.Value};
    }
    if (IsReached && !HasWrong) return std::nullopt;
  }
  return First;
}

std::optional<ArgumentSearch::Wrong> ArgumentSearch::findInPlace(const Paths &Ways, unsigned Block) {
  std::optional<Wrong> First;
  const Value *Root = argument(*At.Call, *At.Function, "root");
  for (int Size = SmallestSize; Root && Size <= LargestSize; ++Size) {
    bool IsReached = false, HasWrong = false;
    for (int Rank = 0; Rank < Size; ++Rank) {
      Process One{World, Rank, Size, 0};
      if (!sureWay(Ways, Values, One).test(Block)) continue;
      IsReached = true;
      RankValue Value = Values.of(Root);
      if (Value.What != RankValue::Number || Value.IsAssumed || Value.Loop || Value.Value == Rank) continue;
      HasWrong = true;
      if (!First) First = Wrong{Rank, Size, Value.Value};
    }
    if (IsReached && !HasWrong) return std::nullopt;
  }
  return First;
}

void ArgumentSearch::lookAtRanks() {
  Paths Ways(F);
  if (Ways.size() > 2500) return;
  for (unsigned Block = 0; Block < Ways.size(); ++Block)
    for (const Instruction &I : *Ways.block(Block)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
      const Value *Comm = Mpi ? argument(*Call, *Mpi, "comm") : nullptr;
      if (!Comm || Values.ranksOf(Comm) != World) continue;
      At = {Call, Mpi};
      for (unsigned Number = 0; Number < Mpi->Parameters.size(); ++Number) {
        const Parameter &P = Mpi->Parameters[Number];
        const Value *Given = Call->getArgOperand(Number);
        std::optional<Wrong> Found;
        // A number that is the same everywhere is a rank of a world that is large enough.
        if ((P.is("dest") || P.is("source")) && !isa<Constant>(Given) && !constant(Given)) {
          if ((Found = findWrongPeer(Ways, Block, Number, P)))
            say("arg.rank", nameOf(Number) + " is " + Twine(Found->Value) + " on rank " + Twine(Found->Rank) + " of " +
                                Twine(Found->Size) + ", but the ranks are 0 to " + Twine(Found->Size - 1));
        } else if (const Buffer *B = P.is("rootinplace") ? Code.buffer(*Call, Number) : nullptr; B && B->IsInPlace) {
          if ((Found = findInPlace(Ways, Block)))
            say("arg.in-place", nameOf(Number) + " is MPI_IN_PLACE on rank " + Twine(Found->Rank) +
                                    ", too, which it may be at the root only, rank " + Twine(Found->Value));
        }
      }
    }
}
