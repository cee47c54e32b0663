// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the plain versions of loops (Versions.h).
#include "Versions.h"
#include "Accesses.h"
#include "Filter.h"
#include "GuardedLoads.h"
#include "HullGroups.h"
#include "ObjectTests.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using mck::Access;
using mck::Hull;

namespace {

// A nest of more instructions has no second version, nor have the loops of a function beyond so many instructions.
constexpr unsigned MaxNest = 3000, MaxFunction = 8000;
// So many groups of hulls, and objects, are tested before a nest. Beyond, any page of interest chooses the signalled
// version.
constexpr unsigned MaxTests = 12;

// A nest of loops within which MPI cannot act, as large as possible, and what is asked before it.
struct Nest {
  explicit Nest(Loop *L) : L(L) {}
  Loop *L;
  bool IsKnown = true; // each access has a hull, or a known object
  SmallVector<unsigned, 8> Groups, Objects;
  Value *IsPlain = nullptr; // i1, in the preheader
};

class Maker {
public:
  Maker(Function &F, const mck::Points &Module, FunctionAnalysisManager &Functions)
      : F(F), LI(Functions.getResult<LoopAnalysis>(F)), DT(Functions.getResult<DominatorTreeAnalysis>(F)),
        SE(Functions.getResult<ScalarEvolutionAnalysis>(F)), TLI(Functions.getResult<TargetLibraryAnalysis>(F)),
        AC(Functions.getResult<AssumptionAnalysis>(F)), N(F, LI, DT, SE, TLI, Functions.getResult<TargetIRAnalysis>(F)),
        AA(Functions.getResult<AAManager>(F)), Hulls(N), Objects(N, AA, TLI), Module(Module) {}

  bool run(function_ref<void(Function &)> Release) {
    for (Loop *L : LI) simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    Moved = mck::moveGuardedLoads(F, LI, DT, SE, AA, TLI);
    for (Loop *L : LI) findNests(L);
    if (Found.empty()) return true;
    choose();
    if (Found.empty()) return true;
    for (Nest &T : Found) askBefore(T);
    SE.forgetAllLoops();
    for (Nest &T : Found) copy(T);
    for (auto &Blocks : Copies) extract(Blocks, Release);
    return true;
  }

private:
  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  const TargetLibraryInfo &TLI;
  AssumptionCache &AC;
  mck::Nests N;
  AAResults &AA;
  mck::HullGroups Hulls;
  mck::ObjectTests Objects;
  const mck::Points &Module;
  SmallVector<Nest, 0> Found;
  SmallVector<SmallVector<BasicBlock *, 8>, 0> Copies;
  SmallPtrSet<const Loop *, 8> Moved;  // loops whose loads were moved
  SmallPtrSet<const Loop *, 8> Tested; // loops with accesses that are signalled or tested one by one

  static unsigned sizeOf(const Loop *L) {
    unsigned Size = 0;
    for (const BasicBlock *Block : L->blocks()) Size += unsigned(Block->size());
    return Size;
  }

  void findNests(Loop *L) {
    if (N.isQuiet(L) && L->isLoopSimplifyForm() && sizeOf(L) <= MaxNest &&
        CodeExtractor(L->getBlocks(), nullptr, /*AggregateArgs=*/false, nullptr, nullptr, &AC).isEligible())
      Found.emplace_back(L);
    else
      for (Loop *Sub : *L) findNests(Sub);
  }

  // Keeps the nests that a second version makes faster.
  void choose() {
    SmallVector<Access, 0> Accesses = mck::collectAccesses(F, DT, LI, TLI, SE, Module);
    unsigned Room = MaxFunction;
    erase_if(Found, [&](Nest &T) {
      // Its loads were under conditions: in code like that the promise not to speculate costs something.
      bool IsWorth = false,
           HasMoved = any_of(T.L->getLoopsInPreorder(), [this](const Loop *L) { return Moved.contains(L); });
      for (const Access &A : Accesses)
        if (T.L->contains(A.Before)) IsWorth |= add(T, A) || HasMoved;
      unsigned Size = sizeOf(T.L);
      IsWorth &= Size <= Room;
      if (IsWorth) Room -= Size;
      return !IsWorth;
    });
  }

