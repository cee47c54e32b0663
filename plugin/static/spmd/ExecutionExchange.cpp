// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one process gives to others, waits for, and gets from them (Execution.h, Exchange.h).
#include "static/Datatype.h"
#include "static/spmd/Execution.h"
#include "static/spmd/Reduction.h"
extern "C" {
#include "standard/constants.h"
}

using namespace llvm;
using namespace mck::statics;

static Datum numberOf(int64_t Value) { return {Datum::Number, Value, {}, false}; }

void Execution::leave() {
  if (Others) Others->leave(Who.Rank);
}

std::optional<Comm> Execution::commOf(const Value *Handle) {
  Datum Is = of(Handle);
  if (!Others || Is.What != Datum::Address || Is.IsFloating || Is.Value) return std::nullopt;
  if (isWorld(Is.Of.first)) return Exchange::World;
  if (isSelf(Is.Of.first)) return Exchange::self(Who.Rank);
  auto Found = Comms.find(Is.Of);
  return Found == Comms.end() ? std::nullopt : std::optional<Comm>(Found->second);
}

std::optional<Execution::Membership> Execution::membership(const Value *Handle) {
  if (Values.ranksOf(Handle) == Who.Comm) return Membership{Who.Rank, Who.Size};
  auto C = commOf(Handle);
  if (!C) return std::nullopt;
  const std::vector<int> &Members = Others->members(*C);
  auto Own = find(Members, Who.Rank);
  if (Own == Members.end()) return std::nullopt;
  return Membership{int(Own - Members.begin()), int(Members.size())};
}

// Of whom a call is collective: a communicator, or what stands for a window or file.
std::optional<Comm> Execution::commOfMeeting(const CallBase &Call, const MpiFunction &Mpi) {
  if (Mpi.row().collective == MCK_STD_COLLECTIVE_CONNECTED) return Exchange::World;
  for (unsigned At = 0; At < Mpi.Parameters.size(); ++At) {
    const Parameter &P = Mpi.Parameters[At];
    if (!P.isHandle() || P.Way == Direction::OUT) continue;
    if (auto C = commOf(Call.getArgOperand(At))) return C;
  }
  return std::nullopt;
}

std::optional<int64_t> Execution::bytesOf(const Value *Count, const Value *Type) {
  Datum Is = Count ? of(Count) : Datum();
  if (Is.What != Datum::Number || Is.Value < 0 || !Type) return std::nullopt;
  Datatype Element = describeDatatype(Type, View.Code, Values);
  return Element.isDense() ? std::optional<int64_t>(Is.Value * int64_t(Element.Extent)) : std::nullopt;
}

// At: where the buffer is, if its address is an argument.
Piece Execution::takeBuffer(const CallBase &Call, unsigned Number, Datum At, int64_t Begin, int64_t Size) {
  if (const Sent *Is = View.Code.sent(Call, Number)) {
    int64_t Bytes = int64_t(Layout.getTypeStoreSize(Is->Scalar));
    if (Begin || !Size) return Piece{Size, {}};
    if (const Value *V = Is->Value) return Piece::of(Bytes, of(V));
    if (const Value *Kept = Is->Address; Kept && of(Kept).What == Datum::Address) return Memory.take(of(Kept), Bytes);
    return Piece{Size, {}};
  }
  if (At.What != Datum::Address || At.IsFloating || mayOthersWrite(At, 1)) return Piece{Size, {}};
  readConstant(At.Of.first);
  At.Value += Begin;
  return Memory.take(At, Size);
}

// The numbers of an array: counts and displacements.
std::optional<std::vector<int64_t>> Execution::numbersAt(const Value *Array, size_t Count) {
  constexpr int64_t Bytes = 4;
  Datum At = Array ? of(Array) : Datum();
  if (At.What != Datum::Address || At.IsFloating) return std::nullopt;
  readConstant(At.Of.first);
  std::vector<int64_t> All;
  for (; All.size() < Count; At.Value += Bytes) {
    const Datum *Is = Memory.load(At, Bytes);
    if (!Is || Is->What != Datum::Number) return std::nullopt;
    All.push_back(Is->Value);
  }
  return All;
}

