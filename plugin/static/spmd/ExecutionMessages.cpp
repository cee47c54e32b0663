// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of one process, and what it waits for (Execution.h, Exchange.h).
#include "static/Datatype.h"
#include "static/spmd/Execution.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wextra"
extern "C" {
#include "standard/constants.h"
#include "standard/function.h"
}
#pragma GCC diagnostic pop

using namespace llvm;
using namespace mck::statics;

// MPI_Status of Open MPI: MPI_SOURCE, MPI_TAG, MPI_ERROR, a flag, and the bytes that came.
constexpr int64_t StatusSize = 24, StatusTag = 4, StatusError = 8, StatusBytes = 16;

static Datum numberOf(int64_t Value) { return {Datum::Number, Value, {}, false}; }

// Empty: not known.
std::optional<Execution::Plan> Execution::planMessage(const CallBase &Call, const MpiFunction &Mpi, bool IsSend) {
  auto Peer = number(Call, Mpi, IsSend ? "dest" : "source"), Tag = number(Call, Mpi, IsSend ? "sendtag" : "recvtag");
  const Value *Handle = argument(Call, Mpi, "comm");
  auto C = Handle ? commOf(Handle) : std::nullopt;
  if (!C && Handle && Values.ranksOf(Handle) == Who.Comm) return std::nullopt; // a copy that is not known
  if (!Peer || !Tag || !C) return std::nullopt;
  Plan Is{&Call, IsSend, *C, 0, *Tag, -1, {}, 0};
  const std::vector<int> &Members = Others->members(*C);
  if (*Peer == MCK_PROC_NULL) Is.Peer = MCK_PROC_NULL;
  else if (!IsSend && *Peer == MCK_ANY_SOURCE) Is.Peer = -1;
  else if (*Peer < 0 || *Peer >= int64_t(Members.size())) return std::nullopt;
  else Is.Peer = Members[size_t(*Peer)];
  int At = Mpi.find(IsSend ? "sendbuf" : "recvbuf");
  if (At < 0) return Is; // a probe
  Is.Parameter = unsigned(At), Is.At = of(Call.getArgOperand(Is.Parameter));
  Is.Bytes = bytesOf(argument(Call, Mpi, IsSend ? "sendcount" : "recvcount"),
                     argument(Call, Mpi, IsSend ? "sendtype" : "recvtype"))
                 .value_or(-1);
  return Is;
}

// The number of the letter, or of the receipt. There must be somebody.
size_t Execution::post(const Plan &Is, bool IsProbe) {
  if (!Is.IsSend) {
    int64_t Tag = Is.Tag < 0 ? -1 : Is.Tag;
    return Others->receive({Is.Call, Is.Of, Who.Rank, Is.Peer, Tag, std::nullopt, IsProbe});
  }
  Piece Data = Is.Bytes > 0 ? takeBuffer(*Is.Call, Is.Parameter, Is.At, 0, Is.Bytes) : Piece();
  return Others->send({Is.Call, Is.Of, Who.Rank, Is.Peer, Is.Tag, Is.Bytes, Data});
}

void Execution::giveStatus(const Value *Status, int64_t Index, const Exchange::Letter *L) {
  Datum At = Status ? of(Status) : Datum();
  if (At.What != Datum::Address || At.IsFloating) return;
  At.Value += Index * StatusSize;
  Piece Is{StatusSize, {}};
  const std::vector<int> &Members = Others->members(L->Of);
  Is.Parts[0] = {4, numberOf(find(Members, L->From) - Members.begin())};
  Is.Parts[StatusTag] = {4, numberOf(L->Tag)};
  Is.Parts[StatusError] = {4, numberOf(0)};
  if (L->Bytes >= 0) Is.Parts[StatusBytes] = {8, numberOf(L->Bytes)};
  Deliveries.push_back({At, Is});
}

