// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows statuses from the calls that fill them in to the code that reads them (Statuses.h). Code that is not
// optimized keeps values in variables: a copy of the function is looked at, whose variables became values.
#include "Statuses.h"
#include "Attach.h"
#include "Calls.h"
#include "RankFlow.h"
#include "StatusVariable.h"
#include "abi.h"
#include "PromotedCopy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::findStatusParameter;
using mck::StatusBecomes;
using mck::StatusParameter;
using mck::StatusVariable;

namespace {

bool isProbe(const StatusParameter &P) { return P.Name == "MPI_Probe" || P.Name == "MPI_Iprobe"; }

// --- one function ---
struct Found {
  CallBase *Call; // in the function itself
  const CallBase *Copy;
  const StatusParameter *Of;
  const StatusVariable *In; // NULL: the status is ignored, or it is not one function's
  StatusVariable::Reads What;
  unsigned Bits; // MCK_STATUS_
};

class Statuses {
public:
  explicit Statuses(Module &M) : M(M), Layout(M.getDataLayout()), Ranks(M) {}

  bool run() {
    SmallVector<Function *, 16> Work;
    for (Function &F : M)
      if (!F.isDeclaration() && !F.isPresplitCoroutine() && !F.callsFunctionThatReturnsTwice() &&
          F.getInstructionCount() < 20000 &&
          any_of(instructions(F), [](const Instruction &I) { return findStatusParameter(I) != nullptr; }))
        Work.push_back(&F);
    for (Function *F : Work) look(*F);
    for (const auto &[Call, What] : Marks) {
      explain(*Call, What);
      IsChanged |= mck::markCall(*Call, "mck_statuses", What);
    }
    if (IsChanged) mck::attachSection(M, "statuses", MCK_STATUSES_VERSION);
    IsChanged |= Ranks.tell();
    return IsChanged;
  }

private:
  Module &M;
  const DataLayout &Layout;
  mck::RankFlow Ranks;
  SmallVector<std::pair<CallBase *, uint32_t>, 32> Marks;
  MapVector<const Value *, std::unique_ptr<StatusVariable>> Globals;
  bool IsChanged = false;

  // A variable of the module may be read by any code of it, at any time.
  bool lookAtGlobal(const GlobalVariable &Global, StatusVariable::Reads &What) {
    std::unique_ptr<StatusVariable> &V = Globals[&Global];
    if (!V) V = std::make_unique<StatusVariable>(Global, Layout, nullptr);
    What.Bits |= V->allBits();
    return V->IsKnown;
  }

  void look(Function &F) {
    // Before there is a copy, which has uses of its own.
    for (Instruction &I : instructions(F))
      if (const StatusParameter *P = findStatusParameter(I))
        if (const auto *Global = dyn_cast<GlobalVariable>(
                getUnderlyingObject(cast<CallBase>(I).getArgOperand(P->Place), 0))) {
          StatusVariable::Reads Ignored;
          lookAtGlobal(*Global, Ignored);
        }
    ValueToValueMapTy Map;
    Function *Copy = mck::copyPromoted(F, Map);
    lookAtCalls(F, Map);
    Copy->eraseFromParent();
  }

  void lookAtCalls(Function &F, ValueToValueMapTy &Map) {
    DenseMap<const Value *, std::unique_ptr<StatusVariable>> Locals;
    SmallVector<Found, 16> Calls;
    for (Instruction &I : instructions(F)) {
      const StatusParameter *P = findStatusParameter(I);
      // A call that cannot be reached has no copy.
      const auto *Copy = P && P->What != StatusBecomes::READS ? dyn_cast_or_null<CallBase>(Map.lookup(&I)) : nullptr;
      if (!Copy) continue;
      Found New{cast<CallBase>(&I), Copy, P, nullptr, {}, 0};
      if (lookAtStatus(New, Locals)) Calls.push_back(std::move(New));
    }
    for (Found &That : Calls) {
      That.Bits = MCK_STATUS_KNOWN | That.What.Bits;
      for (const LoadInst *Load : That.What.Loads) That.Bits |= That.In->bitsOf(*Load);
      if (Ranks.isNaming(*That.Call)) That.Bits |= MCK_STATUS_SOURCE;
    }
    pass(Calls);
    uint32_t Number = mck_abi_hash((M.getSourceFileName() + "/" + F.getName()).str().c_str());
    // A nonblocking receive has no status: the mark stands for its data alone.
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !findStatusParameter(I) && Ranks.isNaming(*Call))
        Marks.push_back({Call, MCK_STATUS_KNOWN | MCK_STATUS_SOURCE | Number << MCK_STATUS_FUNCTION_SHIFT});
    for (const Found &That : Calls) {
      // The runtime sees which wildcards ignore the status, but not by which call their messages are received. Of a
      // matched probe it does not say so, since its receive may have another status.
      bool IsIgnored = isa<ConstantPointerNull>(That.Copy->getArgOperand(That.Of->Place));
      bool IsMatched = That.Of->Name == "MPI_Mrecv" || That.Of->Name == "MPI_Mprobe" || That.Of->Name == "MPI_Improbe";
      bool IsWorth = IsIgnored ? That.Bits & (MCK_STATUS_NAMES | MCK_STATUS_SOURCE) || IsMatched
                               : (That.Bits & MCK_STATUS_ALL) != MCK_STATUS_ALL;
      if (IsWorth) Marks.push_back({That.Call, That.Bits | Number << MCK_STATUS_FUNCTION_SHIFT});
    }
  }

