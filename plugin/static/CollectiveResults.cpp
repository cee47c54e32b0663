// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What collective calls bring (RankValue.h), where each rank gives one number that can be computed: the largest rank is
// never negative, and a program that tests its MPI never comes to what it does for wrong sums. Not of broadcasts: what
// they bring is mostly some input, whatever the variable was before.
#include "static/Datatype.h"
#include "static/RankValue.h"
#include "static/spmd/Reduction.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace mck::statics;

// The value on another rank.
std::optional<int64_t> RankValues::onRank(const Value &V, int Rank) {
  SaveAndRestore Process(Now);
  DenseMap<const Value *, RankValue> Own;
  SmallPtrSet<const Value *, 16> Others;
  std::swap(Own, Done);
  std::swap(Others, Open);
  Now.Rank = Rank;
  RankValue Is = of(&V);
  std::swap(Own, Done);
  std::swap(Others, Open);
  bool IsKnown = Is.What == RankValue::Number && !Is.IsAssumed && !Is.IsLocal && !Is.Loop;
  return IsKnown ? std::optional<int64_t>(Is.Value) : std::nullopt;
}

// What each rank gives, by rank; empty: it is not known.
const std::vector<int64_t> &RankValues::numbersGivenTo(const Value *V, const Origin &From) {
  auto [Place, IsNew] = Given.try_emplace({V, Now.Comm, Now.Size, Now.Round});
  if (!IsNew) return Place->second; // also while it is computed: empty
  const MpiFunction &Mpi = *From.Function;
  int Sent = Mpi.find("sendbuf");
  bool IsInPlace = Sent >= 0 && Sent != int(From.Parameter) && Code.buffer(*From.Call, unsigned(Sent)) &&
                   Code.buffer(*From.Call, unsigned(Sent))->IsInPlace;
  const mck::statics::Sent *Is = Sent < 0 ? nullptr
                                          : Code.sent(*From.Call, IsInPlace ? From.Parameter : unsigned(Sent));
  const Value *Own = Is ? static_cast<const Value *>(Is->Value) : nullptr;
  if (!Own || Own->getType() != V->getType()) return Place->second;
  std::vector<int64_t> All;
  for (int Rank = 0; Rank < Now.Size; ++Rank) {
    auto Number = onRank(*Own, Rank);
    if (!Number) return Place->second;
    All.push_back(*Number);
  }
  return Given[{V, Now.Comm, Now.Size, Now.Round}] = All; // others may have come in meanwhile
}

std::optional<RankValue> RankValues::ofCollective(const Value *V, const Origin &From) {
  const MpiFunction &Mpi = *From.Function;
  bool IsScan = Mpi.Number == MCK_FN_MPI_Scan;
  bool IsKnown = IsScan || Mpi.Number == MCK_FN_MPI_Allreduce || Mpi.Number == MCK_FN_MPI_Reduce;
  const Value *Count = argument(*From.Call, Mpi, "recvcount"), *Type = argument(*From.Call, Mpi, "recvtype");
  if (!IsKnown || !Assumed.empty() || !V->getType()->isIntegerTy() || !Count || !Type) return std::nullopt;
  const auto *One = dyn_cast<ConstantInt>(Count);
  uint32_t Kind = describeDatatype(Type, Code, *this).Kind;
  if (!One || !One->isOne() || (Kind & 0xff) != 'i' || (Kind >> 8) * 8 != V->getType()->getIntegerBitWidth())
    return std::nullopt;
  std::optional<int64_t> Root;
  if (const Value *Passed = argument(*From.Call, Mpi, "root")) {
    RankValue Is = of(Passed);
    if (Is.What != RankValue::Number || Is.isDifferent() || Is.IsAssumed || Is.Loop) return std::nullopt;
    Root = Is.Value;
  }
  if (Root && (*Root < 0 || *Root >= Now.Size || *Root != Now.Rank)) return std::nullopt;
  const std::vector<int64_t> &All = numbersGivenTo(V, From);
  if (All.empty()) return std::nullopt;
  std::vector<Piece> Pieces;
  for (int Rank = 0; Rank < (IsScan ? Now.Rank + 1 : Now.Size); ++Rank)
    Pieces.push_back(Piece::of(Kind >> 8, {Datum::Number, All[size_t(Rank)], {}, false}));
  std::vector<const Piece *> Each;
  for (const Piece &Own : Pieces) Each.push_back(&Own);
  const Value *Operation = argument(*From.Call, Mpi, "op");
  Datum Is = reduce(Each, Kind, Operation ? definition(Operation) : nullptr).at(0, Kind >> 8);
  if (Is.What != Datum::Number) return std::nullopt;
  bool IsOwn = IsScan || Root;
  return RankValue{RankValue::Number, Is.Value, IsOwn ? From.Call : nullptr};
}