// MPI_Get_count of a status that is known (3.2.5).
Datum Execution::countOf(const CallBase &Call, const MpiFunction &Mpi) {
  Datum At = of(argument(Call, Mpi, "oldstatus"));
  auto Each = bytesOf(ConstantInt::get(Type::getInt32Ty(Call.getContext()), 1), argument(Call, Mpi, "type"));
  if (At.What != Datum::Address || At.IsFloating || !Each || !*Each) return {};
  At.Value += StatusBytes;
  const Datum *Bytes = Memory.load(At, 8);
  if (!Bytes || Bytes->What != Datum::Number || Bytes->Value % *Each) return {};
  return numberOf(Bytes->Value / *Each);
}

// A receive is complete: what came, if that is known.
void Execution::takeMessage(const Plan &Is, size_t Receipt, const Value *Status, int64_t Index) {
  const Exchange::Letter *L = Others->letter(Receipt);
  if (!L && Is.Peer < 0) leave(); // which message it is, may be noticed
  if (!L) return;
  giveStatus(Status, Index, L);
  if (L->Bytes > Is.Bytes && Is.Bytes >= 0)
    fault(*Is.Call, "message.truncated",
          findMpi(*Is.Call)->Name + " receives a message that is too long: of " + Twine(Who.Size) + " ranks, rank " +
              Twine(Who.Rank) + " has room for " + Twine(Is.Bytes) + " bytes, and rank " + Twine(L->From) + " sends " +
              Twine(L->Bytes),
          std::nullopt, L->Call);
  else giveTo({Is.Call, Is.Parameter, Is.At, {}}, 0, L->Data);
}

// What a call starts, and has to wait for.
void Execution::arrive(const CallBase &Call, const MpiFunction &Mpi, Exchange::Wait &W) {
  const mck_std_fn &Row = Mpi.row();
  if (Mpi.isCollective()) return arriveTogether(Call, Mpi, W);
  bool IsSend = Mpi.find("sendtag") >= 0, IsReceive = Mpi.find("recvtag") >= 0, IsProbe = Mpi.find("recvbuf") < 0;
  if (IsSend || IsReceive) {
    bool IsPersistent = Row.has_request && Row.returns != MCK_STD_RETURNS_STARTED;
    if (Mpi.find("message") >= 0) return leave(); // a matched probe
    if (IsSend) Now.Sends = planMessage(Call, Mpi, true);
    if (IsReceive) Now.Receives = planMessage(Call, Mpi, false);
    if ((IsSend && !Now.Sends) || (IsReceive && !Now.Receives)) return leave();
    if (IsPersistent) return;
    auto HasPeer = [](const std::optional<Plan> &Is) { return Is && Is->Peer != MCK_PROC_NULL; };
    if (HasPeer(Now.Sends))
      if (size_t Letter = post(*Now.Sends); Others->isWaiting(Row.mode)) Now.Letter = Letter;
    if (HasPeer(Now.Receives)) Now.Receipt = post(*Now.Receives, IsProbe);
    if (Now.Receipt && !Row.has_request) W.Receipts.push_back(*Now.Receipt);
    if (Now.Letter && !Row.has_request) W.Letters.push_back(*Now.Letter);
    return;
  }
  if (Row.family == MCK_STD_FAMILY_REQUEST) return arriveAtRequests(Call, Mpi, W);
  bool IsUnknown = isOfMessages(Mpi) || Mpi.find("messagevalue") >= 0 || Row.world != MCK_STD_WORLD_NONE;
  if (IsUnknown || Mpi.Number == MCK_FN_MPI_Cancel) leave();
}

void Execution::arriveTogether(const CallBase &Call, const MpiFunction &Mpi, Exchange::Wait &W) {
  if (Mpi.row().collective == MCK_STD_COLLECTIVE_GROUP) return;
  auto C = commOfMeeting(Call, Mpi);
  if (!C) return leave(); // others may know which one it is, and wait
  const std::vector<int> Members = Others->members(*C);
  if (!is_contained(Members, Who.Rank)) return;
  int At = Mpi.find("recvbuf");
  if (At >= 0) {
    Now.Into = {&Call, unsigned(At), of(Call.getArgOperand(unsigned(At))), {}};
    Now.Into.Blocks = blocksOf(Call, Mpi, false, Members.size());
  }
  Now.Meeting = &Others->arrive(Who.Rank, *C, bring(Call, Mpi, Members));
  if (!Mpi.row().has_request && !mck_std_is_neighborhood(Mpi.Number)) W.Meetings.push_back(Now.Meeting);
}

