// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls about Cartesian topologies tell each rank (RankValue.h), where the grid's dimensions can be computed:
// coordinates, ranks of coordinates and neighbours are arithmetic, since ranks are numbered row-major (MPI-3.1 7.2).
#include "static/RankValue.h"
#include "static/SmallArrays.h"
#include "llvm/IR/Constants.h"
extern "C" {
#include "standard/constants.h"
}

using namespace llvm;
using namespace mck::statics;

// The numbers that a call got in an array; nothing if one of them is not known, or not equal on all ranks.
std::optional<RankValues::Numbers> RankValues::numbers(const Value *Array) {
  Numbers Found;
  for (const Use &Element : passedNumbers(Array)) {
    RankValue One = of(Element);
    if (One.What != RankValue::Number || One.Loop) return std::nullopt;
    Found.IsAssumed |= One.IsAssumed;
    Found.IsDifferent |= One.isDifferent();
    Found.All.push_back(One.Value);
  }
  if (Found.All.empty()) return std::nullopt;
  return Found;
}

// MPI_Dims_create (7.5.2): free dimensions get factors as close to each other as possible, the largest first.
static bool fillDimensions(int64_t Nodes, SmallVectorImpl<int64_t> &Dims) {
  SmallVector<int64_t *, 4> Free;
  for (int64_t &One : Dims) {
    if (One < 0 || (One && Nodes % One)) return false;
    if (One) Nodes /= One;
    else Free.push_back(&(One = 1));
  }
  if (Nodes < 1 || Nodes > 7 || (Free.empty() && Nodes > 1)) return false; // up to 7 it is the same in all libraries
  for (int64_t Factor = 7; Factor > 1; --Factor) {
    bool IsPrime = Factor != 6 && Factor != 4;
    for (; IsPrime && Nodes % Factor == 0; Nodes /= Factor)
      **std::min_element(Free.begin(), Free.end(),
                         [](const int64_t *A, const int64_t *B) { return *A < *B; }) *= Factor;
  }
  return true;
}

// The grid of a communicator that MPI_Cart_create made.
std::optional<RankValues::Grid> RankValues::grid(const Value *Comm) {
  const Origin *From = Code.origin(definition(Comm));
  if (!From || From->Function->find("cartdims") < 0) return std::nullopt;
  auto Dims = numbers(argument(*From->Call, *From->Function, "cartdims"));
  const auto *Count = dyn_cast<ConstantInt>(argument(*From->Call, *From->Function, "ndims"));
  if (!Dims || Dims->IsDifferent || !Count || Count->getZExtValue() > Dims->All.size()) return std::nullopt;
  Grid Found;
  Found.IsAssumed = Dims->IsAssumed;
  Found.Dims.assign(Dims->All.begin(), Dims->All.begin() + ptrdiff_t(Count->getZExtValue()));
  for (int64_t One : Found.Dims) {
    if (One < 1 || One > 64) return std::nullopt;
    Found.Size *= One;
  }
  if (auto Periods = numbers(argument(*From->Call, *From->Function, "numbers")); Periods && !Periods->IsDifferent)
    Found.Periods = Periods->All;
  return Found;
}

SmallVector<int64_t, 4> RankValues::Grid::coordinates(int64_t Rank) const {
  SmallVector<int64_t, 4> Found(Dims.size());
  for (size_t At = Dims.size(); At-- > 0; Rank /= Dims[At]) Found[At] = Rank % Dims[At];
  return Found;
}

// Nothing: a coordinate is outside, and it is not known whether the dimension is periodic. Negative: it is not.
std::optional<int64_t> RankValues::Grid::rank(ArrayRef<int64_t> At) const {
  int64_t Found = 0;
  bool IsOutside = false;
  for (size_t Dim = 0; Dim < Dims.size(); ++Dim) {
    int64_t Here = At[Dim];
    if (Here < 0 || Here >= Dims[Dim]) {
      if (Dim >= Periods.size()) return std::nullopt;
      IsOutside |= !Periods[Dim];
      Here = (Here % Dims[Dim] + Dims[Dim]) % Dims[Dim];
    }
    Found = Found * Dims[Dim] + Here;
  }
  return IsOutside ? -1 : Found;
}

// The rank of the process of which a call tells: an argument, or its own.
std::optional<RankValue> RankValues::askedRank(const Origin &From, const Grid &Of) {
  RankValue Rank;
  if (const Value *Given = argument(*From.Call, *From.Function, "rank")) Rank = of(Given);
  else if (ranksOf(argument(*From.Call, *From.Function, "comm")) == Now.Comm && Now.Size == Of.Size)
    Rank = {RankValue::Number, Now.Rank, From.Call};
  if (Rank.What != RankValue::Number || Rank.Loop || Rank.Value < 0 || Rank.Value >= Of.Size) return std::nullopt;
  return Rank;
}

