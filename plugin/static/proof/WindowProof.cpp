// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts fences (WindowProof.h). The fences of a window are collective: the k-th fence of one process is the k-th of
// all. So a proof needs no conditions: if the number of fences before each operation, modulo 120, is never the number
// before a load or store, then no process can come to one while another one comes to the other.
#include "static/proof/WindowProof.h"
#include "static/program/ClosedProgram.h"
#include "static/proof/WindowHandles.h"
#include "static/state/EpochCall.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <bitset>

using namespace llvm;
using namespace mck::statics;

namespace {

constexpr char NameAttr[] = "mck-window", ProvedAttr[] = "mck-window-proved";
constexpr unsigned Turns = 120; // loops of 1 to 6 or 8 fences come back to their numbers
using Counts = std::bitset<Turns>;

Counts next(const Counts &C) { return C << 1 | C >> (Turns - 1); }

bool createsWindow(const MpiFunction &Function) {
  int At = Function.find("newwin");
  return At >= 0 && Function.Parameters[unsigned(At)].Way == Direction::OUT;
}
bool isCandidate(const MpiFunction &Function) {
  return Function.Number == MCK_FN_MPI_Win_allocate || Function.Number == MCK_FN_MPI_Win_create;
}

struct Event {
  enum Kind { Begin, End, MaybeEnd, Fence, MaybeFence, Operation, Access, Unknown } What;
  bool MaySkip; // of a fence: it need not wait for the others
};

class Proof {
public:
  Proof(const Canonical &Code, WindowHandles &Handles, const Function &Main, const CallBase &Maker,
        const MpiFunction &Function);
  bool holds();

private:
  const Canonical &Code;
  WindowHandles &Handles;
  const Function &Main;
  const CallBase &Maker;
  SmallVector<const Value *, 2> Memory; // that of MPI_Win_create; else MPI made it
  bool IsKnown = true;
  DenseMap<const BasicBlock *, SmallVector<Event, 4>> Events;
  Counts OfOperations, OfAccesses, OfSkips;
  bool isLost = false;

  std::optional<Event> eventOf(const Instruction &I);
  std::optional<Event> eventOfMpi(const CallBase &Call, const MpiFunction &Mpi);
  bool mayTouch(const Value *Address) const;
  bool mayTouchThroughCall(const CallBase &Call) const;
  Counts follow(const BasicBlock &Block, Counts Is, bool IsLast);
};

SmallVector<const Value *, 4> objectsOf(const Value *Address) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, /*LI=*/nullptr, 100);
  return Objects;
}

Proof::Proof(const Canonical &Code, WindowHandles &Handles, const Function &Main, const CallBase &Maker,
             const MpiFunction &Function)
    : Code(Code), Handles(Handles), Main(Main), Maker(Maker) {
  if (Function.Number != MCK_FN_MPI_Win_create) return;
  for (const Value *Object : objectsOf(argument(Maker, Function, "base"))) {
    IsKnown &= isIdentifiedObject(Object);
    Memory.push_back(Object);
  }
}

// Different objects are apart, and what MPI allocates is none of them. Of a pointer that was loaded nothing is known.
bool Proof::mayTouch(const Value *Address) const {
  return any_of(objectsOf(Address), [&](const Value *Object) {
    if (isa<UndefValue>(Object) || isa<ConstantPointerNull>(Object)) return false;
    if (Handles.isFromLibrary(Object)) return false;
    return !isIdentifiedObject(Object) || is_contained(Memory, Object);
  });
}

// A function of a library touches what it gets; one of the program anything.
bool Proof::mayTouchThroughCall(const CallBase &Call) const {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Code.isQuiet(*Callee)) return true;
  return any_of(Call.args(), [&](const Use &A) { return A->getType()->isPtrOrPtrVectorTy() && mayTouch(A); });
}

