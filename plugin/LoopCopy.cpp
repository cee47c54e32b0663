// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a loop, and lets all that it asks for fail (LoopCopy.h).
#include "LoopCopy.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using mck::LoopCopy;

namespace {

constexpr char AskedName[] = "mck.asked", AskedMemoryName[] = "mck.asked.memory", LostName[] = "mck.lost";
constexpr char IdName[] = "mck.id";
constexpr char NullName[] = "ompi_request_null"; // MPI_REQUEST_NULL of Open MPI
constexpr unsigned Success = 0;                  // MPI-3.1 8.4
constexpr unsigned Large = 3000, CallDepth = 6;  // instructions; calls within calls

enum : int {
#define MCK_CONSTANT(name, value) MPI_##name = value,
#include "standard/constants.inc"
#undef MCK_CONSTANT
};

bool isCallOf(const CallBase &Call, StringRef Name) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName() == Name;
}

bool isAddress(const Value *V) { return isa<GetElementPtrInst>(V) || isa<BitCastInst>(V); }

const Value *stripAddresses(const Value *V) {
  while (isAddress(V)) V = cast<Instruction>(V)->getOperand(0);
  return V;
}

} // namespace

bool LoopCopy::isAsked(const CallBase &Call) { return isCallOf(Call, AskedName); }
bool LoopCopy::isAskedMemory(const CallBase &Call) { return isCallOf(Call, AskedMemoryName); }
bool LoopCopy::isLost(const CallBase &Call) { return isCallOf(Call, LostName); }
bool LoopCopy::isNullRequest(const Value *V) { return isa<GlobalVariable>(V) && V->getName() == NullName; }

LoopCopy::LoopCopy(const Loop &L, PrivateMemory &Memory, NullRequests Nulls, FunctionAnalysisManager &Passes)
    : L(L), Memory(Memory), Nulls(Nulls), Passes(Passes), M(*L.getHeader()->getModule()) {
  HadNull = M.getNamedValue(NullName) != nullptr;
}

LoopCopy::~LoopCopy() {
  if (Copy) {
    Passes.clear(*Copy, Copy->getName());
    Copy->eraseFromParent();
  }
  GlobalVariable *Null = HadNull ? nullptr : M.getNamedGlobal(NullName);
  if (Null && Null->use_empty()) Null->eraseFromParent();
  for (const char *Name : {AskedName, AskedMemoryName, LostName})
    if (Function *F = M.getFunction(Name); F && F->use_empty()) F->eraseFromParent();
}

bool LoopCopy::isCopyable() const {
  unsigned Count = 0;
  if (L.getHeader()->getParent()->isPresplitCoroutine()) return false;
  for (const BasicBlock *Block : L.blocks()) {
    if (any_of(*Block, [](const Instruction &I) { return I.getType()->isTokenTy(); })) return false;
    if (isa<IndirectBrInst>(Block->getTerminator()) || isa<CallBrInst>(Block->getTerminator())) return false;
    Count += unsigned(Block->size());
  }
  return Count <= Large && !L.getHeader()->isEHPad();
}

// All values from outside are arguments of the copy, of which nothing is known: what holds for the copy holds whenever
// the loop is entered. Variables that nobody else changes become variables of the copy.
void LoopCopy::declareInputs(SmallVectorImpl<Value *> &Inputs) {
  SetVector<Value *> All;
  SmallVector<Value *, 32> Work;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (!isa<DbgInfoIntrinsic>(I)) append_range(Work, I.operand_values());
  SmallPtrSet<Value *, 32> Seen;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    auto *I = dyn_cast<Instruction>(V);
    if ((!I && !isa<Argument>(V)) || (I && L.contains(I)) || !Seen.insert(V).second) continue;
    if (I && isAddress(I) && isa<AllocaInst>(stripAddresses(I))) {
      Moved.push_back(I);
      append_range(Work, I->operand_values());
    } else All.insert(V);
  }
  append_range(Inputs, All);
}

void LoopCopy::replaceVariable(Value *Object, Value *Contents) {
  const DataLayout &Layout = M.getDataLayout();
  Type *Of = isa<AllocaInst>(Object) ? cast<AllocaInst>(Object)->getAllocatedType()
                                     : cast<GlobalVariable>(Object)->getValueType();
  IRBuilder<> Builder(Entry, Entry->getFirstInsertionPt());
  AllocaInst *Own = Builder.CreateAlloca(Of);
  Builder.CreateMemCpy(Own, Own->getAlign(), Contents, MaybeAlign(), Layout.getTypeAllocSize(Of).getFixedValue());
  if (isa<AllocaInst>(Object)) Map[Object] = Own;
  else
    cast<GlobalVariable>(Object)->replaceUsesWithIf(Own, [&](Use &U) {
      const auto *I = dyn_cast<Instruction>(U.getUser());
      return I && I->getFunction() == Copy && I->getParent() != Entry;
    });
}

