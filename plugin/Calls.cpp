// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks calls of MPI functions, and redirects PMPI_ names through a table (Calls.h).
#include "Calls.h"
#include "Asks.h"
#include "Attach.h"
#include "abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

// The constructor exists once per executable or library, like mck.attach (Gates.h). It calls a weak symbol: without a
// runtime nothing happens.
void addConstructor(Module &M) {
  if (M.getFunction("mck.attach.calls")) return;
  LLVMContext &Context = M.getContext();
  Type *Pointer = PointerType::getUnqual(Context);
  FunctionCallee Attach = M.getOrInsertFunction(
      "__mck_attach_calls", FunctionType::get(Type::getVoidTy(Context),
                                              {Type::getInt32Ty(Context), Pointer, Pointer, Pointer, Pointer}, false));
  if (auto *Target = dyn_cast<Function>(Attach.getCallee()); Target && Target->isDeclaration()) {
    Target->setLinkage(GlobalValue::ExternalWeakLinkage);
    Target->setDSOLocal(false);
    Target->setDoesNotThrow();
  }
  Function *Constructor = mck::hidden(
      M, Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(Context), false),
                                         GlobalValue::LinkOnceODRLinkage, 0, "mck.attach.calls", &M));
  mck::attach(M, Constructor, Attach,
              {ConstantInt::get(Type::getInt32Ty(Context), MCK_ABI_VERSION), mck::bound(M, "__start_mck_unused"),
               mck::bound(M, "__stop_mck_unused"), mck::bound(M, "__start_mck_profiled"),
               mck::bound(M, "__stop_mck_profiled")});
}

// A label without an instruction, and its entry in the table. The entry belongs to the section that the label is in
// ("o": dropped and kept with it; "?": in the same COMDAT group), so linkers may drop or fold functions. Copies of the
// code (inlining, unrolling) bring entries of their own. The assembly has a side effect, which keeps its order among
// calls. It has no place in the source: otherwise the assembler would give the call's line to the entry, and the line
// of the code before to the call.
void insertMark(Instruction *Before, StringRef Section, uint32_t What) {
  Module &M = *Before->getModule();
  std::string Text = ".Lmck${:uid}:\n"
                     ".pushsection " +
                     Section.str() +
                     ",\"ao?\",@progbits,.Lmck${:uid}\n"
                     ".balign 4\n"
                     ".long .Lmck${:uid}-.\n"
                     ".long " +
                     std::to_string(What) +
                     "\n"
                     ".popsection";
  auto *Type = FunctionType::get(Type::getVoidTy(M.getContext()), false);
  InlineAsm *Label = InlineAsm::get(Type, Text, "", /*hasSideEffects=*/true);
  CallInst *Mark = CallInst::Create(Type, Label, "", Before->getIterator());
  Mark->setDoesNotThrow();
}

// The block behind an invoke: a block of its own, so that the mark is reached in no other way.
Instruction *continuation(InvokeInst &Invoke) {
  BasicBlock *Next = Invoke.getNormalDest();
  if (Next->getSinglePredecessor()) return &*Next->getFirstInsertionPt();
  BasicBlock *Between = BasicBlock::Create(Invoke.getContext(), "", Invoke.getFunction(), Next);
  BranchInst *Branch = BranchInst::Create(Next, Between);
  Branch->setDebugLoc(Invoke.getDebugLoc());
  Invoke.setNormalDest(Between);
  Next->replacePhiUsesWith(Invoke.getParent(), Between);
  return Branch;
}

bool markCallUnused(CallBase &Call, uint32_t Hash) {
  return Call.use_empty() && mck::markCall(Call, "mck_unused", Hash);
}

bool markCallsOf(Function *F, uint32_t Hash) {
  if (!F || !F->isDeclaration() || !F->getReturnType()->isIntegerTy(32)) return false;
  SmallVector<CallBase *, 32> Calls;
  for (User *User : F->users())
    if (auto *Call = dyn_cast<CallBase>(User); Call && Call->getCalledOperand() == F) Calls.push_back(Call);
  bool IsChanged = false;
  for (CallBase *Call : Calls) IsChanged |= markCallUnused(*Call, Hash);
  return IsChanged;
}

class Redirection {
public:
  Redirection(Module &M, Function &Profiling, StringRef Name)
      : M(M), Profiling(Profiling), SlotName(("mck.profiled." + Name).str()), Name(Name) {}

