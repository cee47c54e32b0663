// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that depend on the rank (Arguments.h): the neighbor that the last rank does not have, MPI_IN_PLACE on a
// rank that is not the root. A warning needs a process that surely comes to the call, and computes a wrong value there,
// with each number of ranks with which some process surely comes there: many programs are for two ranks. Where a call
// is made with some input only, this holds for each input with which a process comes there, and the value may not
// depend on the input.
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

// What each process would do with the calls of a function, for some rounds.
void ArgumentSearch::walk(SureWays &Sure, int LastRound, std::vector<RankedArgument> &All) {
  for (int Round = 0; Round <= LastRound; ++Round)
    for (int Size = SmallestSize; Size <= LargestSize; ++Size) {
      for (RankedArgument &One : All) One.IsReached = One.HasWrong = false;
      for (int Rank = 0; Rank < Size; ++Rank) {
        BitVector Own = Sure.of({World, Rank, Size, Round});
        for (RankedArgument &One : All) {
          if (!Own.test(One.Block)) continue;
          One.IsReached = One.IsEverReached = true;
          RankValue Value = Values.of(One.Compared);
          if (Value.What != RankValue::Number || Value.IsAssumed || Value.Loop) continue;
          bool IsWrongHere = One.IsInPlace ? Value.Value != Rank : isWrong(Value.Value, Size, One.IsSource);
          if (!IsWrongHere) continue;
          One.HasWrong = true;
          if (!One.First) One.First = Wrong{Rank, Size, Value.Value};
        }
      }
      for (RankedArgument &One : All) One.IsRight |= One.IsReached && !One.HasWrong;
    }
}

// The arguments that depend on the rank.
std::vector<ArgumentSearch::RankedArgument> ArgumentSearch::rankedArguments(const Paths &Ways) {
  std::vector<RankedArgument> All;
  for (unsigned Block = 0; Block < Ways.size(); ++Block)
    for (const Instruction &I : *Ways.block(Block)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
      const Value *Comm = Mpi ? argument(*Call, *Mpi, "comm") : nullptr;
      if (!Comm || Values.ranksOf(Comm) != World) continue;
      At = {Call, Mpi};
      for (unsigned Number = 0; Number < Mpi->Parameters.size(); ++Number) {
        const Parameter &P = Mpi->Parameters[Number];
        const Value *Given = Call->getArgOperand(Number), *Root = argument(*Call, *Mpi, "root");
        const Buffer *B = P.is("rootinplace") && Root ? Code.buffer(*Call, Number) : nullptr;
        // A number that is the same everywhere is a rank of a world that is large enough.
        if ((P.is("dest") || P.is("source")) && !isa<Constant>(Given) && !constant(Given))
          All.push_back({At, Number, Block, Given, false, P.is("source"), {}});
        else if (B && B->IsInPlace) All.push_back({At, Number, Block, Root, true, false, {}});
      }
    }
  return All;
}

void ArgumentSearch::lookAtRanks() {
  Paths Ways(F);
  if (Ways.size() > 2500) return;
  std::vector<RankedArgument> All = rankedArguments(Ways), OfInput;
  if (All.empty()) return;
  SureWays Sure(F, Ways, Values);
  walk(Sure, 0, All);
  for (const RankedArgument &One : All)
    if (!One.IsEverReached) OfInput.push_back(One);
  erase_if(All, [](const RankedArgument &One) { return !One.IsEverReached; });
  if (!OfInput.empty() && Sure.followInput(World)) {
    walk(Sure, Rounds - 1, OfInput);
    append_range(All, OfInput);
  }
  for (const RankedArgument &One : All) {
    if (One.IsRight || !One.First) continue;
    At = One.At;
    if (One.IsInPlace)
      say("arg.in-place", nameOf(One.Number) + " is MPI_IN_PLACE on rank " + Twine(One.First->Rank) +
                              ", too, which it may be at the root only, rank " + Twine(One.First->Value));
    else
      say("arg.rank", nameOf(One.Number) + " is " + Twine(One.First->Value) + " on rank " + Twine(One.First->Rank) +
                          " of " + Twine(One.First->Size) + ", but the ranks are 0 to " + Twine(One.First->Size - 1));
  }
}
