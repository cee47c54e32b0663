// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects what is stored (Memory.h).
#include "static/Memory.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

// Of one load's place; with more it is not known.
constexpr size_t MostChanges = 400, MostStores = 64;

const Constant *mck::statics::constantAt(const LoadInst &Load) {
  auto *Address = dyn_cast<Constant>(const_cast<Value *>(Load.getPointerOperand()));
  const auto *Variable = Address ? dyn_cast<GlobalVariable>(getUnderlyingObject(Address)) : nullptr;
  if (!Variable || !Variable->isConstant() || !Variable->hasDefinitiveInitializer()) return nullptr;
  return ConstantFoldLoadFromConstPtr(Address, Load.getType(), Load.getModule()->getDataLayout());
}

void Memory::note(Function &F) {
  auto See = [&](const CallBase &Call) { return Code.see(Call); };
  WriteList All;
  findWrites(F, Places, See, All);
  for (const Write &Is : All) Writes[Is.At.Of].push_back(Is);
  for (Instruction &I : instructions(F)) {
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && isPlain(*Store, Places)) {
      Cell &Is = Cells[*Places.locate(Store->getPointerOperand())];
      Is.Values.push_back(Store->getValueOperand());
      Is.By.push_back(Store);
    }
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(I) || findMpi(*Call) || Code.origin(Call)) continue;
    switch (See(*Call)) {
    case Callee::Library: break;
    case Callee::Own: Own[&F].push_back(Call); break;
    case Callee::Unseen:
      Unseen[&F].push_back(Call);
      if (Code.isQuiet(*Call->getCalledFunction())) break;
      [[fallthrough]];
    case Callee::Unknown: Unknown[&F].push_back(Call); break;
    }
  }
}

Memory::Memory(const Canonical &Code) : Code(Code), Places(Code.module().getDataLayout()) {
  for (Function &F : Code.module()) Places.learn(F);
  for (Function &F : Code.module()) note(F);
}

const SmallVectorImpl<Value *> *Memory::stored(const LoadInst &Load) const {
  std::unique_ptr<Answer> &Is = Answers[&Load];
  if (!Is) Is = std::make_unique<Answer>(find(Load));
  return Is->IsKnown ? &Is->Values : nullptr;
}

// Other modules reach structures by their address, and global variables.
static bool isShared(const Area &Member) {
  if (Member.IsStructure) return true;
  const auto *Variable = dyn_cast<GlobalVariable>(static_cast<const Value *>(Member.Of));
  return Variable && !Variable->hasLocalLinkage();
}

// Is there a way from behind the first to the second on which none of the others is?
static bool isReached(const Instruction &From, const Instruction &To, ArrayRef<const Instruction *> Others) {
  auto EndsIn = [&](const BasicBlock *Block, const Instruction *Behind) {
    return any_of(Others, [&](const Instruction *I) {
      return I->getParent() == Block && I != &To && (!Behind || Behind->comesBefore(I)) &&
             (To.getParent() != Block || (Behind && !Behind->comesBefore(&To)) || I->comesBefore(&To));
    });
  };
  bool IsEnd = EndsIn(From.getParent(), &From);
  if (From.getParent() == To.getParent() && From.comesBefore(&To)) return !IsEnd;
  if (IsEnd) return false;
  SmallPtrSet<const BasicBlock *, 32> Seen;
  SmallVector<const BasicBlock *, 32> Work(successors(From.getParent()));
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    if (!Seen.insert(Block).second) continue;
    bool Ends = EndsIn(Block, nullptr);
    if (Block == To.getParent() && !Ends) return true;
    if (!Ends) Work.append(succ_begin(Block), succ_end(Block));
  }
  return false;
}

