// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks calls (PlaceMarks.h).
#include "static/PlaceMarks.h"
#include "Attach.h"
#include "static/Fortran.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MD5.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace mck::statics;

static std::string nameOf(const DILocation &Place, const Function &Callee) {
  const DISubprogram *In = Place.getScope()->getSubprogram();
  StringRef Caller = !In ? "" : In->getLinkageName().empty() ? In->getName() : In->getLinkageName();
  std::string Key = (Warnings::placeName(Place) + " " + Caller + " " + nameInC(Callee)).str();
  return ("mck.place." + Twine::utohexstr(MD5Hash(Key))).str();
}

GlobalVariable *mck::statics::findMark(Module &Into, const DILocation &Place, const Function &Callee) {
  if (!Place.getLine()) return nullptr;
  std::string Name = nameOf(Place, Callee);
  if (GlobalVariable *Existing = Into.getNamedGlobal(Name)) return Existing;
  auto *Mark = new GlobalVariable(Into, PointerType::getUnqual(Into.getContext()), false,
                                  GlobalValue::ExternalWeakLinkage, nullptr, Name);
  Mark->setVisibility(GlobalValue::HiddenVisibility);
  return Mark;
}

// No thread writes what another one reads until the runtime asks for it: calls of several threads share no cache line
// that changes.
static GlobalVariable *executedAlready(Module &M) {
  constexpr StringLiteral Name = "mck.place";
  if (GlobalVariable *Existing = M.getNamedGlobal(Name)) return Existing;
  Type *Byte = Type::getInt8Ty(M.getContext());
  return mck::hidden(
      M, new GlobalVariable(M, Byte, true, GlobalValue::LinkOnceODRLinkage, ConstantInt::get(Byte, 1), Name));
}

static GlobalVariable *makeMark(Module &M, const DILocation &Place, const Function &Callee,
                                SmallVectorImpl<GlobalValue *> &Made) {
  GlobalVariable *Mark = findMark(M, Place, Callee);
  if (Mark->hasInitializer()) return Mark;
  Mark->setInitializer(executedAlready(M));
  Mark->setLinkage(GlobalValue::WeakODRLinkage);
  GlobalValue::SanitizerMetadata NoRedZone;
  NoRedZone.NoAddress = NoRedZone.NoHWAddress = true;
  Mark->setSanitizerMetadata(NoRedZone);
  Made.push_back(mck::hidden(M, Mark));
  return Mark;
}

static void markCall(CallBase &Call, GlobalVariable *Mark) {
  IRBuilder<> Builder(&Call);
  auto *Where = Builder.CreateLoad(Builder.getPtrTy(), Mark);
  auto *Is = Builder.CreateLoad(Builder.getInt8Ty(), Where);
  Value *IsFirst = Builder.CreateIsNull(Is);
  Builder.SetInsertPoint(SplitBlockAndInsertIfThen(IsFirst, &Call, /*Unreachable=*/false));
  auto *Set = Builder.CreateStore(Builder.getInt8(1), Where);
  MDNode *None = MDNode::get(Call.getContext(), {});
  for (Instruction *I :
       {static_cast<Instruction *>(Where), static_cast<Instruction *>(Is), static_cast<Instruction *>(Set)})
    I->setMetadata(LLVMContext::MD_nosanitize, None);
}

static bool isOfMpi(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return findMpi(Call) || (Callee && Callee->isDeclaration() && findFortranMpi(Callee->getName()));
}

void mck::statics::markCalls(Module &M) {
  SmallVector<CallBase *, 32> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const DILocation *Place = Call->getDebugLoc(); Place && Place->getLine() && isOfMpi(*Call))
          Calls.push_back(Call);
  SmallVector<GlobalValue *, 32> Made;
  for (CallBase *Call : Calls) markCall(*Call, makeMark(M, *Call->getDebugLoc(), *Call->getCalledFunction(), Made));
  // Without optimization nothing would remove them; with LTO they must not be taken for what they are at first.
  if (!Made.empty()) appendToCompilerUsed(M, Made);
}
