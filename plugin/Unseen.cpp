// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds code that touches relevant memory without a signal (Unseen.h).
#include "Unseen.h"
#include "Attach.h"
#include "Models.h"
#include "Relevance.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
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

// A variable that only assembly and the function itself load and store.
static bool isPrivate(const Value *Address) {
  const auto *Variable = dyn_cast<AllocaInst>(Address->stripInBoundsOffsets());
  return Variable && all_of(Variable->users(), [&](const User *U) {
           const auto *Call = dyn_cast<CallBase>(U);
           return getLoadStorePointerOperand(U) == Variable ||
                  (Call && (Call->isInlineAsm() || Call->isLifetimeStartOrEnd()));
         });
}

// The variable that holds this address or is there; empty: it is not known.
static StringRef variableAt(Value *Address) {
  Address = Address->stripInBoundsOffsets();
  if (auto *Load = dyn_cast<LoadInst>(Address)) Address = Load->getPointerOperand(); // without optimization
  SmallVector<DbgVariableIntrinsic *, 2> Users;
  SmallVector<DbgVariableRecord *, 2> Records;
  findDbgUsers(Users, Address, &Records);
  if (!Records.empty()) return Records.front()->getVariable()->getName();
  return Users.empty() ? StringRef() : Users.front()->getVariable()->getName();
}

// "halo at solver.c:120"
static std::string placeText(const CallBase &Call, Value *Address) {
  const DILocation *Place = Call.getDebugLoc();
  if (!Place || !Place->getLine()) return "";
  StringRef Variable = variableAt(Address);
  return (Variable.empty() ? "at " : Variable.str() + " at ") + sys::path::filename(Place->getFilename()).str() + ":" +
         std::to_string(Place->getLine());
}

bool Unseen::add(std::string Name) {
  if (!Known.insert(Name).second) return false;
  Found.push_back(std::move(Name));
  return true;
}

void Unseen::look(Function &F, const TargetLibraryInfo &TLI) {
  Relevance Memory(this->Memory);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call) continue;
    const Function *Callee = Call->getCalledFunction();
    const auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand());
    LibFunc Known;
    bool IsPlace = (Assembly && !Assembly->getAsmString().empty()) || isOfTarget(*Call);
    bool IsFunction = Callee && Callee->isDeclaration() && !Callee->isIntrinsic() &&
                      !Callee->getName().starts_with("__mck_") && !Callee->getName().contains("MPI_") &&
                      !Callee->getName().starts_with("mpi_") && !TLI.getLibFunc(*Call, Known) &&
                      !mck::findModel(*Call, TLI);
    if (!IsPlace && !IsFunction) continue;
    auto *Relevant = find_if(Call->args(), [&](const Use &Argument) {
      StringRef Why;
      const Value *V = Argument;
      return V->getType()->isPointerTy() && !(IsPlace && isPrivate(V)) && !isa<Constant>(V->stripInBoundsOffsets()) &&
             !Call->doesNotAccessMemory(Call->getArgOperandNo(&Argument)) && Memory.isRelevant(V, Why);
    });
    if (Relevant == Call->arg_end()) continue;
    if (IsFunction) {
      std::string Name = Callee->getName().str(), Text = placeText(*Call, *Relevant);
      add("f" + Name);
      if (!Text.empty() && Places[Name] < PlacesMost && add("p" + Name + " " + Text)) Places[Name]++;
      continue;
    }
    const DILocation *Place = I.getDebugLoc();
    add(Place ? "a" + sys::path::filename(Place->getFilename()).str() + ":" + std::to_string(Place->getLine())
              : "a" + F.getName().str());
  }
}

bool Unseen::tell(Module &M) const {
  if (Found.empty() || M.getFunction("mck.attach.unseen")) return false;
  std::string Text;
  for (const std::string &Name : Found) Text += Name + '\0';
  LLVMContext &Context = M.getContext();
  Constant *Bytes = ConstantDataArray::getString(Context, Text, /*AddNull=*/false);
  auto *Names = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, Bytes,
                                   "mck.names");
  Names->setSection("mck_unseen");
  Names->setAlignment(Align(1));
  GlobalValue::SanitizerMetadata NoRedZone;
  NoRedZone.NoAddress = NoRedZone.NoHWAddress = true;
  Names->setSanitizerMetadata(NoRedZone);
  appendToUsed(M, {Names}); // linkers keep it, also with --gc-sections
  Type *Pointer = PointerType::getUnqual(Context);
  FunctionCallee Tell = M.getOrInsertFunction("__mck_unseen_names",
                                              FunctionType::get(Type::getVoidTy(Context), {Pointer, Pointer}, false));
  if (auto *Target = dyn_cast<Function>(Tell.getCallee()); Target && Target->isDeclaration()) {
    Target->setLinkage(GlobalValue::ExternalWeakLinkage);
    Target->setDSOLocal(false);
    Target->setDoesNotThrow();
  }
  Function *Constructor = mck::hidden(
      M, Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(Context), false),
                                         GlobalValue::LinkOnceODRLinkage, 0, "mck.attach.unseen", &M));
  mck::attach(M, Constructor, Tell, {mck::bound(M, "__start_mck_unseen"), mck::bound(M, "__stop_mck_unseen")});
  return true;
}
