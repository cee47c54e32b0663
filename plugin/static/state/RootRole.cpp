// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "static/state/RootRole.h"
#include "static/state/Buffers.h"

using namespace llvm;
using namespace mck::statics;

// Between two groups a rank says nothing of the root (MPI-3.1 5.2.3).
static bool hasOneGroup(const Value *Comm, const Canonical &Code) {
  for (unsigned Steps = 0; Comm && Steps < 8; ++Steps) {
    if (isWorld(Comm) || isSelf(Comm)) return true;
    const Origin *From = Code.origin(Comm);
    if (!From) return false;
    switch (From->Function->Number) {
    case MCK_FN_MPI_Intercomm_merge:
    case MCK_FN_MPI_Cart_create:
    case MCK_FN_MPI_Cart_sub:
    case MCK_FN_MPI_Graph_create: return true;
    case MCK_FN_MPI_Comm_dup:
    case MCK_FN_MPI_Comm_split:
    case MCK_FN_MPI_Comm_create: Comm = argument(*From->Call, *From->Function, "comm"); break;
    default: return false;
    }
  }
  return false;
}

// A condition of the path that compares them: "rank != root" is no range.
static std::optional<bool> comparedOnPath(const Value *Rank, const Sum &Root, Reasoning &Thinker, const Facts &F) {
  for (const User *By : Rank->users()) {
    const auto *Compare = dyn_cast<ICmpInst>(By);
    if (!Compare || !Compare->isEquality()) continue;
    const Value *Other = Compare->getOperand(Compare->getOperand(0) == Rank ? 1 : 0);
    if (!(Thinker.rangeOf(Thinker.valueOf(Other, F).plus(Root, -1), F) == Range{0, 0})) continue;
    if (auto Is = Thinker.decide(Compare, F)) return *Is == (Compare->getPredicate() == CmpInst::ICMP_EQ);
  }
  return std::nullopt;
}

std::optional<bool> mck::statics::isRoot(const CallBase &Call, const MpiFunction &Function, const FunctionView &View,
                                         Reasoning &Thinker, const Facts &F) {
  const Value *Root = argument(Call, Function, "root"), *Comm = argument(Call, Function, "comm");
  if (!Root || !Comm || !hasOneGroup(Comm, View.Code)) return std::nullopt;
  for (const CallBase *Asked : View.rankCalls()) {
    const MpiFunction &Other = *findMpi(*Asked);
    const Value *Rank = Other.row().tells == MCK_STD_TELLS_RANK ? givenBy(*Asked, "result", View.Code) : nullptr,
                *Theirs = argument(*Asked, Other, "comm");
    if (!Rank || !Theirs || compareHandles(Comm, Theirs, View.Code, Thinker, F) != Meeting::Surely) continue;
    Sum Wanted = Thinker.valueOf(Root, F);
    Range Distance = Thinker.rangeOf(Thinker.valueOf(Rank, F).plus(Wanted, -1), F);
    if (Distance == Range{0, 0}) return true;
    if (Distance.Low > 0 || Distance.High < 0) return false;
    if (auto Is = comparedOnPath(Rank, Wanted, Thinker, F)) return Is;
  }
  return std::nullopt;
}