void LoopCopy::copyBlocks() {
  SmallVector<Value *, 16> Inputs;
  declareInputs(Inputs);
  // A phi of the header may have any value at first.
  SmallVector<PHINode *, 8> Phis;
  for (PHINode &Phi : L.getHeader()->phis()) Phis.push_back(&Phi);
  SmallVector<Type *, 16> Types;
  for (const Value *V : Inputs) Types.push_back(V->getType());
  for (const PHINode *Phi : Phis) Types.push_back(Phi->getType());
  LLVMContext &Context = M.getContext();
  Copy = Function::Create(FunctionType::get(Type::getVoidTy(Context), Types, false), GlobalValue::InternalLinkage, Name,
                          M);
  Entry = BasicBlock::Create(Context, "", Copy);
  auto *Exit = BasicBlock::Create(Context, "", Copy);
  ReturnInst::Create(Context, Exit);
  for (BasicBlock *Block : L.blocks()) Map[Block] = BasicBlock::Create(Context, "", Copy);
  BranchInst *Start = BranchInst::Create(cast<BasicBlock>(Map[L.getHeader()]), Entry);
  const Function &F = *L.getHeader()->getParent();
  for (unsigned I = 0; I < Inputs.size(); ++I) {
    auto *Local = dyn_cast<AllocaInst>(Inputs[I]);
    if (Local && !Local->isArrayAllocation() && Local->getAllocatedType()->isSized() && Memory.isPrivate(Local, F))
      replaceVariable(Local, Copy->getArg(I));
    else Map[Inputs[I]] = Copy->getArg(I);
  }
  SmallVector<Instruction *, 64> Copies;
  for (Instruction *I : reverse(Moved)) {
    Instruction *Own = I->clone();
    Own->insertBefore(Start->getIterator());
    Map[I] = Own;
    Copies.push_back(Own);
  }
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (isa<DbgInfoIntrinsic>(I)) continue;
      Instruction *Own = I.clone();
      Own->setDebugLoc({});
      Own->insertInto(cast<BasicBlock>(Map[Block]), cast<BasicBlock>(Map[Block])->end());
      Map[&I] = Own;
      Copies.push_back(Own);
      if (auto *Call = dyn_cast<CallBase>(Own); Call && !isa<IntrinsicInst>(Call)) {
        auto *Id = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), Originals.size()));
        Call->setMetadata(IdName, MDNode::get(Context, Id));
        Originals.push_back(cast<CallBase>(&I));
      }
    }
  for (BasicBlock *Block : L.blocks())
    for (BasicBlock *Next : successors(Block))
      if (!L.contains(Next)) Map[Next] = Exit;
  for (unsigned I = 0; I < Phis.size(); ++I) {
    auto *Own = cast<PHINode>(Map[Phis[I]]);
    for (unsigned K = Own->getNumIncomingValues(); K-- > 0;)
      if (!L.contains(Own->getIncomingBlock(K))) Own->removeIncomingValue(K, /*DeletePHIIfEmpty=*/false);
    Own->addIncoming(Copy->getArg(unsigned(Inputs.size()) + I), Entry);
  }
  for (Instruction *I : Copies) RemapInstruction(I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
}

// A global variable that nobody else changes is a local one here. While calls are left, one of them may change it.
void LoopCopy::replaceGlobals() {
  const Function &F = *L.getHeader()->getParent();
  SetVector<Constant *> Globals;
  for (Instruction &I : instructions(*Copy)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Call && !Call->isInlineAsm() && (!Callee || !Callee->isDeclaration())) return;
    for (Value *V : I.operand_values()) {
      if (isa<ConstantExpr>(V)) V = V->stripInBoundsOffsets();
      auto *Global = dyn_cast<GlobalVariable>(V);
      if (Global && !Global->isConstant() && Memory.isPrivate(Global, F)) Globals.insert(Global);
    }
  }
  convertUsersOfConstantsToInstructions(Globals.getArrayRef(), Copy, /*RemoveDeadConstants=*/false);
  for (Constant *Global : Globals) replaceVariable(Global, Global);
}

