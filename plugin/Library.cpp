// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists what functions of the C library load and store (Library.h).
#include "Library.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"

using namespace llvm;
using mck::LibraryAccess;

namespace {

// A bound that no string exceeds.
constexpr uint64_t AnyLength = uint64_t(1) << 40;

// Locks, barriers and semaphores that processes may share (POSIX, PTHREAD_PROCESS_SHARED). In the memory of a shared
// window they order accesses as atomic loads and stores do (rt/rma/possible-order.h). A release is surely a store. An
// acquisition is a load, whether it writes or not.
struct Primitive {
  StringLiteral Name;
  unsigned Argument;
  bool IsStore;
};
constexpr Primitive Primitives[] = {
    {"pthread_mutex_lock", 0, false},
    {"pthread_mutex_trylock", 0, false},
    {"pthread_mutex_timedlock", 0, false},
    {"pthread_mutex_clocklock", 0, false},
    {"pthread_mutex_unlock", 0, true},
    {"pthread_spin_lock", 0, false},
    {"pthread_spin_trylock", 0, false},
    {"pthread_spin_unlock", 0, true},
    {"pthread_rwlock_rdlock", 0, false},
    {"pthread_rwlock_tryrdlock", 0, false},
    {"pthread_rwlock_timedrdlock", 0, false},
    {"pthread_rwlock_wrlock", 0, false},
    {"pthread_rwlock_trywrlock", 0, false},
    {"pthread_rwlock_timedwrlock", 0, false},
    {"pthread_rwlock_unlock", 0, true},
    {"pthread_barrier_wait", 0, true},
    {"pthread_cond_wait", 1, true},
    {"pthread_cond_timedwait", 1, true},
    {"sem_wait", 0, false},
    {"sem_trywait", 0, false},
    {"sem_timedwait", 0, false},
    {"sem_post", 0, true},
};
constexpr uint64_t PrimitiveBytes = 4; // the first bytes are enough to tell one object from another

class BufferFinder {
public:
  BufferFinder(CallBase &Call, const TargetLibraryInfo &TLI, function_ref<bool(const Value *)> IsRelevant)
      : Call(Call), TLI(TLI), IsRelevant(IsRelevant), Int64(Type::getInt64Ty(Call.getContext())) {}

  SmallVector<LibraryAccess, 2> run() {
    LibFunc Name;
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || !Callee->isDeclaration()) return {};
    if (TLI.getLibFunc(Call, Name)) visit(Name);
    else visitPrimitive(Callee->getName());
    return std::move(Found);
  }

private:
  CallBase &Call;
  const TargetLibraryInfo &TLI;
  function_ref<bool(const Value *)> IsRelevant;
  Type *Int64;
  SmallVector<LibraryAccess, 2> Found;

  Value *arg(unsigned Index) { return Call.getArgOperand(Index); }
  Value *number(uint64_t Value) { return ConstantInt::get(Int64, Value); }

  void add(unsigned Index, Value *Length, bool IsStore) { Found.push_back({arg(Index), Length, IsStore}); }

  void visitPrimitive(StringRef Name) {
    if (!Name.starts_with("pthread_") && !Name.starts_with("sem_")) return;
    for (const Primitive &P : Primitives) {
      if (Name != P.Name || P.Argument >= Call.arg_size() || !arg(P.Argument)->getType()->isPointerTy()) continue;
      add(P.Argument, number(PrimitiveBytes), P.IsStore);
      Found.back().IsAtomic = true;
    }
  }

