// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Unseen.h"
#include "Models.h"
#include "Relevance.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using mck::Unseen;

static bool isOfTarget(const CallBase &Call) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  return Intrinsic && Intrinsic->mayReadOrWriteMemory() && Function::isTargetIntrinsic(Intrinsic->getIntrinsicID());
}

// A variable that besides assembly only the function itself loads and stores.
static bool isPrivate(const Value *Address) {
  const auto *Variable = dyn_cast<AllocaInst>(Address->stripInBoundsOffsets());
  return Variable && all_of(Variable->users(), [&](const User *U) {
           const auto *Call = dyn_cast<CallBase>(U);
           return getLoadStorePointerOperand(U) == Variable || (Call && (Call->isInlineAsm() || Call->isLifetimeStartOrEnd()));
         });
}

void Unseen::add(std::string Name) {
  if (Known.insert(Name).second)
    Found.push_back(std::move(Name));
}

void Unseen::look(Function &F, const TargetLibraryInfo &TLI) {
  Relevance Memory(this->Memory);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    const Function *Callee = Call->getCalledFunction();
    const auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand());
    LibFunc Known;
    bool IsPlace = (Assembly && !Assembly->getAsmString().empty()) || isOfTarget(*Call);
    bool IsFunction = Callee && Callee->isDeclaration() && !Callee->isIntrinsic() && !Callee->getName().starts_with("__mck_") &&
                      !Callee->getName().contains("MPI_") && !Callee->getName().starts_with("mpi_") && !TLI.getLibFunc(*Call, Known) &&
                      !mck::findModel(*Call, TLI);
    if (!IsPlace && !IsFunction)
      continue;
    bool IsRelevant = any_of(enumerate(Call->args()), [&](auto Argument) {
      StringRef Why;
      const Value *V = Argument.value();
      return V->getType()->isPointerTy() && !(IsPlace && isPrivate(V)) && !isa<Constant>(V->stripInBoundsOffsets()) &&
             !Call->doesNotAccessMemory(unsigned(Argument.index())) && Memory.isRelevant(V, Why);
    });
    if (!IsRelevant)
      continue;
    if (IsFunction) {
      add("f" + Callee->getName().str());
      continue;
    }
    const DILocation *Place = I.getDebugLoc();
    add(Place ? "a" + sys::path::filename(Place->getFilename()).str() + ":" + std::to_string(Place->getLine()) : "a" + F.getName().str());
  }
}

bool Unseen::tell(Module &M) const {
  if (Found.empty() || M.getFunction("mck.unseen"))
    return false;
  std::string Text;
  for (const std::string &Name : Found)
    Text += Name + '\0';
  LLVMContext &Context = M.getContext();
  FunctionCallee Tell = M.getOrInsertFunction("__mck_unseen", FunctionType::get(Type::getVoidTy(Context), {PointerType::getUnqual(Context)}, false));
  if (auto *Target = dyn_cast<Function>(Tell.getCallee()); Target && Target->isDeclaration()) {
    Target->setLinkage(GlobalValue::ExternalWeakLinkage);
    Target->setDSOLocal(false);
    Target->setDoesNotThrow();
  }
  Function *Constructor = Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(Context), false), GlobalValue::InternalLinkage, 0,
                                                          "mck.unseen", &M);
  Constructor->setDoesNotThrow();
  BasicBlock *Entry = BasicBlock::Create(Context, "", Constructor), *Call = BasicBlock::Create(Context, "", Constructor),
             *End = BasicBlock::Create(Context, "", Constructor);
  IRBuilder<> Builder(Entry);
  Builder.CreateCondBr(Builder.CreateIsNotNull(Tell.getCallee()), Call, End);
  Builder.SetInsertPoint(Call);
  Builder.CreateCall(Tell, {Builder.CreateGlobalString(Text, "mck.names")}); // ends with two zeroes
  Builder.CreateBr(End);
  Builder.SetInsertPoint(End);
  Builder.CreateRetVoid();
  appendToGlobalCtors(M, Constructor, /*Priority=*/2); // when the runtime is attached
  return true;
}
