// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of single numbers (ScalarType.h).
#include "static/ScalarType.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

// The type of the variable that an address is of, if it is one number or pointer. IsFirst: or the first one in it.
Type *mck::statics::scalarAt(const Value *Address, bool IsFirst) {
  Type *Found = nullptr;
  if (const auto *Local = dyn_cast<AllocaInst>(Address)) Found = Local->getAllocatedType();
  else if (const auto *Global = dyn_cast<GlobalVariable>(Address)) Found = Global->getValueType();
  else if (const auto *Member = dyn_cast<GEPOperator>(Address)) Found = Member->getResultElementType();
  if (const auto *Local = dyn_cast<AllocaInst>(Address); Local && Local->isArrayAllocation()) return nullptr;
  for (; IsFirst && Found && (Found->isStructTy() || Found->isArrayTy()); Found = Found->getContainedType(0))
    if (!Found->getNumContainedTypes()) return nullptr;
  return Found && Found->isSingleValueType() && !Found->isVectorTy() ? Found : nullptr;
}

// Of a pointer that has no type of its own, such as that of a structure's first member: what the parameter points to.
Type *mck::statics::declaredScalar(const Parameter &P, LLVMContext &Context) {
  if (P.Type == "int *") return Type::getInt32Ty(Context);
  if (P.Type == "MPI_Aint *") return Type::getInt64Ty(Context);
  return P.isHandle() && P.Type.ends_with(" *") ? PointerType::getUnqual(Context) : nullptr;
}
