// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows values and memory against the data (RankGraph.h).
#include "RankGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::RankGraph;
using mck::RankNames;
using mck::RankPlace;
using mck::Spot;

constexpr unsigned MostLevels = 4, MostSpots = 16;

RankGraph::RankGraph(const Function &F, const Function &Of, const RankNames &Names)
    : F(F), Of(Of), Names(Names), Layout(F.getDataLayout()) {
  findDeciders();
  findStores(/*IsOfPointers=*/true); // what a pointer in memory points to is known then
  Known.clear();
  findStores(/*IsOfPointers=*/false);
}

// The branches that decide directly whether a block runs.
void RankGraph::findDeciders() {
  PostDominatorTree Tree(const_cast<Function &>(F));
  for (const BasicBlock &From : F) {
    if (!isa<BranchInst, SwitchInst>(From.getTerminator()) || From.getTerminator()->getNumSuccessors() < 2) continue;
    const DomTreeNode *Own = Tree.getNode(const_cast<BasicBlock *>(&From));
    const DomTreeNode *End = Own ? Own->getIDom() : nullptr;
    for (const BasicBlock *To : successors(&From)) {
      const DomTreeNode *N = Tree.getNode(const_cast<BasicBlock *>(To));
      for (; N && N != End && N->getBlock(); N = N->getIDom()) {
        auto &Of = Deciders[N->getBlock()];
        if (!is_contained(Of, &From)) Of.push_back(&From);
        ++Steps;
      }
    }
  }
}