  // Returns whether the access, or its being conditional, costs something in each iteration.
  bool add(Nest &T, const Access &A) {
    Loop *Inner = LI.getLoopFor(A.Before->getParent());
    const BasicBlock *Latch = Inner->getLoopLatch();
    bool IsConditional = !Latch || !DT.dominates(A.Before->getParent(), Latch);
    std::optional<Hull> H = hullOf(A, T.L);
    if (!isRange(A, Inner)) Tested.insert(Inner);
    if (!H) {
      T.IsKnown = T.IsKnown && Objects.add(A, T.L, T.Objects);
      return true;
    }
    unsigned Group = Hulls.add(A, std::move(*H));
    if (!is_contained(T.Groups, Group)) T.Groups.push_back(Group);
    return IsConditional;
  }

  // The hull of one execution.
  std::optional<Hull> pointOf(const Access &A) {
    if (A.Length || A.IsString || A.Call || A.Size.isScalable() || A.Size.isZero() ||
        A.Address->getType()->isVectorTy() || !SE.isSCEVable(A.Address->getType()))
      return std::nullopt;
    const SCEV *Address = SE.getPtrToIntExpr(SE.getSCEV(A.Address), N.Int64);
    if (isa<SCEVCouldNotCompute>(Address)) return std::nullopt;
    Hull H;
    H.Low = H.High = Address;
    return H;
  }

  // Will the access be signalled as a range before its loop?
  bool isRange(const Access &A, Loop *Inner) {
    std::optional<Hull> H = pointOf(A);
    return H && !A.Mask && !A.Guard && N.countOf(A, Inner) && mck::extendHull(N, *H, Inner, /*IsExact=*/true);
  }

  std::optional<Hull> hullOf(const Access &A, Loop *Outermost) {
    std::optional<Hull> H = pointOf(A);
    if (!H) return std::nullopt;
    for (Loop *L = LI.getLoopFor(A.Before->getParent());; L = L->getParentLoop()) {
      if (!mck::extendHull(N, *H, L, /*IsExact=*/false)) return std::nullopt;
      if (L == Outermost) return H;
    }
  }

  // Is any page of interest? The byte behind the filter says so.
  static Value *isAnyWatched(IRBuilder<> &Builder, mck::EntryPoints &Gate) {
    Value *Filter = mck::Filter::hiddenLoad(Builder, Builder.getPtrTy(), Gate.Pages, Align(8));
    Value *Byte = mck::Filter::hiddenLoad(Builder, Builder.getInt8Ty(),
                                          Builder.CreatePtrAdd(Filter, Builder.getInt64(MCK_PAGES)), Align(1));
    return Builder.CreateIsNotNull(Byte);
  }

