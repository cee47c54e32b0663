// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the objects of accesses without bounds, and emits their tests (ObjectTests.h).
#include "ObjectTests.h"
#include "Effects.h"
#include "Filter.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using mck::Access;
using mck::EntryPoints;
using mck::Filter;
using mck::ObjectTests;

// An access may have so many objects, and a nest so many instructions that write.
static constexpr unsigned MaxObjects = 4, MaxWriters = 64;

bool ObjectTests::add(const Access &A, Loop *Nest, SmallVectorImpl<unsigned> &Tests) {
  if (A.Address->getType()->isVectorTy()) return false;
  SmallVector<const Value *, MaxObjects> Objects;
  // A choice between pointers that was made before the nest is a pointer like any other.
  const Value *Base = getUnderlyingObject(A.Address, /*MaxLookup=*/100);
  if (isa<PHINode, SelectInst>(Base) && Nest->isLoopInvariant(Base)) Objects.push_back(Base);
  else getUnderlyingObjects(A.Address, Objects, /*LI=*/nullptr, /*MaxLookup=*/100);
  if (Objects.size() > MaxObjects) return false;
  SmallVector<Test, MaxObjects> Wanted;
  for (const Value *Object : Objects) {
    if (isa<ConstantPointerNull>(Object) || isa<UndefValue>(Object)) continue; // no object
    Test T;
    T.Nest = Nest;
    T.Bits = A.Flags & MCK_SIGNAL_STORE ? MCK_WATCH_STORES : MCK_WATCH_LOADS;
    if (!find(const_cast<Value *>(Object), T)) return false;
    Wanted.push_back(std::move(T));
  }
  for (Test &T : Wanted) {
    auto *Known = find_if(All, [&](const Test &Other) { return Other.isSame(T); });
    if (Known == All.end()) Known = &All.emplace_back(std::move(T));
    else Known->Bits |= T.Bits;
    unsigned Index = unsigned(Known - All.data());
    if (!is_contained(Tests, Index)) Tests.push_back(Index);
  }
  return true;
}

bool ObjectTests::find(Value *Object, Test &T) {
  const DataLayout &DL = cast<Instruction>(T.Nest->getHeader()->begin())->getModule()->getDataLayout();
  if (auto *Global = dyn_cast<GlobalVariable>(Object)) {
    // Another object file may define it, perhaps with a size that is not known here.
    if (!Global->isStrongDefinitionForLinker() && !Global->hasCommonLinkage())
      T.Address = N.SE.getPtrToIntExpr(N.SE.getSCEV(Global), N.Int64);
    else T.Variable = Global, T.Size = DL.getTypeAllocSize(Global->getValueType());
    return !Global->isThreadLocal();
  }
  if (auto *Alloca = dyn_cast<AllocaInst>(Object); Alloca && Alloca->isStaticAlloca()) {
    T.Variable = Alloca, T.Size = Alloca->getAllocationSize(DL).value_or(TypeSize::getFixed(0)).getKnownMinValue();
    return T.Size && !Alloca->getAllocatedType()->isScalableTy();
  }
  const Instruction *At = T.Nest->getLoopPreheader()->getTerminator();
  // Where a pointer is made of a number, nobody knows the object.
  if (!isa<Argument, LoadInst, CallBase, PHINode, SelectInst>(Object)) return false;
  if (T.Nest->isLoopInvariant(Object)) {
    // One of several objects may be known on some of the paths to the nest only.
    const auto *Made = dyn_cast<Instruction>(Object);
    if (Made && !N.DT.dominates(Made, At)) return false;
    T.Address = N.SE.getPtrToIntExpr(N.SE.getSCEV(Object), N.Int64);
    return !isa<SCEVCouldNotCompute>(T.Address) && N.canExpand(T.Address, At, T.Nest);
  }
  auto *Load = dyn_cast<LoadInst>(Object);
  return Load && findPointer(Load, T);
}

// The load's own pointer is known before the nest, or it is loaded in the same way.
bool ObjectTests::findPointer(LoadInst *Load, Test &T) {
  if (!Load->isSimple() || !isUnchanged(Load, T.Nest)) return false;
  Value *From = Load->getPointerOperand();
  const SCEV *Address = N.SE.getPtrToIntExpr(N.SE.getSCEV(From), N.Int64);
  Instruction *At = T.Nest->getLoopPreheader()->getTerminator();
  if (!isa<SCEVCouldNotCompute>(Address) && N.SE.isLoopInvariant(Address, T.Nest) && N.canExpand(Address, At, T.Nest)) {
    T.Address = Address;
    T.Path.push_back(0);
    T.IsMapped = isa<GlobalVariable, AllocaInst>(getUnderlyingObject(From)) &&
                 isDereferenceableAndAlignedPointer(From, Load->getType(), Load->getAlign(),
                                                    Load->getModule()->getDataLayout());
    return true;
  }
  int64_t Offset = 0;
  auto *Next = dyn_cast<LoadInst>(GetPointerBaseWithConstantOffset(From, Offset, Load->getModule()->getDataLayout()));
  if (!Next || !T.Nest->contains(Next) || !findPointer(Next, T) || T.Path.size() == 2) return false;
  T.Path.push_back(Offset);
  return true;
}

bool ObjectTests::isUnchanged(const LoadInst *Load, const Loop *Nest) {
  MemoryLocation Location = MemoryLocation::get(Load);
  unsigned Writers = 0;
  for (BasicBlock *Block : Nest->blocks())
    for (Instruction &I : *Block)
      if (I.mayWriteToMemory() && !mck::mayWriteOnlyErrno(I, TLI) &&
          (++Writers > MaxWriters || isModSet(AA.getModRefInfo(&I, Location))))
        return false;
  return true;
}

Value *ObjectTests::emit(unsigned Index, Instruction *At, EntryPoints &Gate) {
  const Test &T = All[Index];
  IRBuilder<> Builder(At);
  auto Call = [&](Function *Asked, ArrayRef<Value *> Arguments) {
    CallInst *Call = Builder.CreateCall(Asked, Arguments);
    Call->setCallingConv(Asked->getCallingConv());
    Call->setDoesNotThrow();
    return Call;
  };
  if (T.Variable) {
    Value *Low = Filter::toInteger(Builder, T.Variable);
    return Call(Gate.rangeGate(), {Low, Builder.CreateAdd(Low, Builder.getInt64(T.Size)), Builder.getInt32(T.Bits)});
  }
  Value *Address = N.expand(T.Address, At);
  Builder.SetInsertPoint(At);
  Address = Builder.CreateFreeze(Address); // poison is no address, and the nest is then not entered
  ArrayRef<int64_t> Path = T.Path;
  if (T.IsMapped) {
    Address = Filter::toInteger(
        Builder,
        Filter::hiddenLoad(Builder, Builder.getPtrTy(), Builder.CreateIntToPtr(Address, Builder.getPtrTy()), Align(1)));
    Path = Path.drop_front();
    if (!Path.empty()) Address = Builder.CreateAdd(Address, Builder.getInt64(uint64_t(Path[0])));
  }
  uint64_t Second = Path.size() > 1 ? uint64_t(Path[1]) : 0;
  return Call(Gate.objectGate(),
              {Address, Builder.getInt64(Second), Builder.getInt32(T.Bits | uint32_t(Path.size()) << 8)});
}
