// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes values of ranks (RankValue.h).
#include "static/RankValue.h"
#include "static/Fortran.h"
#include "static/OtherArms.h"
#include "static/Paths.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
extern "C" {
#include "standard/constants.h"
}

using namespace llvm;
using namespace mck::statics;

constexpr unsigned MostWork = 50000; // values for one process

static RankValue number(int64_t Value) { return {RankValue::Number, Value}; }

void RankValues::set(const Process &P) {
  Now = P;
  Done.clear();
  Work = 0;
}

const Value *RankValues::definition(const Value *Handle) {
  for (unsigned Depth = 0; Depth < 8; ++Depth) {
    const auto *Load = dyn_cast<LoadInst>(Handle = behindNumber(Handle));
    if (const Constant *Is = Load ? constantAt(*Load) : nullptr) return Is;
    const auto *All = Load ? Stored.stored(*Load) : nullptr;
    if (!All || All->empty()) break;
    // A null handle is stored before and after, also by what frees the object.
    SmallPtrSet<const Value *, 4> Handles;
    for (const Value *One : *All) {
      const Origin *From = Code.origin(behindNumber(One));
      bool IsFreed = From && From->Function->Parameters[From->Parameter].Way == Direction::INOUT;
      if (!IsFreed && (!isa<Constant>(One) || isWorld(One))) Handles.insert(One);
    }
    if (Handles.size() != 1) break;
    Handle = *Handles.begin();
  }
  return behindNumber(Handle);
}

CommKey RankValues::comm(const Value *Handle) {
  const Value *Definition = definition(Handle);
  if (const auto *Load = dyn_cast<LoadInst>(Definition))
    if (auto At = Stored.locate(Load->getPointerOperand())) {
      auto [Place, IsNew] = Places.try_emplace(*At, nullptr);
      if (IsNew) Place->second = Names.emplace_back(new char).get();
      return Place->second;
    }
  // One object that processes make in different arms has one name: the call that comes first in the function.
  const Origin *From = Code.origin(Definition);
  if (!From) return Definition;
  auto [Maker, IsNew] = Makers.try_emplace(Definition, Definition);
  if (!IsNew) return Maker->second;
  SmallVector<const CallBase *, 2> Others = otherArms(*From->Call);
  if (Others.empty()) return Maker->second;
  for (const Instruction &I : instructions(*From->Call->getFunction()))
    if (&I == From->Call || is_contained(Others, &I)) return Makers[Definition] = &I;
  return Definition;
}

// A function that gets a communicator, and nothing more that says who is in the new one, copies it (6.4.2). A window
// and a file belong to the group that opened them.
CommKey RankValues::ranksOf(const Value *Handle) {
  for (unsigned Depth = 0; Depth < 8; ++Depth) {
    const Value *Definition = definition(Handle);
    const Origin *From = Code.origin(Definition);
    if (!From) break;
    const auto &All = From->Function->Parameters;
    bool IsSame = orderedBy(*From) || all_of(All, [](const Parameter &P) {
                    return P.is("comm") || P.is("info") || P.is("newcomm") || P.is("request");
                  });
    const Value *Comm = argument(*From->Call, *From->Function, "comm");
    if (!Comm || !(IsSame || All[From->Parameter].is("newwin") || All[From->Parameter].is("newfile"))) break;
    Handle = Comm;
  }
  return comm(Handle);
}

const CallBase *RankValues::split(const Value *Handle) {
  const Origin *From = Code.origin(definition(Handle));
  return From && From->Function->find("color") >= 0 ? From->Call : nullptr;
}

const CallBase *RankValues::part(const Value *Handle) {
  const Origin *From = Code.origin(definition(Handle));
  return From && From->Function->Number == MCK_FN_MPI_Cart_sub ? From->Call : split(Handle);
}

RankValue RankValues::of(const Value *V) {
  if (const auto *Phi = dyn_cast<PHINode>(V); Phi && Assumed.contains(Phi)) return ofIteration(*Phi);
  if (auto Found = Done.find(V); Found != Done.end()) return Found->second;
  if (Open.size() > 200 || ++Work > MostWork || !Open.insert(V).second) return {};
  RankValue Found = compute(V);
  Open.erase(V);
  if (Assumed.empty()) Done[V] = Found;
  return Found;
}