// --- memory ---
static const Value *throughOffsets(const Value *Pointer, const DataLayout &Layout, int64_t &Offset, bool &IsKnown) {
  for (unsigned Level = 0; Level < 32; ++Level) {
    APInt Constant(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
    Pointer = Pointer->stripAndAccumulateConstantOffsets(Layout, Constant, /*AllowNonInbounds=*/true);
    Offset += Constant.getSExtValue();
    if (const auto *Step = dyn_cast<GEPOperator>(Pointer)) Pointer = Step->getPointerOperand(), IsKnown = false;
    else if (const auto *Local = dyn_cast<IntrinsicInst>(Pointer);
             Local && (Local->getIntrinsicID() == Intrinsic::threadlocal_address ||
                       Local->getIntrinsicID() == Intrinsic::launder_invariant_group ||
                       Local->getIntrinsicID() == Intrinsic::strip_invariant_group))
      Pointer = Local->getArgOperand(0);
    else break;
  }
  return Pointer;
}

// A loaded pointer: what lies behind it, and what it was set to in this function.
void RankGraph::findBehind(const LoadInst &Load, Spot What, int64_t Bytes, Spots &Found, unsigned Level) {
  Spots Holders;
  findSpots(Load.getPointerOperand(), 8, Holders, Level + 1);
  for (const Spot &Holder : Holders) {
    Found.push_back({Holder.Base, Holder.From, Holder.To, true});
    auto Kept = Stores.find(Holder.Base);
    if (Kept == Stores.end()) continue;
    for (const Store &S : Kept->second) {
      Spot To = S.To;
      To.IsBehind = Holder.IsBehind;
      if (S.What->getType()->isPointerTy() && To.meets(Holder) && Found.size() < MostSpots) {
        size_t Old = Found.size();
        findSpots(S.What, Bytes, Found, Level + 1);
        if (What.From == 0) continue;
        for (size_t I = Old; I < Found.size(); ++I) Found[I].From = AnyFrom, Found[I].To = AnyTo;
      }
    }
  }
}

void RankGraph::findSpots(const Value *Pointer, int64_t Bytes, Spots &Found, unsigned Level) {
  int64_t Offset = 0;
  bool IsKnown = true;
  const Value *Base = throughOffsets(Pointer, Layout, Offset, IsKnown);
  int64_t From = IsKnown ? Offset : AnyFrom, To = IsKnown && Bytes != AnyTo ? Offset + Bytes : AnyTo;
  Found.push_back({Base, From, To, false});
  ++Steps;
  if (Level >= MostLevels) return;
  size_t Old = Found.size();
  if (isa<PHINode, SelectInst>(Base)) {
    for (const Use &Choice : cast<User>(Base)->operands())
      if (Choice->getType()->isPointerTy()) findSpots(Choice, Bytes, Found, Level + 1);
    if (From != 0)
      for (size_t I = Old; I < Found.size(); ++I) Found[I].From = AnyFrom, Found[I].To = AnyTo;
  } else if (const auto *Load = dyn_cast<LoadInst>(Base)) {
    findBehind(*Load, Found.back(), Bytes, Found, Level);
  } else if (const auto *Call = dyn_cast<CallBase>(Base); Call && !RankNames::isMpi(*Call)) {
    // The result may point to what an argument points to.
    Spots Arguments;
    for (const Use &Argument : Call->args())
      if (Argument->getType()->isPointerTy()) findSpots(Argument, AnyTo, Arguments, Level + 1);
    for (const Spot &S : Arguments)
      for (bool IsBehind : {false, true})
        if (IsBehind || !S.IsBehind) Found.push_back({S.Base, S.From, AnyTo, IsBehind});
  }
}

RankGraph::Spots RankGraph::spotsOf(const Value *Pointer, int64_t Bytes) {
  auto [At, IsNew] = Known.try_emplace({Pointer, Bytes});
  if (!IsNew) return At->second;
  Spots Found;
  findSpots(Pointer, Bytes, Found, 0);
  Spots Each;
  for (const Spot &S : Found)
    if (!is_contained(Each, S)) Each.push_back(S);
  return Known[{Pointer, Bytes}] = Each;
}

void RankGraph::findStores(bool IsOfPointers) {
  decltype(Stores) New;
  for (const Instruction &I : instructions(F)) {
    const Value *What = nullptr, *Where = nullptr;
    if (const auto *S = dyn_cast<StoreInst>(&I)) What = S->getValueOperand(), Where = S->getPointerOperand();
    if (const auto *S = dyn_cast<AtomicRMWInst>(&I)) What = S->getValOperand(), Where = S->getPointerOperand();
    if (const auto *S = dyn_cast<AtomicCmpXchgInst>(&I)) What = S->getNewValOperand(), Where = S->getPointerOperand();
    if (What && (!IsOfPointers || What->getType()->isPointerTy()))
      for (const Spot &S : spotsOf(Where, int64_t(Layout.getTypeStoreSize(What->getType()).getKnownMinValue())))
        New[S.Base].push_back({S, What, &I});
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || IsOfPointers || (RankNames::isMpi(*Call) && !RankNames::isPassing(*Call))) continue;
    for (unsigned At = 0; At < Call->arg_size(); ++At)
      if (Call->getArgOperand(At)->getType()->isPointerTy())
        for (const Spot &S : spotsOf(Call->getArgOperand(At), AnyTo)) Given[S.Base].push_back({S, Call, At});
  }
  Stores = std::move(New);
}

SmallPtrSet<const GlobalVariable *, 8> RankGraph::variables(const Function &F) {
  SmallPtrSet<const GlobalVariable *, 8> Found;
  for (const Instruction &I : instructions(F))
    for (const Use &Operand : I.operands()) {
      if (!Operand->getType()->isPointerTy()) continue;
      const auto *Global = dyn_cast<GlobalVariable>(getUnderlyingObject(Operand, 0));
      if (Global && !Global->isConstant()) Found.insert(Global);
    }
  return Found;
}

// --- a question ---
void RankGraph::begin() { Nodes.clear(), Seen.clear(), Work.clear(), Reached.clear(), Readers.clear(), Memory.clear(); }

void RankGraph::addCondition(const BasicBlock *Block) {
  auto By = Deciders.find(Block);
  if (By == Deciders.end()) return;
  for (const BasicBlock *From : By->second) Work.push_back(From->getTerminator()->getOperand(0));
}

void RankGraph::addMemory(const Value *Pointer, bool IsBehind, const Instruction *Reader) {
  for (const Spot &S : spotsOf(Pointer, AnyTo)) {
    if (!IsBehind) reach(S, Reader);
    if (IsBehind || S.IsBehind) reach({S.Base, S.From, AnyTo, true}, Reader);
  }
}