  bool lookAtStatus(Found &New, DenseMap<const Value *, std::unique_ptr<StatusVariable>> &Locals) {
    const Value *Status = New.Copy->getArgOperand(New.Of->Place);
    if (isa<ConstantPointerNull>(Status)) return New.Of->What != StatusBecomes::FILLS_SEVERAL; // MPI_STATUS_IGNORE
    APInt Offset(Layout.getIndexTypeSizeInBits(Status->getType()), 0);
    const Value *Base = Status->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
    bool IsExact = New.Of->What != StatusBecomes::FILLS_SEVERAL && isa<AllocaInst, GlobalVariable>(Base);
    if (!IsExact) Base = getUnderlyingObject(Base, 0);
    if (const auto *Global = dyn_cast<GlobalVariable>(Base)) return lookAtGlobal(*Global, New.What);
    if (!isa<AllocaInst>(Base)) return false;
    std::unique_ptr<StatusVariable> &V = Locals[Base];
    if (!V) V = std::make_unique<StatusVariable>(*Base, Layout, New.Copy->getFunction());
    if (!V->IsKnown) return false;
    New.In = V.get();
    New.What = V->readsFrom(*New.Copy, {IsExact ? Offset.getSExtValue() : 0, IsExact});
    return true;
  }

  // --- probes whose source goes to receives ---
  // The receive that gets this source, or tag. NULL: something else gets it, too.
  static Found *findReceive(const LoadInst &Load, MutableArrayRef<Found> Calls, bool IsSource) {
    Found *Receive = nullptr;
    for (const Use &U : Load.uses()) {
      Found *That = find_if(Calls, [&](const Found &F) { return F.Copy == U.getUser(); });
      int Argument = That == Calls.end() ? -1 : IsSource ? That->Of->Source : That->Of->Tag;
      if (Argument < 0 || That->Of->Name != "MPI_Recv" || That->Copy->getArgOperandNo(&U) != unsigned(Argument) ||
          That->Bits & (MCK_STATUS_SOURCE | MCK_STATUS_TAG) || (Receive && Receive != That))
        return nullptr;
      Receive = That;
    }
    return Receive;
  }

  static void pass(MutableArrayRef<Found> Calls) {
    const StatusVariable *Passed = nullptr;
    for (const Found &Probe : Calls)
      if (isProbe(*Probe.Of) && isPassed(Probe, Calls)) {
        if (Passed && Passed != Probe.In) return; // which of them does a receive belong to?
        Passed = Probe.In;
      }
    if (!Passed) return;
    for (Found &Probe : Calls) {
      if (!isProbe(*Probe.Of) || Probe.In != Passed || !isPassed(Probe, Calls)) continue;
      unsigned Bits = MCK_STATUS_KNOWN | MCK_STATUS_PASSED | Probe.What.Bits;
      for (const LoadInst *Load : Probe.What.Loads) {
        unsigned Read = Passed->bitsOf(*Load);
        Found *Receive = Read == MCK_STATUS_COUNT ? nullptr : findReceive(*Load, Calls, Read == MCK_STATUS_SOURCE);
        if (!Receive) Bits |= Read;
        else Receive->Bits |= Read == MCK_STATUS_SOURCE ? MCK_STATUS_NAMES : MCK_STATUS_NAMES_TAG;
      }
      Probe.Bits = Bits;
    }
  }

  static bool isPassed(const Found &Probe, MutableArrayRef<Found> Calls) {
    if (!Probe.In || Probe.In->IsWritten || Probe.What.Bits & MCK_STATUS_SOURCE) return false;
    bool HasSource = false;
    for (const LoadInst *Load : Probe.What.Loads) {
      if (Probe.In->bitsOf(*Load) != MCK_STATUS_SOURCE || Load->use_empty()) continue;
      HasSource = true;
      if (!Load->isSimple() || !findReceive(*Load, Calls, /*IsSource=*/true)) return false;
    }
    return HasSource;
  }

  // --- marks ---
  void explain(CallBase &Call, unsigned What) {
    OptimizationRemarkEmitter Remarks(Call.getFunction());
    if (!Remarks.allowExtraAnalysis("mck-signals")) return;
    std::string Text;
    for (auto [Bit, Name] : {std::pair<unsigned, const char *>{MCK_STATUS_SOURCE, "source"},
                             {MCK_STATUS_TAG, "tag"},
                             {MCK_STATUS_COUNT, "count"}})
      if (What & unsigned(Bit)) Text += (Text.empty() ? "" : ", ") + std::string(Name);
    if (Text.empty()) Text = "nothing";
    if (What & MCK_STATUS_PASSED) Text += "; a receive gets its source";
    Remarks.emit(OptimizationRemarkAnalysis("mck-signals", "Status", &Call) << "read of the status: " << Text);
  }
};

} // namespace

bool mck::markStatuses(Module &M) { return Statuses(M).run(); }