RankValue RankValues::compute(const Value *V) {
  if (const auto *Constant = dyn_cast<ConstantInt>(V))
    return Constant->getBitWidth() <= 64 ? number(Constant->getSExtValue()) : RankValue{RankValue::Uniform};
  if (isa<ConstantPointerNull>(V)) return number(0);
  if (isa<Function>(V)) return number(int64_t(V)); // is it this one? (FunctionPointers.h)
  if (isa<Constant>(V)) return {isa<UndefValue>(V) ? RankValue::Unknown : RankValue::Uniform};
  if (const Origin *From = Code.origin(V)) return ofGiven(V, *From);
  if (const auto *Given = dyn_cast<Argument>(V))
    return Given->getParent()->getName() == "main" ? symbol(V) : RankValue();
  if (const auto *Call = dyn_cast<CallBase>(V)) return ofCall(*Call);
  if (const auto *Load = dyn_cast<LoadInst>(V)) return ofLoad(*Load);
  if (const auto *Phi = dyn_cast<PHINode>(V)) return ofPhi(*Phi);
  if (const auto *I = dyn_cast<Instruction>(V)) return ofOperation(*I);
  return {};
}

RankValue RankValues::ofGiven(const Value *V, const Origin &From) {
  if (isTopology(From)) return ofTopology(From);
  const mck_std_fn &Row = From.Function->row();
  const Value *Comm = argument(*From.Call, *From.Function, "comm");
  if (const Value *Group = argument(*From.Call, *From.Function, "group"); Group && !Comm)
    if (const Origin *Maker = Code.origin(definition(Group)))
      if (Maker->Function->find("newgroup") >= 0 && Maker->Function->find("group") < 0)
        Comm = argument(*Maker->Call, *Maker->Function, "comm");
  bool IsHere = Comm && ranksOf(Comm) == Now.Comm;
  // What all processes of the world have alike, those of each communicator do.
  bool IsOfAll = IsHere || (Comm && isWorld(definition(Comm)));
  switch (Row.tells) {
  case MCK_STD_TELLS_RANK:
    if (!IsHere) return {};
    return {RankValue::Number, Now.Rank, From.Call};
  case MCK_STD_TELLS_SIZE:
    if (IsHere) return number(Now.Size);
    return IsOfAll ? symbol(V) : RankValue();
  case MCK_STD_TELLS_OWN:
    if (!IsHere) return {};
    return {RankValue::Own, 0, From.Call};
  default: break;
  }
  if (Row.family != MCK_STD_FAMILY_COLLECTIVE || !(Row.buffers_out >> From.Parameter & 1)) return {};
  if (IsHere)
    if (auto Known = ofCollective(V, From)) return *Known;
  switch (Row.flow) {
  case MCK_STD_FLOW_BROADCAST:
  case MCK_STD_FLOW_REDUCE_ALL:
  case MCK_STD_FLOW_ALL_GATHER: return IsOfAll ? symbol(V) : RankValue();
  case MCK_STD_FLOW_SCATTER:
    if (scattersOneValue(From)) return {};
    [[fallthrough]];
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN:
  case MCK_STD_FLOW_REDUCE: // only the root gets it
    if (IsHere) return {RankValue::Own, 0, From.Call};
    return {};
  default: return {};
  }
}

// The root may give the same to all: zeros, or one value that it stores in all elements.
bool RankValues::scattersOneValue(const Origin &From) {
  const Value *Parts = argument(*From.Call, *From.Function, "sendbuf");
  OwnObjects::Bases Bases;
  if (!Parts || !Data.objects().basesOf(Parts, Bases) || Bases.size() != 1) return false;
  const OwnObject &Object = Data.objects().of(Bases.front());
  bool HasOne = false;
  for (const OwnObject::Change &Change : Object.Changes) {
    if (!Change.Value && !Change.From && !Change.Mpi) continue; // zeros
    const auto *Element = dyn_cast<GEPOperator>(Change.Address);
    bool IsOfAll = Element && !Element->hasAllConstantIndices();
    if (HasOne || !Change.Value || !IsOfAll || of(Change.Value).Loop) return false;
    HasOne = true;
  }
  return Object.IsKnown;
}

RankValue RankValues::ofCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (const MpiFunction *Mpi = findMpi(Call)) {
    if (Mpi->row().tells == MCK_STD_TELLS_OWN && !Mpi->row().has_code) return {RankValue::Own, 0, &Call};
    return Mpi->row().has_code ? number(0) : RankValue(); // MPI_SUCCESS; a failure is none of the program's ways
  }
  if (!Callee) return {};
  if (Code.origin(&Call)) return {};
  if (Callee->getName() == "getpid") return {RankValue::Own, 0, &Call};
  // Functions of their arguments alone.
  static constexpr StringRef Pure[] = {"atoi",   "atol",       "atof", "strtol", "strtod",  "strcmp", "strncmp",
                                       "strlen", "strcasecmp", "abs",  "labs",   "toupper", "tolower"};
  bool IsPure = is_contained(Pure, Callee->getName());
  if (!IsPure && (!Call.doesNotAccessMemory() || (Callee->isDeclaration() && !Callee->isIntrinsic())))
    return ofLocalCall(Call);
  for (const Use &Argument : Call.args()) {
    RankValue One = of(Argument);
    if (One.What == RankValue::Unknown || One.isDifferent()) return {};
  }
  return symbol(&Call);
}