// May something change the place on a way from the store to the load? What other functions do has no place in it.
Memory::Change Memory::between(const Instruction &Store, const LoadInst &Load, const Location &At, bool IsShared,
                               ArrayRef<const Instruction *> Same) const {
  const Function *F = Store.getFunction();
  bool IsOne = F == Load.getFunction(), IsElsewhere = false;
  auto Lies = [&](const Instruction *Way) {
    return isReached(Store, *Way, Same) && (!IsOne || isReached(*Way, Load, Same));
  };
  auto Reaches = [&](const Instruction *Way) { return isReached(*Way, Load, Same); };
  size_t Looks = 0;
  if (auto All = Writes.find(At.first); All != Writes.end())
    for (const Write &Other : All->second) {
      if (!Other.At.has(At)) continue;
      if (!Other.By || ++Looks > MostChanges) return Change::Surely;
      if (Other.By->getFunction() == F) {
        if (!Lies(Other.By)) continue;
        if (IsOne) return Change::Surely;
        IsElsewhere = true;
      } else if (IsOne || Other.By->getFunction() != Load.getFunction() || Reaches(Other.By)) {
        IsElsewhere = true;
      }
    }
  bool IsUnseen = any_of(Code.unseenWrites(), [&](const Area &Other) { return Other.has(At); });
  auto Look = [&](const auto &Calls, bool IsLast) {
    for (const auto &[Caller, All] : Calls)
      for (const Instruction *Call : All) {
        if (++Looks > MostChanges) return true;
        if (IsOne ? Caller == F && Lies(Call) : Caller != F || Lies(Call)) return true;
        IsElsewhere |= IsOne && Caller != F && !IsLast;
      }
    return false;
  };
  if (IsUnseen && Look(Unseen, false)) return IsOne ? Change::Surely : Change::Perhaps;
  if (IsShared && Look(Unknown, false)) return Change::Perhaps;
  if (!IsElsewhere) return Change::None;
  return !IsOne || Look(Own, true) ? Change::Perhaps : Change::None;
}

// The own rank, the number of ranks, and handles are what they are for the whole run.
bool Memory::isKept(const Value &V) const {
  const Origin *From = Code.origin(&V);
  if (V.getType()->isPointerTy()) return true;
  return From &&
         (From->Function->row().tells == MCK_STD_TELLS_RANK || From->Function->row().tells == MCK_STD_TELLS_SIZE);
}

// The stores to just the address that is loaded: a member of a structure may be that of another object.
static SmallVector<const Instruction *, 4> storesTo(const LoadInst &Load, ArrayRef<const Instruction *> Stores) {
  const DataLayout &Layout = Load.getModule()->getDataLayout();
  auto AddressOf = [&](const Value *Pointer) {
    APInt Offset(64, 0);
    const Value *Base = Pointer->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
    return std::make_pair(Base, Offset.getSExtValue());
  };
  SmallVector<const Instruction *, 4> Found;
  for (const Instruction *Store : Stores)
    if (AddressOf(getLoadStorePointerOperand(Store)) == AddressOf(Load.getPointerOperand())) Found.push_back(Store);
  return Found;
}

// A local variable whose address goes to MPI, and to nothing else: other pointers do not lead to it.
static const AllocaInst *ownVariable(const LoadInst &Load) {
  const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Load.getPointerOperand()));
  SmallVector<const Value *, 16> Work;
  if (Variable) Work.push_back(Variable);
  for (unsigned Uses = 0; !Work.empty();)
    for (const Use &U : Work.pop_back_val()->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      if (++Uses > MostChanges) return nullptr;
      if (isa<GetElementPtrInst>(I)) Work.push_back(I);
      const auto *Call = dyn_cast<CallBase>(I);
      bool IsMpi = Call && Call->isArgOperand(&U) && findMpi(*Call);
      if (!isa<GetElementPtrInst, LoadInst, ICmpInst, AnyMemIntrinsic>(I) && !IsMpi &&
          !(Call && Call->isLifetimeStartOrEnd()) && !(isa<StoreInst>(I) && U.getOperandNo() == 1))
        return nullptr;
    }
  return Variable;
}

Memory::Answer Memory::find(const LoadInst &Load) const {
  Answer Found;
  auto At = Places.locate(Load.getPointerOperand());
  if (!At) return Found;
  bool CanBeShared = isShared(*Places.member(Load.getPointerOperand()));
  Found.IsKnown = true;
  auto Is = Cells.find(*At);
  if (Is == Cells.end()) return Found;
  auto Same = storesTo(Load, Is->second.By);
  const AllocaInst *Variable = ownVariable(Load);
  bool IsOnce = Load.getFunction()->getName() == "main";
  Found.IsKnown = Is->second.Values.size() <= MostStores;
  for (size_t I = 0; I < Is->second.Values.size() && Found.IsKnown; ++I) {
    Value &V = *Is->second.Values[I];
    const Instruction &Store = *Is->second.By[I];
    if (Variable && getUnderlyingObject(getLoadStorePointerOperand(&Store)) != Variable) continue;
    if (IsOnce && Store.getFunction() == Load.getFunction() && !isReached(Store, Load, Same)) continue;
    Change Between = between(Store, Load, *At, CanBeShared, Same);
    Found.IsKnown &= V.getType() == Load.getType() &&
                     (Between == Change::None || (Between == Change::Perhaps && isKept(V)));
    Found.Values.push_back(&V);
  }
  Found.IsKnown &= !Found.Values.empty(); // else it has its first value
  return Found;
}