  void visit(LibFunc Name) {
    switch (Name) {
    case LibFunc_memcpy:
    case LibFunc_memmove:
    case LibFunc_mempcpy:
    case LibFunc_memcpy_chk:
    case LibFunc_memmove_chk:
    case LibFunc_mempcpy_chk: add(1, arg(2), false); return add(0, arg(2), true);
    case LibFunc_memset:
    case LibFunc_memset_chk: return add(0, arg(2), true);
    case LibFunc_bcopy: add(0, arg(2), false); return add(1, arg(2), true);
    case LibFunc_bzero: return add(0, arg(1), true);
    case LibFunc_strncpy:
    case LibFunc_strncpy_chk: string(1, arg(2), false, /*IsAfter=*/false); return add(0, arg(2), true);
    case LibFunc_memcmp: // it compares all n characters (C11 7.24.4.1) and may read any of them first
    case LibFunc_bcmp: add(1, arg(2), false); return add(0, arg(2), false);
    case LibFunc_qsort: { // it may also store elements that are in order already (C11 7.22.5.2), as glibc does
      if (!IsRelevant(arg(0))) return;
      IRBuilder<> Builder(&Call);
      Value *Count = toInt64(Builder, arg(1));
      Value *IsSorted = Builder.CreateICmpULT(Count, number(2));
      return add(0, Builder.CreateSelect(IsSorted, number(0), Builder.CreateMul(Count, toInt64(Builder, arg(2)))),
                 true);
    }
    case LibFunc_fputs:
    case LibFunc_puts: return string(0, number(AnyLength), false, /*IsAfter=*/false);
    default: break;
    }
    // The other functions are signalled behind the call. One that throws or does not return never says how much it did.
    if (isa<CallInst>(Call) && !Call.isMustTailCall() && !Call.doesNotReturn()) visitAfter(Name);
  }

