// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the static checks on one module (StaticChecks.h).
#include "static/StaticChecks.h"
#include "static/Arguments.h"
#include "static/Divergence.h"
#include "static/spmd/ExecutedDivergence.h"
#include "static/spmd/RemoteRaces.h"
#include "static/state/StateChecks.h"
#include "static/WarningRecord.h"
#include "static/program/MessagePairs.h"
#include "static/proof/WindowProof.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

// Into: the module of a whole program, or null.
static bool check(Module &M, Module *Into) {
  if (!Canonical::isWorth(M)) return false;
  Module &Changed = Into ? *Into : M;
  bool IsChanged = !Into && nameWindows(M);
  Canonical Code(M);
  IsChanged |= markWindows(Changed, proveWindows(Code, M));
  Warnings Out;
  if (Out.isOff()) return IsChanged;
  Memory Stored(Code);
  Divergences Apart = findDivergence(Code, Stored, Out);
  findExecutedDivergence(Code, Stored, Apart.Functions, Out);
  findStateErrors(Code, Stored, Apart.Missing, Out);
  findRemoteRaces(Code, Stored, Out);
  findArguments(Code, Stored, Out);
  if (Into) findLonelyMessages(Code, Stored, Out);
  if (Out.errors()) M.getContext().emitError("a warning of mpicc-check is an error here");
  return recordWarnings(Changed, Out.told()) || IsChanged;
}

bool mck::runStaticChecks(Module &M) { return check(M, nullptr); }
bool mck::runStaticChecksOfProgram(Module &Joined, Module &Into) { return check(Joined, &Into); }
