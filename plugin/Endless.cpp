// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows what decides whether a loop ends back to where it comes from (Endless.h).
#include "Endless.h"
#include "LoopCopy.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::Changes;
using mck::changesOf;
using mck::LoopCopy;

namespace {

bool isPause(const InlineAsm &Code) {
  StringRef Text = StringRef(Code.getAsmString()).trim();
  return StringSwitch<bool>(Text).Cases("", "pause", "rep; nop", "rep;nop", "nop", "yield", "isb", true).Default(false);
}

class Proof {
public:
  Proof(const Loop &L, const DominatorTree &Dominators, AAResults &Aliases)
      : L(L), Dominators(Dominators), Aliases(Aliases) {}

  bool run() {
    if (!L.getLoopLatch() || L.getNumBlocks() > LargeBlocks) return false;
    for (const BasicBlock *Block : L.blocks())
      for (const Instruction &I : *Block)
        if (!look(I)) return false;
    for (const CallBase *Call : Asks) addAsk(*Call);
    SmallVector<BasicBlock *, 8> Exiting;
    L.getExitingBlocks(Exiting);
    for (const BasicBlock *Block : Exiting) {
      addDecision(*Block, Strict);
      addControl(*Block, Strict, nullptr);
    }
    while (Possible && !Work.empty()) Possible = follow(Work.pop_back_val()) && Possible;
    return Possible && doesSettle();
  }

private:
  // Decides whether the loop ends: no other thread, handler or process may change it. Arguments of a call of MPI: only
  // the loop itself is looked at.
  enum Color { Strict, Plain };
  // A value. Of a variable that is still in memory: its alloca. Memory that others can see: null.
  struct Node {
    const Value *V;
    Color C;
  };
  static constexpr unsigned LargeBlocks = 200;

  const Loop &L;
  const DominatorTree &Dominators;
  AAResults &Aliases;
  SmallVector<Node, 32> Work;
  SmallVector<const Instruction *, 16> Writes; // of the loop
  SmallVector<const CallBase *, 8> Asks;       // their stand-ins
  bool Possible = true;                        // nothing was found that comes from outside
  MapVector<const Value *, SmallVector<const Value *, 4>> Needs;
  SmallPtrSet<const Value *, 32> Seen[2];
  SmallPtrSet<const Value *, 8> Carried; // from one iteration to the next
  const Value *Now = nullptr;            // whose needs are being added

  // --- all instructions of the loop ---
  bool look(const Instruction &I) {
    if (const auto *Call = dyn_cast<CallBase>(&I)) return lookAtCall(*Call);
    if (I.isTerminator()) return isa<BranchInst>(I) || isa<SwitchInst>(I);
    if (isa<AllocaInst>(I) || isa<VAArgInst>(I) || I.isEHPad()) return false;
    // What marks places of warnings is our own (WarningRecord.cpp): the program never reads it.
    if (I.hasMetadata(LLVMContext::MD_nosanitize)) return true;
    if (I.mayWriteToMemory() && !(isa<LoadInst>(I) || isa<FenceInst>(I))) Writes.push_back(&I);
    return true;
  }

  bool lookAtCall(const CallBase &Call) {
    if (LoopCopy::isAsked(Call) || LoopCopy::isAskedMemory(Call)) {
      Asks.push_back(&Call);
      return true;
    }
    if (LoopCopy::isLost(Call)) {
      Writes.push_back(&Call);
      return true;
    }
    if (isa<InvokeInst>(Call) || isa<CallBrInst>(Call)) return false;
    if (const auto *Code = dyn_cast<InlineAsm>(Call.getCalledOperand()))
      return Call.getType()->isVoidTy() && Call.arg_empty() && isPause(*Code);
    Changes What = changesOf(Call);
    if (Call.mayWriteToMemory() && What != Changes::Nothing) Writes.push_back(&Call);
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
      return Intrinsic->hasFnAttr(Attribute::WillReturn) || Intrinsic->getName().contains("pause") ||
             Intrinsic->getName().contains("rdtsc");
    bool IsPure = Call.doesNotAccessMemory() && Call.doesNotThrow() && Call.hasFnAttr(Attribute::WillReturn);
    return IsPure || What != Changes::Anything;
  }