  // One switch, since it is a table: each case is a function of the C library.
  // NOLINTNEXTLINE(readability-function-size)
  void visitAfter(LibFunc Name) {
    switch (Name) {
    case LibFunc_strlen:
      return after(0, false, [&](IRBuilder<> &B) { return B.CreateAdd(toInt64(B, &Call), number(1)); });
    case LibFunc_strcpy:
    case LibFunc_strcpy_chk:
    case LibFunc_stpcpy:
    case LibFunc_stpcpy_chk:
      string(1, number(AnyLength), false, /*IsAfter=*/true);
      return string(0, number(AnyLength), true, /*IsAfter=*/true);
    case LibFunc_strdup: return string(0, number(AnyLength), false, /*IsAfter=*/true);
    case LibFunc_strcat:
    case LibFunc_strcat_chk: string(1, number(AnyLength), false, /*IsAfter=*/true); return appended();
    case LibFunc_strncat:
    case LibFunc_strncat_chk: string(1, arg(2), false, /*IsAfter=*/true); return appended();
    case LibFunc_sprintf:
    case LibFunc_vsprintf:
    case LibFunc_sprintf_chk:
    case LibFunc_vsprintf_chk: return after(0, true, [&](IRBuilder<> &B) { return printed(B); });
    case LibFunc_snprintf:
    case LibFunc_vsnprintf:
    case LibFunc_snprintf_chk:
    case LibFunc_vsnprintf_chk: // characters that did not fit were left out
      return after(0, true, [&](IRBuilder<> &B) {
        return B.CreateBinaryIntrinsic(Intrinsic::umin, printed(B), toInt64(B, arg(1)));
      });
    case LibFunc_strnlen: // it reads up to the zero byte, if that is near enough
      return after(0, false, [&](IRBuilder<> &B) {
        return B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateAdd(toInt64(B, &Call), number(1)), toInt64(B, arg(1)));
      });
    // Equal strings were compared to their ends. Of others only the first character was surely read.
    case LibFunc_strcmp:
    case LibFunc_strcasecmp:
    case LibFunc_strcoll:
      return compared(
          [&](IRBuilder<> &B) { return B.CreateSelect(B.CreateIsNull(&Call), number(AnyLength), number(1)); });
    case LibFunc_strncmp:
    case LibFunc_strncasecmp:
      return compared(
          [&](IRBuilder<> &B) { return B.CreateSelect(B.CreateIsNull(&Call), toInt64(B, arg(2)), number(1)); });
    case LibFunc_memchr: // it reads one by one up to the first match (C11 7.24.5.1)
      return searched(arg(2), /*IsString=*/false);
    case LibFunc_strchr: return searched(number(AnyLength), /*IsString=*/true);
    case LibFunc_strrchr: return string(0, number(AnyLength), false, /*IsAfter=*/true);
    case LibFunc_strstr: // the string that it looks for was read as a whole if it was found
      after(
          1, false, [&](IRBuilder<> &B) { return B.CreateSelect(B.CreateIsNull(&Call), number(0), number(AnyLength)); },
          /*IsString=*/true);
      return searched(number(AnyLength), /*IsString=*/true);
    case LibFunc_atoi:
    case LibFunc_atol:
    case LibFunc_atoll:
    case LibFunc_atof:
    case LibFunc_strtol:
    case LibFunc_strtoul:
    case LibFunc_strtoll:
    case LibFunc_strtoull:
    case LibFunc_strtod: return after(0, false, [&](IRBuilder<> &) { return number(1); });
    case LibFunc_fread:
    case LibFunc_fwrite: // it writes whole elements
      return after(0, Name == LibFunc_fread,
                   [&](IRBuilder<> &B) { return B.CreateMul(toInt64(B, &Call), toInt64(B, arg(1))); });
    case LibFunc_read:
    case LibFunc_pread:
    case LibFunc_write:
    case LibFunc_pwrite:
      return after(1, Name == LibFunc_read || Name == LibFunc_pread, [&](IRBuilder<> &B) {
        return B.CreateBinaryIntrinsic(Intrinsic::smax, toInt64(B, &Call), number(0));
      });
    case LibFunc_fgets: // a zero byte among the input hides what follows
      return after(
          0, true, [&](IRBuilder<> &B) { return B.CreateSelect(B.CreateIsNull(&Call), number(0), number(AnyLength)); },
          /*IsString=*/true);
    default: // every other function is either compiled with this plugin or unknown
      return;
    }
  }

  void string(unsigned Index, Value *Bound, bool IsStore, bool IsAfter) {
    if (IsRelevant(arg(Index))) Found.push_back({arg(Index), Bound, IsStore, /*IsString=*/true, IsAfter});
  }

  void after(unsigned Index, bool IsStore, function_ref<Value *(IRBuilder<> &)> Length, bool IsString = false) {
    if (!IsRelevant(arg(Index))) return;
    IRBuilder<> Builder(Call.getNextNode());
    Builder.SetCurrentDebugLocation(Call.getDebugLoc());
    Found.push_back({arg(Index), Length(Builder), IsStore, IsString, /*IsAfter=*/true});
  }

  void compared(function_ref<Value *(IRBuilder<> &)> Length) {
    after(0, false, Length, /*IsString=*/true);
    after(1, false, Length, /*IsString=*/true);
  }

  // The first argument, up to and including what is returned, or all of it.
  void searched(Value *All, bool IsString) {
    after(
        0, false,
        [&](IRBuilder<> &B) {
          Value *Until = B.CreateSub(B.CreatePtrToInt(&Call, Int64), B.CreatePtrToInt(arg(0), Int64));
          return B.CreateSelect(B.CreateIsNull(&Call), toInt64(B, All), B.CreateAdd(Until, number(1)));
        },
        IsString);
  }

  Value *toInt64(IRBuilder<> &Builder, Value *V) { return Builder.CreateSExtOrTrunc(V, Int64); }

  // Characters and a zero byte behind them. After an error nothing is known.
  Value *printed(IRBuilder<> &Builder) {
    return Builder.CreateBinaryIntrinsic(Intrinsic::smax, Builder.CreateAdd(toInt64(Builder, &Call), number(1)),
                                         number(0));
  }

  // From the old end of the string to its new end.
  void appended() {
    if (!IsRelevant(arg(0))) return;
    const DataLayout &DL = Call.getModule()->getDataLayout();
    IRBuilder<> Before(&Call), After(Call.getNextNode());
    After.SetCurrentDebugLocation(Call.getDebugLoc());
    Value *Old = emitStrLen(arg(0), Before, DL, &TLI), *New = Old ? emitStrLen(arg(0), After, DL, &TLI) : nullptr;
    if (!New) return;
    for (Value *Own : {Old, New}) // the call is ours, not an access of the program
      if (auto *I = dyn_cast<Instruction>(Own))
        I->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(Call.getContext(), {}));
    Value *Length = After.CreateAdd(After.CreateSub(New, Old), number(1));
    Found.push_back({After.CreatePtrAdd(arg(0), Old), Length, /*IsStore=*/true, /*IsString=*/false, /*IsAfter=*/true});
  }
};

} // namespace

SmallVector<LibraryAccess, 2> mck::findLibraryAccesses(CallBase &Call, const TargetLibraryInfo &TLI,
                                                       function_ref<bool(const Value *)> IsRelevant) {
  return BufferFinder(Call, TLI, IsRelevant).run();
}
