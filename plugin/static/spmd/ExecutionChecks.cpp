// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with a call of one process by the numbers that it has there (Execution.h): ranks that do not exist,
// buffers beyond their memory; and the messages of the process.
#include "static/Datatype.h"
#include "static/spmd/Execution.h"
extern "C" {
#include "standard/constants.h"
}

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostMessages = 2000;

// 0: not known.
int64_t Execution::sizeOfAllocation(const CallBase &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  Datum First = of(Call.getArgOperand(0)), Second = Call.arg_size() > 1 ? of(Call.getArgOperand(1)) : Datum();
  bool HasTwo = Name == "calloc" || Name == "aligned_alloc";
  if (First.What != Datum::Number || (HasTwo && Second.What != Datum::Number)) return 0;
  int64_t Size = Name == "calloc" ? First.Value * Second.Value : HasTwo ? Second.Value : First.Value;
  return std::max(Size, int64_t(0));
}

int64_t Execution::sizeOf(const Object &O) const {
  if (const auto *Local = dyn_cast<AllocaInst>(O.first))
    return Local->isArrayAllocation() ? 0 : int64_t(Layout.getTypeAllocSize(Local->getAllocatedType()));
  if (const auto *Global = dyn_cast<GlobalVariable>(O.first))
    return Global->hasDefinitiveInitializer() ? int64_t(Layout.getTypeAllocSize(Global->getValueType())) : 0;
  auto Found = Sizes.find(O);
  return Found == Sizes.end() ? 0 : Found->second;
}

// Of a loop in which some turns are wrong the first of these is told.
void Execution::fault(const Instruction &At, StringRef Kind, const Twine &Text, std::optional<int64_t> Number,
                      const CallBase *Since) {
  Made.Faults.try_emplace(&At, Fault{Kind, Text.str(), Number, Since});
}

void Execution::checkRank(const CallBase &Call, const MpiFunction &Mpi, unsigned Number) {
  const Parameter &P = Mpi.Parameters[Number];
  Datum Is = of(Call.getArgOperand(Number));
  auto Here = membership(communicator(Call, Mpi));
  if (!Here || Is.What != Datum::Number || (Is.Value >= 0 && Is.Value < Here->Size)) return;
  bool IsRoot = P.is("root");
  if (!IsRoot && (Is.Value == MCK_PROC_NULL || (P.is("source") && Is.Value == MCK_ANY_SOURCE))) return;
  fault(Call, IsRoot ? "arg.root" : "arg.rank",
        P.Name + " of " + Mpi.Name + " is " + Twine(Is.Value) + " on rank " + Twine(Who.Rank) + " of " +
            Twine(Who.Size) + ", but the ranks " +
            (Here->Size == Who.Size ? Twine("are 0 to ") : Twine("of this communicator are 0 to ")) +
            Twine(Here->Size - 1),
        Is.Value);
}

// With MPI_IN_PLACE, or where only the root's counts, it is ignored.
void Execution::checkCount(const CallBase &Call, const MpiFunction &Mpi, unsigned Number) {
  const Parameter &P = Mpi.Parameters[Number];
  const Value *Beside = argument(Call, Mpi, P.is("sendcount") ? "sendbuf" : "recvbuf");
  Datum Is = of(Call.getArgOperand(Number));
  const Value *Comm = communicator(Call, Mpi);
  auto Here = Comm ? membership(Comm) : std::nullopt;
  if (Is.What != Datum::Number || Is.Value >= 0 || !Beside || of(Beside).What != Datum::Address) return;
  if (P.Roles.contains("@root") && (!Here || number(Call, Mpi, "root") != Here->Rank)) return;
  fault(Call, "arg.count",
        P.Name + " of " + Mpi.Name + " is negative (" + Twine(Is.Value) + ") on rank " + Twine(Who.Rank) + " of " +
            Twine(Who.Size));
}

// It is for the root of a collective call (MPI-3.1 5.5, 5.6).
void Execution::checkInPlace(const CallBase &Call, const MpiFunction &Mpi, unsigned Number) {
  const Buffer *Is = View.Code.buffer(Call, Number);
  auto Root = number(Call, Mpi, "root");
  const Value *Comm = communicator(Call, Mpi);
  auto Here = Comm ? membership(Comm) : std::nullopt;
  int Own = Here ? Here->Rank : -1;
  if (!Is || !Is->IsInPlace || !Root || *Root < 0 || Own < 0 || *Root == Own) return;
  fault(Call, "arg.in-place",
        Mpi.Parameters[Number].Name + " of " + Mpi.Name + " is MPI_IN_PLACE on rank " + Twine(Own) +
            ", too, which it may be at the root only, rank " + Twine(*Root));
}

// How many blocks of its count a call has at this rank; 0: that is not known.
int Execution::countBlocks(const MpiFunction &Mpi, bool IsSent, bool IsRoot, int Size) {
  switch (Mpi.row().flow) {
  case MCK_STD_FLOW_GATHER: return IsSent ? 1 : IsRoot ? Size : 0;
  case MCK_STD_FLOW_SCATTER: return !IsSent ? 1 : IsRoot ? Size : 0;
  case MCK_STD_FLOW_ALL_GATHER: return IsSent ? 1 : Size;
  case MCK_STD_FLOW_ALL_TO_ALL: return Size;
  case MCK_STD_FLOW_REDUCE: return IsSent || IsRoot ? 1 : 0;
  case MCK_STD_FLOW_BROADCAST:
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN:
  case MCK_STD_FLOW_REDUCE_ALL: return 1;
  default: return Mpi.row().family == MCK_STD_FAMILY_P2P;
  }
}

