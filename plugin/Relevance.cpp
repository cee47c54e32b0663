// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which memory MPI or another process can access (Relevance.h).
#include "Relevance.h"
#include "Points.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

// A pointer with more uses counts as captured. Unoptimized code of long functions has many uses per variable.
constexpr unsigned MaxUses = 1000;

// Counters of profilers and sanitizers, and our own filter: the user cannot name them, so MPI never gets them.
bool isCompilerOwned(const GlobalVariable &Global) {
  static constexpr StringRef Prefixes[] = {"__llvm_", "__prof", "__sancov", "__asan_", "__tsan_", "mck."};
  StringRef Name = Global.getName();
  return any_of(Prefixes, [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

bool neverLeavesFunction(const Value *Object) {
  return !PointerMayBeCaptured(Object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true, MaxUses);
}

} // namespace

bool mck::Relevance::isPrivate(const Value *Object) {
  // No program loads through undef, and MPI does not write code.
  if (isa<UndefValue>(Object) || isa<Function>(Object)) return true;
  if (const auto *Global = dyn_cast<GlobalVariable>(Object)) return Global->isConstant() || isCompilerOwned(*Global);

  const auto *Argument = dyn_cast<llvm::Argument>(Object);
  bool IsOwn = isa<AllocaInst>(Object) || (Argument && Argument->hasByValAttr()) ||
               (isNoAliasCall(Object) && Module.isBlock(Object));
  if (!IsOwn) return false;
  auto [Entry, IsNew] = Private.try_emplace(Object, false);
  if (IsNew) Entry->second = neverLeavesFunction(Object);
  return Entry->second;
}

bool mck::Relevance::isRelevant(const Value *Address, StringRef &Why) {
  constexpr unsigned MaxLookup = 100; // in unreachable code addresses may depend on themselves
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, /*LI=*/nullptr, MaxLookup);
  return any_of(Objects, [this](const Value *Object) { return !isPrivate(Object); }) && Module.isRelevant(Address, Why);
}
