// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the address of a variable to all its uses (PrivateMemory.h).
#include "PrivateMemory.h"
#include "Asks.h"
#include "LoopCopy.h"
#include "Models.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using mck::PrivateMemory;

namespace {

// Does MPI keep the address that the call gets as argument number I? Callbacks and attributes may.
bool isKept(StringRef Name, unsigned I) {
  mck::KeptByMpi K = mck::keptByMpi(Name);
  if (K.What == mck::Keeps::NOTHING) return false;
  uint32_t Kept = K.Buffers | K.Arrays;
  if (K.What == mck::Keeps::UNKNOWN || !Kept) return true;
  return I >= 32 || Kept >> I & 1;
}

bool isMain(const Function &F) { return F.getName() == "main" || F.getName() == "_QQmain" || F.getName() == "MAIN__"; }

} // namespace

namespace mck {

/// The uses of one variable's address. run() is false when the address gets to where it cannot be followed.
class Uses {
public:
  Uses(const PrivateMemory &Memory, const Value *Object) : Memory(Memory), Object(Object) {}
  bool run() {
    push(Object);
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      for (const Use &U : V->uses())
        if (!look(U)) return false;
    }
    return true;
  }
  PrivateMemory::Writers By = PrivateMemory::Writers::Asks;

private:
  const PrivateMemory &Memory;
  const Value *Object;
  SmallVector<const Value *, 16> Work;
  SmallPtrSet<const Value *, 16> Seen;
  static constexpr unsigned Large = 2000;

  void push(const Value *V) {
    if (Seen.insert(V).second) Work.push_back(V);
  }
  bool isGlobal() const { return isa<GlobalVariable>(Object); }

  // A store of code changes a global variable for others. They must not run meanwhile.
  void write(const Instruction &I) {
    bool IsOfMain = Memory.OfMain.contains(I.getFunction());
    By = std::max(By, IsOfMain ? PrivateMemory::Writers::Main : PrivateMemory::Writers::Others);
  }

  bool look(const Use &U) {
    if (Seen.size() > Large) return false;
    const User *By = U.getUser();
    if (const auto *I = dyn_cast<Instruction>(By); I && I->getFunction()->getName() == LoopCopy::Name) return true;
    if (isa<ConstantExpr>(By)) {
      push(By);
      return isa<GEPOperator>(By);
    }
    // A volatile local variable is as private as others, but its values come from anywhere (Endless.cpp).
    if (const auto *Load = dyn_cast<LoadInst>(By)) return Load->isSimple() || !isGlobal();
    if (const auto *Store = dyn_cast<StoreInst>(By)) {
      if (U.getOperandNo() == StoreInst::getPointerOperandIndex()) {
        write(*Store);
        return Store->isSimple() || !isGlobal();
      }
      return followStored(*Store);
    }
    if (isa<GetElementPtrInst>(By) || isa<BitCastInst>(By)) {
      push(By);
      return true;
    }
    if (isa<CmpInst>(By)) return true;
    if (const auto *Call = dyn_cast<CallBase>(By)) return lookAtCall(*Call, U);
    return false;
  }

  // Without optimization a function stores its arguments in variables. Such a variable has no other use.
  bool followStored(const StoreInst &Store) {
    const auto *Slot = dyn_cast<AllocaInst>(Store.getPointerOperand());
    const auto *Local = dyn_cast<AllocaInst>(Object);
    if (!Slot || !Local || Slot->getFunction() == Local->getFunction() || !Store.isSimple()) return false;
    for (const User *By : Slot->users()) {
      const auto *Load = dyn_cast<LoadInst>(By);
      const auto *Other = dyn_cast<StoreInst>(By);
      const auto *Intrinsic = dyn_cast<IntrinsicInst>(By);
      if (Load && Load->isSimple()) push(Load);
      else if (!(Other && Other->getPointerOperand() == Slot) && !(Intrinsic && Intrinsic->isLifetimeStartOrEnd()))
        return false;
    }
    return true;
  }

  bool lookAtCall(const CallBase &Call, const Use &U) {
    if (!Call.isArgOperand(&U)) return false;
    unsigned I = Call.getArgOperandNo(&U);
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) return lookAtIntrinsic(*Intrinsic, I);
    const Function *Callee = Call.getCalledFunction();
    if (!Callee) return false;
    if (mck::findAsk(Call)) return true;
    if (!Callee->isDeclaration()) {
      if (isGlobal() || Callee->isVarArg() || I >= Callee->arg_size() || Callee->isInterposable()) return false;
      push(Callee->getArg(I));
      return true;
    }
    write(Call);
    if (mck::MpiName Mpi = mck::nameOfMpi(Callee->getName()); !Mpi.Name.empty()) return !isKept(Mpi.Name, I);
    if (Call.doesNotCapture(I)) return true;
    std::optional<mck::Model> Model = mck::findModel(Call, Memory.Library);
    if (!Model) return Callee->getName() == "nanosleep" || Callee->getName() == "select";
    return I < 32 && !(Model->Used >> I & 1) && !(Model->Returned >> I & 1) && Model->From != int(I) &&
           Model->NewAt != int(I);
  }

  bool lookAtIntrinsic(const IntrinsicInst &Call, unsigned I) {
    if (Call.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Call)) return true;
    const auto *Memory = dyn_cast<MemIntrinsic>(&Call);
    if (!Memory || Memory->isVolatile()) return false;
    if (I == 0) write(Call);
    return true;
  }
};

} // namespace mck

PrivateMemory::PrivateMemory(Module &M) : LibraryImpl(Triple(M.getTargetTriple())), Library(LibraryImpl) {
  findOfMain(M);
}

void PrivateMemory::findOfMain(Module &M) {
  for (const Function &F : M)
    if (!F.isDeclaration() && !F.hasAddressTaken() && (isMain(F) || F.hasLocalLinkage())) OfMain.insert(&F);
  for (bool IsChanged = true; IsChanged;) {
    IsChanged = false;
    SmallVector<const Function *, 8> Others;
    for (const Function *F : OfMain)
      for (const User *By : F->users())
        if (const auto *I = dyn_cast<Instruction>(By); !I || !OfMain.contains(I->getFunction())) Others.push_back(F);
    for (const Function *F : Others) IsChanged |= OfMain.erase(F);
  }
}

PrivateMemory::Facts PrivateMemory::look(const Value *Object) const {
  if (const auto *Global = dyn_cast<GlobalVariable>(Object);
      Global && (!Global->hasLocalLinkage() || Global->isThreadLocal() || Global->isExternallyInitialized()))
    return {false, Writers::Others};
  Uses All(*this, Object);
  bool IsPrivate = All.run();
  return {IsPrivate, All.By};
}

bool PrivateMemory::isPrivate(const Value *Object, const Function &F) {
  if (!isa<AllocaInst>(Object) && !isa<GlobalVariable>(Object)) return false;
  auto [At, IsNew] = Known.try_emplace(Object, Facts{false, Writers::Others});
  if (IsNew) At->second = look(Object);
  Facts Found = At->second;
  if (!Found.IsPrivate || isa<AllocaInst>(Object)) return Found.IsPrivate;
  return Found.By == Writers::Asks || (Found.By == Writers::Main && OfMain.contains(&F));
}