  void askBefore(Nest &T) {
    mck::EntryPoints Gate(*F.getParent());
    Instruction *At = T.L->getLoopPreheader()->getTerminator();
    IRBuilder<> Builder(At);
    if (F.getSubprogram()) Builder.SetCurrentDebugLocation(DILocation::get(F.getContext(), 0, 0, F.getSubprogram()));
    Value *IsAny = isAnyWatched(Builder, Gate);
    if (!T.IsKnown || T.Groups.size() + T.Objects.size() > MaxTests) {
      T.IsPlain = Builder.CreateNot(IsAny);
      return;
    }
    DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
    Instruction *Ask = SplitBlockAndInsertIfThen(IsAny, At->getIterator(), /*Unreachable=*/false,
                                                 MDBuilder(F.getContext()).createUnlikelyBranchWeights(), &Updater,
                                                 &LI);
    Value *IsHit = nullptr;
    for (unsigned G : T.Groups) {
      mck::HullRange Range = Hulls.All[G].emit(N, Ask);
      IRBuilder<> AskBuilder(Ask);
      AskBuilder.SetCurrentDebugLocation(Builder.getCurrentDebugLocation());
      Value *Bits = AskBuilder.getInt32(Hulls.All[G].Bits);
      if (Range.IsWild)
        Bits = AskBuilder.CreateSelect(Range.IsWild, AskBuilder.getInt32(Hulls.All[G].Bits | mck::EntryPoints::Wild),
                                       Bits);
      CallInst *Call = AskBuilder.CreateCall(Gate.rangeGate(), {Range.Low, Range.High, Bits});
      Call->setCallingConv(Gate.rangeGate()->getCallingConv());
      Call->setDoesNotThrow();
      IsHit = IsHit ? AskBuilder.CreateOr(IsHit, Call) : Call;
    }
    for (unsigned Object : T.Objects) {
      Value *IsOne = Objects.emit(Object, Ask, Gate);
      IsHit = IsHit ? IRBuilder<>(Ask).CreateOr(IsHit, IsOne) : IsOne;
    }
    IRBuilder<> After(&*At->getParent()->getFirstInsertionPt());
    PHINode *Phi = After.CreatePHI(After.getInt1Ty(), 2);
    for (BasicBlock *From : predecessors(At->getParent()))
      Phi->addIncoming(From == Ask->getParent() ? IsHit : After.getFalse(), From);
    T.IsPlain = IRBuilder<>(At).CreateNot(Phi);
  }

  // Copies the nest. Both copies leave to the same exits.
  void copy(Nest &T) {
    formLCSSARecursively(*T.L, DT, &LI, &SE);
    BasicBlock *Asks = T.L->getLoopPreheader();
    BasicBlock *Preheader = SplitBlock(Asks, Asks->getTerminator(), &DT, &LI);
    ValueToValueMapTy Map;
    SmallVector<BasicBlock *, 8> Blocks;
    Loop *Plain = cloneLoopWithPreheader(Preheader, Asks, T.L, Map, ".plain", &LI, &DT, Blocks);
    remapInstructionsInBlocks(Blocks, Map);
    SmallVector<BasicBlock *, 4> Exits;
    T.L->getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits) {
      for (PHINode &Phi : Exit->phis())
        for (unsigned I = 0, End = Phi.getNumIncomingValues(); I < End; ++I) {
          Value *From = Phi.getIncomingValue(I);
          auto Copied = Map.find(From);
          Phi.addIncoming(Copied == Map.end() ? From : &*Copied->second,
                          cast<BasicBlock>(Map[Phi.getIncomingBlock(I)]));
        }
    }
    Instruction *End = Asks->getTerminator();
    BranchInst *Choice = BranchInst::Create(Plain->getLoopPreheader(), Preheader, T.IsPlain, End->getIterator());
    Choice->setDebugLoc(End->getDebugLoc());
    Choice->setMetadata(LLVMContext::MD_prof, MDBuilder(F.getContext()).createLikelyBranchWeights());
    End->eraseFromParent();
    DT.recalculate(F);
    for (Loop *L : T.L->getLoopsInPreorder()) {
      addStringMetadataToLoop(L, mck::HasPlainMetadata, 1);
      if (Tested.contains(L) || !L->isInnermost()) keepSmall(*L);
    }
    auto &Copy = Copies.emplace_back();
    Copy.push_back(Plain->getLoopPreheader());
    append_range(Copy, Plain->getBlocks());
  }

  // Where accesses are tested in each iteration, copies of the body would be code for nothing.
  static void keepSmall(Loop &L) {
    addStringMetadataToLoop(&L, "llvm.loop.unroll.disable", 1);
    addStringMetadataToLoop(&L, "llvm.loop.vectorize.enable", 0);
  }

  // A member's address, or an integer that is made wider.
  static bool isCheap(const Instruction &I) {
    const auto *Address = dyn_cast<GetElementPtrInst>(&I);
    return Address ? Address->hasAllConstantIndices() : isa<SExtInst, ZExtInst>(I);
  }

