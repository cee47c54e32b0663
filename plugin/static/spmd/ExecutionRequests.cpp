// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of one process (Execution.h): which are started, and use which bytes, and which are completed. A
// handle is a value in memory like any other, so it is known in arrays, structures, and copies. Where a call is met of
// which it is not known what it completes, nothing is known of requests any more.
#include "static/Datatype.h"
#include "static/spmd/Execution.h"

using namespace llvm;
using namespace mck::statics;

constexpr int64_t MostRequests = 256, HandleSize = 8;

bool Execution::startsRequests(const MpiFunction &Mpi) {
  return Mpi.row().family == MCK_STD_FAMILY_REQUEST && Mpi.row().returns == MCK_STD_RETURNS_STARTED;
}

Datum Execution::nullRequest() const {
  return {Datum::Address, 0, {View.F.getParent()->getNamedValue("ompi_request_null"), 0}, false};
}

void Execution::loseRequests() {
  Operations.clear();
  Made.AreRequestsKnown = false;
}

// Handles may be copied.
void Execution::shareRequests() {
  for (auto &[Handle, Is] : Operations) Is.IsElsewhere = true;
}
void Execution::shareRequestsIn(const Value *Address) {
  Datum At = Operations.empty() ? Datum() : of(Address);
  if (At.What != Datum::Address) return;
  Memory.forEach(At.Of, [&](const Datum &What) {
    auto Found = Operations.find(What.Of);
    if (What.What == Datum::Address && Found != Operations.end()) Found->second.IsElsewhere = true;
  });
}

// Only buffers all of whose bytes are used, from one end to the other. Those of one-sided operations may be complete by
// a flush.
std::vector<Execution::Used> Execution::buffersOf(const CallBase &Call, const MpiFunction &Mpi) {
  std::vector<Used> All;
  if (Mpi.row().access != MCK_STD_ACCESS_NONE) return All;
  for (unsigned Number = 0; Number < Mpi.Parameters.size(); ++Number) {
    const Parameter &P = Mpi.Parameters[Number];
    bool IsSent = P.is("sendbuf");
    if (!IsSent && !P.is("recvbuf")) continue;
    auto Bytes = bytesOfBuffer(Call, Mpi, Number);
    Datum At = of(Call.getArgOperand(Number));
    if (!Bytes) addBlocks(Call, Mpi, P, At, All);
    if (Bytes && Bytes->IsDense && Bytes->Size)
      All.push_back({At.Of, At.Value, At.Value + Bytes->Size, !IsSent || (P.is("recvbuf") && !Bytes->IsOfRoot)});
  }
  return All;
}

// Of a buffer with a count for each member.
void Execution::addBlocks(const CallBase &Call, const MpiFunction &Mpi, const Parameter &P, const Datum &At,
                          std::vector<Used> &To) {
  bool IsSent = P.is("sendbuf");
  const Value *Comm = communicator(Call, Mpi);
  auto Here = Comm ? membership(Comm) : std::nullopt;
  bool IsIdle = P.Roles.contains("@root") && (!Here || number(Call, Mpi, "root") != Here->Rank);
  if (!Here || IsIdle || Mpi.find(IsSent ? "sendcounts" : "recvcounts") < 0 || At.What != Datum::Address ||
      At.IsFloating)
    return;
  if (Mpi.row().flow == MCK_STD_FLOW_REDUCE_SCATTER) return;
  for (const Block &One : blocksOf(Call, Mpi, IsSent, size_t(Here->Size)))
    if (One.Size > 0) To.push_back({At.Of, At.Value + One.Begin, At.Value + One.Begin + One.Size, !IsSent});
}

void Execution::use(const Instruction &I, const Datum &At, int64_t Size, bool IsWriting, StringRef What) {
  if (Operations.empty() || At.What != Datum::Address || At.IsFloating) return;
  for (const auto &[Handle, Is] : Operations)
    for (const Used &Buffer : Is.Buffers) {
      bool IsMet = Is.IsActive && Buffer.Of == At.Of && Buffer.Low < At.Value + Size && At.Value < Buffer.High;
      if (!IsMet || (!IsWriting && !Buffer.IsWritten)) continue;
      StringRef Name = findMpi(*Is.Call)->Name;
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const MpiFunction *Mpi = findMpi(*Call))
          return fault(I, "buffer.overlap",
                       Mpi->Name + " uses the buffer of " + Name + " before the operation is complete", std::nullopt,
                       Is.Call);
      return fault(I, IsWriting ? "buffer.modified-in-use" : "buffer.read-in-use",
                   What + "the buffer of " + Name + " before the operation is complete", std::nullopt, Is.Call);
    }
}

// What a call receives may lie in nothing that it sends (3.10, 5.2.3), and in no buffer that is in use.
void Execution::useBuffers(const CallBase &Call, const MpiFunction &Mpi) {
  std::vector<Used> All = buffersOf(Call, Mpi);
  for (size_t A = 0; A < All.size(); ++A)
    for (size_t B = A + 1; B < All.size(); ++B)
      if (All[A].IsWritten != All[B].IsWritten && All[A].Of == All[B].Of && All[A].Low < All[B].High &&
          All[B].Low < All[A].High)
        fault(Call, "buffer.overlap", "the buffers of " + Mpi.Name + " overlap");
  for (const Used &Buffer : All)
    use(Call, {Datum::Address, Buffer.Low, Buffer.Of, false}, Buffer.High - Buffer.Low, Buffer.IsWritten, "");
}

