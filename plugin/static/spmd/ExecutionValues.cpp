// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of one process (Execution.h).
#include "static/spmd/Execution.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostConstants = 64;

static Datum constant(int64_t Value) { return {Datum::Number, Value, {}, false}; }
static bool isReal(const Type *T) { return T->isFloatTy() || T->isDoubleTy(); }
static Datum real(const ConstantFP &C) {
  if (!isReal(C.getType())) return {};
  return {Datum::Real, int64_t(C.getValueAPF().bitcastToAPInt().getZExtValue()), {}, false};
}
static Datum addressOf(Object O) { return {Datum::Address, 0, O, false}; }

Datum Execution::of(const Value *V) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getBitWidth() <= 64 ? constant(C->getBitWidth() == 1 ? int64_t(C->getZExtValue()) : C->getSExtValue())
                                  : Datum();
  if (isa<ConstantPointerNull>(V)) return constant(0);
  if (const auto *C = dyn_cast<ConstantFP>(V)) return real(*C);
  if (isa<GlobalValue>(V)) return addressOf({V, 0});
  if (const auto *Step = dyn_cast<GEPOperator>(V); Step && isa<Constant>(V)) return address(*Step);
  if (isa<UndefValue>(V)) return {Datum::Nothing, 0, {}, false};
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
  if (const auto *Part = dyn_cast<ExtractValueInst>(&I)) return extract(*Part);
  if (isa<PtrToIntInst, IntToPtrInst>(I) && Layout.getTypeSizeInBits(I.getType()) == 64) return of(I.getOperand(0));
  if (const auto *Operation = dyn_cast<BinaryOperator>(&I))
    if (auto Is = moveAddress(*Operation)) return *Is;
  return isa<BinaryOperator>(I) || isa<CastInst>(I) || I.getOpcode() == Instruction::FNeg ? fold(I) : Datum();
}

// What C++'s containers do: an address as a number, and how far two lie apart.
std::optional<Datum> Execution::moveAddress(const BinaryOperator &I) {
  bool IsSum = I.getOpcode() == Instruction::Add;
  if (!IsSum && I.getOpcode() != Instruction::Sub) return std::nullopt;
  Datum A = of(I.getOperand(0)), B = of(I.getOperand(1));
  if (IsSum && B.What == Datum::Address) std::swap(A, B);
  if (A.What != Datum::Address || A.IsFloating || B.IsFloating) return std::nullopt;
  if (B.What == Datum::Number) return A.Value += IsSum ? B.Value : -B.Value, A;
  if (IsSum || B.What != Datum::Address || A.Of != B.Of) return std::nullopt;
  return constant(A.Value - B.Value);
}

// Of what computes a number and whether it is too large (new T[n]).
Datum Execution::extract(const ExtractValueInst &Part) {
  if (isa<InsertValueInst>(Part.getAggregateOperand())) { // of what a function returns
    const Value *Is = FindInsertedValue(const_cast<Value *>(Part.getAggregateOperand()), Part.getIndices());
    return Is ? of(Is) : Datum();
  }
  const auto *Both = dyn_cast<WithOverflowInst>(Part.getAggregateOperand());
  if (!Both || Part.getNumIndices() != 1) return {};
  Datum A = of(Both->getLHS()), B = of(Both->getRHS());
  if (A.What != Datum::Number || B.What != Datum::Number) return {};
  unsigned Bits = Both->getLHS()->getType()->getIntegerBitWidth();
  if (Bits > 64) return {};
  APInt Left(Bits, uint64_t(A.Value), true), Right(Bits, uint64_t(B.Value), true), Is;
  bool IsTooLarge = false, IsSigned = Both->isSigned();
  switch (Both->getBinaryOp()) {
  case Instruction::Add: Is = IsSigned ? Left.sadd_ov(Right, IsTooLarge) : Left.uadd_ov(Right, IsTooLarge); break;
  case Instruction::Sub: Is = IsSigned ? Left.ssub_ov(Right, IsTooLarge) : Left.usub_ov(Right, IsTooLarge); break;
  default: Is = IsSigned ? Left.smul_ov(Right, IsTooLarge) : Left.umul_ov(Right, IsTooLarge);
  }
  return constant(Part.getIndices()[0] ? IsTooLarge : Is.getSExtValue());
}

