// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the known sections of a function, and tells the runtime of them (LockSections.h). In doubt a section is not
// known: then it counts as ordered.
#include "LockSections.h"
#include "ThreadSignals.h"
#include "static/Call.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::LockSection;

namespace {

// IsWait: a call that gives the lock back and takes it again ends one section and begins another one.
struct LockPair {
  StringLiteral Lock, Unlock;
  unsigned Argument, UnlockArgument; // the lock
  bool MayFail, IsWait;
};
constexpr LockPair Pairs[] = {
    {"pthread_mutex_lock", "pthread_mutex_unlock", 0, 0, true, false},
    {"pthread_spin_lock", "pthread_spin_unlock", 0, 0, true, false},
    {"pthread_rwlock_wrlock", "pthread_rwlock_unlock", 0, 0, true, false},
    {"mtx_lock", "mtx_unlock", 0, 0, true, false},
    {"omp_set_lock", "omp_unset_lock", 0, 0, false, false},
    {"__kmpc_critical", "__kmpc_end_critical", 2, 2, false, false},
    {"__kmpc_critical_with_hint", "__kmpc_end_critical", 2, 2, false, false},
    {"pthread_cond_wait", "pthread_mutex_unlock", 1, 0, true, true},
    {"pthread_cond_timedwait", "pthread_mutex_unlock", 1, 0, true, true},
    {"pthread_cond_clockwait", "pthread_mutex_unlock", 1, 0, true, true},
    {"cnd_wait", "mtx_unlock", 1, 0, true, true},
    {"cnd_timedwait", "mtx_unlock", 1, 0, true, true},
};

const LockPair *pairOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration()) return nullptr;
  for (const LockPair &P : Pairs)
    if (Callee->getName() == P.Lock && Call->arg_size() > P.Argument) return &P;
  return nullptr;
}

bool isUnlock(const CallBase &Call, const LockPair &Pair, const Value *Address) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName() == Pair.Unlock && Call.arg_size() > Pair.UnlockArgument &&
         Call.getArgOperand(Pair.UnlockArgument)->stripPointerCasts() == Address;
}

bool isWait(const CallBase &Call, const LockPair &Pair, const Value *Address) {
  const LockPair *Wait = pairOf(Call);
  return Wait && Wait->IsWait && Wait->Unlock == Pair.Unlock &&
         Call.getArgOperand(Wait->Argument)->stripPointerCasts() == Address;
}

// It tells the threads that wait what its own thread did (rt/thread/intercept/lock-calls.c), and stores nothing.
bool isSignal(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         is_contained({"pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"},
                      Callee->getName());
}

// An operation whose stores the runtime knows: into its buffer, its request and its status, and into the buffers of the
// requests that it waits for.
bool isPlainOperation(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  const mck::statics::MpiFunction *Mpi = mck::statics::findMpi(Call);
  if (!Mpi || Callee->getName().starts_with("P")) return false;
  if (Mpi->Number == MCK_FN_MPI_Wait || Mpi->Number == MCK_FN_MPI_Waitall) return true;
  switch (Mpi->row().family) {
  case MCK_STD_FAMILY_P2P:
  case MCK_STD_FAMILY_COLLECTIVE: break;
  default: return false;
  }
  return all_of(Mpi->Parameters, [](const mck::statics::Parameter &P) {
    return P.Way == mck::statics::Direction::IN || P.is("sendbuf") || P.is("recvbuf") || P.is("request") ||
           P.is("status");
  });
}

// A label of ours (Calls.h), which is no instruction.
bool isMark(const CallBase &Call) {
  const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Assembly && StringRef(Assembly->getAsmString()).contains(".pushsection mck_") && Call.getType()->isVoidTy() &&
         Call.arg_empty();
}

// std::mutex could not be locked: an exception.
bool isFailure(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName().starts_with("_ZSt20__throw_system_error");
}

enum class Step { Goes, Ends, Unknown };
constexpr size_t BlocksMax = 64;

class SectionSearch {
public:
  SectionSearch(CallBase &Lock, const LockPair &Pair)
      : Lock(Lock), Pair(Pair), Address(Lock.getArgOperand(Pair.Argument)->stripPointerCasts()) {}