// Calls that MPI or a library gets do not unwind in what is copied here, or the copy is not judged at all.
void LoopCopy::replaceInvokes() {
  SmallVector<InvokeInst *, 8> Invokes;
  for (Instruction &I : instructions(*Copy))
    if (auto *Invoke = dyn_cast<InvokeInst>(&I)) Invokes.push_back(Invoke);
  for (InvokeInst *Invoke : Invokes) {
    MDNode *Id = Invoke->getMetadata(IdName);
    CallInst *Call = changeToCall(Invoke);
    Call->setMetadata(IdName, Id);
  }
  if (!Invokes.empty()) removeUnreachableBlocks(*Copy);
}

unsigned LoopCopy::idOf(const CallBase &Call) const {
  const MDNode *Id = Call.getMetadata(IdName);
  return Id ? unsigned(mdconst::extract<ConstantInt>(Id->getOperand(0))->getZExtValue()) : unsigned(Originals.size());
}

FunctionCallee LoopCopy::declare(StringRef Name, bool IsMarker, MemoryEffects Effects) {
  LLVMContext &Context = M.getContext();
  Type *First = IsMarker ? Type::getInt32Ty(Context) : static_cast<Type *>(PointerType::getUnqual(Context));
  FunctionCallee Callee = M.getOrInsertFunction(Name, FunctionType::get(Type::getVoidTy(Context), First, IsMarker));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(Effects);
  if (!IsMarker) F->addParamAttr(0, Attribute::NoCapture);
  return Callee;
}

// The call has asked, and nothing has come. What it asks for is kept as arguments of calls that the optimizer does not
// know; the first of them may change all memory that others can see, as the call itself might.
void LoopCopy::replaceAsk(CallBase &Call, const Ask &A) {
  IRBuilder<> Builder(&Call);
  MemoryEffects Reads = MemoryEffects::argMemOnly(ModRefInfo::Ref) | MemoryEffects::inaccessibleMemOnly();
  SmallVector<Value *, 8> Values = {Builder.getInt32(idOf(Call))};
  for (unsigned I = 0; I < A.Count; ++I) {
    Value *Given = Call.getArgOperand(I);
    if (A.isResult(I)) continue;
    if (A.isMemory(I)) Builder.CreateCall(declare(AskedMemoryName, false, Reads), Given);
    else Values.push_back(Given);
  }
  Value *Flag = Builder.getInt32(0);
  if (A.Request >= 0) HasTests = true;
  if (A.Request >= 0 && Nulls == NullRequests::Complete && !A.IsFortran) {
    Value *Request = Builder.CreateLoad(Builder.getPtrTy(), Call.getArgOperand(unsigned(A.Request)));
    Value *Null = M.getOrInsertGlobal(NullName, Builder.getInt8Ty());
    Flag = Builder.CreateZExt(Builder.CreateICmpEQ(Request, Null), Builder.getInt32Ty());
  }
  Builder.CreateCall(declare(AskedName, true, MemoryEffects::unknown()), Values)->addFnAttr(Attribute::NoMerge);
  auto GetsResult = [](const Value *Given) {
    return Given->getType()->isPointerTy() && (!isa<Constant>(Given) || isa<GlobalValue>(Given));
  };
  for (unsigned I = 0; I < A.Count; ++I)
    if (Value *Given = Call.getArgOperand(I); A.isLost(I) && GetsResult(Given))
      Builder.CreateCall(declare(LostName, false, MemoryEffects::argMemOnly(ModRefInfo::Mod)), Given);
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    Value *Given = Call.getArgOperand(I);
    if (!GetsResult(Given)) continue;
    if (int(I) == A.Flag) Builder.CreateStore(Flag, Given);
    else if (int(I) == A.Index) Builder.CreateStore(Builder.getInt32(uint32_t(MPI_UNDEFINED)), Given);
    else if (I >= A.Count) Builder.CreateStore(Builder.getInt32(Success), Given); // ierror of Fortran
  }
  if (!Call.getType()->isVoidTy()) Call.replaceAllUsesWith(Constant::getNullValue(Call.getType())); // MPI_SUCCESS
  Call.eraseFromParent();
}

void LoopCopy::replaceAsks() {
  SmallVector<std::pair<CallBase *, Ask>, 8> Asks;
  for (Instruction &I : instructions(*Copy))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (auto A = mck::findAsk(*Call)) Asks.push_back({Call, *A});
      if (isa<IntrinsicInst>(Call) || mck::changesOf(*Call) == mck::Changes::Anything) continue;
      for (unsigned K = 0; K < Call->arg_size(); ++K)
        if (Call->getArgOperand(K)->getType()->isPointerTy()) Call->addParamAttr(K, Attribute::NoCapture);
    }
  for (auto &[Call, A] : Asks) replaceAsk(*Call, A);
}

