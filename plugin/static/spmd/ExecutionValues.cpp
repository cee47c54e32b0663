// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of one process (Execution.h).
#include "static/spmd/Execution.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostConstants = 64;

static Datum constant(int64_t Value) { return {Datum::Number, Value, {}, false}; }
static Datum addressOf(Object O) { return {Datum::Address, 0, O, false}; }

Datum Execution::of(const Value *V) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getBitWidth() <= 64 ? constant(C->getBitWidth() == 1 ? int64_t(C->getZExtValue()) : C->getSExtValue())
                                  : Datum();
  if (isa<ConstantPointerNull>(V)) return constant(0);
  if (isa<GlobalValue>(V)) return addressOf({V, 0});
  if (const auto *Step = dyn_cast<GEPOperator>(V); Step && isa<Constant>(V)) return address(*Step);
  if (isa<Constant>(V)) return {};
  if (isa<Argument>(V)) {
    Datum Is = ofTable(V);
    return Is.What == Datum::Unknown && V->getType()->isPointerTy() ? addressOf({V, 0}) : Is;
  }
  auto Found = Known.find(V);
  return Found == Known.end() ? Datum() : Found->second;
}

// What is known of a value wherever it is computed.
Datum Execution::ofTable(const Value *V) {
  if (!V->getType()->isIntegerTy()) return {};
  RankValue Is = Values.of(V);
  if (Is.What != RankValue::Number || Is.Loop) return {};
  return constant(V->getType()->isIntegerTy(1) ? Is.Value & 1 : Is.Value);
}

// An object of its own at each execution.
Datum Execution::make(const Instruction &I) { return addressOf({&I, Times[&I]++}); }

Datum Execution::compute(const Instruction &I) {
  if (const auto *Local = dyn_cast<AllocaInst>(&I)) return Local->isStaticAlloca() ? addressOf({&I, 0}) : make(I);
  if (const auto *Step = dyn_cast<GEPOperator>(&I)) return address(*Step);
  if (const auto *Read = dyn_cast<LoadInst>(&I)) return load(*Read);
  if (const auto *Compare = dyn_cast<CmpInst>(&I)) return compare(*Compare);
  if (isa<FreezeInst>(I) || I.getOpcode() == Instruction::AddrSpaceCast) return of(I.getOperand(0));
  if (const auto *Choice = dyn_cast<SelectInst>(&I)) {
    Datum Is = of(Choice->getCondition()), A = of(Choice->getTrueValue()), B = of(Choice->getFalseValue());
    if (Is.What == Datum::Number) return Is.Value ? A : B;
    return A == B ? A : Datum();
  }
  return isa<BinaryOperator>(I) || isa<CastInst>(I) ? fold(I) : Datum();
}

Datum Execution::address(const GEPOperator &Step) {
  Datum At = of(Step.getPointerOperand());
  MapVector<Value *, APInt> Variable;
  APInt Constant(64, 0);
  if (At.What != Datum::Address) return {};
  if (!Step.collectOffset(Layout, 64, Variable, Constant)) At.IsFloating = true;
  At.Value += Constant.getSExtValue();
  for (auto &[Index, Scale] : Variable) {
    Datum By = of(Index);
    if (By.What == Datum::Number) At.Value += By.Value * Scale.getSExtValue();
    else At.IsFloating = true;
  }
  return At;
}

// Pointers: one object is not another, and none is null. A handle that MPI gave may be a null handle.
Datum Execution::compare(const CmpInst &C) {
  Datum A = of(C.getOperand(0)), B = of(C.getOperand(1));
  if (A.What == Datum::Number && B.What == Datum::Number) return fold(C);
  if (!C.isEquality() || (A.What != Datum::Address && B.What != Datum::Address)) return {};
  if (A == B) return constant(C.getPredicate() == CmpInst::ICMP_EQ);
  auto IsReal = [](const Datum &D) {
    return D.What == Datum::Number ||
           (D.What == Datum::Address &&
            (isa<AllocaInst>(D.Of.first) || isa<GlobalValue>(D.Of.first) || isAllocation(D.Of.first)));
  };
  if (!IsReal(A) || !IsReal(B) || A.Of == B.Of) return {};
  return constant(C.getPredicate() == CmpInst::ICMP_NE);
}