// Where the blocks of each member lie in a buffer, and how many bytes they have. Empty: not known.
std::vector<Execution::Block> Execution::blocksOf(const CallBase &Call, const MpiFunction &Mpi, bool IsSent,
                                                  size_t Members) {
  const Value *Type = argument(Call, Mpi, IsSent ? "sendtype" : "recvtype");
  const Value *Counts = argument(Call, Mpi, IsSent ? "sendcounts" : "recvcounts");
  const Value *Starts = argument(Call, Mpi, IsSent ? "senddispls" : "recvdispls");
  std::vector<Block> All;
  if (!Counts) {
    auto Bytes = bytesOf(argument(Call, Mpi, IsSent ? "sendcount" : "recvcount"), Type);
    for (size_t At = 0; Bytes && At < Members; ++At) All.push_back({int64_t(At) * *Bytes, *Bytes});
    return All;
  }
  auto Lengths = numbersAt(Counts, Members), Offsets = Starts ? numbersAt(Starts, Members) : Lengths;
  auto Each = bytesOf(ConstantInt::get(Type::getInt32Ty(Call.getContext()), 1), Type);
  if (!Lengths || !Offsets || !Each) return All;
  int64_t Behind = 0;
  for (size_t At = 0; At < Members; ++At) {
    int64_t Length = (*Lengths)[At] * *Each;
    All.push_back({Starts ? (*Offsets)[At] * *Each : Behind, Length});
    Behind += Length;
  }
  return All;
}

Exchange::Part Execution::bring(const CallBase &Call, const MpiFunction &Mpi, const std::vector<int> &Members) {
  Exchange::Part Is{&Call, &Mpi, number(Call, Mpi, "root"), number(Call, Mpi, "color"), number(Call, Mpi, "number")};
  if (Mpi.Number == MCK_FN_MPI_Comm_split_type)
    if (Datum Key = of(Call.getArgOperand(2)); Key.What == Datum::Number) Is.Key = Key.Value;
  if (const Value *Operation = argument(Call, Mpi, "op"))
    if (Datum Known = of(Operation); Known.What == Datum::Address && !Known.Value)
      Is.Operation = dyn_cast<GlobalVariable>(Known.Of.first);
  if (const Value *Group = argument(Call, Mpi, "group")) Is.Group = this->members(Group);
  int Sent = Mpi.find("sendbuf"), Received = Mpi.find("recvbuf");
  if (Sent < 0) return Is;
  if (const Value *Type = argument(Call, Mpi, "sendtype")) Is.Kind = describeDatatype(Type, View.Code, Values).Kind;
  const Buffer *Where = View.Code.buffer(Call, unsigned(Sent));
  bool IsInPlace = Where && Where->IsInPlace, IsInReceived = IsInPlace || Sent == Received;
  uint8_t Flow = Mpi.row().flow;
  bool IsEach = Flow == MCK_STD_FLOW_SCATTER || Flow == MCK_STD_FLOW_ALL_TO_ALL;
  Datum Known = of(Call.getArgOperand(unsigned(Sent)));
  if (Where && Where->MayBeInPlace && Known.What == Datum::Unknown) return Is;
  if (IsEach || (IsInPlace && Flow != MCK_STD_FLOW_REDUCE && Flow != MCK_STD_FLOW_REDUCE_ALL)) {
    bool IsBlock = IsInPlace && (Flow == MCK_STD_FLOW_ALL_GATHER || Flow == MCK_STD_FLOW_GATHER);
    std::vector<Block> All = blocksOf(Call, Mpi, !IsBlock, Members.size());
    for (size_t At = 0; At < All.size() && (IsEach || IsBlock); ++At) {
      auto From = unsigned(IsBlock ? Received : Sent);
      Piece One = takeBuffer(Call, From, of(Call.getArgOperand(From)), All[At].Begin, All[At].Size);
      if (IsEach) Is.Each.push_back(One), Is.Sizes.push_back(All[At].Size);
      else if (Members[At] == Who.Rank) Is.Own = One;
    }
    return Is;
  }
  const Value *Count = argument(Call, Mpi, "sendcount");
  if (!Count) Count = argument(Call, Mpi, "recvcount");
  std::optional<int64_t> Size = bytesOf(Count, argument(Call, Mpi, "sendtype"));
  if (Flow == MCK_STD_FLOW_REDUCE_SCATTER) {
    std::vector<Block> All = blocksOf(Call, Mpi, false, Members.size());
    Size = All.empty() ? std::nullopt : std::optional<int64_t>(All.back().Begin + All.back().Size);
  }
  auto From = unsigned(IsInReceived ? Received : Sent);
  if (Size) Is.Own = takeBuffer(Call, From, of(Call.getArgOperand(From)), 0, *Size);
  if (!IsInPlace) Is.Bytes = Size;
  return Is;
}

