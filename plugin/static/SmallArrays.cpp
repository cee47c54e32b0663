// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local arrays of a few numbers (SmallArrays.h).
#include "static/SmallArrays.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

constexpr StringLiteral Passed = "mck.numbers.";
constexpr uint64_t MostNumbers = 4;

unsigned mck::statics::countNumbers(const Value *Address) {
  APInt Offset(64, 0);
  const auto *I = dyn_cast<Instruction>(Address);
  if (!I) return 0;
  const DataLayout &Layout = I->getModule()->getDataLayout();
  const auto *Local = dyn_cast<AllocaInst>(Address->stripAndAccumulateConstantOffsets(Layout, Offset, true));
  if (!Local || Local->isArrayAllocation() || Offset.isNegative()) return 0;
  for (Type *Found = Local->getAllocatedType(); Found;) {
    if (Found->isIntegerTy(32)) return Offset.isZero();
    if (const auto *Array = dyn_cast<ArrayType>(Found); Array && Array->getElementType()->isIntegerTy(32)) {
      uint64_t Before = Offset.getZExtValue() / 4, Count = Array->getNumElements();
      return Offset.getZExtValue() % 4 || Before >= Count || Count - Before > MostNumbers ? 0
                                                                                          : unsigned(Count - Before);
    }
    if (!Found->isSized() || !Layout.getGEPIndexForOffset(Found, Offset)) return 0;
  }
  return 0;
}

void mck::statics::passNumbers(CallBase &Call, unsigned Argument, unsigned Count) {
  Value *Address = Call.getArgOperand(Argument);
  IRBuilder<> Builder(&Call);
  SmallVector<Value *, MostNumbers> Values;
  for (unsigned At = 0; At < Count; ++At)
    Values.push_back(
        Builder.CreateLoad(Builder.getInt32Ty(), Builder.CreateConstGEP1_32(Builder.getInt32Ty(), Address, At)));
  SmallVector<Type *, MostNumbers> Types(Count, Builder.getInt32Ty());
  FunctionCallee Pass = Call.getModule()->getOrInsertFunction((Passed + Twine(Count)).str(),
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