  // Computes within the nest, at its begin, what is cheap. Each member of a structure would be an argument of its own
  // otherwise: there are more of them than registers, so that each access would load its address first.
  static void computeWithin(ArrayRef<BasicBlock *> Blocks) {
    SmallPtrSet<const BasicBlock *, 16> Within(Blocks.begin(), Blocks.end());
    Instruction *At = Blocks.front()->getTerminator();
    DenseMap<const Value *, Instruction *> Made;
    auto Make = [&](Value *V, auto &Again) -> Value * {
      auto *I = dyn_cast<Instruction>(V);
      if (!I || Within.contains(I->getParent()) || !isCheap(*I)) return V;
      if (Instruction *Before = Made.lookup(V)) return Before;
      Instruction *New = I->clone();
      for (Use &Operand : New->operands()) Operand = Again(Operand, Again);
      New->insertBefore(At);
      New->dropLocation();
      return Made[V] = New;
    };
    for (BasicBlock *Block : drop_begin(Blocks))
      for (Instruction &I : *Block)
        for (Use &Operand : I.operands()) Operand = Make(Operand, Make);
  }

  void extract(ArrayRef<BasicBlock *> Blocks, function_ref<void(Function &)> Release) {
    computeWithin(Blocks);
    CodeExtractorAnalysisCache Cache(F);
    CodeExtractor Extractor(Blocks, nullptr, /*AggregateArgs=*/false, nullptr, nullptr, &AC, /*AllowVarArgs=*/false,
                            /*AllowAlloca=*/false, /*AllocationBlock=*/nullptr, "mck.plain");
    Function *Plain = Extractor.extractCodeRegion(Cache);
    if (!Plain) return; // then both versions are signalled
    Release(*Plain);
    passOn(*Plain);
  }

  // What is known of pointers in F.
  void passOn(Function &Plain) {
    auto *Call = cast<CallInst>(Plain.user_back());
    for (Argument &To : Plain.args()) {
      if (!To.getType()->isPointerTy()) continue;
      const Value *From = Call->getArgOperand(To.getArgNo());
      if (!PointerMayBeCaptured(&To, /*ReturnCaptures=*/true, /*StoreCaptures=*/true)) To.addAttr(Attribute::NoCapture);
      const DataLayout &DL = F.getParent()->getDataLayout();
      if (Align Known = From->getPointerAlignment(DL); Known > Align(1))
        To.addAttr(Attribute::getWithAlignment(F.getContext(), Known));
      bool MayBeNull, MayBeFreed;
      uint64_t Bytes = From->getPointerDereferenceableBytes(DL, MayBeNull, MayBeFreed);
      if (Bytes && !MayBeNull && (!MayBeFreed || isa<Argument>(From)))
        To.addAttr(Attribute::getWithDereferenceableBytes(F.getContext(), Bytes));
      const Value *Object = getUnderlyingObject(From);
      const auto *Parameter = dyn_cast<Argument>(Object);
      // A pointer that was kept somewhere may be loaded again within the nest.
      bool IsAlone = (isa<AllocaInst>(Object) || (Parameter && Parameter->hasNoAliasAttr())) &&
                     !PointerMayBeCaptured(Object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
      for (const Use &Other : Call->args())
        IsAlone &= Other.getOperandNo() == To.getArgNo() || !Other->getType()->isPointerTy() ||
                   isDistinct(*Object, *Other);
      if (IsAlone) To.addAttr(Attribute::NoAlias);
    }
  }

  // Is a pointer certain to point elsewhere than to this object?
  static bool isDistinct(const Value &Object, const Value &Other) {
    const Value *To = getUnderlyingObject(&Other);
    return To != &Object && (isa<AllocaInst>(To) || isa<Argument>(To) || isa<GlobalValue>(To));
  }
};

} // namespace

bool mck::addPlainVersions(Function &F, const Points &Module, FunctionAnalysisManager &Functions,
                           function_ref<void(Function &)> Release) {
  if (F.hasOptSize() || F.hasFnAttribute(Attribute::Cold)) return false;
  return Maker(F, Module, Functions).run(Release);
}