// Of MPI_Cart_shift (7.5.6): the processes so far away in both directions.
std::optional<int64_t> RankValues::neighbour(const Origin &From, const Grid &Of, int64_t Rank) {
  RankValue Direction = of(argument(*From.Call, *From.Function, "direction"));
  RankValue Way = of(argument(*From.Call, *From.Function, "number"));
  bool AreKnown = Direction.What == RankValue::Number && Way.What == RankValue::Number && !Direction.isDifferent() &&
                  !Way.isDifferent() && !Direction.Loop && !Way.Loop;
  if (!AreKnown || Direction.Value < 0 || size_t(Direction.Value) >= Of.Dims.size()) return std::nullopt;
  bool IsSource = From.Parameter == unsigned(From.Function->find("result"));
  SmallVector<int64_t, 4> At = Of.coordinates(Rank);
  At[size_t(Direction.Value)] += IsSource ? -Way.Value : Way.Value;
  auto Found = Of.rank(At);
  return Found && *Found < 0 ? MCK_PROC_NULL : Found;
}

bool RankValues::isTopology(const Origin &From) {
  return From.Function->find("freedims") >= 0 ||
         (From.Function->find("cart") >= 0 && From.Function->find("newcomm") < 0);
}

RankValue RankValues::ofTopology(const Origin &From) {
  const MpiFunction &Mpi = *From.Function;
  RankValue Found{RankValue::Number};
  if (int At = Mpi.find("freedims"); At >= 0) {
    auto Dims = numbers(From.Call->getArgOperand(unsigned(At)));
    RankValue Nodes = of(argument(*From.Call, Mpi, "count"));
    if (!Dims || Dims->IsDifferent || Nodes.What != RankValue::Number || Nodes.isDifferent() || Nodes.Loop) return {};
    Dims->All.truncate(From.Count);
    if (!fillDimensions(Nodes.Value, Dims->All)) return {};
    Found.Value = Dims->All[From.Element];
    Found.IsAssumed = Dims->IsAssumed || Nodes.IsAssumed;
    return Found;
  }
  auto Of = grid(argument(*From.Call, Mpi, "comm"));
  if (!Of) return {};
  Found.IsAssumed = Of->IsAssumed;
  if (Mpi.find("cartcoords") >= 0) { // MPI_Cart_rank
    auto At = numbers(argument(*From.Call, Mpi, "cartcoords"));
    auto Rank = At && At->All.size() >= Of->Dims.size() ? Of->rank(At->All) : std::nullopt;
    if (!Rank || *Rank < 0) return {};
    Found.Value = *Rank;
    if (At->IsDifferent) Found.Source = From.Call;
    Found.IsAssumed |= At->IsAssumed;
    return Found;
  }
  if (Mpi.Parameters[From.Parameter].Name != "coords" && Mpi.find("direction") < 0) return {};
  auto Rank = askedRank(From, *Of);
  if (!Rank) return {};
  if (Rank->isDifferent()) Found.Source = From.Call;
  Found.IsAssumed |= Rank->IsAssumed;
  if (Mpi.find("direction") >= 0) {
    auto Other = neighbour(From, *Of, Rank->Value);
    if (!Other) return {};
    Found.Value = *Other;
    return Found;
  }
  if (From.Element >= Of->Dims.size()) return {};
  Found.Value = Of->coordinates(Rank->Value)[From.Element];
  return Found;
}

// A grid of all processes in their order: with dimensions that MPI_Dims_create made of the size, and without reorder.
const Value *RankValues::orderedBy(const Origin &Maker) {
  const Value *Dims = argument(*Maker.Call, *Maker.Function, "cartdims");
  const auto *Reorder = Dims ? dyn_cast<ConstantInt>(argument(*Maker.Call, *Maker.Function, "number")) : nullptr;
  if (!Reorder || !Reorder->isZero()) return nullptr;
  for (const Use &Element : passedNumbers(Dims)) {
    const Origin *From = Code.origin(Element);
    if (!From || From->Function->find("freedims") < 0) return nullptr;
    const Origin *Size = Code.origin(argument(*From->Call, *From->Function, "count"));
    if (!Size || Size->Function->row().tells != MCK_STD_TELLS_SIZE) return nullptr;
    const Value *Sized = argument(*Size->Call, *Size->Function, "comm");
    const Value *Comm = argument(*Maker.Call, *Maker.Function, "comm");
    return Sized && Comm && comm(Sized) == comm(Comm) ? Comm : nullptr;
  }
  return nullptr;
}

// A part of a grid has those who agree in the dimensions that do not remain.
RankValue RankValues::color(const CallBase &Part) {
  const MpiFunction &Mpi = *findMpi(Part);
  if (Mpi.Number != MCK_FN_MPI_Cart_sub) return of(argument(Part, Mpi, "color"));
  auto Of = grid(argument(Part, Mpi, "comm"));
  auto Remaining = numbers(argument(Part, Mpi, "numbers"));
  bool IsHere = Of && ranksOf(argument(Part, Mpi, "comm")) == Now.Comm && Now.Size == Of->Size;
  if (!IsHere || !Remaining || Remaining->IsDifferent || Remaining->All.size() < Of->Dims.size()) return {};
  RankValue Found{RankValue::Number, 0, &Part};
  Found.IsAssumed = Of->IsAssumed || Remaining->IsAssumed;
  SmallVector<int64_t, 4> At = Of->coordinates(Now.Rank);
  for (size_t Dim = 0; Dim < At.size(); ++Dim)
    if (!Remaining->All[Dim]) Found.Value = Found.Value * Of->Dims[Dim] + At[Dim];
  return Found;
}
