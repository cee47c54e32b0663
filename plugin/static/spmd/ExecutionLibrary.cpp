// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of the C library and of the compiler give (Execution.h): those that only compute, and in a run that is
// possible also what the world around the program answers: files can be opened, variables of the environment are unset.
#include "static/LibraryNames.h"
#include "static/spmd/Execution.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace mck::statics;

static Datum numberOf(int64_t Value) { return {Datum::Number, Value, {}, false}; }
static bool isReal(const Type *T) { return T->isFloatTy() || T->isDoubleTy(); }

// Null: it is not known, or of another kind than the type.
Constant *Execution::asConstant(const Datum &Is, Type *T) {
  if (Is.What == Datum::Number && T->isIntegerTy()) return ConstantInt::getSigned(T, Is.Value);
  if (Is == numberOf(0) && T->isPointerTy()) return ConstantPointerNull::get(cast<PointerType>(T));
  if (Is.What != Datum::Real || !isReal(T)) return nullptr;
  APInt Bits(T->getPrimitiveSizeInBits().getFixedValue(), uint64_t(Is.Value));
  return ConstantFP::get(T->getContext(), APFloat(T->getFltSemantics(), Bits));
}

// What a function of C's library or of the compiler gives that only computes.
Datum Execution::computeCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee) return {};
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group: return of(Call.getArgOperand(0));
  default: break;
  }
  bool IsNumber = Call.getType()->isIntegerTy() && Call.getType()->getIntegerBitWidth() <= 64 && Callee->isIntrinsic();
  if (!(IsNumber || isReal(Call.getType())) || !canConstantFoldCallTo(&Call, Callee)) return {};
  SmallVector<Constant *, 2> Operands;
  for (const Use &Operand : Call.args()) {
    Operands.push_back(asConstant(of(Operand), Operand->getType()));
    if (!Operands.back()) return {};
  }
  if (!Names) Names.emplace(Triple(View.F.getParent()->getTargetTriple()));
  TargetLibraryInfo Library(*Names);
  const Constant *Is = ConstantFoldCall(&Call, const_cast<Function *>(Callee), Operands, &Library);
  return Is && (isa<ConstantFP>(Is) || isa<ConstantInt>(Is)) ? of(Is) : Datum();
}

bool Execution::isOpening(const Value *Call) {
  const auto *Is = dyn_cast<CallBase>(Call);
  const Function *Callee = Is ? Is->getCalledFunction() : nullptr;
  static constexpr StringRef Names[] = {"fopen", "fopen64", "fdopen", "tmpfile", "popen", "opendir"};
  return Callee && Callee->isDeclaration() && is_contained(Names, Callee->getName());
}

bool Execution::isMade(const Value *Call) {
  if (isAllocation(Call) || isOpening(Call)) return true;
  const auto *Is = dyn_cast<CallBase>(Call);
  const Function *Callee = Is ? Is->getCalledFunction() : nullptr;
  static constexpr StringRef Names[] = {"realloc", "strdup", "__strdup", "posix_memalign"};
  return Callee && is_contained(Names, Callee->getName());
}

// It changes no memory that the program looks at: output, streams of C++, numbers. (The program may have a stream
// buffer of its own; it is taken for a buffer.)
bool Execution::leavesMemory(const Function &Callee) {
  static constexpr StringRef Names[] = {
      "printf", "fprintf", "puts",   "fputs",   "fputc",  "putc",    "putchar",
      "fflush", "fclose",  "fopen",  "perror",  "fwrite", "getenv",  "free",
      "clock",  "sleep",   "usleep", "rand",    "random", "srand",   "srandom",
      "exit",   "remove",  "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm", "__errno_location"};
  StringRef Name = Callee.getName();
  return Callee.isDeclaration() && (is_contained(Names, Name) || isStreamFunction(Name));
}

// It changes what its arguments point to, and nothing else.
bool Execution::isClock(const Function &Callee) {
  static constexpr StringRef Names[] = {"gettimeofday", "clock_gettime", "time", "nanosleep"};
  return Callee.isDeclaration() && is_contained(Names, Callee.getName());
}

// realloc: memory of another size with the same contents.
bool Execution::enlarge(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->getName() != "realloc" || !Callee->isDeclaration() || Call.arg_size() != 2) return false;
  Datum Old = of(Call.getArgOperand(0)), Size = of(Call.getArgOperand(1));
  bool IsNew = Old == numberOf(0);
  if (Size.What != Datum::Number || Size.Value <= 0 || (!IsNew && (!isPlace(Old) || Old.Value))) return false;
  int64_t Before = IsNew ? 0 : sizeOf(Old.Of);
  if (!IsNew && !Before) return false;
  Datum Made = make(Call);
  Sizes[Made.Of] = Size.Value;
  if (!IsNew) Memory.copy(Made, Old, std::min(Before, Size.Value));
  Known[&Call] = Made;
  return true;
}

Datum Execution::answer(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!isCertainRound(Who.Round) || !Callee || !Callee->isDeclaration()) return {};
  if (isOpening(&Call)) return Values.line().HasFiles ? make(Call) : numberOf(0);
  if (Callee->getName() == "__errno_location") return {Datum::Address, 0, {Callee, 0}, false};
  if (StringRef Variable = environmentVariable(Call); !Variable.empty()) {
    const CommandLine &Line = Values.line();
    return Line.Variable == Variable ? textOf(Line.Value) : numberOf(0);
  }
  enum {
    Nothing,
    Zero,
    Third
  } Is = StringSwitch<decltype(Nothing)>(Callee->getName())
             .Cases("fclose", "fflush", "pclose", "closedir", "remove", Zero)
             .Cases("unlink", "rename", "mkdir", "setvbuf", "atexit", Zero)
             .Cases("gettimeofday", "clock_gettime", "usleep", "sleep", Zero)
             .Case("nanosleep", Zero)
             .Cases("fputs", "puts", "fputc", "putchar", Zero)
             .Cases("fwrite", "fread", Third)
             .Default(Nothing);
  if (Is == Zero) return numberOf(0);
  return Is == Third ? of(Call.getArgOperand(2)) : Datum();
}
