// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the bytes of an address (Area.h).
#include "static/Area.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

static StructType *structureIn(Type *T) {
  while (auto *Array = dyn_cast<ArrayType>(T)) T = Array->getElementType();
  auto *Found = dyn_cast<StructType>(T);
  return Found && !Found->isOpaque() && Found->isSized() ? Found : nullptr;
}

// The type of a variable; null: it is none, or its size is not known.
static Type *variableType(const Value *V) {
  if (const auto *Global = dyn_cast<GlobalVariable>(V)) return Global->getValueType();
  const auto *Local = dyn_cast<AllocaInst>(V);
  return Local && !Local->isArrayAllocation() ? Local->getAllocatedType() : nullptr;
}

static bool isVariable(const Value *V) { return isa<GlobalVariable>(V) || isa<AllocaInst>(V); }

// Into the innermost structure that has the byte.
std::optional<Areas::Found> Areas::descend(const void *Of, Type *T, int64_t Offset) const {
  int64_t Size = T && T->isSized() ? int64_t(Layout.getTypeAllocSize(T).getFixedValue()) : INT64_MAX;
  if (Offset < 0 || Offset >= Size) return std::nullopt;
  Found Is{{Of, Offset}, {Of, 0, Size, /*IsStructure=*/false}};
  while (StructType *In = T ? structureIn(T) : nullptr) {
    const StructLayout *Members = Layout.getStructLayout(In);
    if (Members->getSizeInBytes() == 0) return std::nullopt;
    Offset %= int64_t(Members->getSizeInBytes().getFixedValue());
    unsigned Which = Members->getElementContainingOffset(uint64_t(Offset));
    T = In->getElementType(Which);
    int64_t Begin = int64_t(Members->getElementOffset(Which).getFixedValue());
    Is = {{In, Offset}, {In, Begin, Begin + int64_t(Layout.getTypeAllocSize(T).getFixedValue()), true}};
    Offset -= Begin;
  }
  return Is;
}

std::optional<Areas::Found> Areas::find(const Value *Address) const {
  APInt Offset(64, 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
  if (isVariable(Base)) return descend(Base, variableType(Base), Offset.getSExtValue());
  int64_t Behind = 0;
  const Value *At = Address;
  for (; const auto *Step = dyn_cast<GEPOperator>(At); At = Step->getPointerOperand()) {
    APInt Own(64, 0);
    if (Step->getSourceElementType()->isStructTy() && Step->getNumIndices() >= 2) {
      // Whichever element of an array of structures it is.
      SmallVector<Value *, 4> Indices{ConstantInt::get(Type::getInt64Ty(Step->getContext()), 0)};
      for (unsigned I = 2; I < Step->getNumOperands(); ++I) {
        if (!isa<ConstantInt>(Step->getOperand(I))) return std::nullopt;
        Indices.push_back(Step->getOperand(I));
      }
      Type *In = Step->getSourceElementType();
      return descend(In, In, Layout.getIndexedOffsetInType(In, Indices) + Behind);
    }
    if (!Step->accumulateConstantOffset(Layout, Own)) { // the first member of an element
      auto *In = dyn_cast<StructType>(Step->getResultElementType());
      return In && In->isSized() ? descend(In, In, Behind) : std::nullopt;
    }
    Behind += Own.getSExtValue();
  }
  return first(At, Behind);
}

// The first member has the address of the structure itself: the pointer tells its type elsewhere.
std::optional<Areas::Found> Areas::first(const Value *Pointer, int64_t Offset) const {
  auto Types = OfValue.find(Pointer);
  if (Types == OfValue.end()) return std::nullopt;
  std::optional<Found> Is;
  for (Type *In : Types->second) {
    auto Other = descend(In, In, Offset);
    if (!Other || (Is && Is->At != Other->At)) return std::nullopt;
    Is = Other;
  }
  return Is;
}

std::optional<Location> Areas::locate(const Value *Address) const {
  auto Is = find(Address);
  return Is ? std::optional<Location>(Is->At) : std::nullopt;
}

std::optional<Area> Areas::member(const Value *Address) const {
  auto Is = find(Address);
  return Is ? std::optional<Area>(Is->Member) : std::nullopt;
}

void Areas::learn(const Function &F) {
  SmallVector<const GetElementPtrInst *, 32> Steps;
  for (const Instruction &I : instructions(F))
    if (const auto *Step = dyn_cast<GetElementPtrInst>(&I); Step && Step->getSourceElementType()->isStructTy()) {
      Steps.push_back(Step);
      OfValue[Step->getPointerOperand()].insert(Step->getSourceElementType());
    }
  for (const GetElementPtrInst *Step : Steps)
    if (const auto *Load = dyn_cast<LoadInst>(Step->getPointerOperand()))
      if (auto At = locate(Load->getPointerOperand())) InPlace[*At].insert(Step->getSourceElementType());
}

void Areas::addWhole(Type *T, AreaList &All) const {
  StructType *In = structureIn(T);
  if (!In || any_of(All, [&](const Area &A) { return A.Of == In && A.isWhole(); })) return;
  All.push_back({In, INT64_MIN, INT64_MAX, true});
  for (Type *Member : In->elements()) addWhole(Member, All);
}

AreaList Areas::behind(const Value *Address, bool IsMore) const {
  AreaList All;
  auto Add = [&](const DenseMap<Location, Structures> &From, const Value *Place) {
    auto At = locate(Place);
    auto Types = At ? From.find(*At) : From.end();
    if (Types != From.end())
      for (Type *In : Types->second) addWhole(In, All);
  };
  for (const Value *At = Address;;) {
    if (Type *Is = isVariable(At) ? variableType(At) : nullptr) addWhole(Is, All);
    if (isVariable(At)) {
      All.push_back({At, INT64_MIN, INT64_MAX, false});
      break;
    }
    const auto *Step = dyn_cast<GEPOperator>(At);
    if (isa<ConstantData, Function>(At)) break; // null is used everywhere
    // A pointer: the structures that the module takes it for.
    if (!Step) {
      if (auto Types = OfValue.find(At); Types != OfValue.end())
        for (Type *In : Types->second) addWhole(In, All);
      if (const auto *Load = dyn_cast<LoadInst>(At)) Add(InPlace, Load->getPointerOperand());
      for (const User *U : At->users())
        if (const auto *Store = dyn_cast<StoreInst>(U); Store && Store->getValueOperand() == At)
          Add(InPlace, Store->getPointerOperand());
      break;
    }
    addWhole(Step->getResultElementType(), All);
    if (IsMore) addWhole(Step->getSourceElementType(), All);
    if (auto Is = find(At)) {
      All.push_back(Is->Member);
      if (!IsMore) break;
    }
    At = Step->getPointerOperand();
  }
  return All;
}