Datum Execution::address(const GEPOperator &Step) {
  Datum At = of(Step.getPointerOperand());
  MapVector<Value *, APInt> Variable;
  APInt Constant(64, 0);
  if (At.What != Datum::Address && At.What != Datum::Number) return {}; // that of an empty container is null
  if (!Step.collectOffset(Layout, 64, Variable, Constant)) At.IsFloating = true;
  At.Value += Constant.getSExtValue();
  for (auto &[Index, Scale] : Variable) {
    Datum By = of(Index);
    if (By.What == Datum::Number) At.Value += By.Value * Scale.getSExtValue();
    else At.IsFloating = true;
  }
  return At.What == Datum::Number && At.IsFloating ? Datum() : At;
}

// Pointers: one object is not another, and none is null. A handle that MPI gave may be a null handle.
Datum Execution::compare(const CmpInst &C) {
  Datum A = of(C.getOperand(0)), B = of(C.getOperand(1));
  if ((A.What == Datum::Number && B.What == Datum::Number) || isa<FCmpInst>(C)) return fold(C);
  if (A.What == Datum::Address && B.What == Datum::Address && A.Of == B.Of && !A.IsFloating && !B.IsFloating)
    return constant(ICmpInst::compare(APInt(64, uint64_t(A.Value), true), APInt(64, uint64_t(B.Value), true),
                                      C.isUnsigned() ? cast<ICmpInst>(C).getSignedPredicate() : C.getPredicate()));
  if (!C.isEquality() || (A.What != Datum::Address && B.What != Datum::Address)) return {};
  if (A == B) return constant(C.getPredicate() == CmpInst::ICMP_EQ);
  auto IsReal = [&](const Datum &D) {
    return D.What == Datum::Number ||
           (D.What == Datum::Address && (isa<AllocaInst>(D.Of.first) || isa<GlobalValue>(D.Of.first) ||
                                         isMade(D.Of.first) || Comms.count(D.Of) || Objects.count(D.Of)));
  };
  if (!IsReal(A) || !IsReal(B) || A.Of == B.Of) return {};
  return constant(C.getPredicate() == CmpInst::ICMP_NE);
}

// The bytes between the members of a structure that is in a register are nothing: 0.
static bool isPacking(const Instruction &I) {
  unsigned Code = I.getOpcode();
  return Code == Instruction::And || Code == Instruction::Or || Code == Instruction::Shl || Code == Instruction::LShr ||
         Code == Instruction::ZExt || Code == Instruction::Trunc;
}

Datum Execution::fold(const Instruction &I) {
  SmallVector<Constant *, 2> Operands;
  for (const Use &Operand : I.operands()) {
    Datum Is = of(Operand);
    if (Is.What == Datum::Nothing && isPacking(I)) Is = constant(0);
    Operands.push_back(asConstant(Is, Operand->getType()));
    if (!Operands.back()) return {};
  }
  bool IsNumber = I.getType()->isIntegerTy() && I.getType()->getIntegerBitWidth() <= 64;
  if (!IsNumber && !isReal(I.getType())) return {};
  const Constant *Is = nullptr;
  if (const auto *Compare = dyn_cast<CmpInst>(&I))
    Is = ConstantFoldCompareInstOperands(Compare->getPredicate(), Operands[0], Operands[1], Layout);
  else Is = ConstantFoldInstOperands(const_cast<Instruction *>(&I), Operands, Layout);
  return Is && (isa<ConstantInt>(Is) || isa<ConstantFP>(Is)) ? of(Is) : Datum();
}

bool Execution::mayOthersWrite(const Datum &At, int64_t Size) const {
  return Shared.count(At.Of) || any_of(Made.Windows, [&](const auto &One) {
           const WindowMemory &Window = One.second;
           if (Window.Base.What != Datum::Address || Window.Base.Of != At.Of) return false;
           int64_t From = At.Value - Window.Base.Value;
           return At.IsFloating || Window.Size < 0 || (From + Size > 0 && From < Window.Size);
         });
}

Datum Execution::load(const LoadInst &Load) {
  Datum At = of(Load.getPointerOperand());
  Made.IsEnded |= At == constant(0) && isCertainRound(Who.Round); // a null pointer
  if (At.What != Datum::Address || Load.isVolatile()) return ofTable(&Load);
  if (const auto *Given = dyn_cast<Argument>(At.Of.first); Given && isCertainRound(Who.Round))
    return argumentAt(*Given, At);
  auto Is = stored(At, Load.getType());
  return Is ? *Is : ofTable(&Load);
}

