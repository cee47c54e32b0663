// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the tags and datatypes of all sends with those of all receives (MessagePairs.h). Who sends to whom and when
// is not looked at: a call that is said to be lonely has no partner whatever the ranks and the order.
//
// The partner could be in another program that runs together with this one (`mpirun -n 1 ./a : -n 1 ./b`). So the
// program must show that its processes send messages to each other, and it must not ask which of several programs it
// is.
#include "static/program/MessagePairs.h"
#include "static/Datatype.h"
#include "static/SureWay.h"
#include "static/program/ClosedProgram.h"
#include "static/program/NeededMessages.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

constexpr int64_t ProgramNumber = 4; // MPI_APPNUM, of Open MPI

namespace {

// One side of a call; MPI_Sendrecv has both.
struct Side {
  const CallBase *Call;
  const MpiFunction *Function;
  std::optional<int64_t> Tag; // none: not known, or any
  StringRef Basic;            // the type of the numbers; empty: not known, or bytes
  uint32_t Kind;              // their class and size, or 0
  bool IsNeeded;              // without a partner it is an error
  BitVector Ranks;            // the processes that may come to it, of all numbers of processes
};

// Two processes of one number of processes: each of them comes to one of the calls only.
bool areOfDifferentRanks(const Side &A, const Side &B) {
  unsigned At = 0;
  for (int Size = SmallestSize; Size <= LargestSize; ++Size) {
    bool IsAlone[2] = {false, false};
    for (int Rank = 0; Rank < Size; ++Rank, ++At) {
      IsAlone[0] |= A.Ranks.test(At) && !B.Ranks.test(At);
      IsAlone[1] |= B.Ranks.test(At) && !A.Ranks.test(At);
    }
    if (IsAlone[0] && IsAlone[1]) return true;
  }
  return false;
}

class Messages {
public:
  Messages(const Canonical &Code, RankValues &Values) : Code(Code), Values(Values), Needed(Code) {}
  /// False: messages may come from elsewhere.
  bool collect();
  void compare(Warnings &Out) const;

private:
  const Canonical &Code;
  RankValues &Values;
  NeededMessages Needed;
  SmallVector<Side, 32> Sends, Receives;
  std::optional<int64_t> constant(const Value *V);
  void add(const CallBase &Call, const MpiFunction &Function, const BitVector &Ranks, bool IsSend);
  bool collectFrom(const Function &F, CommKey World);
  bool isOfSeveral(const CallBase &Call, const MpiFunction &Function);
  std::optional<int> peer(const Side &One, const char *Role, const Process &P);
  bool areTogether(const Side &Send, const Side &Receive);
};

std::optional<int64_t> Messages::constant(const Value *V) {
  Values.set({nullptr, 0, SmallestSize, 0});
  RankValue Is = V ? Values.of(V) : RankValue();
  if (Is.What != RankValue::Number || Is.IsAssumed || Is.Loop || Is.isDifferent()) return std::nullopt;
  return Is.Value;
}

void Messages::add(const CallBase &Call, const MpiFunction &Function, const BitVector &Ranks, bool IsSend) {
  if (auto Peer = constant(argument(Call, Function, IsSend ? "dest" : "source")); Peer && *Peer == ProcNull) return;
  Side One{&Call, &Function, constant(argument(Call, Function, IsSend ? "sendtag" : "recvtag")),
           "",    0,         Needed.isNeeded(Call, Function),
           Ranks};
  if (One.Tag < 0) One.Tag.reset(); // any, or one that is told of as such
  const Value *Type = argument(Call, Function, IsSend ? "sendtype" : "recvtype");
  if (!Type) Type = argument(Call, Function, "type");
  Datatype Is = Type ? describeDatatype(Type, Code, Values) : Datatype();
  if (Is.isKnown() && Is.Kind) One.Basic = Is.Basic, One.Kind = Is.Kind;
  (IsSend ? Sends : Receives).push_back(One);
}

// Programs that run together are told apart by a number, or each has a color of its own.
bool Messages::isOfSeveral(const CallBase &Call, const MpiFunction &Function) {
  if (Function.Number == MCK_FN_MPI_Comm_get_attr || Function.Number == MCK_FN_MPI_Attr_get) {
    auto Key = constant(Call.getArgOperand(1));
    return !Key || *Key == ProgramNumber;
  }
  if (Function.Number != MCK_FN_MPI_Comm_split || !isWorld(Call.getArgOperand(0))) return false;
  RankValue Color = Values.of(Call.getArgOperand(1));
  return Color.What == RankValue::Uniform || (Color.What == RankValue::Number && !Color.isDifferent());
}

std::optional<int> Messages::peer(const Side &One, const char *Role, const Process &P) {
  const Value *Given = argument(*One.Call, *One.Function, Role);
  Values.set(P);
  RankValue Is = Given ? Values.of(Given) : RankValue();
  bool IsRank = Is.What == RankValue::Number && !Is.IsAssumed && !Is.Loop && Is.Value >= 0 && Is.Value < P.Size;
  return IsRank ? std::optional<int>(int(Is.Value)) : std::nullopt;
}

// Each process that comes there gets from the one that sends to it. Two programs might be told in pairs, too, by
// size - 1 - rank, but there no process is left out.
bool Messages::areTogether(const Side &Send, const Side &Receive) {
  const Value *To = argument(*Send.Call, *Send.Function, "comm"),
              *From = argument(*Receive.Call, *Receive.Function, "comm");
  CommKey Comm = To && From ? Values.ranksOf(To) : nullptr;
  if (!Comm || Values.ranksOf(From) != Comm) return false;
  bool IsPair = true, HasSome = false;
  unsigned At = 0;
  for (int Size = SmallestSize; Size <= LargestSize; ++Size)
    for (int Rank = 0; Rank < Size; ++Rank, ++At) {
      if (!Send.Ranks.test(At) || !Receive.Ranks.test(At)) continue;
      auto Source = peer(Receive, "source", {Comm, Rank, Size, 0}), Dest = peer(Send, "dest", {Comm, Rank, Size, 0});
      auto Back = Source ? peer(Send, "dest", {Comm, *Source, Size, 0}) : std::nullopt;
      if (!Dest || !Back || *Back != Rank) return false;
      IsPair &= *Source == *Dest;
      HasSome = true;
    }
  return HasSome && (!IsPair || !Send.Ranks.all());
}

// Which processes may come to which call?
bool Messages::collectFrom(const Function &F, CommKey World) {
  std::vector<BlockSet> Ways;
  for (int Size = SmallestSize; Size <= LargestSize; ++Size)
    for (int Rank = 0; Rank < Size; ++Rank) Ways.push_back(possibleBlocks(F, Values, Process{World, Rank, Size, 0}));
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    if (!Mpi) continue;
    if (isOfSeveral(*Call, *Mpi)) return false;
    if (Mpi->row().family != MCK_STD_FAMILY_P2P) continue;
    BitVector Ranks(unsigned(Ways.size()));
    for (unsigned At = 0; At < Ways.size(); ++At)
      if (Ways[At].contains(I.getParent())) Ranks.set(At);
    if (Ranks.none()) continue;
    if (Mpi->find("sendtag") >= 0) add(*Call, *Mpi, Ranks, true);
    if (Mpi->find("recvtag") >= 0) add(*Call, *Mpi, Ranks, false);
  }
  return true;
}

