// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the memory that a call uses (Buffers.h).
#include "static/state/Buffers.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace mck::statics;

// Only the root's part counts there.
static bool isOfRoot(const mck_std_fn &Row, bool IsOut) {
  switch (Row.flow) {
  case MCK_STD_FLOW_REDUCE:
  case MCK_STD_FLOW_GATHER: return IsOut;
  case MCK_STD_FLOW_SCATTER: return !IsOut;
  default: return false;
  }
}

// One rank's part does not count there, or a part whose place the counts say.
static bool isPartOfSome(const mck_std_fn &Row, bool IsOut) {
  return Row.family == MCK_STD_FAMILY_NEIGHBORHOOD || Row.is_counted || (Row.flow == MCK_STD_FLOW_EXSCAN && IsOut);
}

// The root's own part is not moved then.
static bool isInPlace(const CallBase &Call, const MpiFunction &Function, bool IsOut) {
  const Value *Other = argument(Call, Function, IsOut ? "sendbuf" : "recvbuf");
  return Other && Other->getType()->isPointerTy() && isa<Constant>(getUnderlyingObject(Other)) &&
         !isa<GlobalVariable>(getUnderlyingObject(Other));
}

static bool isToNobody(const CallBase &Call, const MpiFunction &Function, Reasoning &Thinker, const Facts &F,
                       bool IsOut) {
  const Value *Peer = argument(Call, Function, IsOut ? "source" : "dest");
  if (!Peer) Peer = argument(Call, Function, "target");
  Range Is = Peer ? Thinker.rangeOf(Peer, F) : Range();
  return Is.isOne() && Is.Low == ProcNull;
}

// Between two groups, who is beside the root passes MPI_PROC_NULL and has no buffer (MPI-3.1 5.2.3). Where the root is
// chosen among that and others, it is not asked who chooses what.
static bool mayBeBesideRoot(const CallBase &Call, const MpiFunction &Function) {
  const Value *Root = argument(Call, Function, "root");
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 8> Seen;
  if (Root) Work.push_back(Root);
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second) continue;
    if (const auto *Number = dyn_cast<ConstantInt>(V); Number && Number->getSExtValue() == ProcNull) return true;
    if (const auto *Phi = dyn_cast<PHINode>(V)) Work.append(Phi->op_begin(), Phi->op_end());
    if (const auto *Choice = dyn_cast<SelectInst>(V)) Work.append({Choice->getTrueValue(), Choice->getFalseValue()});
  }
  return false;
}

bool mck::statics::isUnused(const CallBase &Call, const MpiFunction &Function, unsigned Number, Reasoning &Thinker,
                            const Facts &F) {
  const Parameter &P = Function.Parameters[Number];
  bool IsOut = Function.row().buffers_out >> Number & 1, IsSend = P.is("sendbuf") || P.is("inbuf");
  const Value *Count = argument(Call, Function, IsSend ? "sendcount" : "recvcount");
  return (Count && Thinker.rangeOf(Count, F).High <= 0) || isToNobody(Call, Function, Thinker, F, IsOut) ||
         mayBeBesideRoot(Call, Function);
}

SmallVector<CallBuffer, 2> mck::statics::buffersOf(const CallBase &Call, const MpiFunction &Function,
                                                   Reasoning &Thinker, Places &Memories, const Facts &F,
                                                   bool WithRoots) {
  SmallVector<CallBuffer, 2> Found;
  const mck_std_fn &Row = Function.row();
  for (unsigned I = 0; I < Function.Parameters.size(); ++I) {
    const Parameter &P = Function.Parameters[I];
    bool IsIn = Row.buffers_in >> I & 1, IsOut = Row.buffers_out >> I & 1;
    const Value *Address = Call.getArgOperand(I);
    if (!(IsIn || IsOut) || !Address->getType()->isPointerTy() || isPartOfSome(Row, IsOut)) continue;
    bool IsOfRoot = isOfRoot(Row, IsOut);
    if (IsOfRoot && (!WithRoots || isInPlace(Call, Function, IsOut))) continue;
    bool IsSend = P.is("sendbuf") || P.is("inbuf"), IsReceive = P.is("recvbuf") || P.is("outbuf");
    if (!IsSend && !IsReceive) continue;
    if (isUnused(Call, Function, I, Thinker, F)) continue;
    Place At = Memories.of(Address, F);
    if (isa<Constant>(At.Base) && !isa<GlobalVariable>(At.Base)) continue; // MPI_IN_PLACE, MPI_BOTTOM, null
    const Value *Count = argument(Call, Function, IsSend ? "sendcount" : "recvcount");
    const Value *Type = argument(Call, Function, IsSend ? "sendtype" : "recvtype");
    if (!Type) Type = argument(Call, Function, "type");
    int64_t Size = sizeOfBasic(Type);
    Range Many = Count ? Thinker.rangeOf(Count, F) : Range{1, 1};
    if (!Size || Many.High <= 0) continue; // a derived datatype may have holes anywhere
    int64_t Length = Many.Low > 0 && Many.Low < INT32_MAX ? Many.Low * Size : 0;
    Found.push_back({I, At, Length, IsIn, IsOut, IsOfRoot});
  }
  return Found;
}

Meeting mck::statics::compareHandles(const Value *A, const Value *B, const Canonical &Code, Reasoning &Thinker,
                                     const Facts &F) {
  auto Resolve = [&](const Value *V) {
    Sum Is = Thinker.valueOf(V, F);
    const Value *Other = Is.Terms.size() == 1 && Is.Rest == Range{0, 0} ? Thinker.Numbers.valueOf(Is.Terms[0].first)
                                                                        : nullptr;
    return Other ? Other : V;
  };
  A = Resolve(A), B = Resolve(B);
  if (A == B || Thinker.Numbers.of(A) == Thinker.Numbers.of(B)) return Meeting::Surely;
  auto IsObject = [&](const Value *V) { return Code.origin(V) || isa<Constant>(V); };
  return IsObject(A) && IsObject(B) ? Meeting::Never : Meeting::Perhaps;
}

const Value *mck::statics::givenBy(const CallBase &Call, StringRef Role, const Canonical &Code) {
  for (const Instruction *I = Call.getNextNode(); I; I = I->getNextNode()) {
    const Origin *From = Code.origin(I);
    if (From && From->Call == &Call && From->Function->Parameters[From->Parameter].is(Role)) return I;
    if (!From && !isa<StoreInst>(I) && !isa<PtrToIntInst>(I)) break; // in Fortran a number is stored
  }
  return nullptr;
}

bool mck::statics::isPrivateHandle(const Value *Given, Places &Memories) {
  return all_of(Given->uses(), [&](const Use &U) {
    if (const auto *Store = dyn_cast<StoreInst>(U.getUser()))
      return U.getOperandNo() == 0 && Memories.isPrivate(getUnderlyingObject(Store->getPointerOperand()));
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    return isa<ICmpInst>(U.getUser()) || (Call && findMpi(*Call));
  });
}