void RankGraph::addVariable(const GlobalVariable &Variable, bool IsBehind) {
  reach({&Variable, AnyFrom, AnyTo, IsBehind}, nullptr);
}

void RankGraph::addResult() {
  for (const BasicBlock &Block : F)
    if (const auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()); Return && Return->getReturnValue()) {
      const Value *What = Return->getReturnValue();
      addCondition(&Block);
      if (!What->getType()->isPointerTy()) addValue(What);
      else
        for (bool IsBehind : {false, true}) addMemory(What, IsBehind, Return);
    }
}

void RankGraph::run() {
  while ((!Work.empty() || !Memory.empty()) && !isTooLarge()) {
    ++Steps;
    if (!Memory.empty()) {
      enter(Memory.pop_back_val());
      continue;
    }
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second) continue;
    if (const auto *A = dyn_cast<Argument>(V)) Nodes.insert(Names.nodeOf(RankPlace::VALUE, Of, A->getArgNo()));
    if (const auto *I = dyn_cast<Instruction>(V)) follow(*I);
  }
}

void RankGraph::follow(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    const Value *Pointer = Load->getPointerOperand();
    for (const Spot &S : spotsOf(Pointer, int64_t(Layout.getTypeStoreSize(I.getType()).getKnownMinValue())))
      reach(S, &I);
    followIndices(Pointer);
    return;
  }
  if (const auto *Call = dyn_cast<CallBase>(&I)) return followCall(*Call);
  if (isa<AllocaInst>(I)) return;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    for (const Spot &S : spotsOf(I.getOperand(0), 8)) reach(S, &I);
  for (const Use &Operand : I.operands())
    if (!Operand->getType()->isPointerTy()) Work.push_back(Operand);
  if (const auto *Choice = dyn_cast<PHINode>(&I)) followChoice(*Choice);
}

// Which of the values it is, a condition decides.
void RankGraph::followChoice(const PHINode &Choice) {
  for (const BasicBlock *From : Choice.blocks())
    for (const BasicBlock *Block : {From, From->getSinglePredecessor()})
      if (Block && isa<BranchInst, SwitchInst>(Block->getTerminator()) &&
          Block->getTerminator()->getNumSuccessors() > 1)
        Work.push_back(Block->getTerminator()->getOperand(0));
}

// Which element of a table it is.
void RankGraph::followIndices(const Value *Pointer) {
  while (Seen.insert(Pointer).second) {
    if (const auto *Step = dyn_cast<GEPOperator>(Pointer)) {
      for (const Use &Index : Step->indices())
        if (!isa<Constant>(Index)) Work.push_back(Index);
      Pointer = Step->getPointerOperand();
    } else if (const auto *Load = dyn_cast<LoadInst>(Pointer)) Pointer = Load->getPointerOperand();
    else if (const auto *Choice = dyn_cast<PHINode>(Pointer)) {
      followChoice(*Choice);
      for (const Use &One : Choice->incoming_values()) followIndices(One);
    } else if (const auto *Choice = dyn_cast<SelectInst>(Pointer)) {
      Work.push_back(Choice->getCondition());
      followIndices(Choice->getTrueValue()), Pointer = Choice->getFalseValue();
    } else if (const auto *Call = dyn_cast<CallBase>(Pointer)) return followCall(*Call);
  }
}

// The result of a call.
void RankGraph::followCall(const CallBase &Call) {
  if (RankNames::isMpi(Call)) return;
  if (!Names.isHarmless(Call)) Nodes.insert(Names.nodeOf(RankPlace::RESULT, Call));
  const Function *Callee = RankNames::calleeOf(Call);
  bool IsOfC = Callee && Callee->isDeclaration() && !Callee->getName().starts_with("_Z");
  addArguments(Call, ~0U, true, !IsOfC || !Names.isHarmless(Call));
}

