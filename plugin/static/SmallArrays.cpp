// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of a few numbers or handles (SmallArrays.h).
#include "static/SmallArrays.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

constexpr StringLiteral Passed = "mck.numbers.";
constexpr uint64_t MostNumbers = 16;

// The type of the variable, or null.
static Type *typeOf(const Value *Object) {
  if (const auto *Local = dyn_cast<AllocaInst>(Object))
    return Local->isArrayAllocation() ? nullptr : Local->getAllocatedType();
  const auto *Global = dyn_cast<GlobalVariable>(Object);
  return Global ? Global->getValueType() : nullptr;
}

namespace {
struct Inside {
  Type *Of = nullptr; // a variable's, or a structure's behind a pointer
  APInt Offset{64, 0};
};
} // namespace

// The variable, or the outermost structure that the address names.
static Inside findObject(const Value *Address, const DataLayout &Layout) {
  Inside Found;
  APInt Offset(64, 0);
  for (const Value *At = Address;;) {
    if (Type *Is = typeOf(At)) return {Is, Offset};
    const auto *Step = dyn_cast<GEPOperator>(At);
    if (!Step) return Found;
    if (Step->getSourceElementType()->isStructTy() && Step->hasAllConstantIndices()) {
      SmallVector<Value *, 4> Indices(Step->indices());
      Indices[0] = ConstantInt::get(Indices[0]->getType(), 0); // whichever element of an array of structures it is
      Found = {Step->getSourceElementType(),
               Offset + uint64_t(Layout.getIndexedOffsetInType(Step->getSourceElementType(), Indices))};
    }
    if (!Step->accumulateConstantOffset(Layout, Offset)) return Found;
    At = Step->getPointerOperand();
  }
}

unsigned mck::statics::countNumbers(const Value *Address, const Type *Element) {
  const Function *F = nullptr;
  if (const auto *I = dyn_cast<Instruction>(Address)) F = I->getFunction();
  const auto *Global = dyn_cast<GlobalVariable>(getUnderlyingObject(Address));
  if (!F && !Global) return 0;
  const DataLayout &Layout = (F ? F->getParent() : Global->getParent())->getDataLayout();
  uint64_t Size = Layout.getTypeAllocSize(const_cast<Type *>(Element));
  auto [Found, Offset] = findObject(Address, Layout);
  if (Offset.isNegative()) return 0;
  while (Found) {
    if (Found == Element) return Offset.isZero();
    if (const auto *Array = dyn_cast<ArrayType>(Found); Array && Array->getElementType() == Element) {
      uint64_t Before = Offset.getZExtValue() / Size, Count = Array->getNumElements();
      bool IsPart = Offset.getZExtValue() % Size || Before >= Count || Count - Before > MostNumbers;
      return IsPart ? 0 : unsigned(Count - Before);
    }
    if (!Found->isSized() || !Layout.getGEPIndexForOffset(Found, Offset)) return 0;
  }
  return 0;
}

void mck::statics::passNumbers(CallBase &Call, unsigned Argument, unsigned Count, Type *Element) {
  Value *Address = Call.getArgOperand(Argument);
  IRBuilder<> Builder(&Call);
  SmallVector<Value *, MostNumbers> Values;
  for (unsigned At = 0; At < Count; ++At)
    Values.push_back(Builder.CreateLoad(Element, Builder.CreateConstGEP1_32(Element, Address, At)));
  SmallVector<Type *, MostNumbers> Types(Count, Element);
  FunctionCallee Pass = Call.getModule()->getOrInsertFunction(
      (Passed + Twine(Count) + "." + Twine(Element->getTypeID()) + "." + Twine(Element->getScalarSizeInBits())).str(),
      FunctionType::get(Address->getType(), Types, false));
  CallInst *Numbers = Builder.CreateCall(Pass, Values);
  Numbers->setDoesNotThrow();
  Numbers->setDoesNotAccessMemory();
  Call.setArgOperand(Argument, Numbers);
}

iterator_range<User::const_op_iterator> mck::statics::passedNumbers(const Value *Argument) {
  const auto *Call = dyn_cast<CallBase>(Argument);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->getName().starts_with(Passed)) return {nullptr, nullptr};
  return {Call->arg_begin(), Call->arg_end()};
}

// What the arrays of MPI_Type_create_struct have, if their length is a number.
void mck::statics::passMembers(CallBase &Call, const MpiFunction &Mpi) {
  const auto *Length = dyn_cast<ConstantInt>(argument(Call, Mpi, "count"));
  for (unsigned At = 0; At < Mpi.Parameters.size() && Length; ++At) {
    const Parameter &P = Mpi.Parameters[At];
    LLVMContext &Context = Call.getContext();
    Type *Element = P.is("counts")      ? Type::getInt32Ty(Context)
                    : P.is("addresses") ? Type::getInt64Ty(Context)
                    : P.is("types")     ? cast<Type>(PointerType::getUnqual(Context))
                                        : nullptr;
    if (Element && !Length->isZero() && Length->getZExtValue() <= countNumbers(Call.getArgOperand(At), Element))
      passNumbers(Call, At, unsigned(Length->getZExtValue()), Element);
  }
}
