// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the static checks on one module (StaticChecks.h).
#include "static/StaticChecks.h"
#include "static/Arguments.h"
#include "static/Divergence.h"
#include "static/spmd/ExecutedDivergence.h"
#include "static/spmd/ExecutedFaults.h"
#include "static/spmd/RemoteRaces.h"
#include "static/state/StateChecks.h"
#include "static/WarningRecord.h"
#include "static/program/MessagePairs.h"
#include "static/program/Source.h"
#include "static/proof/WindowProof.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

static void findErrors(const Canonical &Code, bool IsProgram, Warnings &Out) {
  Memory Stored(Code);
  Divergences Apart = findDivergence(Code, Stored, Out);
  findExecutedDivergence(Code, Stored, Apart.Functions, Out);
  findStateErrors(Code, Stored, Apart.Missing, Out);
  findRemoteRaces(Code, Stored, Out);
  findArguments(Code, Stored, Out);
  if (IsProgram) findLonelyMessages(Code, Stored, Out);
}

// Who executes main wants to know what it computes: in a copy of its own, if that has more. Deep: what was told is of
// it.
static void execute(const Module &M, const Canonical &Code, std::optional<Canonical> &Deep, Warnings &Out) {
  if (Code.isDeeper(M)) Deep.emplace(M, /*IsDeep=*/true);
  const Canonical &Executed = Deep ? *Deep : Code;
  findExecutedFaults(Executed, Memory(Executed), Out);
}

// Of a program. More would take longer than its users like to wait for a link: ten seconds or so.
constexpr unsigned MostInstructions = 150000;

// Into: the module that is compiled. That which was checked may be of another context.
static bool record(Module &Into, const Warnings &Out) {
  if (Out.errors()) Into.getContext().emitError("a warning of mpicc-check is an error here");
  return recordWarnings(Into, Out.told());
}

bool mck::runStaticChecks(Module &M, bool KeepsSource) {
  if (findSource(M)) return false; // the plugin was named twice, by a build system and by mpicc-check
  Warnings Out;
  std::optional<Canonical> Code, Deep; // what was told is of them
  bool IsChanged = false;
  if (Canonical::isWorth(M)) {
    IsChanged |= nameWindows(M);
    Code.emplace(M);
    IsChanged |= markWindows(M, proveWindows(*Code, M));
    if (!Out.isOff()) {
      findErrors(*Code, /*IsProgram=*/true, Out);
      execute(M, *Code, Deep, Out);
    }
  }
  // A file whose warnings are off is one of which the link knows nothing.
  if (KeepsSource && !Out.isOff()) {
    keepSource(M, Out);
    IsChanged = true;
  }
  return record(M, Out) || IsChanged;
}

bool mck::keepSourceForLink(Module &M) {
  nameWindows(M);
  keepSource(M, Warnings());
  return true;
}

bool mck::runStaticChecksOfProgram(Module &Joined, Module &Into, bool IsProving) {
  if (!Canonical::isWorth(Joined)) return false;
  Canonical Code(Joined);
  bool IsAll = IsProving || Code.keepRoots(MostInstructions);
  bool IsChanged = IsProving && markWindows(Into, proveWindows(Code, Joined));
  Warnings Out;
  if (Out.isOff()) return IsChanged;
  readSaid(Joined, Out);
  findErrors(Code, /*IsProgram=*/IsAll, Out); // of messages nothing is said where some may not have been seen
  std::optional<Canonical> Deep;
  execute(Joined, Code, Deep, Out);
  return record(Into, Out) || IsChanged;
}