  // --- what a value needs ---
  // What is asked for must stay the same.
  void addAsk(const CallBase &Call) {
    for (const Value *Given : Call.args()) add(Given, Plain);
    addControl(*Call.getParent(), Strict, nullptr);
    if (LoopCopy::isAskedMemory(Call))
      addMemory(*Call.getArgOperand(0), MemoryLocation::getBeforeOrAfter(Call.getArgOperand(0)), Plain);
  }

  void add(const Value *V, Color C) {
    if (Now) Needs[Now].push_back(V);
    if (Seen[C].insert(V).second) Work.push_back({V, C});
  }

  void addDecision(const BasicBlock &Block, Color C) {
    const Instruction *End = Block.getTerminator();
    if (const auto *Branch = dyn_cast<BranchInst>(End)) {
      if (Branch->isConditional()) add(Branch->getCondition(), C);
    } else if (const auto *Switch = dyn_cast<SwitchInst>(End)) add(Switch->getCondition(), C);
  }

  // The blocks of an iteration that can be reached from the successors of From, without those behind Without.
  void reach(const BasicBlock &From, const BasicBlock *Without, SmallPtrSetImpl<const BasicBlock *> &Found,
             bool &LeavesIteration) const {
    SmallVector<const BasicBlock *, 16> Next = {&From};
    LeavesIteration = false;
    while (!Next.empty())
      for (const BasicBlock *To : successors(Next.pop_back_val())) {
        if (To == L.getHeader() || !L.contains(To)) LeavesIteration = true;
        else if (To != Without && Found.insert(To).second) Next.push_back(To);
      }
  }

  // Decisions of an iteration on which it depends whether Block is executed, and how often; of a phi (Above: the
  // block where its ways part), on which of them it is reached.
  void addControl(const BasicBlock &Block, Color C, const BasicBlock *Above) {
    for (const BasicBlock *Other : L.blocks()) {
      if (succ_size(Other) < 2 || (Above && !Dominators.dominates(Above, Other))) continue;
      SmallPtrSet<const BasicBlock *, 16> Reached, Around;
      bool Leaves;
      reach(*Other, nullptr, Reached, Leaves);
      if (!Reached.contains(&Block)) continue;
      if (!Above) {
        reach(*Other, &Block, Around, Leaves);
        if (!Leaves && Other != &Block) continue;
      }
      addDecision(*Other, C);
    }
  }

  bool follow(Node N) {
    const auto *I = dyn_cast<Instruction>(N.V);
    if (!I) return !isa<UndefValue>(N.V) || isa<PoisonValue>(N.V);
    if (!L.contains(I)) return true;
    Now = I;
    bool IsGood = followInstruction(*I, N.C);
    Now = nullptr;
    return IsGood;
  }

  bool followInstruction(const Instruction &I, Color C) {
    if (const auto *Phi = dyn_cast<PHINode>(&I)) {
      if (Phi->getParent() == L.getHeader()) {
        Carried.insert(Phi);
        add(Phi->getIncomingValueForBlock(L.getLoopLatch()), C);
        return true;
      }
      for (const Value *From : Phi->incoming_values()) add(From, C);
      addControl(*Phi->getParent(), C, Dominators.getNode(Phi->getParent())->getIDom()->getBlock());
      return true;
    }
    if (const auto *Load = dyn_cast<LoadInst>(&I)) {
      if (!Load->isSimple()) return false;
      add(Load->getPointerOperand(), C);
      addMemory(*Load->getPointerOperand(), MemoryLocation::get(Load), C);
      return true;
    }
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && !Call->doesNotAccessMemory()) return false;
    if (I.mayReadOrWriteMemory()) return false;
    // Requests change by calls of MPI only, wherever they are.
    if (isa<CmpInst>(I) && any_of(I.operand_values(), LoopCopy::isNullRequest)) C = Plain;
    for (const Value *Operand : I.operand_values())
      if (!isa<BasicBlock>(Operand)) add(Operand, C);
    return true;
  }

