// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the static checks on one module (StaticChecks.h).
#include "static/StaticChecks.h"
#include "static/Arguments.h"
#include "static/Divergence.h"
#include "static/spmd/RemoteRaces.h"
#include "static/state/StateChecks.h"
#include "static/WarningRecord.h"
#include "static/program/MessagePairs.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

// Into: the module of a whole program, or null.
static bool check(Module &M, Module *Into) {
  Warnings Out;
  if (Out.isOff() || !Canonical::isWorth(M)) return false;
  Canonical Code(M);
  Memory Stored(Code);
  findDivergence(Code, Stored, Out);
  findStateErrors(Code, Stored, Out);
  findRemoteRaces(Code, Stored, Out);
  findArguments(Code, Stored, Out);
  if (Into) findLonelyMessages(Code, Stored, Out);
  if (Out.errors()) M.getContext().emitError("a warning of mpicc-check is an error here");
  return recordWarnings(Into ? *Into : M, Out.told());
}

bool mck::runStaticChecks(Module &M) { return check(M, nullptr); }
bool mck::runStaticChecksOfProgram(Module &Joined, Module &Into) { return check(Joined, &Into); }
