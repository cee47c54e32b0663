// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes the calls that ask MPI for something (Asks.h).
#include "Asks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using mck::Ask;

namespace {

constexpr const char *MpiNames[] = {
#define MCK_FN(Name, Class) #Name,
#include "api/mpi_fns.inc"
#undef MCK_FN
};

constexpr Ask Asks[] = {
#define MCK_ASK(Name, Count, Flag, Index, Request, Lost, Memory)                                                       \
  {#Name, Count, Flag, Index, Request, Lost, Memory, false},
#include "api/asks.inc"
#undef MCK_ASK
};

} // namespace

mck::MpiName mck::nameOfMpi(StringRef Symbol) {
  if (Symbol.starts_with("MPI_") || Symbol.starts_with("PMPI_")) {
    Symbol.consume_front("P");
    return {Symbol, false};
  }
  bool IsFortran = (Symbol.starts_with("mpi_") || Symbol.starts_with("pmpi_")) && Symbol.consume_back("_");
  if (!IsFortran) return {};
  Symbol.consume_front("p");
  Symbol.consume_back("_f08");
  const auto *Found = find_if(MpiNames, [&](StringRef Name) { return Name.equals_insensitive(Symbol); });
  return Found == std::end(MpiNames) ? MpiName() : MpiName{*Found, true};
}

StringRef mck::listedMpi(StringRef Symbol) {
  Symbol.consume_front("P");
  if (!Symbol.starts_with("MPI_")) return {};
  const auto *Found = find_if(MpiNames, [&](StringRef Name) { return Name == Symbol; });
  return Found == std::end(MpiNames) ? StringRef() : *Found;
}

std::optional<Ask> mck::findAsk(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return std::nullopt;
  MpiName Mpi = nameOfMpi(Callee->getName());
  const auto *Found = find_if(Asks, [&](const Ask &A) { return A.Name == Mpi.Name; });
  if (Found == std::end(Asks) || Call.arg_size() < Found->Count || Call.arg_size() > Found->Count + Mpi.IsFortran)
    return std::nullopt;
  // A declaration of another type is another function.
  if (!Call.getArgOperand(unsigned(Found->Flag))->getType()->isPointerTy()) return std::nullopt;
  Ask A = *Found;
  A.IsFortran = Mpi.IsFortran;
  return A;
}

mck::Changes mck::changesOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return Changes::Anything;
  return StringSwitch<Changes>(Callee->getName())
      .Cases("usleep", "sleep", "sched_yield", "thrd_yield", "pthread_yield", "clock", "getpid", Changes::Nothing)
      .Cases("printf", "fprintf", "puts", "putchar", "fputs", "fputc", "putc", "fwrite", "fflush", Changes::Nothing)
      .Cases("nanosleep", "clock_nanosleep", "thrd_sleep", "clock_gettime", "gettimeofday", "time", Changes::Arguments)
      .Default(Changes::Anything);
}
