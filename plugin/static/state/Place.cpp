// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares places in memory (Place.h).
#include "static/state/Place.h"
#include "static/Call.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

bool mck::statics::isAllocation(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  static constexpr StringRef Names[] = {"malloc", "calloc", "aligned_alloc", "_Znam", "_Znwm"};
  return Callee && is_contained(Names, Callee->getName());
}

bool mck::statics::isRelease(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  return Name == "free" || Name.starts_with("_ZdlPv") || Name.starts_with("_ZdaPv");
}

int64_t mck::statics::sizeOfBasic(const Value *Datatype) {
  const auto *Variable = Datatype ? dyn_cast<GlobalVariable>(Datatype->stripPointerCasts()) : nullptr;
  StringRef Name = Variable ? Variable->getName() : "";
  if (!Name.consume_front("ompi_mpi_")) return 0;
  return StringSwitch<int64_t>(Name)
      .Cases("char", "signed_char", "unsigned_char", "byte", "int8_t", "uint8_t", "cxx_bool", "c_bool", "packed", 1)
      .Cases("short", "unsigned_short", "int16_t", "uint16_t", 2)
      .Cases("int", "unsigned", "float", "int32_t", "uint32_t", "integer", "real", 4)
      .Cases("double_precision", "integer8", "real8", 8)
      .Case("wchar", 4)
      .Cases("long", "unsigned_long", "long_long_int", "unsigned_long_long", "double", "int64_t", "uint64_t", "aint", 8)
      .Cases("offset", "count", "2int", "c_complex", "c_float_complex", 8)
      .Cases("long_double", "c_double_complex", 16)
      .Default(0);
}

Place Places::of(const Value *Address, const Facts &F) {
  Place Found;
  for (Address = Address->stripPointerCasts(); const auto *Step = dyn_cast<GEPOperator>(Address);
       Address = Step->getPointerOperand()->stripPointerCasts()) {
    MapVector<Value *, APInt> Variable;
    APInt Constant(64, 0);
    if (!Step->collectOffset(Layout, 64, Variable, Constant)) break;
    Found.Offset.Rest = Found.Offset.Rest + Range{Constant.getSExtValue(), Constant.getSExtValue()};
    for (auto &[Index, Scale] : Variable)
      Found.Offset = Found.Offset.plus(Thinker.valueOf(Index, F), Scale.getSExtValue());
  }
  // Where addresses meet, the path says which one came.
  if (isa<PHINode>(Address) || isa<SelectInst>(Address)) {
    Sum Which = Thinker.valueOf(Address, F);
    if (Which.Terms.size() == 1 && Which.Terms[0].second == 1 && Which.Rest.isOne())
      if (const Value *Other = Thinker.Numbers.valueOf(Which.Terms[0].first);
          Other && Other != Address && Other->getType()->isPointerTy() && !isa<PHINode>(Other)) {
        Place Inner = of(Other, F);
        Inner.Offset = Inner.Offset.plus(Found.Offset, 1).plus(Sum{{}, Which.Rest}, 1);
        return Inner;
      }
  }
  Found.Base = Address;
  Found.Object = Thinker.Numbers.of(Address);
  return Found;
}

Meeting Places::sameObject(const Value *A, const Value *B) {
  if (A == B || Thinker.Numbers.of(A) == Thinker.Numbers.of(B)) return Meeting::Surely;
  auto IsObject = [](const Value *V) { return isa<AllocaInst>(V) || isa<GlobalVariable>(V) || isAllocation(V); };
  if (IsObject(A) && IsObject(B)) return Meeting::Never;
  if (isa<ConstantPointerNull>(A) || isa<ConstantPointerNull>(B)) return Meeting::Never;
  // Another's address is none of a variable whose address nobody has.
  for (const Value *V : {A, B})
    if (isPrivate(V, /*IsAddress=*/true))
      return isa<PHINode>(A) || isa<PHINode>(B) || isa<SelectInst>(A) || isa<SelectInst>(B) ? Meeting::Perhaps
                                                                                            : Meeting::Never;
  return Meeting::Perhaps;
}

Meeting Places::meet(const Place &A, int64_t LengthA, const Place &B, int64_t LengthB, const Facts &F) {
  Meeting Objects = sameObject(A.Base, B.Base);
  if (Objects != Meeting::Surely) return Objects;
  Sum Difference = B.Offset.plus(A.Offset, -1);
  Range D = Thinker.rangeOf(Difference, F);
  if (LengthA && D.Low >= LengthA) return Meeting::Never;
  if (LengthB && D.High <= -LengthB) return Meeting::Never;
  // Of how many bytes it is not known: the first one at least.
  if (D.High < std::max<int64_t>(LengthA, 1) && D.Low > -std::max<int64_t>(LengthB, 1)) return Meeting::Surely;
  return Meeting::Perhaps;
}

static bool isQuietUse(const Use &U, const Value *Base, bool IsAddress, SmallVectorImpl<const Value *> &Work) {
  const auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I) return false;
  // A number that is more than a distance may become the address again.
  if (isa<PtrToIntInst>(I) && any_of(I->users(), [](const User *By) {
        const auto *Minus = dyn_cast<BinaryOperator>(By);
        return !isa<ICmpInst>(By) && !(Minus && Minus->getOpcode() == Instruction::Sub);
      }))
    return false;
  if (isa<GetElementPtrInst>(I) || isa<CastInst>(I)) return Work.push_back(I), true;
  if (isa<ICmpInst>(I)) return true;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    // A pointer or handle that is only compared, or passed to MPI, is not copied.
    if (IsAddress || !Load->getType()->isPointerTy() || isa<GlobalVariable>(Base)) return true;
    return all_of(Load->uses(), [](const Use &Of) {
      const auto *Call = dyn_cast<CallBase>(Of.getUser());
      const MpiFunction *Mpi = Call && Call->isArgOperand(&Of) ? findMpi(*Call) : nullptr;
      if (!Mpi) return isa<ICmpInst>(Of.getUser());
      return !Mpi->Name.ends_with("_c2f") && !Mpi->Parameters[Call->getArgOperandNo(&Of)].is("request");
    });
  }
  if (isa<StoreInst>(I)) return U.getOperandNo() == 1;
  if (const auto *Copy = dyn_cast<AnyMemTransferInst>(I))
    // Copied from elsewhere; a copy of it would be one.
    return (U.getOperandNo() == 0 || IsAddress) && !Copy->isVolatile();
  if (isa<AnyMemSetInst>(I)) return true;
  const auto *Call = dyn_cast<CallBase>(I);
  if (!Call || !Call->isArgOperand(&U)) return false;
  if (Call->isLifetimeStartOrEnd()) return true;
  if (const MpiFunction *Mpi = findMpi(*Call)) {
    const Parameter &P = Mpi->Parameters[Call->getArgOperandNo(&U)];
    return !P.is("callback") && !P.is("extra_state");
  }
  return isRelease(*Call);
}

bool Places::isPrivate(const Value *Base, bool IsAddress) {
  if (!isa<AllocaInst>(Base) && !isAllocation(Base)) return false;
  auto [Known, IsNew] = Private.try_emplace({Base, IsAddress}, false);
  if (!IsNew) return Known->second;
  SmallVector<const Value *, 16> Work{Base};
  bool IsQuiet = true;
  while (!Work.empty() && IsQuiet)
    for (const Use &U : Work.pop_back_val()->uses()) IsQuiet &= isQuietUse(U, Base, IsAddress, Work);
  return Private[{Base, IsAddress}] = IsQuiet;
}
