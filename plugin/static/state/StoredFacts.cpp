// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stores, loads and calls on a path do to what is known of memory (PathWalk.h).
#include "static/state/PathWalk.h"

using namespace llvm;
using namespace mck::statics;

constexpr int64_t RequestSize = sizeof(void *);

// What was known of these loads is not known any more.
void PathWalk::dropLoads(Facts &F, function_ref<bool(const LoadInst &)> IsGone) {
  auto HasGone = [&](ValueNumber About) {
    return any_of(View.Numbers.leaves(About), [&](const Value *Leaf) {
      const auto *Load = dyn_cast<LoadInst>(Leaf);
      return Load && IsGone(*Load);
    });
  };
  F.dropIf([&](const Facts::Fact &Fact) { return HasGone(Fact.About) || (Fact.Base && HasGone(Fact.Base)); });
}

// What is stored is what will be loaded; other loads may be of the same place.
void PathWalk::remember(const StoreInst &Store, Facts &F) {
  ValueNumber Address = View.Numbers.of(Store.getPointerOperand());
  const Value *Base = getUnderlyingObject(Store.getPointerOperand());
  Sum Value = Thinker.valueOf(Store.getValueOperand(), F);
  Place To = Memories.of(Store.getPointerOperand(), F);
  int64_t Size = int64_t(Memories.layout().getTypeStoreSize(Store.getValueOperand()->getType()));
  auto IsTouched = [&](ValueNumber Load) {
    ValueNumber Other = View.Numbers.addressOf(Load);
    if (!Other) return false;
    const auto *Loaded = cast<LoadInst>(View.Numbers.valueOf(Load));
    if (Memories.sameObject(Base, getUnderlyingObject(Loaded->getPointerOperand())) == Meeting::Never) return false;
    return Memories.meet(To, Size, Memories.of(Loaded->getPointerOperand(), F),
                         int64_t(Memories.layout().getTypeStoreSize(Loaded->getType())), F) != Meeting::Never;
  };
  auto HasTouched = [&](ValueNumber About) {
    return any_of(View.Numbers.leaves(About),
                  [&](const llvm::Value *Leaf) { return isa<LoadInst>(Leaf) && IsTouched(View.Numbers.of(Leaf)); });
  };
  Facts Before = F;
  F.dropIf([&](const Facts::Fact &Fact) { return HasTouched(Fact.About) || (Fact.Base && HasTouched(Fact.Base)); });
  ValueNumber Load = View.Numbers.loadOf(Address, Store.getValueOperand()->getType());
  if (!Load || !View.isOfUse(Load)) return;
  bool IsPlain = Value.Terms.size() == 1 && Value.Terms[0].second == 1 && !HasTouched(Value.Terms[0].first);
  if (IsPlain) F.set({Load, Value.Terms[0].first, Value.Rest});
  else F.set({Load, 0, Thinker.rangeOf(Value, Before)});
}

// A load whose value is used later has what its address holds now.
void PathWalk::keep(const LoadInst &Load, Facts &F) {
  ValueNumber Own = View.Numbers.of(&Load);
  ValueNumber Now = View.Numbers.loadOf(View.Numbers.of(Load.getPointerOperand()), Load.getType());
  const Facts::Fact *Known = F.find(Now);
  Facts::Fact New{Own, Now, {0, 0}};
  if (Known) New = *Known, New.About = Own;
  F.dropIf([&](const Facts::Fact &Fact) { return Fact.About == Own || Fact.Base == Own; });
  if (Now && View.isOfUse(Own)) F.set(New);
}

// MPI stores into the variables of requests. (What else it gives is stored by instructions: Canonical.h.)
void PathWalk::forgetRequests(const CallBase &Call, Facts &F) {
  const MpiFunction *Mpi = findMpi(Call);
  int One = Mpi ? Mpi->find("request") : -1, At = Mpi && One < 0 ? Mpi->find("requests") : One;
  if (At < 0 || !Call.getArgOperand(unsigned(At))->getType()->isPointerTy()) return;
  const Value *Address = Call.getArgOperand(unsigned(At));
  Place To = Memories.of(Address, F);
  const Facts Before = F;
  dropLoads(F, [&](const LoadInst &Load) {
    if (!Load.getType()->isPointerTy()) return false;
    const Value *From = Load.getPointerOperand();
    if (One < 0) return Memories.sameObject(To.Base, getUnderlyingObject(From)) != Meeting::Never;
    return Memories.meet(To, RequestSize, Memories.of(From, Before), RequestSize, Before) != Meeting::Never;
  });
}