// The operations whose handles a call gets; the n-th is null where there is none. Nothing: not known.
std::optional<std::vector<Execution::Operation *>> Execution::operationsOf(const CallBase &Call,
                                                                           const MpiFunction &Mpi) {
  const Value *One = argument(Call, Mpi, "request"), *Several = argument(Call, Mpi, "requests");
  auto Count = One ? std::optional<int64_t>(1) : number(Call, Mpi, "incount");
  Datum Cell = One || Several ? of(One ? One : Several) : Datum();
  constexpr int64_t Most = 256, HandleSize = 8;
  if (Cell.What != Datum::Address || Cell.IsFloating || !Count || *Count < 0 || *Count > Most) return std::nullopt;
  std::vector<Operation *> All;
  for (int64_t I = 0; I < *Count; ++I, Cell.Value += HandleSize) {
    const Datum *Handle = Memory.load(Cell, HandleSize);
    if (!Handle || Handle->What != Datum::Address) return std::nullopt;
    auto Found = Operations.find(Handle->Of);
    All.push_back(Found == Operations.end() ? nullptr : &Found->second);
  }
  return All;
}

void Execution::arriveAtRequests(const CallBase &Call, const MpiFunction &Mpi, Exchange::Wait &W) {
  if (Mpi.Number == MCK_FN_MPI_Request_free) return; // the operation goes on
  bool IsStart = startsRequests(Mpi);
  auto All = operationsOf(Call, Mpi);
  if (!All || (!IsStart && Mpi.row().completes == MCK_STD_COMPLETES_NONE)) return leave();
  if (IsStart) {
    for (Operation *Is : *All) {
      if (!Is) continue;
      if (!Is->Message) return leave();
      size_t Number = post(*Is->Message);
      if (!Is->Message->IsSend) Is->Receipt = Number;
      else if (Others->isWaiting(findMpi(*Is->Call)->row().mode)) Is->Letter = Number;
    }
    return;
  }
  W.IsForAny = mck_std_is_choosing(Mpi.Number);
  for (const Operation *Is : *All) {
    if (!Is || !Is->IsActive) continue;
    if (Is->Meeting) W.Meetings.push_back(Is->Meeting);
    else if (Is->Receipt) W.Receipts.push_back(*Is->Receipt);
    else if (Is->Letter) W.Letters.push_back(*Is->Letter);
    else if (W.IsForAny) return void(W = {&Call}); // it is complete
  }
}

// False: the process waits in this call.
bool Execution::join(const CallBase &Call, const MpiFunction &Mpi) {
  Now.IsJoined = false;
  if (!Others || !Others->isThere(Who.Rank)) return true;
  if (!IsArrived) {
    Now = {};
    for (unsigned At = 0; At < Mpi.Parameters.size(); ++At) Given.erase({&Call, At});
    Exchange::Wait W{&Call};
    W.IsAsking = Mpi.row().asks == MCK_STD_ASKS_YES;
    arrive(Call, Mpi, W);
    Others->waitOf(Who.Rank) = W;
    IsArrived = true;
  }
  if (Others->isThere(Who.Rank) && !Others->isReady(Who.Rank)) return false;
  Now.IsJoined = Others->isThere(Who.Rank);
  Now.IsRefused = Others->waitOf(Who.Rank).IsRefused;
  Others->waitOf(Who.Rank) = {};
  return true;
}