void Execution::startRequest(const CallBase &Call, const MpiFunction &Mpi) {
  Datum Cell = of(argument(Call, Mpi, "request"));
  if (Cell.What != Datum::Address || Cell.IsFloating || isa<Argument>(Cell.Of.first)) return loseRequests();
  if (const Datum *Old = Memory.load(Cell, HandleSize); Old && Old->What == Datum::Address) {
    auto Found = Operations.find(Old->Of);
    if (Found != Operations.end() && !Found->second.IsElsewhere && Memory.count(*Old) == 1) {
      const Operation &Is = Found->second;
      StringRef Name = findMpi(*Is.Call)->Name;
      if (Is.IsPersistent) fault(*Is.Call, "leak.request", "the persistent request of " + Name + " is not freed");
      else
        fault(*Is.Call, "request.overwritten",
              "the request of " + Name + " is overwritten before the operation is complete");
      Operations.erase(Found);
    }
  }
  bool IsPersistent = Mpi.row().returns != MCK_STD_RETURNS_STARTED;
  Object Handle{&Call, Times[&Call]++};
  // With nobody there is nothing to complete (3.11).
  auto Peer = number(Call, Mpi, Mpi.find("dest") >= 0 ? "dest" : "source");
  bool HasPeer = Mpi.row().family != MCK_STD_FAMILY_P2P || (Peer && *Peer != ProcNull);
  if (HasPeer) {
    Operation &Is = Operations[Handle] = {&Call, IsPersistent, !IsPersistent, false, buffersOf(Call, Mpi)};
    if (Now.IsJoined) {
      Is.Message = Now.Sends ? Now.Sends : Now.Receives;
      Is.Receipt = Now.Receipt, Is.Letter = Now.Letter, Is.Meeting = Now.Meeting, Is.Into = Now.Into;
    }
  }
  Memory.store(Cell, HandleSize, {Datum::Address, 0, Handle, false});
}

// IsChosen: it is known to be complete.
void Execution::changeRequest(const CallBase &Call, const MpiFunction &Mpi, const Datum &Cell, bool IsChosen) {
  const Datum *Kept = Memory.load(Cell, HandleSize);
  if (!Kept || Kept->What != Datum::Address) return loseRequests();
  Datum Handle = *Kept;
  auto Found = Operations.find(Handle.Of);
  if (Found == Operations.end()) return; // null, or complete already
  const mck_std_fn &Row = Mpi.row();
  if (startsRequests(Mpi)) {
    if (Found->second.IsActive)
      fault(Call, "request.start-active", "a persistent request is started while it is active", std::nullopt,
            Found->second.Call);
    Found->second.IsActive = true;
    return;
  }
  bool IsAll = Row.completes == MCK_STD_COMPLETES_ONE || Row.completes == MCK_STD_COMPLETES_ALL;
  bool IsComplete = IsChosen || (IsAll && Row.returns == MCK_STD_RETURNS_COMPLETED);
  if (IsComplete && Found->second.IsPersistent) {
    Found->second.IsActive = false;
    return;
  }
  Operations.erase(Found); // it is complete, or may be
  if (IsComplete || Mpi.Number == MCK_FN_MPI_Request_free) Memory.store(Cell, HandleSize, nullRequest());
  else Memory.forget(Cell.Of, Cell.Value, Cell.Value + HandleSize);
}

void Execution::useRequests(const CallBase &Call, const MpiFunction &Mpi) {
  if (Mpi.row().has_request) return startRequest(Call, Mpi);
  if (const Value *Asked = argument(Call, Mpi, "requestvalue")) { // it may tell that the operation is complete
    Datum Handle = of(Asked);
    if (Handle.What != Datum::Address) return loseRequests();
    Operations.erase(Handle.Of);
    return;
  }
  const Value *One = argument(Call, Mpi, "request"), *Several = argument(Call, Mpi, "requests");
  if (!One && !Several) return;
  auto Count = One ? std::optional<int64_t>(1) : number(Call, Mpi, "incount");
  Datum Cell = of(One ? One : Several);
  bool IsKnown = Cell.What == Datum::Address && !Cell.IsFloating && Count && *Count <= MostRequests;
  if (!IsKnown) {
    loseRequests();
    return forgetThrough(One ? One : Several);
  }
  auto Chosen = complete(Call, Mpi);
  for (int64_t I = 0; I < *Count; ++I, Cell.Value += HandleSize)
    if (!Chosen || Chosen->count(I)) changeRequest(Call, Mpi, Cell, Chosen.has_value());
}

// What the process has started and not completed when it returns.
void Execution::endRequests() {
  if (!Made.IsWhole || !Made.AreRequestsKnown) return;
  for (const auto &[Handle, Is] : Operations) {
    if (Is.IsElsewhere) continue;
    StringRef Name = findMpi(*Is.Call)->Name;
    Fault Left = Is.IsActive ? Fault{"request.not-completed", ("the operation of " + Name + " is not completed").str()}
                             : Fault{"leak.request", ("the persistent request of " + Name + " is not freed").str()};
    Made.Unfinished.try_emplace(Is.Call, Left);
  }
}
