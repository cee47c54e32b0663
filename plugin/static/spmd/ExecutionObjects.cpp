// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of MPI that one process makes and frees (Execution.h). A handle is a value in memory like any other, so it is
// known in structures and copies. What is left at the end is a leak, also where a handle was overwritten.
#include "static/spmd/Execution.h"
#include "static/state/HandleSort.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace mck::statics;

// A handle is a value, so copies are known: a member that got the communicator that main frees.
void Execution::checkHandle(const CallBase &Call, const MpiFunction &Mpi, unsigned Number) {
  const Parameter &P = Mpi.Parameters[Number];
  Datum Is = of(Call.getArgOperand(Number));
  if (Is.What == Datum::Address && !Is.Value && P.is("comm") && isNullHandle(Is.Of.first, "comm"))
    fault(Call, "handle.null",
          P.Name + " of " + Mpi.Name + " is MPI_COMM_NULL on rank " + Twine(Who.Rank) + " of " + Twine(Who.Size));
  bool IsFree = P.Way == Direction::INOUT && freesObject(Mpi);
  if (Is.What != Datum::Address || Is.IsFloating || Is.Value) {
    Made.AreObjectsKnown &= !IsFree;
    return;
  }
  if (!View.Code.origin(Is.Of.first)) return;
  if (auto Found = Freed.find(Is.Of); Found != Freed.end())
    fault(Call, "handle.freed", P.Name + " of " + Mpi.Name + " is a copy of a handle whose object was freed",
          std::nullopt, Found->second);
  else if (IsFree) Freed[Is.Of] = &Call;
}

// A communicator only if it is known not to be the null handle. A file may not have been opened.
void Execution::noteObject(const Origin &From, const Datum &Handle) {
  const MpiFunction &Mpi = *From.Function;
  const HandleSort *Sort = handleSortOf(Mpi, Direction::OUT);
  if (!Sort || Sort->Role == "newfile" || !Mpi.Parameters[From.Parameter].is(Sort->Role) || Mpi.row().has_request ||
      !isOwned(Mpi))
    return;
  if (Handle.What != Datum::Address || isa<GlobalVariable>(Handle.Of.first)) return; // a null handle
  if (Sort->Role == "newcomm" && !Comms.count(Handle.Of)) return;
  Objects.try_emplace(Handle.Of, From.Call);
}

// Functions that are called behind main may free objects.
static bool hasEndCalls(const Module &M, const Canonical &Code) {
  for (StringRef Name : {"atexit", "__cxa_atexit", "on_exit"}) {
    const Function *Registers = M.getFunction(Name);
    for (const User *By : Registers ? make_range(Registers->user_begin(), Registers->user_end())
                                    : iterator_range<Value::const_user_iterator>({}, {})) {
      const auto *Call = dyn_cast<CallBase>(By);
      const auto *Callee = Call ? dyn_cast<Function>(Call->getArgOperand(0)) : nullptr;
      if (!Callee || (!Callee->isDeclaration() && !Code.isQuiet(*Callee))) return true;
    }
  }
  return M.getFunction("MPI_Comm_create_keyval") || M.getNamedGlobal("llvm.global_dtors");
}

void Execution::endObjects() {
  Made.AreObjectsKnown &= Made.IsWhole && !hasEndCalls(*View.F.getParent(), View.Code);
  if (!Made.AreObjectsKnown) return;
  for (const auto &[Handle, Call] : Objects) {
    if (Freed.count(Handle)) continue;
    const MpiFunction &Mpi = *findMpi(*Call);
    const HandleSort &Sort = *handleSortOf(Mpi, Direction::OUT);
    Made.Leaks.try_emplace(Call, Fault{Sort.Kind, ("what " + Mpi.Name + " makes is not freed").str()});
  }
}
