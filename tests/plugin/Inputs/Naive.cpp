// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slow reference of the load and store signals: before anything is optimized, a call before each load, store, atomic operation and
// memory intrinsic, whatever the address. Shares no code with plugin/.
#include "abi.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

using namespace llvm;

namespace {

struct NaivePass : PassInfoMixin<NaivePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Type *Pointer = PointerType::getUnqual(M.getContext());
    FunctionCallee Access =
        M.getOrInsertFunction("naive_access", Type::getVoidTy(M.getContext()), Pointer,
                              Type::getInt64Ty(M.getContext()), Type::getInt32Ty(M.getContext()));
    const DataLayout &DL = M.getDataLayout();
    SmallVector<Instruction *, 0> Work;
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        Work.push_back(&I);
    for (Instruction *I : Work) {
      IRBuilder<> Builder(I);
      auto Signal = [&](Value *Address, Value *Size, uint32_t Flags) {
        Builder.CreateCall(Access, {Address, Size, Builder.getInt32(Flags)});
      };
      auto SizeOf = [&](Type *T) { return Builder.getInt64(DL.getTypeStoreSize(T).getFixedValue()); };
      if (auto *Load = dyn_cast<LoadInst>(I))
        Signal(Load->getPointerOperand(), SizeOf(Load->getType()), 0);
      else if (auto *Store = dyn_cast<StoreInst>(I))
        Signal(Store->getPointerOperand(), SizeOf(Store->getValueOperand()->getType()), MCK_SIGNAL_STORE);
      else if (auto *Rmw = dyn_cast<AtomicRMWInst>(I))
        Signal(Rmw->getPointerOperand(), SizeOf(Rmw->getType()), MCK_SIGNAL_STORE);
      else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(I))
        Signal(Exchange->getPointerOperand(), SizeOf(Exchange->getCompareOperand()->getType()), MCK_SIGNAL_STORE);
      else if (auto *Range = dyn_cast<AnyMemIntrinsic>(I)) {
        Value *Length = Builder.CreateZExtOrTrunc(Range->getLength(), Builder.getInt64Ty());
        if (auto *Transfer = dyn_cast<AnyMemTransferInst>(Range))
          Signal(Transfer->getRawSource(), Length, 0);
        Signal(Range->getRawDest(), Length, MCK_SIGNAL_STORE);
      }
    }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "mck-naive", LLVM_VERSION_STRING, [](PassBuilder &Builder) {
            Builder.registerPipelineStartEPCallback(
                [](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(NaivePass()); });
          }};
}