// What a call that is complete has brought.
void Execution::take(const CallBase &Call, const MpiFunction &Mpi) {
  if (!Now.IsJoined) return;
  const Value *Status = argument(Call, Mpi, "status");
  if (Now.IsRefused) return giveNumber(Call, Mpi, "flag", 0);
  if (Now.Receipt && !Mpi.row().has_request) {
    takeMessage(*Now.Receives, *Now.Receipt, Status, 0);
    if (Others->letter(*Now.Receipt)) giveNumber(Call, Mpi, "flag", 1); // of a probe
  }
  if (Now.Meeting && !Mpi.row().has_request && Exchange::isWhole(*Now.Meeting)) {
    checkCounts(*Now.Meeting, Now.Into);
    takePart(*Now.Meeting, Now.Into);
    bool IsNew = any_of(Mpi.Parameters, [](const Parameter &P) {
      return P.Way == Direction::OUT && (P.is("newcomm") || P.is("newwin") || P.is("newfile"));
    });
    NewComms.erase(&Call);
    if (IsNew) takeComm(Call, Mpi, *Now.Meeting);
  }
}

// Writes what came, behind what the call may write in any case.
void Execution::deliver() {
  for (const auto &[At, What] : Deliveries) Memory.put(At, What);
  Deliveries.clear();
}

bool Execution::isComplete(const Operation &Is) const {
  if (Is.Meeting) return Others->isOver(*Is.Meeting);
  if (Is.Letter) return Others->isReceived(*Is.Letter);
  return !Is.Receipt || Others->letter(*Is.Receipt);
}

// Which of the requests a call completes, by their indices, and says so. Nothing: it is not known.
std::optional<std::set<int64_t>> Execution::complete(const CallBase &Call, const MpiFunction &Mpi) {
  auto All = Now.IsJoined ? operationsOf(Call, Mpi) : std::nullopt;
  if (!All || startsRequests(Mpi) || Mpi.row().completes == MCK_STD_COMPLETES_NONE) return std::nullopt;
  std::set<int64_t> Chosen;
  if (Now.IsRefused) {
    giveNumber(Call, Mpi, "outcount", 0);
    return Chosen;
  }
  const Value *Status = argument(Call, Mpi, "status"), *Statuses = argument(Call, Mpi, "statuses");
  bool IsOne = Mpi.row().completes == MCK_STD_COMPLETES_ANY, IsChoice = mck_std_is_choosing(Mpi.Number);
  bool HasActive = false;
  for (size_t At = 0; At < All->size() && !(IsOne && !Chosen.empty()); ++At) {
    Operation *Is = (*All)[At];
    HasActive |= Is && Is->IsActive;
    if (!Is || !Is->IsActive || (IsChoice && !isComplete(*Is))) continue;
    auto Index = int64_t(IsChoice ? Chosen.size() : At);
    Chosen.insert(int64_t(At));
    if (Is->Receipt) takeMessage(*Is->Message, *Is->Receipt, Statuses ? Statuses : Status, Statuses ? Index : 0);
    if (!Is->Meeting || !Exchange::isWhole(*Is->Meeting)) continue;
    checkCounts(*Is->Meeting, Is->Into);
    takePart(*Is->Meeting, Is->Into);
  }
  if (HasActive && Chosen.empty()) {
    leave();
    return std::nullopt;
  }
  giveNumber(Call, Mpi, "flag", 1);
  if (IsChoice) {
    constexpr int64_t Undefined = -32766;
    giveNumber(Call, Mpi, "index", HasActive ? *Chosen.begin() : Undefined);
    giveNumber(Call, Mpi, "outcount", HasActive ? int64_t(Chosen.size()) : Undefined);
    if (int Indices = Mpi.find("indices"); Indices >= 0) {
      Piece Is{int64_t(Chosen.size()) * 4, {}};
      for (int64_t Index : Chosen) Is.Parts[int64_t(Is.Parts.size()) * 4] = {4, numberOf(Index)};
      giveTo({&Call, unsigned(Indices), of(Call.getArgOperand(unsigned(Indices))), {}}, 0, Is);
    }
  }
  return Chosen;
}

// The call leaves the receive buffer of this process as it is.
bool Execution::isUnchanged(const CallBase &Call, const MpiFunction &Mpi) {
  if (number(Call, Mpi, "source") == MCK_PROC_NULL) return true;
  bool IsOfRoot = Mpi.row().flow == MCK_STD_FLOW_REDUCE || Mpi.row().flow == MCK_STD_FLOW_GATHER;
  const Value *Comm = IsOfRoot ? communicator(Call, Mpi) : nullptr;
  auto Here = Comm ? membership(Comm) : std::nullopt;
  auto Root = number(Call, Mpi, "root");
  return Here && Root && *Root != Here->Rank;
}