  std::optional<LockSection> run() {
    if (isa<LoadInst>(Address) || !begin()) return std::nullopt;
    while (!Work.empty())
      if (!visit(*Work.pop_back_val())) return std::nullopt;
    LockSection S{WeakVH(&Lock), Pair.MayFail ? Lock.getArgOperand(Pair.Argument) : nullptr, {}, {}, {}};
    for (const WeakVH &Access : Accesses) {
      auto *I = cast<Instruction>(Access);
      if (!isInLoop(I->getParent())) S.Accesses.push_back(Access);
      else if (!addVariables(*I, S)) return std::nullopt;
    }
    return S;
  }

private:
  CallBase &Lock;
  const LockPair &Pair;
  const Value *Address;
  SmallVector<WeakVH, 8> Accesses;
  SmallPtrSet<const BasicBlock *, 16> Seen, Left; // the section's blocks; those that do not end it
  SmallVector<BasicBlock *, 8> Work;

  bool begin() {
    auto *Plain = dyn_cast<CallInst>(&Lock);
    return Plain && walk(Plain->getIterator(), *Plain->getParent(), /*IsFirst=*/true);
  }
  bool visit(BasicBlock &Block) { return walk(Block.begin(), Block, /*IsFirst=*/false); }

  bool walk(BasicBlock::iterator At, BasicBlock &Block, bool IsFirst) {
    for (auto I = IsFirst ? std::next(At) : At; I != Block.end(); ++I) switch (step(*I)) {
      case Step::Goes: break;
      case Step::Ends: return true;
      case Step::Unknown: return false;
      }
    return leave(Block, IsFirst);
  }

  bool leave(BasicBlock &Block, bool IsFirst) {
    const Instruction *End = Block.getTerminator();
    if (isa<UnreachableInst>(End)) return false;
    if (!isa<BranchInst, SwitchInst, InvokeInst>(End)) return false;
    if (!IsFirst) Left.insert(&Block);
    for (BasicBlock *Next : successors(&Block))
      if (Seen.insert(Next).second) Work.push_back(Next);
    return Seen.size() <= BlocksMax;
  }

  // Can the section come back to the block?
  bool isInLoop(const BasicBlock *Block) const {
    SmallPtrSet<const BasicBlock *, 16> Reached;
    SmallVector<const BasicBlock *, 8> Ways{Block};
    while (!Ways.empty()) {
      const BasicBlock *From = Ways.pop_back_val();
      if (!Left.contains(From)) continue;
      for (const BasicBlock *Next : successors(From)) {
        if (Next == Block) return true;
        if (Reached.insert(Next).second) Ways.push_back(Next);
      }
    }
    return false;
  }

  // A loop's accesses are too many to be told one by one. Those to a variable are told as one that may access all of
  // it, where the section begins. The lock keeps others out, so a load may be told early.
  static bool addVariable(const Value *Pointer, SmallVectorImpl<WeakVH> &Variables) {
    const Value *Object = getUnderlyingObject(Pointer);
    if (isOfOneThread(Pointer) || is_contained(Variables, Object)) return true;
    const auto *Variable = dyn_cast<GlobalVariable>(Object);
    if (!Variable || Variable->isInterposable() || !Variable->getValueType()->isSized()) return false;
    if (Variable->getParent()->getDataLayout().getTypeAllocSize(Variable->getValueType()).isZero()) return false;
    Variables.emplace_back(const_cast<Value *>(Object));
    return true;
  }
  static bool addVariables(const Instruction &I, LockSection &S) {
    if (auto *Load = dyn_cast<LoadInst>(&I)) return addVariable(Load->getPointerOperand(), S.Loaded);
    if (auto *Store = dyn_cast<StoreInst>(&I)) return addVariable(Store->getPointerOperand(), S.Stored);
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      return addVariable(Copy->getRawSource(), S.Loaded) && addVariable(Copy->getRawDest(), S.Stored);
    return addVariable(cast<MemSetInst>(I).getRawDest(), S.Stored);
  }

  static bool isOfOneThread(const Value *Pointer) {
    const Value *Object = getUnderlyingObject(Pointer);
    const auto *Variable = dyn_cast<GlobalVariable>(Object);
    return (Variable && Variable->isConstant()) || mck::isPrivateVariable(Object);
  }

  Step access(Instruction &I, const Value *Pointer) {
    if (Pointer->getType()->getPointerAddressSpace() != 0) return Step::Unknown;
    if (!isOfOneThread(Pointer)) Accesses.emplace_back(&I);
    return Step::Goes;
  }

  Step step(Instruction &I) {
    if (I.isAtomic()) return Step::Unknown; // an order of its own
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->getType()->isSized() ? access(I, Load->getPointerOperand()) : Step::Unknown;
    if (auto *Store = dyn_cast<StoreInst>(&I)) return access(I, Store->getPointerOperand());
    if (auto *Call = dyn_cast<CallBase>(&I)) return call(*Call);
    return I.mayReadOrWriteMemory() ? Step::Unknown : Step::Goes;
  }