Datum Execution::read(const Datum &At, Type *T) {
  if (At.What != Datum::Address) return {};
  const auto *Given = dyn_cast<Argument>(At.Of.first);
  if (Given) return isCertainRound(Who.Round) ? argumentAt(*Given, At) : Datum();
  return stored(At, T).value_or(Datum());
}

// What is at an address. Empty: nobody is known to have stored something there.
std::optional<Datum> Execution::stored(const Datum &At, Type *T) {
  int64_t Size = int64_t(Layout.getTypeStoreSize(T));
  if (mayOthersWrite(At, Size)) return Datum();
  const Datum *Stored = Memory.load(At, Size);
  bool IsReal = T->isFloatingPointTy(), IsFit = Stored && (Stored->What == Datum::Real) == IsReal;
  if (Stored && IsReal && *Stored == constant(0)) return Datum{Datum::Real, 0, {}, false};
  if (IsFit) return *Stored;
  bool IsNumber = T->isIntegerTy() && int64_t(T->getIntegerBitWidth()) == 8 * Size;
  if (IsNumber || isReal(T))
    if (auto Bits = Memory.bits(At, Size, isa<AllocaInst>(At.Of.first))) {
      int64_t Value = IsReal ? int64_t(*Bits) : SignExtend64(*Bits, unsigned(8 * Size));
      return Datum{IsReal ? Datum::Real : Datum::Number, Value, {}, false};
    }
  if (Stored) return Datum();
  const auto *Variable = dyn_cast<GlobalVariable>(At.Of.first);
  bool IsFirst = Variable && Variable->hasInitializer() && Memory.isUntouched(At, Size) &&
                 (Variable->isConstant() || (AreFirstValuesKept && View.F.getName() == "main"));
  if (IsFirst && !At.IsFloating)
    if (Constant *Is = ConstantFoldLoadFromConst(const_cast<Constant *>(Variable->getInitializer()), T,
                                                 APInt(64, uint64_t(At.Value), true), Layout))
      return of(Is);
  return std::nullopt;
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
  if (At.What != Datum::Address || At.IsFloating)
    if (auto Found = Operations.find(What.Of); What.What == Datum::Address && Found != Operations.end())
      Found->second.IsElsewhere = true;
  if (At.What == Datum::Address && !At.IsFloating && !isa<Argument>(At.Of.first)) Memory.store(At, Size, What);
  else forgetThrough(Address, Size);
}

// How far an address lies behind its base, at least and at most: an index that is not known stays in the array that it
// goes through (C11 6.5.6), of arrays of arrays in the outermost one.
std::optional<Execution::Span> Execution::spanOf(const GEPOperator &Step) const {
  Span Is;
  Type *Of = nullptr;
  int64_t Each = 0;
  for (const Use &Index : Step.indices()) {
    const auto *Constant = dyn_cast<ConstantInt>(&Index);
    if (auto *Members = dyn_cast_or_null<StructType>(Of)) {
      unsigned Number = unsigned(Constant->getZExtValue());
      int64_t Begin = int64_t(Layout.getStructLayout(Members)->getElementOffset(Number));
      Is = {Is.Low + Begin, Is.High + Begin, Is.IsVariable, std::nullopt};
      Of = Members->getElementType(Number);
      continue;
    }
    auto *Elements = dyn_cast_or_null<ArrayType>(Of);
    if ((Of && !Elements) || (!Elements && !Constant)) return std::nullopt; // a vector; a pointer that goes anywhere
    if (Elements && !Is.Array) Is.Array = {Is.Low, Is.High + int64_t(Layout.getTypeAllocSize(Elements))};
    Of = Elements ? Elements->getElementType() : Step.getSourceElementType();
    Each = int64_t(Layout.getTypeAllocSize(Of));
    Is.IsVariable |= !Constant;
    if (Constant) Is.Low += Constant->getSExtValue() * Each, Is.High += Constant->getSExtValue() * Each;
    else Is.Low = Is.Array->first, Is.High = Is.Array->second - Each;
  }
  return Is;
}

