// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for wrong arguments in one function: Arguments.cpp looks at numbers and handles, BufferArguments.cpp at
// buffers, ComputedRanks.cpp at what depends on the rank.
#pragma once
#include "static/Arguments.h"
#include "static/Datatype.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Module.h"

namespace mck::statics {

class ArgumentSearch {
public:
  ArgumentSearch(const Canonical &Code, RankValues &Values, const llvm::Function &F, Warnings &Out);
  void run();

private:
  const Canonical &Code;
  RankValues &Values;
  const llvm::Function &F;
  Warnings &Out;
  const llvm::Value *World; // the handle MPI_COMM_WORLD, or null: the module does not use it
  struct Place {
    const llvm::CallBase *Call;
    const MpiFunction *Function;
  } At{};
  const llvm::CallBase *Told = nullptr; // the last call of which something was said
  struct Wrong {
    int Rank = -1, Size = 0;
    int64_t Value = 0;
  };

  /// The argument, if it is the same number on all ranks.
  std::optional<int64_t> constant(const llvm::Value *V);
  std::optional<int64_t> constant(llvm::StringRef Role);
  /// The number that belongs to a buffer: "sendcount" of "sendbuf".
  std::optional<int64_t> constantBeside(unsigned Number, llvm::StringRef Role);
  bool isWithNobody(unsigned Number); // the peer is MPI_PROC_NULL
  bool counts(unsigned Number);
  bool isIntra() const; // the communicator has one group, surely
  std::string nameOf(unsigned Number) const;
  void say(llvm::StringRef Kind, const llvm::Twine &Text, std::vector<Note> Notes = {});

  void lookAtNumber(unsigned Number, const Parameter &P);
  void lookAtPeer(unsigned Number, const Parameter &P, int64_t Value);
  void lookAtHandle(unsigned Number, const Parameter &P);
  void lookAtBuffer(unsigned Number, const Parameter &P);
  void lookAtRoom(unsigned Number, const Parameter &P, const Buffer &B, const Datatype &Type, uint64_t Count);
  void lookAtNumbers(unsigned Number, const Buffer &B, const Datatype &Type, uint64_t Count);
  void lookAtMembers(unsigned Number, const Buffer &B, const Datatype &Type);
  void lookAtElements(unsigned Number, const Parameter &P);
  void lookAtDeclared(unsigned Number, const Parameter &P);
  void lookAtHeap(unsigned Number, const Parameter &P);
  void lookAtRange();
  void lookAtPair();
  bool hasPartners(int Size);
  void lookAtRanks();
  struct RankedArgument {
    Place At;
    unsigned Number, Block;
    const llvm::Value *Compared; // the peer, the tag, or the root that MPI_IN_PLACE is for
    enum Kind { Peer, Source, SentTag, ReceivedTag, InPlace, Root } Is;
    const llvm::Value *Beside; // of a tag: the peer
    std::optional<Wrong> First;
    bool isWrong(int64_t Value, int Rank, int Size) const;
    bool IsReached = false, HasWrong = false;      // with this number of ranks
    std::optional<int64_t> OfOther = std::nullopt; // what another rank gives
    bool IsEverReached = false, IsRight = false;
  };
  const llvm::Value *peerOf(const Parameter &Tag) const;
  static RankedArgument::Kind kindOf(const Parameter &P);
  std::vector<RankedArgument> rankedArguments(const class Paths &Ways);
  void walk(class SureWays &Sure, int LastRound, std::vector<RankedArgument> &All);
};

} // namespace mck::statics