  Step call(CallBase &Call) {
    if (isUnlock(Call, Pair, Address) || isWait(Call, Pair, Address)) return Step::Ends;
    if (isSignal(Call)) return Step::Goes;
    if (isFailure(Call)) return Step::Ends;
    if (auto *Copy = dyn_cast<MemTransferInst>(&Call))
      return access(Call, isOfOneThread(Copy->getRawDest()) ? Copy->getRawSource() : Copy->getRawDest());
    if (auto *Set = dyn_cast<MemSetInst>(&Call)) return access(Call, Set->getRawDest());
    if (isMark(Call) || isa<DbgInfoIntrinsic, AssumeInst>(Call)) return Step::Goes;
    if (auto *Known = dyn_cast<IntrinsicInst>(&Call))
      return Known->isLifetimeStartOrEnd() || Known->doesNotAccessMemory() ? Step::Goes : Step::Unknown;
    return isPlainOperation(Call) ? Step::Goes : Step::Unknown;
  }
};

class Teller {
public:
  explicit Teller(Function &F)
      : Signals(F), Number(Type::getInt32Ty(F.getContext())), Length(Type::getInt64Ty(F.getContext())),
        Layout(F.getParent()->getDataLayout()) {}

  void begin(const LockSection &S) {
    auto *Lock = cast<CallInst>(S.Lock);
    Value *Address = S.Address;
    if (!Address) Address = ConstantPointerNull::get(PointerType::getUnqual(Lock->getContext()));
    Instruction &Behind = *Lock->getNextNode();
    Signals.insert(&Behind, *Lock, "__mck_section", {Address});
    for (const WeakVH &Variable : S.Loaded) variable(Behind, *Lock, *Variable, /*IsStore=*/false);
    for (const WeakVH &Variable : S.Stored) variable(Behind, *Lock, *Variable, /*IsStore=*/true);
  }

  void access(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      tell(*I.getNextNode(), I, Load->getPointerOperand(), size(Load->getType()), false);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      tell(I, I, Store->getPointerOperand(), size(Store->getValueOperand()->getType()), true);
    else if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
      IRBuilder<> Builder(&I);
      Value *Bytes = Builder.CreateZExtOrTrunc(Memory->getLength(), Length);
      if (auto *Copy = dyn_cast<MemTransferInst>(Memory)) tell(*I.getNextNode(), I, Copy->getRawSource(), Bytes, false);
      tell(I, I, Memory->getRawDest(), Bytes, true);
    }
  }

private:
  mck::ThreadSignals Signals;
  Type *Number, *Length;
  const DataLayout &Layout;

  void variable(Instruction &Behind, CallInst &Lock, Value &Variable, bool IsStore) {
    tell(Behind, Lock, &Variable, size(cast<GlobalVariable>(Variable).getValueType()), IsStore);
  }
  Value *size(Type *What) { return ConstantInt::get(Length, Layout.getTypeStoreSize(What).getKnownMinValue()); }
  void tell(Instruction &Before, const Instruction &For, Value *Address, Value *Bytes, bool IsStore) {
    Signals.insert(&Before, For, "__mck_section_access", {Address, Bytes, ConstantInt::get(Number, IsStore)});
  }
};

bool hasLost(ArrayRef<WeakVH> Values) {
  return any_of(Values, [](const WeakVH &I) { return !I; });
}

} // namespace

SmallVector<LockSection, 0> mck::findLockSections(Function &F) {
  SmallVector<LockSection, 0> Sections;
  for (Instruction &I : instructions(F))
    if (const LockPair *Pair = pairOf(I))
      if (std::optional<LockSection> S = SectionSearch(cast<CallBase>(I), *Pair).run())
        Sections.push_back(std::move(*S));
  return Sections;
}

bool mck::tellLockSections(Function &F, ArrayRef<LockSection> Sections) {
  if (Sections.empty()) return false; // a teller brings what a module needs that tells something
  Teller Tell(F);
  SmallPtrSet<Instruction *, 32> Told; // sections of several locks that go on to one unlock
  bool IsTelling = false;
  for (const LockSection &S : Sections) {
    if (!S.Lock || hasLost(S.Accesses) || hasLost(S.Loaded) || hasLost(S.Stored)) continue;
    Tell.begin(S);
    for (const WeakVH &I : S.Accesses)
      if (Told.insert(cast<Instruction>(I)).second) Tell.access(*cast<Instruction>(I));
    IsTelling = true;
  }
  return IsTelling;
}