  // A variable of the copy whose address is only used in ways that are looked at here.
  static bool isOwn(const Value &Object) {
    const auto *Alloca = dyn_cast<AllocaInst>(&Object);
    if (!Alloca) return false;
    SmallVector<const Value *, 8> Next = {Alloca};
    SmallPtrSet<const Value *, 8> Found;
    while (!Next.empty())
      for (const Use &U : Next.pop_back_val()->uses()) {
        const User *By = U.getUser();
        const auto *Call = dyn_cast<CallBase>(By);
        bool IsKnown = Call && (LoopCopy::isAskedMemory(*Call) || LoopCopy::isLost(*Call) || isa<MemIntrinsic>(Call) ||
                                (isa<IntrinsicInst>(Call) && cast<IntrinsicInst>(Call)->isLifetimeStartOrEnd()) ||
                                changesOf(*Call) != Changes::Anything);
        if (isa<GetElementPtrInst>(By)) {
          if (Found.insert(By).second) Next.push_back(By);
        } else if (!IsKnown && !isa<LoadInst>(By) && !isa<CmpInst>(By) &&
                   !(isa<StoreInst>(By) && U.getOperandNo() == StoreInst::getPointerOperandIndex()))
          return false;
      }
    return true;
  }

  bool doesChange(const Instruction &Write, const MemoryLocation &Where) {
    const auto *Call = dyn_cast<CallBase>(&Write);
    if (!Call || changesOf(*Call) != Changes::Arguments) return isModSet(Aliases.getModRefInfo(&Write, Where));
    return any_of(Call->args(), [&](const Value *Given) {
      return Given->getType()->isPointerTy() &&
             Aliases.alias(MemoryLocation::getBeforeOrAfter(Given), Where) != AliasResult::NoAlias;
    });
  }

  // What memory holds: what the loop writes there.
  void addMemory(const Value &Address, const MemoryLocation &Where, Color C) {
    const Value *Object = getUnderlyingObject(&Address);
    if (const auto *Global = dyn_cast<GlobalVariable>(Object); Global && Global->isConstant()) return;
    if (isa<ConstantPointerNull>(Object)) return;
    if (!isOwn(*Object) && C == Strict) {
      Possible = false;
      return;
    }
    const Value *Reader = Now;
    const Value *Key = isOwn(*Object) ? Object : nullptr;
    for (const Instruction *Write : Writes) {
      // Status of nothing: no call of MPI gets that as its argument.
      if (const auto *Call = dyn_cast<CallBase>(Write); Call && !Key && LoopCopy::isLost(*Call)) continue;
      if (!doesChange(*Write, Where)) continue;
      const auto *Store = dyn_cast<StoreInst>(Write);
      if (!Store || !Store->isSimple()) {
        Possible = false;
        return;
      }
      if (Reader) Needs[Reader].push_back(Store);
      Now = Store;
      Carried.insert(Store);
      add(Store->getValueOperand(), C);
      add(Store->getPointerOperand(), C);
      addControl(*Store->getParent(), C, nullptr);
      Now = Reader;
    }
  }

  // --- the end ---
  bool needs(const Value *From, const Value *What) const {
    SmallVector<const Value *, 16> Next = {From};
    SmallPtrSet<const Value *, 32> Found;
    while (!Next.empty()) {
      const auto *At = Needs.find(Next.pop_back_val());
      if (At == Needs.end()) continue;
      for (const Value *V : At->second) {
        if (V == What) return true;
        if (Found.insert(V).second) Next.push_back(V);
      }
    }
    return false;
  }

  // A counter needs its own value of the iteration before.
  bool doesSettle() const {
    if (Carried.size() > mck::EndlessSettles) return false;
    return none_of(Carried, [&](const Value *V) { return needs(V, V); });
  }
};

} // namespace

bool mck::isEndless(const Loop &L, const DominatorTree &Dominators, AAResults &Aliases) {
  return Proof(L, Dominators, Aliases).run();
}