Datum Execution::fold(const Instruction &I) {
  SmallVector<Constant *, 2> Operands;
  for (const Use &Operand : I.operands()) {
    Datum One = of(Operand);
    if (One.What != Datum::Number || !Operand->getType()->isIntegerTy()) return {};
    Operands.push_back(ConstantInt::getSigned(Operand->getType(), One.Value));
  }
  if (!I.getType()->isIntegerTy() || I.getType()->getIntegerBitWidth() > 64) return {};
  const Constant *Is = nullptr;
  if (const auto *Compare = dyn_cast<CmpInst>(&I))
    Is = ConstantFoldCompareInstOperands(Compare->getPredicate(), Operands[0], Operands[1], Layout);
  else Is = ConstantFoldInstOperands(const_cast<Instruction *>(&I), Operands, Layout);
  return Is && isa<ConstantInt>(Is) ? of(Is) : Datum();
}

Datum Execution::load(const LoadInst &Load) {
  Datum At = of(Load.getPointerOperand());
  int64_t Size = int64_t(Layout.getTypeStoreSize(Load.getType()));
  if (At.What != Datum::Address || Load.isVolatile()) return ofTable(&Load);
  for (const auto &[Key, Window] : Made.Windows) // others may write there
    if (Window.Base.What == Datum::Address && Window.Base.Of == At.Of) return {};
  if (const Datum *Stored = Memory.load(At, Size)) return *Stored;
  const auto *Variable = dyn_cast<GlobalVariable>(At.Of.first);
  bool IsFirst = Variable && Variable->hasInitializer() && Memory.isUntouched(At, Size) &&
                 (Variable->isConstant() || (AreFirstValuesKept && View.F.getName() == "main"));
  if (IsFirst && !At.IsFloating)
    if (Constant *Is = ConstantFoldLoadFromConst(const_cast<Constant *>(Variable->getInitializer()), Load.getType(),
                                                 APInt(64, uint64_t(At.Value), true), Layout))
      return of(Is);
  return ofTable(&Load);
}

// The numbers and pointers that a constant has, as if they had been stored: arrays get their first values from one.
void Execution::readConstant(const Value *Variable) {
  const auto *Global = dyn_cast<GlobalVariable>(Variable);
  if (!Global || !Global->isConstant() || !Global->hasDefinitiveInitializer()) return;
  SmallVector<std::pair<const Constant *, int64_t>, 16> Work{{Global->getInitializer(), 0}};
  for (size_t At = 0; At < Work.size() && Work.size() < MostConstants; ++At) {
    auto [Is, Offset] = Work[At];
    Type *T = Is->getType();
    auto *Members = dyn_cast<StructType>(T);
    auto *Elements = dyn_cast<ArrayType>(T);
    if (!Members && !Elements) {
      Memory.store({Datum::Address, Offset, {Global, 0}, false}, int64_t(Layout.getTypeStoreSize(T)), of(Is));
      continue;
    }
    uint64_t Count = Members ? Members->getNumElements() : Elements->getNumElements();
    for (uint64_t I = 0; I < std::min(Count, uint64_t(MostConstants)); ++I) {
      int64_t Begin = Members ? int64_t(Layout.getStructLayout(Members)->getElementOffset(unsigned(I)).getFixedValue())
                              : int64_t(I * Layout.getTypeAllocSize(Elements->getElementType()).getFixedValue());
      if (const Constant *Inner = Is->getAggregateElement(unsigned(I))) Work.push_back({Inner, Offset + Begin});
    }
  }
}

void Execution::store(const Value *Address, int64_t Size, const Datum &What) {
  Datum At = of(Address);
  if (At.What == Datum::Address && !isa<Argument>(At.Of.first)) Memory.store(At, Size, What);
  else forgetThrough(Address);
}

// Something is written through an address, at once or on a way that may be taken.
void Execution::forgetThrough(const Value *Address) {
  Datum At = of(Address);
  const Value *Base = At.What == Datum::Address ? At.Of.first : getUnderlyingObject(Address);
  if (At.What == Datum::Address && !isa<Argument>(Base)) return Memory.forget(At.Of);
  if (isa<AllocaInst>(Base) || isa<GlobalVariable>(Base)) return Memory.forget({Base, 0});
  forgetShared();
}

// All but what no one else has.
void Execution::forgetShared() {
  AreFirstValuesKept = false;
  Memory.forgetIf([&](const Object &O) { return !Memories.isPrivate(O.first); });
}
