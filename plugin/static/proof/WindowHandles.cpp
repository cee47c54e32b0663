// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows handles of windows back to where they are made (WindowHandles.h).
#include "static/proof/WindowHandles.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

namespace {

struct Cell {
  const Value *Variable;
  int64_t Offset;
};

// A variable, or a member of one, at a constant place.
std::optional<Cell> cellOf(const Value *Address, const DataLayout &Layout) {
  APInt Offset(64, 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
  if (!isa<GlobalVariable>(Base) && !isa<AllocaInst>(Base)) return std::nullopt;
  return Cell{Base, Offset.getSExtValue()};
}

// All uses of an address, through constant offsets; false: something else is done with it.
bool forEachUse(const Value &Address, function_ref<bool(const Use &)> Visit) {
  return all_of(Address.uses(), [&](const Use &U) {
    const auto *Step = dyn_cast<GEPOperator>(U.getUser());
    if (!Step || U.getOperandNo() != 0) return Visit(U);
    return Step->hasAllConstantIndices() && forEachUse(*Step, Visit);
  });
}

} // namespace

// A call of MPI gets the address, and writes there at most one handle or number.
static bool isGivenToMpi(const Use &U) {
  const auto *Call = dyn_cast<CallBase>(U.getUser());
  const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
  return Mpi && Call->isArgOperand(&U) && !(Mpi->row().buffers_out >> Call->getArgOperandNo(&U) & 1);
}

// It is only loaded, stored to in functions that the copy has, and given to MPI.
bool WindowHandles::isOnlyStored(const Value &Any) const {
  if (const auto *Local = dyn_cast<AllocaInst>(&Any)) return Local->isStaticAlloca(); // the copy has all uses
  const auto &Variable = cast<GlobalVariable>(Any);
  const GlobalVariable *Original = Source.getNamedGlobal(Variable.getName());
  if (!Original || !Variable.hasInitializer() || !Variable.hasLocalLinkage()) return false;
  return forEachUse(*Original, [&](const Use &U) {
    if (isa<LoadInst>(U.getUser())) return true;
    const auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I) return false;
    const Function *Copied = Code.module().getFunction(I->getFunction()->getName());
    if (!Copied || Copied->isDeclaration()) return false;
    return isa<StoreInst>(I) ? U.getOperandNo() == 1 : isGivenToMpi(U);
  });
}

// What the copy stores there.
bool WindowHandles::addStored(const Value *Address, SmallVectorImpl<const Value *> &Work) {
  const DataLayout &Layout = Code.module().getDataLayout();
  auto At = cellOf(Address, Layout);
  if (!At || !isOnlyStored(*At->Variable)) return false;
  return forEachUse(*At->Variable, [&](const Use &U) {
    auto Here = cellOf(U.get(), Layout);
    bool IsSame = Here && Here->Offset == At->Offset;
    if (const auto *Store = dyn_cast<StoreInst>(U.getUser()); Store && U.getOperandNo() == 1) {
      if (IsSame) Work.push_back(Store->getValueOperand());
      return true;
    }
    if (isa<LoadInst>(U.getUser())) return true;
    if (const auto *Mark = dyn_cast<IntrinsicInst>(U.getUser()); Mark && Mark->isLifetimeStartOrEnd()) return true;
    // Where MPI got the address of the handle itself, what it writes is not a value.
    if (!isGivenToMpi(U)) return false;
    const auto &Call = *cast<CallBase>(U.getUser());
    return !IsSame || findMpi(Call)->Parameters[Call.getArgOperandNo(&U)].Way == Direction::IN;
  });
}

void WindowHandles::addLeaf(const Value *V, Makers &Found, SmallVectorImpl<const Value *> &Work) {
  if (const auto *Phi = dyn_cast<PHINode>(V)) {
    Work.append(Phi->op_begin(), Phi->op_end());
  } else if (const auto *Choice = dyn_cast<SelectInst>(V)) {
    Work.append({Choice->getTrueValue(), Choice->getFalseValue()});
  } else if (isa<UndefValue>(V) || isa<ConstantPointerNull>(V) || isNullHandle(V, "win")) {
    return;
  } else if (const Origin *From = Code.origin(V)) {
    const Parameter &P = From->Function->Parameters[From->Parameter];
    if (!P.is("newwin")) Found.insert(nullptr);
    else if (P.Way == Direction::OUT) Found.insert(From->Call);
  } else if (const auto *Load = dyn_cast<LoadInst>(V); !Load || !addStored(Load->getPointerOperand(), Work)) {
    Found.insert(nullptr);
  }
}

bool WindowHandles::isFromLibrary(const Value *Pointer) const {
  const auto *Load = dyn_cast<LoadInst>(Pointer);
  const auto *Variable = Load ? dyn_cast<GlobalVariable>(Load->getPointerOperand()) : nullptr;
  const GlobalVariable *Original = Variable ? Source.getNamedGlobal(Variable->getName()) : nullptr;
  return Original && Original->isDeclaration() &&
         all_of(Original->users(), [](const User *U) { return isa<LoadInst>(U); });
}

WindowHandles::Makers WindowHandles::of(const Value *Handle) {
  Makers Found;
  SmallVector<const Value *, 8> Work{Handle};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (Seen.insert(V).second) addLeaf(V, Found, Work);
  }
  return Found;
}
