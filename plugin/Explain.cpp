// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks for -fcheck-explain (Explain.h).
#include "Explain.h"
#include "Constraints.h"
#include "Versions.h"
#include "abi.h"
#include "static/proof/WindowProof.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstIterator.h"
#include <string>

using namespace llvm;
using mck::Access;
using mck::Sweep;

namespace {

enum How { AsRange, Hoisted, Single };

How howIs(const Sweep &S) { return S.Before ? AsRange : S.Test >= 0 ? Hoisted : Single; }

// What of an innermost loop is signalled.
struct Summary {
  unsigned Count[3] = {};
  SmallMapVector<StringRef, unsigned, 4> Why, WhySingle;
};

std::string list(const SmallMapVector<StringRef, unsigned, 4> &Reasons) {
  std::string Text;
  for (const auto &[Reason, N] : Reasons)
    Text += (Text.empty() ? "" : ", ") + Reason.str() + " (" + std::to_string(N) + ")";
  return Text;
}

// What would have to be known, so that a reason does not hold.
StringRef wantedFor(StringRef Why) {
  if (Why == mck::WhyOutside)
    return "which memory it is: what other files allocate, store in variables, or pass to this function is not seen";
  if (Why == mck::WhyEscapes)
    return "what functions without a body here do with its address (-fcheck-whole-program sees those of the program)";
  if (Why == mck::WhyMpi) return "nothing: MPI uses this memory while the program goes on";
  return "";
}

void explainLoop(const Loop &L, const Summary &S, OptimizationRemarkEmitter &Remarks) {
  bool HasPlain = getBooleanLoopAttribute(&L, mck::HasPlainMetadata);
  unsigned All = S.Count[AsRange] + S.Count[Hoisted] + S.Count[Single];
  OptimizationRemarkAnalysis Remark("mck-signals", "Loop", L.getStartLoc(), L.getHeader());
  Remark << "loop with " << ore::NV("Signals", All) << " signals: " << ore::NV("Ranges", S.Count[AsRange])
         << " as ranges before it, " << ore::NV("Hoisted", S.Count[Hoisted]) << " tested before it, "
         << ore::NV("Single", S.Count[Single]) << " one by one";
  if (!S.WhySingle.empty()) Remark << ", because of " << list(S.WhySingle);
  Remark << (HasPlain          ? "; a copy without signals runs while nothing that it touches is in use"
             : S.Count[Single] ? "; it has no copy without signals"
                               : "");
  Remark << ". Its memory: " << list(S.Why);
  for (const auto &[Why, N] : S.Why)
    if (StringRef Wanted = wantedFor(Why); !Wanted.empty()) Remark << ". To be known: " << Wanted;
  Remarks.emit(Remark);
}

} // namespace

void mck::explain(const Function &F, ArrayRef<Access> Accesses, ArrayRef<Sweep> Sweeps, const LoopInfo &LI,
                  OptimizationRemarkEmitter &Remarks) {
  if (!Remarks.allowExtraAnalysis("mck-signals")) return;
  unsigned All = 0, Count[3] = {};
  MapVector<const Loop *, Summary> Loops;
  for (const Instruction &I : instructions(F))
    All += I.mayReadOrWriteMemory() && !isa<CallBase>(I) && !I.isFenceLike() &&
           !I.hasMetadata(LLVMContext::MD_nosanitize);
  for (size_t I = 0; I < Accesses.size(); ++I) {
    static const char *const Words[] = {"as a range before its loop", "one by one, tested before its loop",
                                        "one by one"};
    How H = howIs(Sweeps[I]);
    ++Count[H];
    Remarks.emit(OptimizationRemarkAnalysis("mck-signals", "Signal", Accesses[I].Before)
                 << (Accesses[I].Flags & MCK_SIGNAL_STORE ? "store" : "load") << " is signalled " << Words[H] << ": "
                 << Accesses[I].Why);
    const Loop *L = LI.getLoopFor(Accesses[I].Before->getParent());
    if (!L) continue;
    Summary &S = Loops[L];
    ++S.Count[H], ++S.Why[Accesses[I].Why];
    if (H != AsRange && !Sweeps[I].WhySingle.empty()) ++S.WhySingle[Sweeps[I].WhySingle];
  }
  for (const auto &[L, S] : Loops) explainLoop(*L, S, Remarks);
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && statics::isProvedWindow(*Call))
      Remarks.emit(OptimizationRemarkAnalysis("mck-signals", "Window", Call)
                   << "memory of this window is not signalled for its sake: no load or store can come to it in a fence "
                      "epoch with an operation");
  Remarks.emit(
      OptimizationRemarkAnalysis("mck-signals", "Function", DiagnosticLocation(F.getSubprogram()), &F.getEntryBlock())
      << ore::NV("Function", &F) << ": " << ore::NV("Accesses", All) << " loads and stores, "
      << ore::NV("Signals", Accesses.size()) << " signals: " << ore::NV("Ranges", Count[AsRange])
      << " as ranges before loops, " << ore::NV("Hoisted", Count[Hoisted]) << " tested before loops, "
      << ore::NV("Single", Count[Single]) << " one by one");
}