static bool givesMemory(const Value &V) {
  const auto *Call = dyn_cast<CallBase>(&V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  static constexpr StringRef Names[] = {"malloc", "calloc", "realloc", "strdup", "aligned_alloc"};
  return Callee && is_contained(Names, Callee->getName());
}

// What the process finds out by itself: whether a file is there, what is in it. Behind a receive it may be what the
// sender knows, too.
RankValue RankValues::ofLocalCall(const CallBase &Call) {
  if (!Call.getType()->isSingleValueType() || Call.getType()->isVectorTy()) return {};
  if (givesMemory(Call)) return number(1); // that there is no memory left is none of the program's ways
  if (Code.mayReachMpi(Call)) return {};
  const Function *F = Call.getFunction();
  auto [Receives, IsNew] = ReceivesOf.try_emplace(F);
  if (IsNew)
    for (const Instruction &I : instructions(*F)) {
      const auto *Other = dyn_cast<CallBase>(&I);
      const MpiFunction *Mpi = Other ? findMpi(*Other) : nullptr;
      if (Mpi && Mpi->row().family != MCK_STD_FAMILY_COLLECTIVE && Mpi->row().buffers_out)
        Receives->second.push_back(Other);
    }
  for (const CallBase *Receive : Receives->second)
    if (isPotentiallyReachable(Receive, &Call)) return {};
  RankValue Found;
  Found.IsLocal = true;
  return Found;
}

RankValue RankValues::ofLoad(const LoadInst &Load) {
  if (isOfMain(Load)) {
    for (const Value *A = Load.getPointerOperand(); const auto *Step = dyn_cast<GEPOperator>(A);
         A = Step->getPointerOperand())
      for (const Use &Index : Step->indices())
        if (RankValue I = of(Index); I.isDifferent() || I.What == RankValue::Unknown) return {};
    return symbol(&Load);
  }
  if (const Constant *Is = constantAt(Load)) return of(Is);
  const auto *All = Stored.stored(Load);
  if (!All || All->empty()) return {};
  RankValue Found = of(All->front()), Local;
  Local.IsLocal = true;
  bool HasLocal = false, HasDifferent = false, IsSame = true;
  for (const Value *Other : *All) {
    RankValue One = of(Other);
    bool IsLocal = One.What == RankValue::Unknown && One.IsLocal && !One.Source;
    if (One.Loop || (One.What == RankValue::Unknown && !IsLocal)) return {};
    HasLocal |= IsLocal;
    HasDifferent |= One.isDifferent();
    IsSame &= One.What == Found.What && One.Value == Found.Value;
  }
  if (HasLocal) return HasDifferent ? RankValue() : Local;
  if (!IsSame) return {};
  if (Found.What == RankValue::Uniform && Load.getType()->isIntegerTy()) return symbol(&Load);
  return Found;
}

const BasicBlock *RankValues::successor(const Instruction &Terminator, RankValue &Why) {
  if (const auto *Invoke = dyn_cast<InvokeInst>(&Terminator))
    return isThrow(*Invoke) ? Invoke->getUnwindDest() : Invoke->getNormalDest();
  if (const auto *Branch = dyn_cast<BranchInst>(&Terminator)) {
    if (Branch->isUnconditional()) return Branch->getSuccessor(0);
    Why = of(Branch->getCondition());
    return Why.What == RankValue::Number ? Branch->getSuccessor(Why.Value ? 0 : 1) : nullptr;
  }
  if (const auto *Switch = dyn_cast<SwitchInst>(&Terminator)) {
    Why = of(Switch->getCondition());
    if (Why.What != RankValue::Number) return nullptr;
    for (const auto &Case : Switch->cases())
      if (Case.getCaseValue()->getSExtValue() == Why.Value) return Case.getCaseSuccessor();
    return Switch->getDefaultDest();
  }
  return nullptr;
}

// Is the part of a communicator that was split MPI_COMM_NULL? For those whose color is MPI_UNDEFINED (6.4.2).
std::optional<RankValue> RankValues::ofNullPart(const ICmpInst &Compare) {
  for (unsigned At : {0, 1}) {
    const CallBase *Split = isNullHandle(Compare.getOperand(1 - At), "comm") ? split(Compare.getOperand(At)) : nullptr;
    if (!Split || !Compare.isEquality()) continue;
    const MpiFunction &Function = *findMpi(*Split);
    if (Function.Number != MCK_FN_MPI_Comm_split || ranksOf(argument(*Split, Function, "comm")) != Now.Comm) return {};
    RankValue Found = of(argument(*Split, Function, "color"));
    if (Found.What != RankValue::Number || Found.IsLocal) return std::nullopt;
    Found.Value = (Found.Value == MCK_UNDEFINED) == (Compare.getPredicate() == ICmpInst::ICMP_EQ);
    return Found;
  }
  return std::nullopt;
}

// A null pointer is the number 0, what was allocated is 1, and a function is itself.
std::optional<RankValue> RankValues::ofPointers(const ICmpInst &Compare) {
  if (auto Null = ofNullPart(Compare)) return Null;
  RankValue A = of(Compare.getOperand(0)), B = of(Compare.getOperand(1));
  bool AreKnown = A.What == RankValue::Number && B.What == RankValue::Number && (A.Value != 1 || B.Value != 1);
  if (!Compare.isEquality() || !AreKnown) return std::nullopt;
  RankValue Found = A.Source ? A : B;
  Found.Loop = A.Loop ? A.Loop : B.Loop;
  Found.IsAssumed = A.IsAssumed || B.IsAssumed;
  Found.Value = (A.Value == B.Value) == (Compare.getPredicate() == ICmpInst::ICMP_EQ);
  return Found;
}

RankValue RankValues::ofOperation(const Instruction &I) {
  if (!isa<BinaryOperator>(I) && !isa<UnaryOperator>(I) && !isa<CmpInst>(I) && !isa<CastInst>(I) &&
      !isa<SelectInst>(I) && !isa<FreezeInst>(I) && !isa<GetElementPtrInst>(I))
    return {};
  if (const auto *Compare = dyn_cast<ICmpInst>(&I); Compare && Compare->getOperand(0)->getType()->isPointerTy())
    if (auto Found = ofPointers(*Compare)) return *Found;
  if (const auto *Compare = dyn_cast<FCmpInst>(&I))
    if (const Value *Source = Data.source(*Compare, Now.Comm)) return {RankValue::Own, 0, Source};
  SmallVector<Constant *, 3> Operands;
  RankValue Found{RankValue::Number};
  for (const Use &Operand : I.operands()) {
    RankValue One = of(Operand);
    if (One.What == RankValue::Unknown && !One.IsLocal) { // but perhaps it is known why ranks may differ
      RankValue Other;
      Other.Source = One.Source ? One.Source : Found.Source;
      return Other;
    }
    Found.IsLocal |= One.IsLocal;
    if (One.Source && !Found.Source) Found.Source = One.Source;
    if (One.Loop && !Found.Loop) Found.Loop = One.Loop;
    Found.IsAssumed |= One.IsAssumed;
    if (One.What == RankValue::Own || (One.What == RankValue::Uniform && Found.What == RankValue::Number))
      Found.What = One.What;
    if (Operand->getType()->isIntegerTy() && Operand->getType()->getIntegerBitWidth() <= 64)
      Operands.push_back(ConstantInt::getSigned(Operand->getType(), One.Value));
  }
  if (Found.IsLocal) {
    if (Found.What != RankValue::Own) Found.What = RankValue::Unknown, Found.Source = nullptr;
    return Found;
  }
  if (Found.What == RankValue::Number && Operands.size() == I.getNumOperands() && I.getType()->isIntegerTy()) {
    Constant *Value = nullptr;
    if (isa<FreezeInst>(I)) Value = Operands[0];
    else if (const auto *Compare = dyn_cast<CmpInst>(&I))
      Value = ConstantFoldCompareInstOperands(Compare->getPredicate(), Operands[0], Operands[1],
                                              I.getModule()->getDataLayout());
    else if (isa<SelectInst>(I)) Value = Operands[0]->isZeroValue() ? Operands[2] : Operands[1];
    else Value = ConstantFoldInstOperands(const_cast<Instruction *>(&I), Operands, I.getModule()->getDataLayout());
    const auto *Folded = dyn_cast_or_null<ConstantInt>(Value);
    if (!Folded || Folded->getBitWidth() > 64) return {}; // such as a division by zero
    Found.Value = Folded->getSExtValue();
    return Found;
  }
  // No clock shows one time exactly: what is asked is whether there is a clock, and all ranks have the same answer.
  if (const auto *Compare = dyn_cast<FCmpInst>(&I); Compare && Compare->isEquality() && Found.What == RankValue::Own)
    return {};
  // A difference of numbers that is computed with others that are not known may be none.
  if (Found.What != RankValue::Own && Found.Source) return {};
  if (Found.What == RankValue::Number) Found.What = RankValue::Uniform;
  return Found;
}
