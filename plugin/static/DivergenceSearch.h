// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for divergent collectives of one function: Divergence.cpp takes ways and compares them,
// DivergenceMending.cpp says what may make good for a call that is missing.
#pragma once
#include "static/Divergence.h"
#include "static/Paths.h"
#include "static/Sequence.h"
#include "static/spmd/UnreachedCode.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace mck::statics {

using namespace llvm;

constexpr unsigned AnyEnd = NoBlock - 1; // where a function returns, or the program is ended
constexpr unsigned MostBlocks = 2500, MostWords = 40, MostEvents = 300;

struct Event {
  const CallBase *Call;
  const MpiFunction *Function;
  const Value *Handle; // communicator, window or file; null: the world
};

/// What one process does at the end of each block.
struct Choices {
  std::vector<unsigned> Next; // the block it goes to, or NoBlock: any
  BitVector Reached;          // blocks that it can come to
  BitVector Surely;           // the same if unknown numbers have the values of this round
  BitVector Ends;             // blocks in loops in which it may end the program
  std::vector<RankValue> Why;
  DenseMap<const CallBase *, RankValue> Roots, Colors;
};

// Of two processes at a condition; the worst last.
enum class Verdict { NotApart, Fit, Unsure, Differ };

class Search {
public:
  Search(const Canonical &Code, RankValues &Values, UnreachedCode &Unreached, const Function &F, Warnings &Out,
         std::vector<MissingCall> &Missing)
      : Code(Code), Values(Values), Unreached(Unreached), F(F), Out(Out), Missing(Missing), Ways(F) {}
  /// Was something found?
  bool run();

private:
  const Canonical &Code;
  RankValues &Values;
  UnreachedCode &Unreached;
  const Function &F;
  Warnings &Out;
  std::vector<MissingCall> &Missing;
  Paths Ways;
  std::vector<SmallVector<Event, 1>> Events; // of each block
  BitVector HasUnknown;                      // blocks with a call that may reach MPI
  SmallVector<unsigned, 16> Deciders;        // blocks with a condition
  DenseMap<unsigned, BitVector> Regions;
  SmallPtrSet<const CallBase *, 8> Said;
  // Where two processes take ways that do not fit: the first such pair.
  struct Apart {
    Process P{};
    int A = 0, B = 0;
    const Instruction *At = nullptr;
    RankValue Why;
    std::vector<Word> InA, InB;
  };
  std::map<std::pair<unsigned, CommKey>, Apart> Found;
  SmallVector<unsigned, 16> Wanted; // conditions with calls on their ways, the inner ones first
  std::map<std::pair<unsigned, std::pair<CommKey, int>>, Verdict> Verdicts;
  std::map<std::pair<CommKey, std::pair<int, int>>, std::vector<Choices>> Known; // of all ranks
  CommKey World = nullptr;
  CommKey Only = nullptr; // only calls of this communicator are compared now; null: all

  bool collect();
  Choices choose(const Process &P);
  bool mayEnd(unsigned At, const Choices &C) const;
  void reach(Choices &C) const;
  BitVector comeTo(Choices &C, bool IsAnyNumber) const;
  bool isAtBoth(unsigned At, const Choices &A, const Choices &B) const;
  bool mayAllEndBehind(unsigned At, const Choices &C) const;
  const std::vector<Choices> &choicesOf(Process P);
  Verdict compareAt(unsigned At, const Process &P, const std::vector<Choices> &All);
  bool areNumbersMet(unsigned At, Process P);
  Verdict verdict(unsigned At, CommKey Comm, int Size);
  void decide(unsigned At, CommKey Comm);
  BitVector madeFrom(unsigned At) const;
  CommKey commOf(const Event &E) { return E.Handle ? Values.comm(E.Handle) : World; }
  Verdict compareOrdered(unsigned At, const Process &P, int A, int B, const Choices &OfA, const Choices &OfB);
  Verdict compare(unsigned At, const Process &P, int A, int B, const Choices &OfA, const Choices &OfB);
  bool takesPart(const Event &E, const Process &P, const Choices &A, const Choices &B);
  bool AreNumbersMet = false;     // values of a round lead two ranks to the condition that is looked at
  bool AreOperationsKnown = true; // each is a predefined one
  std::string nameOf(const Event &E, const Choices &C, bool HasRoots);
  Sequence sequence(unsigned From, unsigned To, const Choices &C, const Process &P, const Choices &Other,
                    std::map<std::string, unsigned> &Names, bool HasRoots, const BitVector *Region);
  bool isFixed(unsigned At, const Choices &C, const BitVector *Region) const;
  bool isMadeWithin(unsigned At, const BitVector &Region) const;
  bool isInformed(const BitVector &Region, const Choices &C) const;
  bool comesTo(const BasicBlock &Header, const BasicBlock &Block, const Choices &C) const;
  bool areRootsKnown(const Choices &A, const Choices &B) const;
  bool mayEndFirst(unsigned At, const Process &P, const Choices &C, const Choices &Other);
  bool mayBeMadeGood(unsigned At, const Process &P, const Choices &A, const Choices &B, bool HasRoots);
  void report(const Apart &Found);
};

} // namespace mck::statics
