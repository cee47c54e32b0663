// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the tags and datatypes of all sends with those of all receives (MessagePairs.h). Who sends to whom and when
// is not looked at: a call that is said to be lonely has no partner whatever the ranks and the order.
#include "static/program/MessagePairs.h"
#include "static/Datatype.h"
#include "static/SureWay.h"
#include "static/program/ClosedProgram.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

constexpr int64_t AnyTag = -1; // of Open MPI

namespace {

// One side of a call; MPI_Sendrecv has both.
struct Side {
  const CallBase *Call;
  const MpiFunction *Function;
  std::optional<int64_t> Tag; // none: not known, or any
  StringRef Basic;            // the type of the numbers; empty: not known, or bytes
  uint32_t Kind;              // their class and size, or 0
  bool MayWait;               // a nonblocking probe need not find anything
};

class Messages {
public:
  Messages(const Canonical &Code, RankValues &Values) : Code(Code), Values(Values) {}
  /// False: messages may come from elsewhere.
  bool collect();
  void compare(Warnings &Out) const;

private:
  const Canonical &Code;
  RankValues &Values;
  SmallVector<Side, 32> Sends, Receives;
  std::optional<int64_t> constant(const Value *V);
  void add(const CallBase &Call, const MpiFunction &Function, bool IsSend);
};

std::optional<int64_t> Messages::constant(const Value *V) {
  Values.set({nullptr, 0, SmallestSize, 0});
  RankValue Is = V ? Values.of(V) : RankValue();
  if (Is.What != RankValue::Number || Is.IsAssumed || Is.Loop || Is.isDifferent()) return std::nullopt;
  return Is.Value;
}

void Messages::add(const CallBase &Call, const MpiFunction &Function, bool IsSend) {
  if (auto Peer = constant(argument(Call, Function, IsSend ? "dest" : "source")); Peer && *Peer == ProcNull) return;
  Side One{&Call, &Function, constant(argument(Call, Function, IsSend ? "sendtag" : "recvtag")),
           "",    0,         !Function.row().polling};
  if (One.Tag == AnyTag) One.Tag.reset();
  const Value *Type = argument(Call, Function, IsSend ? "sendtype" : "recvtype");
  if (!Type) Type = argument(Call, Function, "type");
  Datatype Is = Type ? describeDatatype(Type, Code, Values) : Datatype();
  if (Is.isKnown() && Is.Kind) One.Basic = Is.Basic, One.Kind = Is.Kind;
  (IsSend ? Sends : Receives).push_back(One);
}

bool Messages::collect() {
  if (!isClosedProgram(Code)) return false;
  for (const Function *F : Code.roots()) {
    auto Possible = possibleBlocks(*F, Values, nullptr);
    for (const Instruction &I : instructions(*F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
      if (!Mpi || Mpi->row().family != MCK_STD_FAMILY_P2P || !Possible.contains(I.getParent())) continue;
      if (Mpi->find("sendtag") >= 0) add(*Call, *Mpi, true);
      if (Mpi->find("recvtag") >= 0) add(*Call, *Mpi, false);
    }
  }
  return true;
}

std::string describeTag(const Side &S) { return S.Function->Name.str() + " with tag " + std::to_string(*S.Tag); }

void Messages::compare(Warnings &Out) const {
  auto Look = [&](ArrayRef<Side> These, ArrayRef<Side> Others, bool IsSend) {
    for (const Side &One : These) {
      if (!One.Tag || !One.MayWait) continue;
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
