// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects what is stored (Memory.h).
#include "static/Memory.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

const Constant *mck::statics::constantAt(const LoadInst &Load) {
  auto *Address = dyn_cast<Constant>(const_cast<Value *>(Load.getPointerOperand()));
  const auto *Variable = Address ? dyn_cast<GlobalVariable>(getUnderlyingObject(Address)) : nullptr;
  if (!Variable || !Variable->isConstant() || !Variable->hasDefinitiveInitializer()) return nullptr;
  return ConstantFoldLoadFromConstPtr(Address, Load.getType(), Load.getModule()->getDataLayout());
}

std::optional<Location> Memory::locate(const Value *Address) const {
  APInt Offset(64, 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
  if (const auto *Global = dyn_cast<GlobalVariable>(Base)) {
    const void *Key = Global;
    if (Global->getValueType()->isStructTy()) Key = Global->getValueType();
    return Location{Key, Offset.getSExtValue()};
  }
  if (const auto *Local = dyn_cast<AllocaInst>(Base)) {
    const void *Key = Local;
    if (Local->getAllocatedType()->isStructTy()) Key = Local->getAllocatedType();
    return Location{Key, Offset.getSExtValue()};
  }
  const auto *Member = dyn_cast<GEPOperator>(Address);
  if (!Member || !Member->getSourceElementType()->isStructTy() || Member->getNumIndices() < 2) return std::nullopt;
  SmallVector<Value *, 4> Indices;
  for (unsigned I = 2; I < Member->getNumOperands(); ++I) {
    if (!isa<ConstantInt>(Member->getOperand(I))) return std::nullopt;
    Indices.push_back(Member->getOperand(I));
  }
  Indices.insert(Indices.begin(), ConstantInt::get(Type::getInt64Ty(Member->getContext()), 0));
  return Location{Member->getSourceElementType(),
                  Layout.getIndexedOffsetInType(Member->getSourceElementType(), Indices)};
}

Memory::Memory(const Canonical &Code) : Layout(Code.module().getDataLayout()) {
  for (Function &F : Code.module())
    for (Instruction &I : instructions(F)) {
      if (auto *Store = dyn_cast<StoreInst>(&I))
        if (auto At = locate(Store->getPointerOperand())) Cells[*At].Values.push_back(Store->getValueOperand());
      if (isa<LoadInst>(I) || isa<GetElementPtrInst>(I) || isa<ICmpInst>(I)) continue;
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isLifetimeStartOrEnd()) continue;
      for (const Use &Operand : I.operands()) {
        if (!Operand->getType()->isPointerTy() || (isa<StoreInst>(I) && Operand.getOperandNo() == 1)) continue;
        // What MPI only reads stays as it is.
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (const MpiFunction *Mpi = findMpi(*Call);
              Mpi && Call->isArgOperand(&Operand) &&
              Mpi->Parameters[Call->getArgOperandNo(&Operand)].Way == Direction::IN)
            continue;
        if (auto At = locate(Operand)) Cells[*At].IsOpen = true;
      }
    }
}

const SmallVectorImpl<Value *> *Memory::stored(const Value *Address) const {
  auto At = locate(Address);
  if (!At) return nullptr;
  auto Found = Cells.find(*At);
  return Found == Cells.end() || Found->second.IsOpen ? nullptr : &Found->second.Values;
}
