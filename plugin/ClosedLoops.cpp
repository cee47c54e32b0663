// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks the calls in loops that only MPI can end (ClosedLoops.h).
#include "ClosedLoops.h"
#include "Asks.h"
#include "Attach.h"
#include "Endless.h"
#include "LoopCopy.h"
#include "PrivateMemory.h"
#include "abi.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using mck::LoopCopy;

namespace {

// Optimizing a copy is nothing that the user wants to hear of.
class Silence {
public:
  explicit Silence(LLVMContext &Context) : Context(Context), Before(Context.getDiagnosticHandler()) {
    Context.setDiagnosticHandler(std::make_unique<DiagnosticHandler>());
  }
  ~Silence() { Context.setDiagnosticHandler(std::move(Before)); }
  Silence(const Silence &) = delete;
  Silence &operator=(const Silence &) = delete;

private:
  LLVMContext &Context;
  std::unique_ptr<DiagnosticHandler> Before;
};

// A call in a closed loop: it asks, or the function that it calls does.
struct Marked {
  CallBase *Call;
  BasicBlock *Header;
  bool IsNullKnown; // also while it tests null requests
};

class ClosedLoops {
public:
  ClosedLoops(Module &M, FunctionAnalysisManager &Functions) : M(M), Functions(Functions), Memory(M) {
    Builder.registerModuleAnalyses(OwnModules);
    Builder.registerCGSCCAnalyses(OwnSccs);
    Builder.registerFunctionAnalyses(Own);
    Builder.registerLoopAnalyses(OwnLoops);
    Builder.crossRegisterProxies(OwnLoops, Own, OwnSccs, OwnModules);
  }

  bool run() {
    findAsking();
    SmallVector<Marked, 8> All;
    for (Function &F : M)
      if (Asking.contains(&F)) look(F, All);
    for (const Marked &Call : All) explain(*Call.Call);
    for (const Marked &Call : All) mark(Call);
    return !All.empty();
  }

private:
  Module &M;
  FunctionAnalysisManager &Functions;
  mck::PrivateMemory Memory;
  SmallPtrSet<const Function *, 16> Asking; // functions that ask, and those that call them
  // Analyses of the copies.
  PassBuilder Builder;
  LoopAnalysisManager OwnLoops;
  FunctionAnalysisManager Own;
  CGSCCAnalysisManager OwnSccs;
  ModuleAnalysisManager OwnModules;
  DenseMap<BasicBlock *, Value *> Counters; // [header]

  bool isAsking(const CallBase &Call) const { return mck::findAsk(Call) || Asking.contains(Call.getCalledFunction()); }

  void findAsking() {
    for (bool IsChanged = true; IsChanged;) {
      IsChanged = false;
      for (const Function &F : M) {
        if (F.isDeclaration() || F.hasAvailableExternallyLinkage() || Asking.contains(&F)) continue;
        for (const Instruction &I : instructions(F))
          if (const auto *Call = dyn_cast<CallBase>(&I); Call && isAsking(*Call)) {
            IsChanged |= Asking.insert(&F).second;
            break;
          }
      }
    }
  }

  // From the inside out: a call belongs to the innermost loop that never ends.
  void look(Function &F, SmallVectorImpl<Marked> &All) {
    SmallPtrSet<const CallBase *, 8> Done;
    SmallVector<Loop *, 8> Loops = Functions.getResult<LoopAnalysis>(F).getLoopsInPreorder();
    for (Loop *L : reverse(Loops)) {
      bool IsWorth = false;
      for (const BasicBlock *Block : L->blocks())
        for (const Instruction &I : *Block)
          if (const auto *Call = dyn_cast<CallBase>(&I)) IsWorth |= !Done.contains(Call) && isAsking(*Call);
      if (!IsWorth) continue;
      SmallVector<CallBase *, 8> Calls;
      bool HasTests = false;
      bool IsNullKnown = isClosed(*L, mck::NullRequests::Complete, Calls, HasTests);
      if (!IsNullKnown && HasTests) isClosed(*L, mck::NullRequests::Absent, Calls, HasTests);
      for (CallBase *Call : Calls)
        if (Done.insert(Call).second) All.push_back({Call, L->getHeader(), IsNullKnown});
    }
  }

  // Returns false when there are no Calls.
  bool isClosed(const Loop &L, mck::NullRequests Nulls, SmallVectorImpl<CallBase *> &Calls, bool &HasTests) {
    Silence Quiet(M.getContext());
    LoopCopy Copy(L, Memory, Nulls, Own);
    bool IsMade = Copy.make();
    HasTests = Copy.hasTests();
    if (!IsMade) return false;
    Function &F = Copy.function();
    Own.invalidate(F, PreservedAnalyses::none());
    auto &Loops = Own.getResult<LoopAnalysis>(F);
    auto &Dominators = Own.getResult<DominatorTreeAnalysis>(F);
    auto &Aliases = Own.getResult<AAManager>(F);
    SmallPtrSet<const Loop *, 4> Endless;
    for (const Loop *Outer : Loops)
      if (mck::isEndless(*Outer, Dominators, Aliases)) Endless.insert(Outer);
    // A call of the original may be there several times. All of them must be in closed loops.
    SmallVector<uint8_t, 16> IsIn(Copy.originals().size(), 0), IsOut(Copy.originals().size(), 0);
    for (auto [Call, Id] : Copy.markers()) {
      if (Id >= IsIn.size()) return false;
      const Loop *Outer = Loops.getLoopFor(Call->getParent());
      while (Outer && Outer->getParentLoop()) Outer = Outer->getParentLoop();
      (Endless.contains(Outer) ? IsIn : IsOut)[Id] = 1;
    }
    for (size_t Id = 0; Id < IsIn.size(); ++Id)
      if (IsIn[Id] && !IsOut[Id]) Calls.push_back(Copy.originals()[Id]);
    return !Calls.empty();
  }

