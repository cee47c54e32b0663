// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass plugin: clang loads it with -fpass-plugin=mck-plugin.so, lld with --load-pass-plugin=, opt with
// -load-pass-plugin= (passes "mck-closed-loops", "mck-calls", "mck-as-written",
// "mck-signals"). It has no state: attributes of a function
// say what was done to it. So it does not matter how often and in which tool the passes run. See
// docs/design/instrumentation.md.
#include "Accesses.h"
#include "Atomics.h"
#include "Calls.h"
#include "CheckedMark.h"
#include "ClosedLoops.h"
#include "Explain.h"
#include "LeftFrames.h"
#include "LockSections.h"
#include "Loops.h"
#include "MainReturns.h"
#include "Objects.h"
#include "Points.h"
#include "Polling.h"
#include "PureOperations.h"
#include "QuietFunctions.h"
#include "Relevance.h"
#include "Scopes.h"
#include "Signals.h"
#include "Statuses.h"
#include "TailCalls.h"
#include "Unmaps.h"
#include "Unseen.h"
#include "Versions.h"
#include "abi.h"
#include "static/StaticChecks.h"
#include "static/PlaceMarks.h"
#include "static/program/Program.h"
#include "static/program/Source.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include <cstdlib>

using namespace llvm;

namespace {

constexpr char InstrumentedAttr[] = "mck-instrumented";
constexpr char AsWrittenAttr[] = "mck-as-written";

// The device side of an offloading program is left alone.
bool isSupported(const Module &M) {
  Triple Target(M.getTargetTriple());
  return Target.isOSBinFormatELF() && Target.isArch64Bit() && !Target.isAMDGPU() && !Target.isNVPTX();
}

bool isToBeSignalled(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !F.hasFnAttribute(Attribute::Naked) &&
         !F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) && !F.hasFnAttribute(InstrumentedAttr) &&
         !F.getName().starts_with("__mck_") && !F.getName().starts_with("mck.");
}

// flang 19 expands intrinsics (SUM, MAXVAL) to functions that it makes. They have a subprogram, but no places. When
// they are inlined, their code would have no line, and the line table would give it that of the code before. Code that
// is inlined from a function without debug information gets the place of the call, which is that of the intrinsic.
void leavePlaceToCaller(Function &F) {
  if (F.getSubprogram() && none_of(instructions(F), [](const Instruction &I) { return bool(I.getDebugLoc()); }))
    F.setSubprogram(nullptr);
}

