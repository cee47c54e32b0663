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

std::optional<bool> mck::statics::isRoot(const CallBase &Call, const MpiFunction &Function, const FunctionView &View,
                                         Reasoning &Thinker, const Facts &F) {
  const Value *Root = argument(Call, Function, "root"), *Comm = argument(Call, Function, "comm");
  if (!Root || !Comm || !hasOneGroup(Comm, View.Code)) return std::nullopt;
  for (const CallBase *Asked : View.rankCalls()) {
    const MpiFunction &Other = *findMpi(*Asked);
    const Value *Rank = Other.row().tells == MCK_STD_TELLS_RANK ? givenBy(*Asked, "result", View.Code) : nullptr,
                *Theirs = argument(*Asked, Other, "comm");
    if (!Rank || !Theirs || compareHandles(Comm, Theirs, View.Code, Thinker, F) != Meeting::Surely) continue;
    Range Distance = Thinker.rangeOf(Thinker.valueOf(Rank, F).plus(Thinker.valueOf(Root, F), -1), F);
    if (Distance == Range{0, 0}) return true;
    if (Distance.Low > 0 || Distance.High < 0) return false;
  }
  return std::nullopt;
}