  // --- marks ---
  void explain(CallBase &Call) {
    OptimizationRemarkEmitter Remarks(Call.getFunction());
    Remarks.emit(OptimizationRemarkAnalysis("mck-signals", "ClosedLoop", &Call)
                 << "only MPI can end the loop around this call");
  }

  // The number of the iteration, from 1.
  Value *counterOf(BasicBlock *Header, const Loop &L) {
    Value *&Counter = Counters[Header];
    if (Counter) return Counter;
    IRBuilder<> At(Header, Header->begin());
    PHINode *Phi = At.CreatePHI(At.getInt32Ty(), pred_size(Header), "mck.iteration");
    At.SetInsertPoint(Header, Header->getFirstInsertionPt());
    Value *Next = At.CreateAdd(Phi, At.getInt32(1));
    for (BasicBlock *Before : predecessors(Header))
      Phi->addIncoming(L.contains(Before) ? Next : At.getInt32(1), Before);
    return Counter = Phi;
  }

  void store(Instruction *Before, Value *Mark) {
    IRBuilder<> At(Before);
    MDNode *None = MDNode::get(M.getContext(), {});
    LoadInst *Where = At.CreateAlignedLoad(At.getPtrTy(), pointer(), Align(8));
    StoreInst *Store = At.CreateAlignedStore(Mark, Where, Align(8));
    Where->setMetadata(LLVMContext::MD_nosanitize, None);
    Store->setMetadata(LLVMContext::MD_nosanitize, None);
  }

  void mark(const Marked &That) {
    CallBase *Call = That.Call;
    const Loop &L = *Functions.getResult<LoopAnalysis>(*Call->getFunction()).getLoopFor(That.Header);
    Value *Iteration = counterOf(That.Header, L);
    IRBuilder<> At(Call);
    bool IsAsk = mck::findAsk(*Call).has_value();
    uint64_t Bits = uint64_t(IsAsk ? 1 : MCK_CLOSED_MANY) << MCK_CLOSED_COUNT_SHIFT;
    if (That.IsNullKnown) Bits |= MCK_CLOSED_NULLS;
    store(Call, At.CreateOr(At.CreateZExt(Iteration, At.getInt64Ty()), At.getInt64(Bits)));
    if (IsAsk) return;
    // What a called function has not used is not left for other calls.
    Instruction *Behind = Call->getNextNode();
    if (auto *Invoke = dyn_cast<InvokeInst>(Call)) {
      BasicBlock *Next = Invoke->getNormalDest();
      if (!Next->getSinglePredecessor()) Next = SplitEdge(Invoke->getParent(), Next);
      Behind = &*Next->getFirstInsertionPt();
    }
    store(Behind, At.getInt64(0));
  }

  // mck.closed: where the mark is to be stored. Without a runtime that is a variable that nobody reads.
  GlobalVariable *pointer() {
    if (GlobalVariable *Pointer = M.getNamedGlobal(Name)) return Pointer;
    LLVMContext &Context = M.getContext();
    auto *Number = Type::getInt64Ty(Context);
    auto *Nowhere = mck::hidden(M, new GlobalVariable(M, Number, false, GlobalValue::LinkOnceODRLinkage,
                                                      ConstantInt::get(Number, 0), "mck.closed.nowhere"));
    auto *Pointer = mck::hidden(M, new GlobalVariable(M, PointerType::getUnqual(Context), false,
                                                      GlobalValue::LinkOnceODRLinkage, Nowhere, Name));
    FunctionCallee Attach = M.getOrInsertFunction(
        "__mck_attach_closed",
        FunctionType::get(Type::getVoidTy(Context), {Type::getInt32Ty(Context), Pointer->getType()}, false));
    if (auto *Target = dyn_cast<Function>(Attach.getCallee()); Target && Target->isDeclaration()) {
      Target->setLinkage(GlobalValue::ExternalWeakLinkage);
      Target->setDSOLocal(false);
      Target->setDoesNotThrow();
    }
    Function *Constructor = mck::hidden(
        M, Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(Context), false),
                                           GlobalValue::LinkOnceODRLinkage, 0, "mck.attach.closed", &M));
    mck::attach(M, Constructor, Attach, {ConstantInt::get(Type::getInt32Ty(Context), MCK_CLOSED_VERSION), Pointer});
    return Pointer;
  }
  static constexpr char Name[] = "mck.closed";
};

} // namespace

bool mck::markClosedLoops(Module &M, FunctionAnalysisManager &Functions) {
  bool IsUsed = any_of(
      M, [](const Function &F) { return F.isDeclaration() && !mck::nameOfMpi(F.getName()).Name.empty(); });
  if (!IsUsed || M.getNamedGlobal("mck.closed")) return false;
  return ClosedLoops(M, Functions).run();
}