// This pass runs first. The optimizer may execute a load always that the source executes under a condition, when the
// load cannot trap: of `if (flag) x = buffer[0];` it loads buffer[0] in any case. Such a load of a receive buffer would
// be a false alarm. LLVM does not do this to functions that ThreadSanitizer instruments (mustSuppressSpeculation). So
// functions have that attribute until the signals are inserted. The attribute also keeps functions apart (no inlining)
// that are not to be signalled.
struct AsWrittenPass : PassInfoMixin<AsWrittenPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isSupported(M)) return PreservedAnalyses::all();
    for (Function &F : M) {
      if (!F.isDeclaration()) leavePlaceToCaller(F);
      if (!isToBeSignalled(F) || F.hasFnAttribute(Attribute::SanitizeThread)) continue;
      F.addFnAttr(Attribute::SanitizeThread);
      F.addFnAttr(AsWrittenAttr);
    }
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// At -O0 every variable array keeps its own restored stack.
struct ArraysPass : PassInfoMixin<ArraysPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Functions) {
    if (!isSupported(*F.getParent()) || !isToBeSignalled(F)) return PreservedAnalyses::all();
    bool IsChanged = mck::markVariableArrays(F, Functions.getResult<DominatorTreeAnalysis>(F));
    return IsChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

mck::Points pointsOf(Module &M, FunctionAnalysisManager &Functions) {
  return mck::Points(
      M,
      [](Function &F, void *Context) -> const TargetLibraryInfo & {
        return static_cast<FunctionAnalysisManager *>(Context)->getResult<TargetLibraryAnalysis>(F);
      },
      &Functions);
}

void markQuietFunctions(Module &M, FunctionAnalysisManager &Functions) {
  mck::markQuietFunctions(
      M, [&](Function &F) -> const TargetLibraryInfo & { return Functions.getResult<TargetLibraryAnalysis>(F); });
}

void release(Function &F) {
  F.removeFnAttr(AsWrittenAttr);
  F.removeFnAttr(Attribute::SanitizeThread);
}

bool isSet(const char *Variable, StringRef To) {
  const char *Value = std::getenv(Variable);
  return Value && Value == To;
}

// mpicc-check sets this variable when it will load the plugin into the full LTO link, too. The link sees the whole
// program, so the compile step leaves the signals, what they depend on and the static checks to it.
bool isLeftToLink(const Module &M) {
  const auto *IsThin = mdconst::extract_or_null<ConstantInt>(
      M.getModuleFlag("ThinLTO")); // only the compile step of LTO has this flag
  return isSet("MPICC_CHECK_WHOLE_PROGRAM", "1") && IsThin && IsThin->isZero();
}

// This pass runs before the vectorizers: a function without relevant accesses loses the attribute, and loops of others
// get a second version without it.
struct ReleasePass : PassInfoMixin<ReleasePass> {
  explicit ReleasePass(bool IsLink = false) : IsLink(IsLink) {}
  bool IsLink;
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Modules) {
    if (!IsLink && isLeftToLink(M)) return PreservedAnalyses::all();
    auto &Functions = Modules.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    SmallVector<Function *, 16> Work;
    for (Function &F : M)
      if (F.hasFnAttribute(AsWrittenAttr) && !Functions.getResult<LoopAnalysis>(F).empty()) Work.push_back(&F);
    if (Work.empty()) return PreservedAnalyses::all();
    markQuietFunctions(M, Functions);
    mck::Points Module = pointsOf(M, Functions);
    bool IsChanged = false;
    for (Function *F : Work) {
      mck::Relevance Memory(Module);
      bool IsRelevant = any_of(instructions(*F), [&](const Instruction &I) {
        StringRef Why;
        const Value *Address = getLoadStorePointerOperand(&I);
        return Address && Memory.isRelevant(Address, Why);
      });
      if (!IsRelevant) release(*F);
      else if (mck::addPlainVersions(*F, Module, Functions, [](Function &Plain) {
                 release(Plain);
                 Plain.addFnAttr(InstrumentedAttr);
               })) {
        Functions.invalidate(*F, PreservedAnalyses::none());
        IsChanged = true;
      }
    }
    return IsChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// This pass runs before all others: a result that is unused later may be used in the source. A link step has optimized
// code, so nothing is marked there.
struct CallsPass : PassInfoMixin<CallsPass> {
  explicit CallsPass(bool IsSource) : IsSource(IsSource) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isSupported(M)) return PreservedAnalyses::all();
    bool IsChanged = IsSource && mck::markStatuses(M);
    if (IsSource) IsChanged |= mck::markUnusedResults(M);
    if (IsSource) IsChanged |= mck::tellMainReturns(M);
    IsChanged |= mck::redirectProfilingNames(M);
    return IsChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  bool IsSource;
};

// This pass runs first, too: it judges loops as the source has them.
struct ClosedLoopsPass : PassInfoMixin<ClosedLoopsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Modules) {
    if (!isSupported(M)) return PreservedAnalyses::all();
    auto &Functions = Modules.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    return mck::markClosedLoops(M, Functions) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// This pass runs before all others: what the optimizer removes is still there. It changes only places that it warns of.
struct StaticChecksPass : PassInfoMixin<StaticChecksPass> {
  explicit StaticChecksPass(bool KeepsSource) : KeepsSource(KeepsSource) {}
  bool KeepsSource;
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isSupported(M)) return PreservedAnalyses::all();
    bool IsChanged = isLeftToLink(M) ? mck::keepSourceForLink(M) : mck::runStaticChecks(M, KeepsSource);
    return IsChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// What the link may warn of tells whether it was executed.
struct MarksPass : PassInfoMixin<MarksPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isSupported(M) || isLeftToLink(M) || !mck::statics::findSource(M)) return PreservedAnalyses::all();
    mck::statics::markCalls(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// The static checks of the whole program, in the link of LTO.
struct ProgramPass : PassInfoMixin<ProgramPass> {
  explicit ProgramPass(bool IsProving) : IsProving(IsProving) {}
  bool IsProving;
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return mck::checkProgram(M, IsProving) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// And in the process that the linker's plugin starts: the module is empty, and gets the warnings.
struct SourcesPass : PassInfoMixin<SourcesPass> {
  explicit SourcesPass(int File) : File(File) {}
  int File;
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return mck::checkProgramOf(File, M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// This pass runs last: it signals the accesses that are left, and loops stay vectorized.
struct SignalsPass : PassInfoMixin<SignalsPass> {
  explicit SignalsPass(bool IsLink = false) : IsLink(IsLink) {}
  bool IsLink;
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Modules) {
    if (!isSupported(M) || (!IsLink && isLeftToLink(M))) return PreservedAnalyses::all();
    // Resolvers of ifuncs run while the executable is still being relocated.
    SmallPtrSet<const Function *, 4> Resolvers;
    for (const GlobalIFunc &IFunc : M.ifuncs()) Resolvers.insert(IFunc.getResolverFunction());

    auto &Functions = Modules.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    SmallVector<Function *, 32> Work;
    for (Function &F : M) {
      if (F.hasFnAttribute(AsWrittenAttr)) release(F);
      if (isToBeSignalled(F) && !Resolvers.contains(&F)) Work.push_back(&F);
    }
    mck::markChecked(M); // no analysis depends on it
    if (Work.empty()) return PreservedAnalyses::all();
    markQuietFunctions(M, Functions);
    bool IsChanged = mck::listPureOperations(M);
    IsChanged |= mck::keepCallers(M);
    mck::Points Module = pointsOf(M, Functions);
    mck::Unseen Others(Module);
    for (Function *F : Work) {
      auto &DT = Functions.getResult<DominatorTreeAnalysis>(*F);
      auto &TLI = Functions.getResult<TargetLibraryAnalysis>(*F);
      auto &SE = Functions.getResult<ScalarEvolutionAnalysis>(*F);
      Others.look(*F, TLI);
      SmallVector<mck::Access, 0> Accesses = mck::collectAccesses(*F, DT, Functions.getResult<LoopAnalysis>(*F), TLI,
                                                                  SE, Module);
      mck::markPolling(Accesses, Functions.getResult<LoopAnalysis>(*F));
      SmallVector<mck::RangeTest, 0> Tests;
      SmallVector<mck::Sweep, 0> Sweeps = mck::findSweeps(*F, Accesses, Functions.getResult<LoopAnalysis>(*F), DT, SE,
                                                          Functions.getResult<AssumptionAnalysis>(*F), TLI,
                                                          Functions.getResult<TargetIRAnalysis>(*F), Tests);
      SmallVector<mck::Cluster, 0> Clusters = mck::findClusters(*F, Accesses, Sweeps, SE);
      mck::explain(*F, Accesses, Sweeps, Functions.getResult<LoopAnalysis>(*F),
                   Functions.getResult<OptimizationRemarkEmitterAnalysis>(*F));
      SmallVector<mck::LockSection, 0> Sections = mck::findLockSections(*F);
      SmallVector<mck::ScopeEnd, 0> Ends = mck::findScopeEnds(*F, DT, Module);
      bool IsTelling = mck::tellObjects(*F);
      IsTelling |= mck::tellUnmaps(*F);
      IsTelling |= mck::tellScopeEnds(*F, Ends);
      IsTelling |= mck::tellLeftFrames(*F);
      mck::insertSignals(*F, Accesses, Sweeps, Tests, Clusters);
      IsTelling |= mck::tellLockSections(*F, Sections);
      IsTelling |= mck::signalAtomics(*F);
      if (!Accesses.empty() || IsTelling) Functions.invalidate(*F, PreservedAnalyses::none());
      F->addFnAttr(InstrumentedAttr);
      IsChanged |= !Accesses.empty() || IsTelling;
    }
    IsChanged |= Others.tell(M);
    return IsChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; } // functions with optnone are passed, too
};

bool parsePass(StringRef Name, ModulePassManager &Passes, ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "mck-as-written") Passes.addPass(AsWrittenPass());
  else if (Name == "mck-calls") Passes.addPass(CallsPass(/*IsSource=*/true));
  else if (Name == "mck-closed-loops") Passes.addPass(ClosedLoopsPass());
  else if (Name == "mck-static") Passes.addPass(StaticChecksPass(/*KeepsSource=*/false));
  else if (Name == "mck-signals") Passes.addPass(SignalsPass());
  else return false;
  return true;
}

void registerPasses(PassBuilder &Builder) {
  if (const char *Sources = std::getenv("MPICC_CHECK_SOURCES")) {
    int File = std::atoi(Sources);
    Builder.registerPipelineStartEPCallback(
        [=](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(SourcesPass(File)); });
    return;
  }
  // mpicc-check --check-only: nothing is made of the code.
  if (isSet("MPICC_CHECK_ONLY", "1")) {
    Builder.registerPipelineStartEPCallback(
        [](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(StaticChecksPass(/*KeepsSource=*/false)); });
    return;
  }
  bool KeepsSource = !isSet("MPICC_CHECK_WHOLE_PROGRAM", "off");
  auto AddFirst = [=](ModulePassManager &Passes, OptimizationLevel Level) {
    Passes.addPass(StaticChecksPass(KeepsSource));
    if (Level != OptimizationLevel::O0) Passes.addPass(createModuleToFunctionPassAdaptor(ArraysPass()));
    Passes.addPass(ClosedLoopsPass());
    if (KeepsSource) Passes.addPass(MarksPass());
    Passes.addPass(CallsPass(/*IsSource=*/true));
    Passes.addPass(AsWrittenPass());
  };
  bool IsJustChecked = isSet("MPICC_CHECK_WHOLE_PROGRAM", "link"); // the compile step has inserted the signals
  auto AddFirstInLink = [=](ModulePassManager &Passes, OptimizationLevel Level) {
    Passes.addPass(ProgramPass(/*IsProving=*/!IsJustChecked));
    if (IsJustChecked) return;
    Passes.addPass(CallsPass(/*IsSource=*/false));
    Passes.addPass(AsWrittenPass());
    if (Level == OptimizationLevel::O0) return;
    // Nothing is inlined between functions that are released and others (the attribute differs). So what is small in
    // other files is inlined first.
    Passes.addPass(ModuleInlinerWrapperPass(getInlineParams(Level.getSpeedupLevel(), Level.getSizeLevel())));
    Passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
    Passes.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass(/*UseMemorySSA=*/true)));
    Passes.addPass(createModuleToFunctionPassAdaptor(InstCombinePass()));
    Passes.addPass(ReleasePass(/*IsLink=*/true));
  };
  auto AddLast = [](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(SignalsPass()); };
  auto AddLastInLink = [=](ModulePassManager &Passes, OptimizationLevel) {
    if (!IsJustChecked) Passes.addPass(SignalsPass(/*IsLink=*/true));
  };
  Builder.registerPipelineStartEPCallback(AddFirst);
  Builder.registerOptimizerEarlyEPCallback([](ModulePassManager &Passes, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0) Passes.addPass(ReleasePass());
  });
  Builder.registerOptimizerLastEPCallback(AddLast);
  // The full LTO link calls only these two extension points (thin LTO calls OptimizerLast for each module).
  Builder.registerFullLinkTimeOptimizationEarlyEPCallback(AddFirstInLink);
  Builder.registerFullLinkTimeOptimizationLastEPCallback(AddLastInLink);
  Builder.registerPipelineParsingCallback(parsePass);
  // Argument promotion would make callers load what a function reads through an argument, even where the function reads
  // it under a condition. No attribute prevents that.
  if (PassInstrumentationCallbacks *Callbacks = Builder.getPassInstrumentationCallbacks())
    Callbacks->registerShouldRunOptionalPassCallback(
        [](StringRef Pass, Any) { return Pass != "ArgumentPromotionPass"; });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "mck-plugin", LLVM_VERSION_STRING, registerPasses};
}
