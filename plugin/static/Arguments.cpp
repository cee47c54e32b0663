// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and handles among the arguments (Arguments.h).
#include "static/ArgumentSearch.h"
#include "static/SureWay.h"
#include "llvm/IR/InstIterator.h"
extern "C" {
#include "standard/constants.h"
}

using namespace llvm;
using namespace mck::statics;

ArgumentSearch::ArgumentSearch(const Canonical &Code, RankValues &Values, const llvm::Function &F, Warnings &Out)
    : Code(Code), Values(Values), F(F), Out(Out), World(Code.module().getNamedGlobal("ompi_mpi_comm_world")) {}

// A number that is computed of others has to come out the same for several processes.
std::optional<int64_t> ArgumentSearch::constant(const Value *V) {
  if (!V || !V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64) return std::nullopt;
  if (const auto *Number = dyn_cast<ConstantInt>(V)) return Number->getSExtValue();
  std::optional<int64_t> Found;
  for (int Size = SmallestSize; Size <= LargestSize; ++Size) {
    Values.set({World, Size - 2, Size, 0});
    RankValue One = Values.of(V);
    if (One.What != RankValue::Number || One.IsAssumed || One.Loop || One.isDifferent()) return std::nullopt;
    if (Found && *Found != One.Value) return std::nullopt;
    Found = One.Value;
  }
  return Found;
}

std::optional<int64_t> ArgumentSearch::constant(StringRef Role) {
  return constant(argument(*At.Call, *At.Function, Role));
}

// Sends and receives of one call have roles of their own.
std::optional<int64_t> ArgumentSearch::constantBeside(unsigned Number, StringRef Role) {
  bool IsSend = At.Function->Parameters[Number].is("sendbuf");
  return constant(((IsSend ? "send" : "recv") + Role).str());
}

bool ArgumentSearch::isWithNobody(unsigned Number) {
  const mck_std_fn &Row = At.Function->row();
  StringRef Role = Row.access != MCK_STD_ACCESS_NONE                        ? "target"
                   : At.Function->find("root") >= 0                         ? "root"
                   : At.Function->Parameters[Number].Roles.contains("send") ? "dest"
                                                                            : "source";
  return constant(Role) == MCK_PROC_NULL;
}

bool ArgumentSearch::isIntra() const {
  const Value *Comm = argument(*At.Call, *At.Function, "comm");
  return Comm && (isSelf(Comm) || (World && Values.ranksOf(Comm) == World));
}

std::string ArgumentSearch::nameOf(unsigned Number) const {
  return (At.Function->Parameters[Number].Name + " of " + At.Function->Name).str();
}

void ArgumentSearch::say(StringRef Kind, const Twine &Text, std::vector<Note> Notes) {
  Told = At.Call;
  Out.add({Kind, At.Call, Text.str(), std::move(Notes)});
}

void ArgumentSearch::lookAtPeer(unsigned Number, const Parameter &P, int64_t Value) {
  const llvm::Value *Comm = argument(*At.Call, *At.Function, "comm");
  bool IsRoot = P.is("root"), IsSource = P.is("source");
  StringRef Kind = IsRoot ? "arg.root" : "arg.rank";
  if (Value == MCK_PROC_NULL && (!IsRoot || !isIntra())) return;
  if ((Value == MCK_ANY_SOURCE && IsSource) || (Value == MCK_ROOT && IsRoot && !isIntra())) return;
  if (Value == MCK_ANY_SOURCE && !IsRoot)
    say(Kind, nameOf(Number) + " is MPI_ANY_SOURCE, which is not a rank to send to");
  else if (Value == MCK_PROC_NULL && IsRoot)
    say(Kind, nameOf(Number) + " is MPI_PROC_NULL, which is a root of intercommunicators only");
  else if (Value == MCK_ROOT && IsRoot)
    say(Kind, nameOf(Number) + " is MPI_ROOT, which is a root of intercommunicators only");
  else if (Value < 0) say(Kind, nameOf(Number) + " is " + Twine(Value) + ", which is no rank");
  else if (Comm && isSelf(Comm) && Value > 0)
    say(Kind, nameOf(Number) + " is " + Twine(Value) + ", but the only rank of MPI_COMM_SELF is 0");
}

