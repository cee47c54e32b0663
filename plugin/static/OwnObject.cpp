// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "static/OwnObject.h"
#include "static/Memory.h"
#include "static/state/Place.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

constexpr unsigned MostNames = 600, MostSteps = 12;

// A function of the module whose callers are all seen, and which calls nothing that is not known.
static bool isSeen(const Function &F, const Canonical &Code) {
  return !F.isDeclaration() && !F.isVarArg() && Code.isQuiet(F) && all_of(F.users(), [&](const User *By) {
    const auto *Call = dyn_cast<CallBase>(By);
    return Call && Call->getCalledFunction() == &F;
  });
}

static bool isObject(const Value *Base) {
  const auto *Variable = dyn_cast<GlobalVariable>(Base);
  return isa<AllocaInst>(Base) || isAllocation(Base) ||
         (Variable && (Variable->isConstant() || Variable->hasLocalLinkage()) && Variable->hasInitializer());
}

bool OwnObjects::find(const Value *Address, Bases &Found, unsigned Depth) {
  const Value *Base = getUnderlyingObject(Address, 0);
  if (isObject(Base)) return Found.insert(Base), Found.size() <= 8;
  if (isa<ConstantPointerNull>(Base)) return true;
  if (Depth > MostSteps) return false;
  if (!Open.insert(Base).second) return true; // it is looked for already
  bool IsFound = findAll(Base, Found, Depth + 1);
  Open.erase(Base);
  return IsFound;
}

bool OwnObjects::findAll(const Value *Base, Bases &Found, unsigned Depth) {
  if (const auto *Phi = dyn_cast<PHINode>(Base))
    return all_of(Phi->incoming_values(), [&](const Use &U) { return find(U, Found, Depth); });
  if (const auto *Select = dyn_cast<SelectInst>(Base))
    return find(Select->getTrueValue(), Found, Depth) && find(Select->getFalseValue(), Found, Depth);
  if (const auto *Given = dyn_cast<Argument>(Base))
    return isSeen(*Given->getParent(), Code) && all_of(Given->getParent()->users(), [&](const User *By) {
             return find(cast<CallBase>(By)->getArgOperand(Given->getArgNo()), Found, Depth);
           });
  const auto *Load = dyn_cast<LoadInst>(Base);
  return Load && findLoaded(*Load, Found, Depth);
}

// An address that is kept in memory: all that are stored there.
bool OwnObjects::findLoaded(const LoadInst &Load, Bases &Found, unsigned Depth) {
  Bases Keepers;
  if (Load.isVolatile() || !find(Load.getPointerOperand(), Keepers, Depth)) return false;
  for (const Value *Keeper : Keepers) {
    if (isa<GlobalVariable>(Keeper) && cast<GlobalVariable>(Keeper)->isConstant()) return false;
    const OwnObject &O = of(Keeper);
    if (!O.IsKnown) return false;
    for (const OwnObject::Change &C : O.Changes) {
      if (C.From || C.Mpi) return false;
      if (C.Value && C.Value->getType()->isPointerTy() && !find(C.Value, Found, Depth)) return false;
    }
  }
  return true;
}

// The object's address is stored here: whatever is loaded from there may be it.
bool OwnObjects::addLoads(const Value *Address, SmallVectorImpl<const Value *> &Names) {
  Bases Keepers;
  if (!basesOf(Address, Keepers)) return false;
  for (const Value *Keeper : Keepers) {
    SmallVector<const Value *, 16> Inner{Keeper};
    for (size_t At = 0; At < Inner.size(); ++At)
      for (const User *By : Inner[At]->users()) {
        if (const auto *Load = dyn_cast<LoadInst>(By)) {
          if (Load->getType()->isPointerTy() && !is_contained(Names, Load)) Names.push_back(Load);
        } else if ((isa<GEPOperator>(By) || isa<PHINode>(By) || isa<SelectInst>(By)) && !is_contained(Inner, By))
          Inner.push_back(By);
        if (Inner.size() > MostNames) return false;
      }
    if (!of(Keeper).IsKnown) return false;
  }
  return Names.size() <= MostNames;
}

bool OwnObjects::takesCall(OwnObject &O, const CallBase &Call, const Use &U, SmallVectorImpl<const Value *> &Names) {
  if (Call.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Call) || isRelease(Call)) return true;
  if (!Call.isArgOperand(&U)) return false;
  unsigned At = Call.getArgOperandNo(&U);
  if (isa<MemSetInst>(Call)) return O.Changes.push_back({&Call, U, nullptr, nullptr}), true;
  if (const auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    if (At == 0) O.Changes.push_back({&Call, U, nullptr, Copy->getSource()});
    return true;
  }
  if (const MpiFunction *Mpi = findMpi(Call)) {
    if (Mpi->row().family == MCK_STD_FAMILY_WINDOW) return false; // others change it
    if (Mpi->row().buffers_out >> At & 1) O.Changes.push_back({&Call, U, nullptr, nullptr, Mpi});
    return (Mpi->row().buffers_in | Mpi->row().buffers_out) >> At & 1;
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !isSeen(*Callee, Code)) return false;
  const Argument *Given = Callee->getArg(At);
  if (!is_contained(Names, Given)) Names.push_back(Given);
  return true;
}

// False: somebody else may change the object.
bool OwnObjects::takes(OwnObject &O, const Use &U, SmallVectorImpl<const Value *> &Names) {
  const User *By = U.getUser();
  if (isa<LoadInst>(By) || isa<ICmpInst>(By)) return true;
  if (const auto *Store = dyn_cast<StoreInst>(By)) {
    if (Store->isVolatile()) return false;
    if (U.getOperandNo() == 0) return addLoads(Store->getPointerOperand(), Names);
    O.Changes.push_back({Store, U, Store->getValueOperand(), nullptr});
    return true;
  }
  if (isa<GEPOperator>(By) || isa<PHINode>(By) || isa<SelectInst>(By)) {
    if (!is_contained(Names, By)) Names.push_back(By);
    return Names.size() <= MostNames;
  }
  const auto *Call = dyn_cast<CallBase>(By);
  return Call && takesCall(O, *Call, U, Names);
}

const OwnObject &OwnObjects::of(const Value *Base) {
  auto [Place, IsNew] = All.try_emplace(Base);
  OwnObject &O = Place->second;
  if (!IsNew) return O; // while it is read it is not known
  O.Base = Base;
  SmallVector<const Value *, 16> Names{Base};
  for (size_t At = 0; At < Names.size(); ++At)
    for (const Use &U : Names[At]->uses())
      if (!takes(O, U, Names)) return O;
  O.IsKnown = true;
  return O;
}