void RankGraph::addArguments(const CallBase &Call, unsigned But, bool IsDirect, bool IsBehind) {
  for (unsigned At = 0; At < Call.arg_size(); ++At) {
    const Value *Argument = Call.getArgOperand(At);
    if (At == But || isa<MetadataAsValue>(Argument)) continue;
    if (!Argument->getType()->isPointerTy()) {
      Work.push_back(Argument);
      continue;
    }
    if (IsDirect) addMemory(Argument, false, &Call);
    if (IsBehind) addMemory(Argument, true, &Call);
  }
}

void RankGraph::reach(const Spot &S, const Instruction *Reader) {
  if (Reader) Readers[S.Base].insert(Reader);
  auto &Old = Reached[S.Base];
  if (is_contained(Old, S)) return;
  Old.push_back(S);
  Memory.push_back(S);
}

void RankGraph::enter(const Spot &S) {
  if (const auto *A = dyn_cast<Argument>(S.Base))
    Nodes.insert(Names.nodeOf(RankPlace::MEMORY, Of, A->getArgNo(), S.IsBehind));
  if (const auto *Global = dyn_cast<GlobalVariable>(S.Base); Global && !Global->isConstant())
    Nodes.insert(Names.nodeOf(*Global, S.IsBehind, Of));
  if (const auto *Call = dyn_cast<CallBase>(S.Base); Call && !RankNames::isMpi(*Call) && !Names.isHarmless(*Call))
    Nodes.insert(Names.nodeOf(RankPlace::RESULT, *Call));
  if (auto Of = Stores.find(S.Base); Of != Stores.end())
    for (const Store &To : Of->second) {
      ++Steps;
      bool IsPointer = To.What->getType()->isPointerTy();
      if (!IsPointer && To.To.meets(S)) Work.push_back(To.What), addCondition(To.At->getParent());
      Spot Holder = To.To;
      Holder.IsBehind = true;
      if (IsPointer && Holder.meets(S))
        for (bool IsBehind : {false, true}) addMemory(To.What, IsBehind, nullptr);
    }
  if (auto Of = Given.find(S.Base); Of != Given.end())
    for (const Passed &To : Of->second) enterCall(S, To);
}

// The memory was given to a call, which may have stored there.
void RankGraph::enterCall(const Spot &S, const Passed &To) {
  ++Steps;
  // Only what lies behind it, and nothing before it.
  if ((To.Of.IsBehind && !S.IsBehind) || To.Of.From >= S.To || S.From >= To.Of.To) return;
  if (const auto *Known = dyn_cast<IntrinsicInst>(To.Call)) {
    if (Known->getIntrinsicID() == Intrinsic::vastart) {
      Nodes.insert(Names.nodeOf(RankPlace::VALUE, Of, VariableArguments));
      for (bool IsBehind : {false, true})
        Nodes.insert(Names.nodeOf(RankPlace::MEMORY, Of, VariableArguments, IsBehind));
    }
    if (!isa<MemTransferInst>(Known) && Known->getIntrinsicID() != Intrinsic::vacopy) return;
  }
  const Function *Callee = RankNames::calleeOf(*To.Call);
  bool IsCopy = isa<MemTransferInst>(To.Call) || (Callee && Callee->isDeclaration() &&
                                                  (Callee->getName() == "memcpy" || Callee->getName() == "memmove"));
  if (Names.isHarmless(*To.Call)) {
    // A function of C does not follow pointers in memory.
    bool IsOfC = IsCopy || (Callee && Callee->isDeclaration() && !Callee->getName().starts_with("_Z"));
    if (IsCopy ? To.At == 0 : RankNames::isFilling(*To.Call, To.At))
      addArguments(*To.Call, To.At, !IsOfC || !S.IsBehind || To.Of.IsBehind, !IsOfC || S.IsBehind);
    return;
  }
  if (To.Of.IsBehind == S.IsBehind) Nodes.insert(Names.nodeOf(RankPlace::FILLED, *To.Call, To.At, false));
  if (S.IsBehind) Nodes.insert(Names.nodeOf(RankPlace::FILLED, *To.Call, To.At, true));
}