// The bytes that are written from an address on. Most: how many; 0: not known, but no more than its array has.
std::optional<Execution::Reach> Execution::reach(const Value *Address, int64_t Most) {
  Datum Exact = Passing || !Most ? Datum() : of(Address);
  if (Exact.What == Datum::Address && !Exact.IsFloating && !isa<Argument>(Exact.Of.first))
    return Reach{Exact.Of, Exact.Value, Exact.Value + Most};
  int64_t Low = 0, High = Most;
  const Value *Base = Address;
  bool IsVariable = false;
  for (; const auto *Step = dyn_cast<GEPOperator>(Base); Base = Step->getPointerOperand()) {
    auto Is = spanOf(*Step);
    if (!Is || (!High && !Is->Array)) return std::nullopt;
    bool IsWhole = Is->Array && (IsVariable || !High);
    Low = IsWhole ? Is->Array->first : Low + Is->Low;
    High = IsWhole ? Is->Array->second : High + Is->High;
    IsVariable |= Is->IsVariable;
  }
  const auto *Inside = dyn_cast<Instruction>(Base);
  if (!High || (Passing && Inside && Passing->test(View.Ways.indexOf(Inside->getParent())))) return std::nullopt;
  Datum At = of(Base);
  if (At.What != Datum::Address || At.IsFloating || isa<Argument>(At.Of.first)) return std::nullopt;
  return Reach{At.Of, At.Value + Low, At.Value + High};
}

// The object that an address in blocks that are passed over is of, in all their turns. What these compute is not known,
// but pointers that they load may be. Found is empty where it is one that was just made. False: it is not known.
bool Execution::findObject(const Value *Address, std::optional<Object> &Found, SmallPtrSetImpl<const Value *> &Seen) {
  const auto *I = dyn_cast<Instruction>(Address);
  Datum Is;
  if (!I || !Passing->test(View.Ways.indexOf(I->getParent()))) {
    Is = of(Address);
  } else if (!Seen.insert(Address).second || isAllocation(I)) {
    return true;
  } else if (const auto *Step = dyn_cast<GEPOperator>(I)) {
    return findObject(Step->getPointerOperand(), Found, Seen);
  } else if (isa<PHINode>(I) || isa<SelectInst>(I)) {
    return all_of(drop_begin(I->operands(), isa<SelectInst>(I)),
                  [&](const Use &From) { return findObject(From, Found, Seen); });
  } else if (const auto *Load = dyn_cast<LoadInst>(I)) {
    APInt Offset(64, 0);
    const Value *Base = Load->getPointerOperand()->stripAndAccumulateConstantOffsets(Layout, Offset, true);
    const auto *Inside = dyn_cast<Instruction>(Base);
    if (Load->isVolatile() || (Inside && Passing->test(View.Ways.indexOf(Inside->getParent())))) return false;
    Datum At = of(Base);
    At.Value += Offset.getSExtValue();
    auto Size = int64_t(Layout.getPointerSize());
    const Datum *Stored = At.What == Datum::Address && !mayOthersWrite(At, Size) ? Memory.load(At, Size) : nullptr;
    if (Stored) Is = *Stored;
  }
  if (Is.What != Datum::Address || isa<Argument>(Is.Of.first) || (Found && *Found != Is.Of)) return false;
  Found = Is.Of;
  return true;
}

// Something is written through an address, at once or on a way that may be taken.
void Execution::forgetThrough(const Value *Address, int64_t Most) {
  if (auto Bytes = reach(Address, Most)) return Memory.forget(Bytes->Of, Bytes->Low, Bytes->High);
  std::optional<Object> Found;
  SmallPtrSet<const Value *, 8> Seen;
  if (Passing && findObject(Address, Found, Seen)) {
    PassedStores.push_back({Address, Found});
    if (Found) Memory.forget(*Found);
    return;
  }
  Datum At = Passing && isa<Instruction>(Address) ? Datum() : of(Address);
  const Value *Base = At.What == Datum::Address ? At.Of.first : getUnderlyingObject(Address);
  if (At.What == Datum::Address && !isa<Argument>(Base)) return Memory.forget(At.Of);
  if (isa<AllocaInst>(Base) || isa<GlobalVariable>(Base)) return Memory.forget({Base, 0});
  forgetShared();
}

// The pointers by which objects were found may have been among what was written.
void Execution::checkPassedStores() {
  for (const auto &[Address, Before] : PassedStores) {
    std::optional<Object> Found;
    SmallPtrSet<const Value *, 8> Seen;
    if (findObject(Address, Found, Seen) && Found == Before) continue;
    forgetShared();
    break;
  }
  PassedStores.clear();
}

// All but what no one else has.
void Execution::forgetShared() {
  AreFirstValuesKept = false;
  Memory.forgetIf([&](const Object &O) { return !Memories.isPrivate(O.first); });
}