// All say the same of how many bytes go from one to another (5.4 to 5.9).
void Execution::checkCounts(const Exchange::Meeting &M, const Target &Into) {
  const std::vector<int> &Members = Others->members(M.Of);
  auto Own = size_t(find(Members, Who.Rank) - Members.begin());
  const Exchange::Part &Mine = *M.Parts[Own];
  auto Tell = [&](size_t Other, const Twine &Here, const Twine &There) {
    fault(*Mine.Call, "collective.count",
          Mine.Mpi->Name + " with counts that do not fit: of " + Twine(Who.Size) + " ranks, rank " + Twine(Who.Rank) +
              " " + Here + ", and rank " + Twine(Members[Other]) + " " + There,
          std::nullopt, M.Parts[Other]->Call);
  };
  auto Compare = [&](size_t Other) { // of what all have as many
    auto Here = Mine.Bytes, There = M.Parts[Other]->Bytes;
    if (Here && There && *Here != *There) Tell(Other, "has " + Twine(*Here) + " bytes", "has " + Twine(*There));
  };
  auto CompareSent = [&](size_t From, size_t At, std::optional<int64_t> Sent) {
    if (From == Own || At >= Into.Blocks.size() || !Sent || Into.Blocks[At].Size == *Sent) return;
    Tell(From, "receives " + Twine(Into.Blocks[At].Size) + " bytes", "sends " + Twine(*Sent));
  };
  auto Sent = [&](size_t From) {
    const std::vector<int64_t> &All = M.Parts[From]->Sizes;
    return Own < All.size() ? std::optional(All[Own]) : std::nullopt;
  };
  uint8_t Flow = Mine.Mpi->row().flow;
  auto Root = size_t(std::clamp(Mine.Root.value_or(0), int64_t(0), int64_t(Members.size()) - 1));
  if (!Mine.Root && argument(*Mine.Call, *Mine.Mpi, "root")) return;
  switch (Flow) {
  case MCK_STD_FLOW_BROADCAST:
  case MCK_STD_FLOW_REDUCE: return Compare(Root);
  case MCK_STD_FLOW_REDUCE_ALL:
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN: return Compare(0);
  case MCK_STD_FLOW_SCATTER: return CompareSent(Root, 0, Sent(Root));
  case MCK_STD_FLOW_GATHER:
    if (Own != Root) return;
    [[fallthrough]];
  case MCK_STD_FLOW_ALL_GATHER:
    for (size_t From = 0; From < Members.size(); ++From) CompareSent(From, From, M.Parts[From]->Bytes);
    return;
  case MCK_STD_FLOW_ALL_TO_ALL:
    for (size_t From = 0; From < Members.size(); ++From) CompareSent(From, From, Sent(From));
    return;
  default: return;
  }
}

// What a member gets: the bytes of its receive buffer that are known.
void Execution::takePart(const Exchange::Meeting &M, const Target &Into) {
  const std::vector<int> &Members = Others->members(M.Of);
  auto Own = size_t(find(Members, Who.Rank) - Members.begin());
  const Exchange::Part &Mine = *M.Parts[Own];
  auto Root = size_t(std::clamp(Mine.Root.value_or(0), int64_t(0), int64_t(Members.size()) - 1));
  uint8_t Flow = Mine.Mpi->row().flow;
  if (!Mine.Root && argument(*Mine.Call, *Mine.Mpi, "root")) return;
  auto Reduced = [&](size_t End) {
    std::vector<const Piece *> All;
    for (size_t At = 0; At < End; ++At) All.push_back(&M.Parts[At]->Own);
    return reduce(All, Mine.Kind, Mine.Operation);
  };
  auto Each = [&](size_t From) {
    const std::vector<Piece> &All = M.Parts[From]->Each;
    return Own < All.size() ? All[Own] : Piece();
  };
  switch (Flow) {
  case MCK_STD_FLOW_BROADCAST: return giveTo(Into, 0, M.Parts[Root]->Own);
  case MCK_STD_FLOW_SCATTER: return giveTo(Into, 0, Each(Root));
  case MCK_STD_FLOW_REDUCE:
    if (Own == Root) giveTo(Into, 0, Reduced(Members.size()));
    return;
  case MCK_STD_FLOW_REDUCE_ALL: return giveTo(Into, 0, Reduced(Members.size()));
  case MCK_STD_FLOW_SCAN: return giveTo(Into, 0, Reduced(Own + 1));
  case MCK_STD_FLOW_EXSCAN:
    if (Own) giveTo(Into, 0, Reduced(Own));
    return;
  case MCK_STD_FLOW_REDUCE_SCATTER: {
    if (Into.Blocks.size() <= Own) return;
    Piece All = Reduced(Members.size()), One{Into.Blocks[Own].Size, {}};
    for (const auto &[Offset, Is] : All.Parts)
      if (Offset >= Into.Blocks[Own].Begin && Offset + Is.Size <= Into.Blocks[Own].Begin + One.Size)
        One.Parts[Offset - Into.Blocks[Own].Begin] = Is;
    return giveTo(Into, 0, One);
  }
  case MCK_STD_FLOW_GATHER:
    if (Own != Root) return;
    [[fallthrough]];
  case MCK_STD_FLOW_ALL_GATHER:
  case MCK_STD_FLOW_ALL_TO_ALL:
    for (size_t From = 0; From < Members.size() && From < Into.Blocks.size(); ++From)
      giveTo(Into, Into.Blocks[From].Begin, Flow == MCK_STD_FLOW_ALL_TO_ALL ? Each(From) : M.Parts[From]->Own);
    return;
  default: return;
  }
}

