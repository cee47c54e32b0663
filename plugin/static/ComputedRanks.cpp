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

bool ArgumentSearch::RankedArgument::isWrong(int64_t Value, int Rank, int Size) const {
  switch (Is) {
  case InPlace: return Value != Rank;
  case Root: return false;
  case SentTag: return Value < 0;
  case ReceivedTag: return Value < 0 && Value != MCK_ANY_TAG;
  case Peer:
  case Source: break;
  }
  return (Value < 0 || Value >= Size) && Value != MCK_PROC_NULL && !(Is == Source && Value == MCK_ANY_SOURCE);
}

// What each process would do with the calls of a function, for some rounds.
void ArgumentSearch::walk(SureWays &Sure, int LastRound, std::vector<RankedArgument> &All) {
  for (int Round = 0; Round <= LastRound; ++Round)
    for (int Size = SmallestSize; Size <= LargestSize; ++Size) {
      for (RankedArgument &One : All) {
        One.IsReached = One.HasWrong = false;
        One.OfOther.reset();
      }
      for (int Rank = 0; Rank < Size; ++Rank) {
        BitVector Own = Sure.of({World, Rank, Size, Round});
        for (RankedArgument &One : All) {
          if (!Own.test(One.Block)) continue;
          One.IsReached = One.IsEverReached = true;
          std::optional<int64_t> Value = Sure.first(One.Compared), Peer;
          if (One.Beside) Peer = Sure.first(One.Beside);
          if (!Value || (One.Beside && (!Peer || *Peer == MCK_PROC_NULL))) continue;
          bool IsWrongHere = One.isWrong(*Value, Rank, Size);
          if (One.Is == RankedArgument::Root) IsWrongHere = One.OfOther.value_or(*Value) != *Value;
          One.OfOther = Value;
          if (!IsWrongHere) continue;
          One.HasWrong = true;
          if (!One.First) One.First = Wrong{Rank, Size, *Value};
        }
      }
      for (RankedArgument &One : All) One.IsRight |= One.IsReached && !One.HasWrong;
    }
}

ArgumentSearch::RankedArgument::Kind ArgumentSearch::kindOf(const Parameter &P) {
  return P.is("source")    ? RankedArgument::Source
         : P.is("sendtag") ? RankedArgument::SentTag
         : P.is("recvtag") ? RankedArgument::ReceivedTag
                           : RankedArgument::Peer;
}

// With nobody a tag has no effect (MPI-3.1 3.11).
const Value *ArgumentSearch::peerOf(const Parameter &Tag) const {
  return argument(*At.Call, *At.Function, Tag.is("sendtag") ? "dest" : "source");
}

// The arguments that depend on the rank, or on the turn of a loop.
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
        bool IsPeer = P.is("dest") || P.is("source"), IsTag = P.is("sendtag") || P.is("recvtag");
        if ((IsPeer || IsTag) && !isa<Constant>(Given) && !constant(Given))
          All.push_back({At, Number, Block, Given, kindOf(P), IsTag ? peerOf(P) : nullptr, {}});
        else if (P.is("root") && Mpi->isCollective() && !isa<Constant>(Given) && !constant(Given))
          All.push_back({At, Number, Block, Given, RankedArgument::Root, nullptr, {}});
        else if (B && B->IsInPlace) All.push_back({At, Number, Block, Root, RankedArgument::InPlace, nullptr, {}});
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
  for (const RankedArgument &One : All) {
    Sure.watch(One.Block, One.Compared);
    if (One.Beside) Sure.watch(One.Block, One.Beside);
  }
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
    bool IsTag = One.Is == RankedArgument::SentTag || One.Is == RankedArgument::ReceivedTag;
    if (IsTag) say("arg.tag", nameOf(One.Number) + " is negative (" + Twine(One.First->Value) + ")");
    else if (One.Is == RankedArgument::Root)
      say("collective.divergence", One.At.Function->Name + " is called with another root on each rank: " +
                                       Twine(One.First->Value) + " on rank " + Twine(One.First->Rank));
    else if (One.Is == RankedArgument::InPlace)
      say("arg.in-place", nameOf(One.Number) + " is MPI_IN_PLACE on rank " + Twine(One.First->Rank) +
                              ", too, which it may be at the root only, rank " + Twine(One.First->Value));
    else
      say("arg.rank", nameOf(One.Number) + " is " + Twine(One.First->Value) + " on rank " + Twine(One.First->Rank) +
                          " of " + Twine(One.First->Size) + ", but the ranks are 0 to " + Twine(One.First->Size - 1));
  }
}