std::optional<Event> Proof::eventOfMpi(const CallBase &Call, const MpiFunction &Mpi) {
  if (&Call == &Maker) return Event{Event::Begin, false};
  const Value *Handle = argument(Call, Mpi, mck_std_frees_window(Mpi.Number) ? "newwin" : "win");
  if (!Handle || createsWindow(Mpi)) return std::nullopt;
  WindowHandles::Makers Of = Handles.of(Handle);
  if (!Of.contains(&Maker) && !Of.contains(nullptr)) return std::nullopt;
  bool IsSure = Of.size() == 1 && Of.contains(&Maker);
  if (mck_std_frees_window(Mpi.Number)) return Event{IsSure ? Event::End : Event::MaybeEnd, false};
  if (Mpi.row().access != MCK_STD_ACCESS_NONE) return Event{Event::Operation, false};
  switch (Mpi.Number) {
  case MCK_FN_MPI_Win_set_name:
  case MCK_FN_MPI_Win_get_name:
  case MCK_FN_MPI_Win_get_group: return std::nullopt;
  default: break;
  }
  const auto *Assertion = mck_std_epoch_call(Mpi.Number) == MCK_STD_CALL_FENCE
                              ? dyn_cast<ConstantInt>(argument(Call, Mpi, "assertion"))
                              : nullptr;
  // MPI_MODE_NOSTORE is checked by the signals.
  if (!Assertion || Assertion->getZExtValue() & MCK_MODE_NOSTORE) return Event{Event::Unknown, false};
  return Event{IsSure ? Event::Fence : Event::MaybeFence, mck_std_fence_may_skip(uint32_t(Assertion->getZExtValue()))};
}

std::optional<Event> Proof::eventOf(const Instruction &I) {
  bool IsTouching = false;
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    if (const MpiFunction *Mpi = findMpi(*Call)) return eventOfMpi(*Call, *Mpi);
    if (Code.origin(Call) || Call->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(I)) return std::nullopt;
    IsTouching = I.mayReadOrWriteMemory() && mayTouchThroughCall(*Call);
  } else if (const Value *Address = getLoadStorePointerOperand(&I)) {
    IsTouching = mayTouch(Address);
  } else {
    IsTouching = I.mayReadOrWriteMemory();
  }
  return IsTouching ? std::optional<Event>(Event{Event::Access, false}) : std::nullopt;
}

Counts Proof::follow(const BasicBlock &Block, Counts Is, bool IsLast) {
  for (const Event &E : Events[&Block]) {
    switch (E.What) {
    case Event::Begin: Is = Counts(1); break;
    case Event::End: Is.reset(); break;
    case Event::MaybeEnd: break;
    case Event::Fence:
    case Event::MaybeFence:
      if (IsLast && E.MaySkip) OfSkips |= Is;
      Is = E.What == Event::Fence ? next(Is) : Is | next(Is);
      break;
    case Event::Operation:
      if (IsLast) OfOperations |= Is;
      break;
    case Event::Access:
      if (IsLast) OfAccesses |= Is;
      break;
    case Event::Unknown:
      if (IsLast && Is.any()) isLost = true;
      break;
    }
  }
  return Is;
}

// A fence with MPI_MODE_NOPRECEDE may return before others have called it; with no operation before it there is nothing
// to wait for (11.5.1), and operations behind it wait for the fence of their target.
bool Proof::holds() {
  if (!IsKnown) return false;
  for (const BasicBlock &Block : Main)
    for (const Instruction &I : Block)
      if (auto Is = eventOf(I)) Events[&Block].push_back(*Is);
  DenseMap<const BasicBlock *, Counts> At;
  SmallVector<const BasicBlock *, 32> Work{&Main.getEntryBlock()};
  SmallPtrSet<const BasicBlock *, 32> Reached{&Main.getEntryBlock()};
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    Counts Behind = follow(*Block, At[Block], false);
    for (const BasicBlock *To : successors(Block)) {
      Counts &Before = At[To];
      bool IsNew = Reached.insert(To).second;
      if (!IsNew && (Before | Behind) == Before) continue;
      Before |= Behind;
      Work.push_back(To);
    }
  }
  for (const BasicBlock *Block : Reached) follow(*Block, At[Block], true);
  return !isLost && (OfOperations & OfAccesses).none() && (OfOperations & OfSkips).none();
}