void Execution::giveTo(const Target &Into, int64_t Begin, const Piece &What) {
  if (!Begin && Into.Call) Given[{Into.Call, Into.Parameter}] = What;
  Datum At = Into.At;
  if (At.What != Datum::Address || At.IsFloating) return;
  At.Value += Begin;
  Deliveries.push_back({At, What});
}

void Execution::giveNumber(const CallBase &Call, const MpiFunction &Mpi, StringRef Role, int64_t Value) {
  int At = Mpi.find(Role);
  if (At >= 0)
    giveTo({&Call, unsigned(At), of(Call.getArgOperand(unsigned(At))), {}}, 0, Piece::of(4, numberOf(Value)));
}

// A grid of all processes, in their order (Topology.cpp).
bool Execution::isGridOfAll(const CallBase &Call) {
  for (const Instruction *I = Call.getNextNode(); I; I = I->getNextNode())
    if (const Origin *From = View.Code.origin(I); From && From->Call == &Call && I->getType()->isPointerTy())
      return findMpi(Call)->Number == MCK_FN_MPI_Cart_create && Values.ranksOf(I) == Who.Comm;
  return false;
}

// A new communicator, or what stands for a window or file: of whom it is, by the parts of all.
void Execution::takeComm(const CallBase &Call, const MpiFunction &Mpi, Exchange::Meeting &M) {
  const std::vector<int> Members = Others->members(M.Of);
  auto Own = size_t(find(Members, Who.Rank) - Members.begin());
  bool IsCopy = all_of(Mpi.Parameters,
                       [](const Parameter &P) { return P.is("comm") || P.is("info") || P.is("newcomm"); });
  bool IsOfAll = IsCopy || isGridOfAll(Call) || Mpi.find("newwin") >= 0 || Mpi.find("newfile") >= 0;
  bool IsSplit = Mpi.Number == MCK_FN_MPI_Comm_split || Mpi.Number == MCK_FN_MPI_Comm_split_type;
  if (!IsOfAll && !IsSplit && Mpi.Number != MCK_FN_MPI_Comm_create) return; // of whom it is, is not computed
  auto ColorOf = [&](const Exchange::Part &P) -> std::optional<int64_t> {
    if (Mpi.Number == MCK_FN_MPI_Comm_split) return P.Color;
    if (Mpi.Number == MCK_FN_MPI_Comm_create)
      return P.Group ? std::optional<int64_t>(P.Group->empty() ? -1 : P.Group->front()) : std::nullopt;
    return 0;
  };
  std::vector<std::tuple<int64_t, size_t, int>> Chosen; // key, old rank, process
  auto Mine = ColorOf(*M.Parts[Own]);
  for (size_t At = 0; At < Members.size(); ++At) {
    const Exchange::Part &P = *M.Parts[At];
    auto Color = ColorOf(P);
    if (!Color || !Mine || (Mpi.Number == MCK_FN_MPI_Comm_split && !P.Key)) return;
    if (*Color == *Mine) Chosen.push_back({IsSplit ? P.Key.value_or(0) : 0, At, Members[At]});
  }
  if (*Mine < 0) {
    NewComms[&Call] = -1;
    return;
  }
  llvm::sort(Chosen);
  std::vector<int> Ranks;
  for (const auto &One : Chosen) Ranks.push_back(std::get<2>(One));
  if (Mpi.Number == MCK_FN_MPI_Comm_create) Ranks = *M.Parts[Own]->Group;
  auto [Made, IsNew] = M.Made.try_emplace(*Mine, 0);
  if (IsNew) Made->second = Others->make(Ranks);
  NewComms[&Call] = is_contained(Ranks, Who.Rank) ? Made->second : -1;
}