bool Messages::collect() {
  if (!isClosedProgram(Code)) return false;
  CommKey World = findWorld(Code.module());
  if (!all_of(Code.roots(), [&](const Function *F) { return collectFrom(*F, World); })) return false;
  // Its processes send messages to each other, or they are to: senders and receivers are other ranks.
  return any_of(Sends, [&](const Side &Send) {
    return any_of(Receives, [&](const Side &Receive) {
      return !Send.Tag || !Receive.Tag || *Send.Tag == *Receive.Tag || areOfDifferentRanks(Send, Receive) ||
             areTogether(Send, Receive);
    });
  });
}

std::string describeTag(const Side &S) { return S.Function->Name.str() + " with tag " + std::to_string(*S.Tag); }

void Messages::compare(Warnings &Out) const {
  // Who asks whether there is a message receives it only if there is one.
  auto IsAskedFor = [&](const Side &One) {
    return any_of(Receives, [&](const Side &Other) {
      return Other.Function->row().polling && (!Other.Tag || *Other.Tag == *One.Tag);
    });
  };
  auto Look = [&](ArrayRef<Side> These, ArrayRef<Side> Others, bool IsSend) {
    for (const Side &One : These) {
      if (!One.Tag || !One.IsNeeded || (!IsSend && IsAskedFor(One))) continue;
      const Side *OfOtherType = nullptr;
      bool HasPartner = false;
      for (const Side &Other : Others) {
        if (Other.Tag && *Other.Tag != *One.Tag) continue;
        bool IsOtherType = One.Kind && Other.Kind && One.Kind != Other.Kind;
        if (IsOtherType) OfOtherType = &Other;
        else HasPartner = true;
      }
      if (HasPartner) continue;
      if (!OfOtherType)
        Out.add({IsSend ? "message.lost" : "message.unmatched-receive",
                 One.Call,
                 describeTag(One) + ": the program has no " + (IsSend ? "receive" : "send") + " with this tag",
                 {}});
      else if (IsSend)
        Out.add({"type.mismatch",
                 One.Call,
                 describeTag(One) + " sends " + One.Basic.str() + ", and all receives with this tag want other types",
                 {{OfOtherType->Call, "here " + OfOtherType->Basic.str() + " is received"}}});
    }
  };
  Look(Sends, Receives, true);
  Look(Receives, Sends, false);
}

} // namespace

void mck::statics::findLonelyMessages(const Canonical &Code, const Memory &Stored, Warnings &Out) {
  RankValues Values(Code, Stored);
  Messages All(Code, Values);
  if (All.collect()) All.compare(Out);
}