// The same, of the store of what a call gives: no data, and the root of a broadcast, which sends it.
bool Execution::storesNothing(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const Origin *From = Store ? View.Code.origin(Store->getValueOperand()) : nullptr;
  if (!From || !(From->Function->row().buffers_out >> From->Parameter & 1)) return false;
  const CallBase &Call = *From->Call;
  const MpiFunction &Mpi = *From->Function;
  if (number(Call, Mpi, "recvcount") == 0 || isUnchanged(Call, Mpi)) return true;
  const Value *Comm = Mpi.row().flow == MCK_STD_FLOW_BROADCAST ? communicator(Call, Mpi) : nullptr;
  auto Here = Comm ? membership(Comm) : std::nullopt;
  return Here && number(Call, Mpi, "root") == Here->Rank;
}

// Known only if it comes from the exchange.
std::optional<Datum> Execution::given(const CallBase &Value, const Origin &From) {
  if (!Others) return std::nullopt;
  const Parameter &P = From.Function->Parameters[From.Parameter];
  auto Tells = From.Function->row().tells;
  if (Tells == MCK_STD_TELLS_RANK || Tells == MCK_STD_TELLS_SIZE) {
    const llvm::Value *Handle = argument(*From.Call, *From.Function, "comm");
    auto C = Handle ? commOf(Handle) : std::nullopt;
    auto Is = C ? membership(Handle) : std::nullopt;
    if (!Is || Value.getType()->isPointerTy()) return std::nullopt;
    return numberOf(Tells == MCK_STD_TELLS_RANK ? Is->Rank : Is->Size);
  }
  if (From.Function->Number == MCK_FN_MPI_Get_count) {
    Datum Is = countOf(*From.Call, *From.Function);
    return Is.What == Datum::Unknown ? std::nullopt : std::optional<Datum>(Is);
  }
  if (P.isHandle() && Value.getType()->isPointerTy()) {
    auto New = NewComms.find(From.Call);
    bool IsFreed = P.Way == Direction::INOUT && From.Function->isCollective();
    if (New == NewComms.end() && !IsFreed) return std::nullopt;
    StringRef Name = P.is("newcomm") ? "ompi_mpi_comm_null" : P.is("newwin") ? "ompi_mpi_win_null" : "";
    const llvm::Value *Null = View.F.getParent()->getNamedValue(Name);
    if (IsFreed || New->second < 0)
      return Null ? std::optional<Datum>({Datum::Address, 0, {Null, 0}, false}) : std::nullopt;
    Datum Is = make(Value);
    Comms[Is.Of] = New->second;
    return Is;
  }
  if (isUnchanged(*From.Call, *From.Function)) {
    const Sent *Before = View.Code.sent(*From.Call, From.Parameter);
    if (Before && Before->Value) return of(Before->Value);
    Datum At = Before && Before->Address ? of(Before->Address) : Datum();
    const Datum *Is = At.What == Datum::Address ? Memory.load(At, int64_t(Layout.getTypeStoreSize(Before->Scalar)))
                                                : nullptr;
    return Is ? std::optional<Datum>(*Is) : std::nullopt;
  }
  auto Found = Given.find({From.Call, From.Parameter});
  if (Found == Given.end()) return std::nullopt;
  auto Size = int64_t(Layout.getTypeStoreSize(Value.getType()));
  Datum Is = Found->second.at(From.Element * Size, Size);
  bool IsReal = Value.getType()->isFloatingPointTy();
  if (Is.What == Datum::Number && IsReal && !Is.Value) Is.What = Datum::Real;
  bool IsFit = IsReal ? Is.What == Datum::Real : Is.What == Datum::Number && Value.getType()->isIntegerTy();
  return IsFit ? std::optional<Datum>(Is) : std::nullopt;
}