  bool run() {
    GlobalVariable *Slot = M.getNamedGlobal(SlotName); // an earlier run of the pass made it (LTO)
    bool IsUsed = false;
    for (const Use &Use : Profiling.uses()) IsUsed |= isToBeRedirected(Use, Slot);
    if (!IsUsed) return false;
    Function *Stub = mck::hidden(
        M, Function::createWithDefaultAttr(Profiling.getFunctionType(), GlobalValue::LinkOnceODRLinkage,
                                           Profiling.getAddressSpace(), "mck.pmpi." + Name, &M));
    Profiling.replaceUsesWithIf(Stub, [&](Use &Use) { return isToBeRedirected(Use, Slot); });
    fill(*Stub, Slot ? Slot : makeSlot());
    return true;
  }

private:
  Module &M;
  Function &Profiling;
  std::string SlotName;
  StringRef Name;

  static bool isToBeRedirected(const Use &Use, const GlobalVariable *Slot) {
    const User *User = Use.getUser();
    return !isa<GlobalAlias>(User) && !(Slot && Slot->hasInitializer() && User == Slot->getInitializer());
  }

  GlobalVariable *makeSlot() {
    LLVMContext &Context = M.getContext();
    Constant *Text = ConstantDataArray::getString(Context, Name);
    auto *String = new GlobalVariable(M, Text->getType(), true, GlobalValue::PrivateLinkage, Text);
    Constant *Value = ConstantStruct::getAnon({&Profiling, String});
    auto *Slot = mck::hidden(
        M, new GlobalVariable(M, Value->getType(), false, GlobalValue::LinkOnceODRLinkage, Value, SlotName));
    Slot->setSection("mck_profiled");
    Slot->setAlignment(Align(8)); // no padding between the slots: the section is an array
    GlobalValue::SanitizerMetadata NoRedZone;
    NoRedZone.NoAddress = NoRedZone.NoHWAddress = true;
    Slot->setSanitizerMetadata(NoRedZone);
    return Slot;
  }

  // A jump: the wrapper returns to the user's call, with no frame between.
  void fill(Function &Stub, GlobalVariable *Slot) {
    Stub.setCallingConv(Profiling.getCallingConv());
    AttributeList Given = Profiling.getAttributes();
    for (unsigned I = 0; I < Stub.arg_size(); ++I)
      Stub.addParamAttrs(I, AttrBuilder(M.getContext(), Given.getParamAttrs(I)));
    IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", &Stub));
    SmallVector<Value *, 10> Arguments;
    for (Argument &Argument : Stub.args()) Arguments.push_back(&Argument);
    Value *Entry = Builder.CreateAlignedLoad(Builder.getPtrTy(), Slot, Align(8));
    CallInst *Call = Builder.CreateCall(Profiling.getFunctionType(), Entry, Arguments);
    Call->setCallingConv(Profiling.getCallingConv());
    Call->setTailCallKind(CallInst::TCK_MustTail);
    for (unsigned I = 0; I < Stub.arg_size(); ++I)
      Call->setAttributes(Call->getAttributes().addParamAttributes(
          M.getContext(), I, AttrBuilder(M.getContext(), Given.getParamAttrs(I))));
    if (Call->getType()->isVoidTy()) Builder.CreateRetVoid();
    else Builder.CreateRet(Call);
  }
};

} // namespace

// The MPI functions that the module declares, each with its name in the generated list.
static SmallVector<std::pair<Function *, StringRef>, 16> functionsOfMpi(Module &M) {
  SmallVector<std::pair<Function *, StringRef>, 16> Found;
  for (Function &F : M) {
    StringRef Name = mck::listedMpi(F.getName());
    if (!Name.empty()) Found.push_back({&F, Name});
  }
  return Found;
}

bool mck::markCall(CallBase &Call, StringRef Section, uint32_t What) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  auto *Plain = dyn_cast<CallInst>(&Call);
  if ((!Invoke && (!Plain || Plain->isMustTailCall())) || Call.getFunction()->hasFnAttribute(Attribute::Naked))
    return false;
  // One block can be both successors of an invoke. Then the normal return cannot be marked alone.
  if (Invoke && Invoke->getNormalDest() == Invoke->getUnwindDest()) return false;
  insertMark(&Call, Section, What & ~1U);
  insertMark(Invoke ? continuation(*Invoke) : Call.getNextNode(), Section, What | 1);
  return true;
}

bool mck::markUnusedResults(Module &M) {
  bool IsChanged = false;
  for (auto [F, Name] : functionsOfMpi(M)) IsChanged |= markCallsOf(F, mck_abi_hash(Name.data()));
  if (IsChanged) addConstructor(M);
  return IsChanged;
}

bool mck::redirectProfilingNames(Module &M) {
  bool IsChanged = false;
  for (auto [F, Name] : functionsOfMpi(M)) {
    // No wrapper can pass on MPI_Pcontrol's variable arguments. PMPI_ functions that a library defines are its own.
    if (F->getName().starts_with("P") && F->isDeclaration() && !F->isVarArg())
      IsChanged |= Redirection(M, *F, Name).run();
  }
  if (IsChanged) addConstructor(M);
  return IsChanged;
}
