// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the addresses of two buffers (BufferPair.h).
#include "static/BufferPair.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

constexpr StringRef DistanceNote = "mck.distance";

// The same value, or loaded twice from one place with nothing between that may write there.
static bool isSamePointer(const Value *A, const Value *B) {
  if (A == B) return true;
  const auto *First = dyn_cast<LoadInst>(A), *Second = dyn_cast<LoadInst>(B);
  if (!First || !Second || First->getParent() != Second->getParent()) return false;
  if (First->getPointerOperand()->stripPointerCasts() != Second->getPointerOperand()->stripPointerCasts()) {
    const auto *X
    = dyn_cast<GetElementPtrInst>(First->getPointerOperand());
    const auto *Y = dyn_cast<GetElementPtrInst>(Second->getPointerOperand());
    if (!X || !Y || !X->isIdenticalTo(Y)) return false;
  }
  if (Second->comesBefore(First)) std::swap(First, Second);
  for (const Instruction *I = First->getNextNode(); I != Second; I = I->getNextNode())
    if (I->mayWriteToMemory()) return false;
  return true;
}

static const Value *argumentAt(const CallBase &Call, const MpiFunction &Function, StringRef Role) {
  const Value *Given = argument(Call, Function, Role);
  return Given && Given->getType()->isPointerTy() && !isa<ConstantData>(Given) ? Given : nullptr;
}

void mck::statics::noteBufferPair(CallBase &Call, const MpiFunction &Function) {
  const Value *Sent = argumentAt(Call, Function, "sendbuf"), *Received = argumentAt(Call, Function, "recvbuf");
  if (!Sent || !Received || Function.find("sendbuf") == Function.find("recvbuf")) return;
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  APInt Here(64, 0), There(64, 0);
  const Value *A = Sent->stripAndAccumulateConstantOffsets(Layout, Here, /*AllowNonInbounds=*/true);
  const Value *B = Received->stripAndAccumulateConstantOffsets(Layout, There, /*AllowNonInbounds=*/true);
  if (isa<ConstantData>(A) || isa<ConstantExpr>(A) || !isSamePointer(A, B)) return;
  auto *Distance = ConstantInt::getSigned(Type::getInt64Ty(Call.getContext()), (Here - There).getSExtValue());
  Call.setMetadata(DistanceNote, MDNode::get(Call.getContext(), ConstantAsMetadata::get(Distance)));
}

namespace {
struct Address {
  const Value *Base = nullptr;
  int64_t Offset = 0;
};
} // namespace

// Indices are computed for the process.
static std::optional<Address> addressOf(const Value *V, const DataLayout &Layout, RankValues &Values) {
  Address Found{V, 0};
  while (const auto *Step = dyn_cast<GEPOperator>(Found.Base)) {
    MapVector<Value *, APInt> Variable;
    APInt Constant(64, 0);
    if (!Step->collectOffset(Layout, 64, Variable, Constant)) return std::nullopt;
    Found.Offset += Constant.getSExtValue();
    for (const auto &[Index, Scale] : Variable) {
      RankValue Is = Values.of(Index);
      if (Is.What != RankValue::Number || Is.IsAssumed || Is.IsLocal || Is.Loop) return std::nullopt;
      Found.Offset += Is.Value * Scale.getSExtValue();
    }
    Found.Base = Step->getPointerOperand();
  }
  return Found;
}

std::optional<int64_t> mck::statics::bufferDistance(const CallBase &Call, const MpiFunction &Function,
                                                    RankValues &Values) {
  if (const MDNode *Noted = Call.getMetadata(DistanceNote))
    return mdconst::extract<ConstantInt>(Noted->getOperand(0))->getSExtValue();
  const Value *Sent = argumentAt(Call, Function, "sendbuf"), *Received = argumentAt(Call, Function, "recvbuf");
  if (!Sent || !Received) return std::nullopt;
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  auto A = addressOf(Sent, Layout, Values), B = addressOf(Received, Layout, Values);
  if (!A || !B) return std::nullopt;
  const Value *From = Values.definition(A->Base), *To = Values.definition(B->Base);
  bool IsSame = isSamePointer(A->Base, B->Base) || (From == To && isa<CallBase>(From));
  return IsSame ? std::optional<int64_t>(A->Offset - B->Offset) : std::nullopt;
}