// Each process comes to these calls at most once, and in one order: so what one of them makes is the same window on all
// ranks.
bool areInOrder(ArrayRef<const CallBase *> Makers, const Function &Main) {
  DominatorTree Tree(const_cast<Function &>(Main));
  for (const CallBase *One : Makers) {
    const BasicBlock *Block = One->getParent();
    for (const BasicBlock *Next : successors(Block))
      if (isPotentiallyReachable(Next, Block, nullptr, &Tree)) return false;
    for (const CallBase *Other : Makers)
      if (One != Other && !Tree.dominates(One, Other) && !Tree.dominates(Other, One)) return false;
  }
  return true;
}

// One communicator on all ranks: that of a name, or what one call has given.
bool hasOneComm(const CallBase &Maker, const MpiFunction &Function, const Canonical &Code) {
  const Value *Comm = argument(Maker, Function, "comm");
  return Comm && (isa<GlobalVariable>(Comm) || Code.origin(Comm));
}

// Nothing but main calls MPI, and no function is called that the code does not name (signals, threads, callbacks).
bool isOneFunction(const Canonical &Code, const Module &Source) {
  auto IsMain = [](const Function *F) { return F->getName() == "main"; };
  return isClosedProgram(Code) && all_of(Code.roots(), IsMain) &&
         none_of(Source, [](const Function &F) { return !F.isDeclaration() && F.hasAddressTaken(); });
}

template <class Callback>
void forEachMaker(Module &M, Callback Visit) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const MpiFunction *Mpi = findMpi(*Call); Mpi && createsWindow(*Mpi)) Visit(*Call, *Mpi);
}

} // namespace

bool mck::statics::nameWindows(Module &M) {
  unsigned Number = 0;
  forEachMaker(M, [&](CallBase &Call, const MpiFunction &) {
    std::string Name = M.getSourceFileName() + ":" + std::to_string(Number++);
    Call.addFnAttr(Attribute::get(M.getContext(), NameAttr, Name));
  });
  return Number > 0;
}

std::set<std::string> mck::statics::proveWindows(const Canonical &Code, const Module &Source) {
  std::set<std::string> Proved, Failed;
  SmallVector<const CallBase *, 4> Makers;
  bool HasCandidate = false;
  const Function *Main = Code.module().getFunction("main");
  if (!Main || Main->isDeclaration() || Code.hasFortran()) return {};
  for (const Instruction &I : instructions(*Main))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const MpiFunction *Mpi = findMpi(*Call); Mpi && createsWindow(*Mpi)) {
        Makers.push_back(Call);
        HasCandidate |= isCandidate(*Mpi);
      }
  if (!HasCandidate || !isOneFunction(Code, Source) || !areInOrder(Makers, *Main)) return {};
  WindowHandles Handles(Code, Source);
  for (const CallBase *Maker : Makers) {
    const MpiFunction &Function = *findMpi(*Maker);
    bool IsProved = isCandidate(Function) && hasOneComm(*Maker, Function, Code) &&
                    Proof(Code, Handles, *Main, *Maker, Function).holds();
    (IsProved ? Proved : Failed).insert(Maker->getFnAttr(NameAttr).getValueAsString().str());
  }
  for (const std::string &Name : Failed) Proved.erase(Name);
  return Proved;
}

bool mck::statics::markWindows(Module &M, const std::set<std::string> &Names) {
  bool IsChanged = false;
  if (Names.empty()) return false;
  forEachMaker(M, [&](CallBase &Call, const MpiFunction &) {
    if (!Names.count(Call.getFnAttr(NameAttr).getValueAsString().str())) return;
    Call.addFnAttr(Attribute::get(M.getContext(), ProvedAttr));
    IsChanged = true;
  });
  return IsChanged;
}

bool mck::statics::isProvedWindow(const CallBase &Call) { return Call.hasFnAttr(ProvedAttr); }