// Nothing: it is not known, or the call does not use it at this rank.
std::optional<Execution::BufferBytes> Execution::bytesOfBuffer(const CallBase &Call, const MpiFunction &Mpi,
                                                               unsigned Number) {
  const Parameter &P = Mpi.Parameters[Number];
  bool IsSent = P.is("sendbuf");
  Datum At = of(Call.getArgOperand(Number));
  if (At.What != Datum::Address || At.IsFloating || At.Value < 0 || P.Roles.contains("@any")) return std::nullopt;
  auto Count = this->number(Call, Mpi, IsSent ? "sendcount" : "recvcount"), Root = this->number(Call, Mpi, "root");
  const Value *Type = argument(Call, Mpi, IsSent ? "sendtype" : "recvtype"), *Comm = communicator(Call, Mpi);
  auto Here = Comm ? membership(Comm) : std::nullopt;
  if (!Count || *Count <= 0 || !Type || !Here) return std::nullopt;
  if (auto Peer = this->number(Call, Mpi, IsSent ? "dest" : "source"); Mpi.row().family == MCK_STD_FAMILY_P2P)
    if (!Peer || *Peer == MCK_PROC_NULL) return std::nullopt;
  Datatype Element = describeDatatype(Type, View.Code, Values);
  BufferBytes Is;
  Is.Count = *Count, Is.IsOfRoot = Root == Here->Rank;
  Is.Blocks = countBlocks(Mpi, IsSent, Is.IsOfRoot, Here->Size);
  if (!Element.isKnown() || !Is.Blocks) return std::nullopt;
  Is.Size = int64_t(Element.reach(uint64_t(*Count * Is.Blocks)));
  Is.IsDense = Element.isDense();
  return Is;
}

// A receive may get less than its buffer could take (3.2.4).
void Execution::checkRoom(const CallBase &Call, const MpiFunction &Mpi, unsigned Number) {
  const Parameter &P = Mpi.Parameters[Number];
  auto Needed = bytesOfBuffer(Call, Mpi, Number);
  Datum At = of(Call.getArgOperand(Number));
  int64_t Size = Needed ? sizeOf(At.Of) : 0, Room = std::max(Size - At.Value, int64_t(0));
  if (!Size || Needed->Size <= Room) return;
  bool MayBeLess = !P.is("sendbuf") && Mpi.row().family == MCK_STD_FAMILY_P2P;
  fault(Call, MayBeLess ? "arg.memory-room" : "arg.memory",
        P.Name + " of " + Mpi.Name + ": " + Twine(Needed->Count) + " elements" +
            (Needed->Blocks > 1 ? " for each of " + Twine(Needed->Blocks) + " ranks" : Twine("")) + " are " +
            Twine(Needed->Size) + " bytes, but the memory has " + Twine(Room) +
            (Needed->Blocks > 1 ? Twine("") : " on rank " + Twine(Who.Rank) + " of " + Twine(Who.Size)));
}

// Sends and receives, also those that a request may become.
bool Execution::isOfMessages(const MpiFunction &Mpi) {
  const mck_std_fn &Row = Mpi.row();
  return startsRequests(Mpi) || Mpi.Number == MCK_FN_MPI_Cancel ||
         (Row.family == MCK_STD_FAMILY_P2P && (Row.buffers_in || Row.buffers_out));
}

void Execution::addMessage(const CallBase &Call, const MpiFunction &Mpi, bool IsSend) {
  auto Peer = number(Call, Mpi, IsSend ? "dest" : "source"), Tag = number(Call, Mpi, IsSend ? "sendtag" : "recvtag");
  const Value *Comm = communicator(Call, Mpi);
  bool IsKnown = Peer && Tag && Comm && Made.Messages.size() < MostMessages && Values.ranksOf(Comm) == Who.Comm;
  if (Peer == MCK_PROC_NULL) return;
  if (!IsKnown) Made.AreMessagesKnown = false;
  else Made.Messages.push_back({&Call, Values.comm(Comm), IsSend, std::max(*Peer, int64_t(-1)), *Tag});
}

void Execution::check(const CallBase &Call, const MpiFunction &Mpi) {
  const mck_std_fn &Row = Mpi.row();
  const Value *Comm = communicator(Call, Mpi);
  bool IsHere = Comm && membership(Comm);
  for (unsigned At = 0; At < Mpi.Parameters.size(); ++At) {
    const Parameter &P = Mpi.Parameters[At];
    if (IsHere && (P.is("dest") || P.is("source") || P.is("root"))) checkRank(Call, Mpi, At);
    if (P.isHandle() && P.Way != Direction::OUT && !P.Name.contains("request")) checkHandle(Call, Mpi, At);
    if (P.is("sendcount") || P.is("recvcount")) checkCount(Call, Mpi, At);
    if (P.is("rootinplace")) checkInPlace(Call, Mpi, At);
    if (IsHere && (P.is("sendbuf") || P.is("recvbuf"))) checkRoom(Call, Mpi, At);
  }
  if (!isOfMessages(Mpi)) return;
  bool IsPlain = Row.keeps != MCK_STD_KEEPS_BUFFERS || Row.returns == MCK_STD_RETURNS_STARTED;
  bool IsOne = Mpi.find("sendtag") >= 0 || Mpi.find("recvtag") >= 0; // not a matched probe's, nor MPI_Start
  if (!IsPlain || !IsOne || isSelf(Comm)) Made.AreMessagesKnown &= isSelf(Comm);
  else {
    if (Mpi.find("sendtag") >= 0) addMessage(Call, Mpi, true);
    if (Mpi.find("recvtag") >= 0) addMessage(Call, Mpi, false);
  }
}
