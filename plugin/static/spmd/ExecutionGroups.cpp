// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of ranks, and the epochs that they open (MPI-3.1 6.3, 11.5.2; Execution.h).
#include "static/spmd/Execution.h"
#include "static/state/EpochCall.h"

using namespace llvm;
using namespace mck::statics;

std::optional<std::vector<int>> Execution::members(const Value *Group) {
  Datum Is = Group ? of(Group) : Datum();
  auto Found = Is.What == Datum::Address && !Is.IsFloating ? Groups.find(Is.Of) : Groups.end();
  return Found == Groups.end() ? std::nullopt : std::optional<std::vector<int>>(Found->second);
}

// The ranks of the group that a call makes, in the communicator that is looked at.
std::optional<std::vector<int>> Execution::membersOf(const CallBase &Call, const MpiFunction &Mpi) {
  std::vector<int> Found;
  if (Mpi.Number == MCK_FN_MPI_Comm_group || Mpi.Number == MCK_FN_MPI_Win_get_group) {
    if (!isOfGroup(Call, Mpi)) return std::nullopt;
    for (int Rank = 0; Rank < Who.Size; ++Rank) Found.push_back(Rank);
    return Found;
  }
  if (Mpi.Number != MCK_FN_MPI_Group_incl && Mpi.Number != MCK_FN_MPI_Group_excl) return std::nullopt;
  auto Whole = members(argument(Call, Mpi, "group"));
  auto Count = number(Call, Mpi, "count");
  Datum At = of(argument(Call, Mpi, "ranks"));
  if (!Whole || !Count || *Count < 0 || *Count > Who.Size || (*Count && At.What != Datum::Address)) return std::nullopt;
  std::set<int64_t> Named;
  for (int64_t I = 0; I < *Count; ++I) {
    Datum Here = At;
    Here.Value += I * int64_t(sizeof(int));
    const Datum *Rank = Memory.load(Here, sizeof(int));
    if (!Rank || Rank->What != Datum::Number || Rank->Value < 0 || Rank->Value >= int64_t(Whole->size()))
      return std::nullopt;
    Named.insert(Rank->Value);
    if (Mpi.Number == MCK_FN_MPI_Group_incl) Found.push_back((*Whole)[size_t(Rank->Value)]);
  }
  if (Mpi.Number == MCK_FN_MPI_Group_excl)
    for (size_t I = 0; I < Whole->size(); ++I)
      if (!Named.count(int64_t(I))) Found.push_back((*Whole)[I]);
  return Found;
}

// MPI_Win_start waits for posts, and learns nothing of what its targets do behind them.
void Execution::open(State &S, const Object &Window, const CallBase &Call, const MpiFunction &Mpi) {
  auto Ranks = members(argument(Call, Mpi, "group"));
  bool IsPost = mck_std_epoch_call(Mpi.Number) == MCK_STD_CALL_POST;
  Made.Ordered.insert(Phase);
  if (!Ranks) {
    S.IsOther = true;
  } else if (IsPost) {
    S.Exposure = int(Made.Exposures.size());
    Made.Exposures.push_back({Window, {Ranks->begin(), Ranks->end()}, Phase, Learned});
  } else {
    S.Targets = {Ranks->begin(), Ranks->end()};
    for (int Target : S.Targets) ++S.Starts[Target];
  }
  if (IsPost) ++Told;
}

void Execution::close(State &S, const MpiFunction &Mpi) {
  Made.Ordered.insert(Phase);
  if (mck_std_epoch_call(Mpi.Number) == MCK_STD_CALL_COMPLETE) {
    S.Targets.clear();
    ++Told;
    return;
  }
  if (Mpi.find("flag") >= 0) S.IsOther = true; // MPI_Win_test: whether the epoch has ended is not known
  if (S.Exposure >= 0) Made.Exposures[size_t(S.Exposure)].ToldAtEnd = Told;
  S.Exposure = -1;
  ++Learned;
}