// Calls of functions that are in this module. Returns false when there is none.
bool LoopCopy::inlineCalls() {
  SmallVector<CallBase *, 8> Calls;
  for (Instruction &I : instructions(*Copy)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && !Callee->isDeclaration() && !Callee->isInterposable() && !Callee->isVarArg() &&
        !Callee->isPresplitCoroutine() && !Callee->hasFnAttribute(Attribute::Naked) &&
        !Callee->hasFnAttribute(Attribute::ReturnsTwice))
      Calls.push_back(Call);
  }
  bool IsChanged = false;
  for (CallBase *Call : Calls) {
    MDNode *Id = Call->getMetadata(IdName);
    InlineFunctionInfo Info;
    if (Copy->getInstructionCount() > Large || !InlineFunction(*Call, Info).isSuccess()) continue;
    IsChanged = true;
    for (Instruction &I : instructions(*Copy)) {
      I.setDebugLoc({});
      if (isa<CallBase>(I) && !isa<IntrinsicInst>(I) && !I.getMetadata(IdName)) I.setMetadata(IdName, Id);
    }
  }
  return IsChanged;
}

// "if (!flags[i]) MPI_Test(..., &flags[i], ...)" stores what is there already.
bool LoopCopy::isStoredAgain(const StoreInst &Store) {
  const BasicBlock *Block = Store.getParent(), *Above = Block->getSinglePredecessor();
  const auto *Branch = dyn_cast_or_null<BranchInst>(Above ? Above->getTerminator() : nullptr);
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1)) return false;
  const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Compare || !Compare->isEquality() || Compare->getOperand(1) != Store.getValueOperand()) return false;
  bool IsEqual = (Compare->getPredicate() == ICmpInst::ICMP_EQ) == (Branch->getSuccessor(0) == Block);
  const auto *Load = dyn_cast<LoadInst>(Compare->getOperand(0));
  if (!IsEqual || !Load || Load->getParent() != Above || Load->getPointerOperand() != Store.getPointerOperand() ||
      !Load->isSimple() || !Store.isSimple() || !isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand())))
    return false;
  auto MayWrite = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return I.mayWriteToMemory() && !(Call && (isAsked(*Call) || isAskedMemory(*Call)));
  };
  return none_of(make_range(Load->getIterator(), Above->end()), MayWrite) &&
         none_of(make_range(Block->begin(), Store.getIterator()), MayWrite);
}

void LoopCopy::simplify() {
  FunctionPassManager Manager;
  Manager.addPass(SROAPass(SROAOptions::ModifyCFG));
  Manager.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Manager.addPass(SCCPPass());
  Manager.addPass(InstCombinePass());
  Manager.addPass(SimplifyCFGPass());
  Manager.addPass(GVNPass());
  Manager.addPass(InstCombinePass());
  Manager.addPass(SimplifyCFGPass());
  Manager.addPass(LoopSimplifyPass());
  Passes.invalidate(*Copy, PreservedAnalyses::none());
  Manager.run(*Copy, Passes);
  for (Instruction &I : make_early_inc_range(instructions(*Copy)))
    if (const auto *Store = dyn_cast<StoreInst>(&I); Store && isStoredAgain(*Store)) I.eraseFromParent();
}

bool LoopCopy::make() {
  if (!isCopyable()) return false;
  copyBlocks();
  replaceInvokes();
  for (unsigned Round = 0;; ++Round) {
    replaceAsks();
    simplify();
    if (Copy->getInstructionCount() > Large || Round > CallDepth) return false;
    if (!inlineCalls()) break;
    stripDebugInfo(*Copy);
    replaceInvokes();
  }
  replaceGlobals();
  simplify();
  simplify(); // what the first time has left of variables whose address was used in code that is gone
  return true;
}

SmallVector<LoopCopy::Marker, 8> LoopCopy::markers() {
  SmallVector<Marker, 8> All;
  for (Instruction &I : instructions(*Copy))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && isAsked(*Call)) {
      const auto *Id = dyn_cast<ConstantInt>(Call->getArgOperand(0));
      All.push_back({Call, Id ? unsigned(Id->getZExtValue()) : unsigned(Originals.size())});
    }
  return All;
}
