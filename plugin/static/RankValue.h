// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which value an expression has on each rank. Expressions over the own rank, the number of ranks, constants, and what
// is equal on all ranks are computed for small numbers of ranks, so "rank / size" is no difference and "rank % 2" is
// one. (PARCOACH's multi-valued analysis, Euro-Par 2019, has one bit of taint instead.)
#pragma once
#include "static/Memory.h"
#include "static/OwnNumbers.h"
#include "static/spmd/CommandLines.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace mck::statics {

/// A communicator, or what stands for it: its handle's value or the place where the handle is kept.
using CommKey = const void *;

/// One process: its rank in a communicator with so many ranks. Round: which values the unknown numbers have that are
/// equal on all ranks.
struct Process {
  CommKey Comm;
  int Rank, Size, Round;
};
constexpr int SmallestSize = 2, LargestSize = 5, Rounds = 12;
/// Rounds of runs that are possible whatever else is so: without arguments, and behind it with each of the command
/// lines that fit the program (spmd/CommandLines.h). No other number of these is known there.
constexpr int NoArguments = -1;
/// Is all that decides known in such a round?
constexpr bool isCertainRound(int Round) { return Round <= NoArguments; }

struct RankValue {
  enum Kind {
    Number,  // computed
    Uniform, // equal on all ranks, not known which
    Own,     // each rank has its own: a clock, its part of a scattered array
    Unknown  // with a Source: it depends on the rank in a way that is not computed
  } What = Unknown;
  int64_t Value = 0;
  const llvm::Value *Source = nullptr;    // the call that makes ranks differ
  const llvm::BasicBlock *Loop = nullptr; // it is another in each iteration of the loop with this header
  bool IsAssumed = false;                 // computed with a number that is not known
  bool IsLocal = false;                   // the process finds it out by itself. Own: and only some ranks do so
  bool isDifferent() const { return Source != nullptr; }
};

class RankValues {
public:
  RankValues(const Canonical &Code, const Memory &Stored) : Code(Code), Stored(Stored), Data(Code, *this) {}

  /// The values for this process, until the next call of set.
  void set(const Process &P);
  RankValue of(const llvm::Value *V);
  /// Was a number needed that is not known? Then another round has other numbers.
  bool hasSymbols() const { return !Symbols.empty(); }
  /// It compares two texts: strcmp and the like.
  static bool comparesTexts(const llvm::Value *V);
  /// argv[i], and what it points to.
  static bool isOfMain(const llvm::LoadInst &Load);
  /// Looks for what the function compares its arguments with.
  void lookForOptions(const llvm::Function &F);
  /// The command line of a round that is certain.
  const CommandLine &line() const { return lineOf(Now.Round); }
  const CommandLine &lineOf(int Round) const { return Lines[size_t(NoArguments - Round)]; }
  /// The last of the rounds from NoArguments down.
  int lastCertainRound() const { return NoArguments - int(Lines.size() - 1); }
  /// The successor that a terminator takes.
  const llvm::BasicBlock *successor(const llvm::Instruction &Terminator, RankValue &Why);

  /// The communicator that a handle is, and the one whose ranks it has: MPI_Comm_dup keeps them.
  CommKey comm(const llvm::Value *Handle);
  CommKey ranksOf(const llvm::Value *Handle);
  /// The call of MPI_Comm_split (6.4.2) that made the communicator, or null.
  const llvm::CallBase *split(const llvm::Value *Handle);
  /// The same, or that of MPI_Cart_sub (7.5.7); and which part of it the process is in.
  const llvm::CallBase *part(const llvm::Value *Handle);
  RankValue color(const llvm::CallBase &Part);
  /// The handle's defining value: that which was stored, if only one is.
  const llvm::Value *definition(const llvm::Value *Handle);

private:
  const Canonical &Code;
  const Memory &Stored;
  OwnNumbers Data;
  Process Now{};
  llvm::DenseMap<const llvm::Value *, RankValue> Done;
  llvm::SmallPtrSet<const llvm::Value *, 16> Open;
  llvm::DenseMap<const llvm::Value *, unsigned> Symbols; // values that are equal on all ranks
  llvm::SmallVector<unsigned, 4> Options;                // symbols that compare an argument with a text
  std::vector<CommandLine> Lines{{}};
  static constexpr size_t MostOptions = 6;
  llvm::DenseMap<const llvm::Value *, CommKey> Makers; // by the handle
  llvm::DenseMap<Location, const char *> Places;
  llvm::SmallPtrSet<const llvm::PHINode *, 4> Assumed; // variables of loops that are being looked at
  std::vector<std::unique_ptr<char>> Names;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<const llvm::CallBase *, 8>> ReceivesOf;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<llvm::DominatorTree>> Trees;
  unsigned Work = 0;

  RankValue symbol(const llvm::Value *V); // RankSymbols.cpp
  bool isGiven(unsigned Place) const;
  RankValue certain(const llvm::Value *V) const;
  static bool isSameOfInput(const llvm::Value *A, const llvm::Value *B, unsigned Depth);
  static bool isOption(const llvm::Value *V);
  RankValue compute(const llvm::Value *V);
  RankValue ofGiven(const llvm::Value *V, const Origin &From);
  bool scattersOneValue(const Origin &From);

  // Collective calls with one number of each rank (CollectiveResults.cpp).
  std::map<std::tuple<const llvm::Value *, CommKey, int, int>, std::vector<int64_t>> Given; // by size and round, too
  std::optional<int64_t> onRank(const llvm::Value &V, int Rank);
  const std::vector<int64_t> &numbersGivenTo(const llvm::Value *V, const Origin &From);
  std::optional<RankValue> ofCollective(const llvm::Value *V, const Origin &From);

  // Cartesian topologies (Topology.cpp).
  struct Numbers {
    llvm::SmallVector<int64_t, 4> All;
    bool IsAssumed = false, IsDifferent = false;
  };
  struct Grid {
    llvm::SmallVector<int64_t, 4> Dims, Periods; // Periods: empty if they are not known
    int64_t Size = 1;
    bool IsAssumed = false;
    llvm::SmallVector<int64_t, 4> coordinates(int64_t Rank) const;
    std::optional<int64_t> rank(llvm::ArrayRef<int64_t> At) const;
  };
  static bool isTopology(const Origin &From);
  RankValue ofTopology(const Origin &From);
  std::optional<Numbers> numbers(const llvm::Value *Array);
  std::optional<Grid> grid(const llvm::Value *Comm);
  std::optional<RankValue> askedRank(const Origin &From, const Grid &Of);
  std::optional<int64_t> neighbour(const Origin &From, const Grid &Of, int64_t Rank);
  const llvm::Value *orderedBy(const Origin &Maker);

  RankValue ofCall(const llvm::CallBase &Call);
  RankValue ofLocalCall(const llvm::CallBase &Call);
  RankValue ofLoad(const llvm::LoadInst &Load);
  RankValue ofIteration(const llvm::PHINode &Phi);
  const llvm::Value *leftBy(const llvm::BasicBlock &Header, const llvm::BasicBlock &Behind);
  RankValue ofHeader(const llvm::PHINode &Phi);
  RankValue ofPhi(const llvm::PHINode &Phi);
  RankValue ofLocalPhi(const llvm::PHINode &Phi, const llvm::Value *Source);
  std::optional<RankValue> ofNullPart(const llvm::ICmpInst &Compare);
  std::optional<RankValue> ofPointers(const llvm::ICmpInst &Compare);
  RankValue ofOperation(const llvm::Instruction &I);
};

} // namespace mck::statics