// Does the argument count at all? One that is significant at the root only has a mark; what belongs to a buffer that is
// MPI_IN_PLACE does not count (MPI-3.1 5.2.1), nor does the origin's side of a fetch with MPI_NO_OP (11.3.4).
bool ArgumentSearch::counts(unsigned Number) {
  const Parameter &P = At.Function->Parameters[Number];
  if (P.Roles.contains("@")) return false;
  if (P.is("sendcount") || P.is("sendtype"))
    if (At.Function->row().access == MCK_STD_ACCESS_GET_ACCUMULATE) return false;
  for (StringRef Side : {"send", "recv"}) {
    if (!P.is((Side + "count").str()) && !P.is((Side + "type").str())) continue;
    int Where = At.Function->find((Side + "buf").str());
    const Buffer *B = Where < 0 ? nullptr : Code.buffer(*At.Call, unsigned(Where));
    if (B && (B->IsInPlace || B->MayBeInPlace)) return false;
  }
  return true;
}

void ArgumentSearch::lookAtNumber(unsigned Number, const Parameter &P) {
  std::optional<int64_t> Value = constant(At.Call->getArgOperand(Number));
  if (!Value) return;
  if (P.is("dest") || P.is("source") || P.is("target") || P.is("root")) {
    lookAtPeer(Number, P, *Value);
    return;
  }
  if (*Value >= 0 || !counts(Number)) return;
  for (StringRef Role : {"sendcount", "recvcount", "count", "incount", "target_count"})
    if (P.is(Role)) say("arg.count", nameOf(Number) + " is negative (" + Twine(*Value) + ")");
  bool IsSend = P.is("sendtag"), IsReceive = P.is("recvtag");
  if ((!IsSend && !IsReceive) || isWithNobody(Number)) { // that tag has no effect (MPI-3.1 3.11)
    if (P.is("color") && *Value != MCK_UNDEFINED)
      say("arg.color", nameOf(Number) + " is negative (" + Twine(*Value) + ")");
    return;
  }
  if (*Value == MCK_ANY_TAG && IsReceive) return;
  if (*Value == MCK_ANY_TAG) say("arg.tag", nameOf(Number) + " is MPI_ANY_TAG, which is for receives and probes only");
  else say("arg.tag", nameOf(Number) + " is negative (" + Twine(*Value) + ")");
}

// Where the null handle is legal, or the argument counts on some ranks only, the table has a mark. Functions that only
// tell something of a handle are not looked at.
void ArgumentSearch::lookAtHandle(unsigned Number, const Parameter &P) {
  if (P.Way != Direction::IN || !counts(Number)) return;
  const mck_std_fn &Row = At.Function->row();
  bool MovesData = Row.family == MCK_STD_FAMILY_P2P || Row.family == MCK_STD_FAMILY_RMA ||
                   Row.family == MCK_STD_FAMILY_COLLECTIVE || Row.family == MCK_STD_FAMILY_NEIGHBORHOOD;
  bool IsUse = MovesData || Row.family == MCK_STD_FAMILY_EPOCH || Row.family == MCK_STD_FAMILY_FILE ||
               At.Function->isCollective();
  if (!IsUse) return;
  const Value *Handle = At.Call->getArgOperand(Number);
  for (StringRef Role : {"comm", "win", "file", "op", "group"})
    if (P.is(Role) && isNullHandle(Handle, Role)) say("handle.null", nameOf(Number) + " is a null handle");
  for (StringRef Role : {"sendtype", "recvtype"})
    if (P.is(Role) && MovesData && isNullHandle(Handle, "datatype") && !isWithNobody(Number) &&
        constant((Role.take_front(4) + "count").str()).value_or(0) > 0)
      say("handle.null", nameOf(Number) + " is a null handle");
}

void ArgumentSearch::run() {
  if (F.size() > 2500) return;
  SmallVector<Place, 32> Calls;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const MpiFunction *Mpi = findMpi(*Call)) Calls.push_back({Call, Mpi});
  if (!Calls.empty()) { // most functions have none
    auto Possible = possibleBlocks(F, Values, World);
    erase_if(Calls, [&](const Place &One) { return !Possible.contains(One.Call->getParent()); });
  }
  for (const Place &One : Calls) {
    At = One;
    for (unsigned Number = 0; Number < At.Function->Parameters.size(); ++Number) {
      const Parameter &P = At.Function->Parameters[Number];
      const Value *Given = At.Call->getArgOperand(Number);
      if (Given->getType()->isIntegerTy()) lookAtNumber(Number, P);
      else if (P.is("sendbuf") || P.is("recvbuf")) lookAtBuffer(Number, P);
      else lookAtHandle(Number, P);
    }
    lookAtRange();
    lookAtPair();
  }
  // Other functions may be called by some ranks only.
  if (F.getName() == "main" && World) lookAtRanks();
}

void mck::statics::findArguments(const Canonical &Code, const Memory &Stored, Warnings &Out) {
  RankValues Values(Code, Stored);
  for (const Function *F : Code.roots()) ArgumentSearch(Code, Values, *F, Out).run();
}
