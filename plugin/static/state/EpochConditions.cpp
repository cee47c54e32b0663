// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which conditions matter to the epochs of a window (WindowEpochs.h). Where one condition decides whether an epoch is
// opened, and another one whether it is used or closed, the two may belong together (OpenConditions.h). Conditions
// whose ways all leave the epochs as they were do not matter.
#include "static/state/EpochCall.h"
#include "static/state/WindowEpochs.h"
#include <set>

using namespace llvm;
using namespace mck::statics;

namespace {

enum Change { Same, InFence, InStart, InLock, InLockAll, Odd };

Change after(Change Was, const MpiFunction &Function) {
  if (Function.row().access != MCK_STD_ACCESS_NONE) return Was == Same ? Odd : Was;
  bool IsAll = mck_std_is_to_all(Function.Number);
  switch (mck_std_epoch_call(Function.Number)) {
  case MCK_STD_CALL_FENCE: return Was == Same || Was == InFence ? InFence : Odd;
  case MCK_STD_CALL_START: return Was == Same ? InStart : Odd;
  case MCK_STD_CALL_COMPLETE: return Was == InStart ? Same : Odd;
  case MCK_STD_CALL_LOCK: return Was != Same ? Odd : IsAll ? InLockAll : InLock;
  case MCK_STD_CALL_UNLOCK: return Was == (IsAll ? InLockAll : InLock) ? Same : Odd;
  case MCK_STD_CALL_FLUSH: return Was == InLock || Was == InLockAll ? Was : Odd;
  case MCK_STD_CALL_POST:
  case MCK_STD_CALL_WAIT: return Odd; // beside the others
  case MCK_STD_CALL_OTHER: return mck_std_frees_window(Function.Number) ? Odd : Was;
  }
  return Odd;
}

} // namespace

bool WindowEpochs::isRelevant(unsigned At, PathWalk &Walk) {
  auto [Found, IsNew] = Relevant.try_emplace(At, true);
  if (!IsNew) return Found->second;
  const BitVector &Region = View.region(At);
  unsigned End = View.Ways.meeting(At);
  std::set<std::pair<unsigned, Change>> Seen;
  SmallVector<std::pair<unsigned, Change>, 16> Work;
  auto Go = [&](unsigned To, Change Is) {
    if (To == At || To == End || !Region.test(To)) return Is == Same;
    if (Seen.insert({To, Is}).second) Work.push_back({To, Is});
    return true;
  };
  bool IsSame = true;
  for (unsigned Next : View.Ways.next(At)) IsSame &= Go(Next, Same);
  while (!Work.empty() && IsSame) {
    auto [Block, Is] = Work.pop_back_val();
    for (const Instruction &I : *View.Ways.block(Block)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
      if (!Mpi) continue;
      const Value *Window = argument(*Call, *Mpi, mck_std_frees_window(Mpi->Number) ? "newwin" : "win");
      if (!Window || isOwn(Window, Walk, {}) == Meeting::Never) continue;
      Is = after(Is, *Mpi);
    }
    IsSame = Is != Odd;
    if (View.Ways.isEnd(Block)) IsSame &= Is == Same;
    for (unsigned Next : View.Ways.next(Block)) IsSame = IsSame && Go(Next, Is);
  }
  return Relevant[At] = !IsSame;
}

bool WindowEpochs::mayGo(unsigned At, unsigned To, Node &N) { return !N.IsTracking || Conditions.go(At, To, N, View); }

bool WindowEpochs::isAllowed(unsigned At, Node &N, PathWalk &Walk) {
  return !N.IsTracking || !isRelevant(At, Walk) || Conditions.take(At, N, View);
}