// memset and memcpy.
void PathWalk::forgetFilled(const AnyMemIntrinsic &Fill, Facts &F) {
  Place To = Memories.of(Fill.getDest(), F);
  int64_t Length = std::min<int64_t>(Thinker.rangeOf(Fill.getLength(), F).High, INT32_MAX);
  const Facts Before = F;
  dropLoads(F, [&](const LoadInst &Load) {
    int64_t Size = int64_t(Memories.layout().getTypeStoreSize(Load.getType()));
    return Length > 0 &&
           Memories.meet(To, Length, Memories.of(Load.getPointerOperand(), Before), Size, Before) != Meeting::Never;
  });
}

// A function of a library may write to what its arguments point to (fread, sscanf, gettimeofday).
void PathWalk::forgetArguments(const CallBase &Call, Facts &F) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->isVarArg() && Callee->getName().ends_with("printf")) return;
  for (unsigned At = 0; At < Call.arg_size(); ++At) {
    const Value *Address = Call.getArgOperand(At);
    if (!Address->getType()->isPointerTy() || isa<ConstantPointerNull>(Address) || Call.onlyReadsMemory(At)) continue;
    const Value *Base = getUnderlyingObject(Address);
    dropLoads(F, [&](const LoadInst &Load) {
      return Memories.sameObject(Base, getUnderlyingObject(Load.getPointerOperand())) == Meeting::Surely;
    });
  }
}

// What MPI writes to a variable that is one number is not known any more. (Of a structure or an array it may be a
// part.)
void PathWalk::forgetReceived(const CallBase &Call, const MpiFunction &Mpi, Facts &F) {
  for (unsigned At = 0; At < Call.arg_size(); ++At) {
    if (!(Mpi.row().buffers_out >> At & 1)) continue;
    const Value *Base = Call.getArgOperand(At)->stripPointerCasts();
    const auto *Local = dyn_cast<AllocaInst>(Base);
    const auto *Global = dyn_cast<GlobalVariable>(Base);
    const Type *Is = Local ? Local->getAllocatedType() : Global ? Global->getValueType() : nullptr;
    if (!Is || !Is->isSingleValueType()) continue;
    dropLoads(F, [&](const LoadInst &Load) {
      return Memories.sameObject(Base, getUnderlyingObject(Load.getPointerOperand())) == Meeting::Surely;
    });
  }
}

// A call that is not known may store anywhere, but not in what is private.
void PathWalk::forget(const CallBase &Call, Facts &F) {
  forgetRequests(Call, F);
  if (const auto *Fill = dyn_cast<AnyMemIntrinsic>(&Call)) return forgetFilled(*Fill, F);
  // A flag is 0 or 1 (2.5.4); of what was tested the machine knows more already.
  if (const Origin *From = View.Code.origin(&Call); From && From->Function->Parameters[From->Parameter].is("flag"))
    if (ValueNumber Flag = View.Numbers.of(&Call); View.isOfUse(Flag) && !F.find(Flag)) F.set({Flag, 0, {0, 1}});
  if (!Call.mayWriteToMemory() || Call.onlyAccessesInaccessibleMemory()) return;
  if (const MpiFunction *Mpi = findMpi(Call)) return forgetReceived(Call, *Mpi, F);
  if (View.Code.origin(&Call) || isa<IntrinsicInst>(Call)) return;
  bool IsLibrary = reachOf(Call) == Reach::Nothing && !Call.isIndirectCall();
  if (IsLibrary || Call.onlyAccessesArgMemory()) return forgetArguments(Call, F);
  forgetShared(F);
}

void PathWalk::forgetShared(Facts &F) {
  dropLoads(F,
            [&](const LoadInst &Load) { return !Memories.isPrivate(getUnderlyingObject(Load.getPointerOperand())); });
}
