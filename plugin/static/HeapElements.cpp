// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "static/HeapElements.h"
#include "static/state/Place.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

constexpr unsigned MostUses = 400, MostDepth = 12;

// A number in the first turn of the loops around it: what their variables begin with.
static std::optional<int64_t> firstNumber(const Value *V, unsigned Depth = 0) {
  if (const auto *Number = dyn_cast<ConstantInt>(V)) return Number->getSExtValue();
  if (Depth > MostDepth) return std::nullopt;
  if (isa<SExtInst, ZExtInst, TruncInst>(V)) return firstNumber(cast<CastInst>(V)->getOperand(0), Depth + 1);
  if (const auto *Phi = dyn_cast<PHINode>(V)) {
    const ConstantInt *First = nullptr;
    for (const Value *Comes : Phi->incoming_values())
      if (const auto *Number = dyn_cast<ConstantInt>(Comes)) {
        if (First) return std::nullopt;
        First = Number;
      }
    return First ? std::optional<int64_t>(First->getSExtValue()) : std::nullopt;
  }
  const auto *Operation = dyn_cast<BinaryOperator>(V);
  if (!Operation) return std::nullopt;
  auto A = firstNumber(Operation->getOperand(0), Depth + 1), B = firstNumber(Operation->getOperand(1), Depth + 1);
  bool IsProduct = Operation->getOpcode() == Instruction::Mul;
  if (IsProduct && ((A && *A == 0) || (B && *B == 0))) return 0;
  if (!A || !B || std::abs(*A) > 1 << 20 || std::abs(*B) > 1 << 20) return std::nullopt;
  switch (Operation->getOpcode()) {
  case Instruction::Mul: return *A * *B;
  case Instruction::Add: return *A + *B;
  case Instruction::Sub: return *A - *B;
  default: return std::nullopt;
  }
}

// The distance of an address from the object, in the first turn of the loops.
static std::optional<int64_t> firstOffset(const Value *Address, const Value *Object, const DataLayout &Layout,
                                          unsigned Depth = 0) {
  if (Address == Object) return 0;
  if (Depth > MostDepth) return std::nullopt;
  if (const auto *Phi = dyn_cast<PHINode>(Address)) { // a pointer that walks
    for (const Value *Comes : Phi->incoming_values()) {
      const Value *From = Comes->stripPointerCasts();
      if (From == Object || !isa<PHINode>(getUnderlyingObject(From, 1)))
        if (auto Found = firstOffset(From, Object, Layout, Depth + 1)) return Found;
    }
    return std::nullopt;
  }
  const auto *Step = dyn_cast<GEPOperator>(Address);
  if (!Step) return std::nullopt;
  unsigned Bits = Layout.getIndexTypeSizeInBits(Step->getType());
  MapVector<Value *, APInt> Factors;
  APInt Sum(Bits, 0);
  auto Before = firstOffset(Step->getPointerOperand(), Object, Layout, Depth + 1);
  if (!Before || !Step->collectOffset(Layout, Bits, Factors, Sum)) return std::nullopt;
  int64_t Offset = *Before + Sum.getSExtValue();
  for (const auto &[Index, Factor] : Factors) {
    auto First = firstNumber(Index);
    if (!First || std::abs(*First) > 1 << 20) return std::nullopt;
    Offset += *First * Factor.getSExtValue();
  }
  return Offset;
}

namespace {

class Reader {
public:
  Reader(const Canonical &Code, const CallBase &Allocation, int64_t Offset)
      : Layout(Code.module().getDataLayout()), Allocation(Allocation), Offset(Offset) {}
  HeapElements read();

private:
  const DataLayout &Layout;
  const CallBase &Allocation;
  int64_t Offset; // of the address
  HeapElements Found;
  SmallVector<const Value *, 16> Names; // addresses in the object

  bool takes(const Use &U);
  bool access(const Instruction &I, const Value *Address, const Type *T);
};

} // namespace

bool Reader::access(const Instruction &I, const Value *Address, const Type *T) {
  uint32_t Kind = kindOfNumber(T);
  if (!Kind || (Found.Kind && Found.Kind != Kind)) return false;
  Found.Kind = Kind;
  Found.Accesses.push_back({&I, isa<StoreInst>(I), firstOffset(Address, &Allocation, Layout) == Offset});
  return true;
}

// False: somebody else may use the memory, or it holds other things, too.
bool Reader::takes(const Use &U) {
  const User *By = U.getUser();
  if (const auto *Load = dyn_cast<LoadInst>(By)) return access(*Load, U, Load->getType());
  if (const auto *Store = dyn_cast<StoreInst>(By))
    return U.getOperandNo() == 1 && access(*Store, U, Store->getValueOperand()->getType());
  if (isa<GEPOperator>(By) || isa<PHINode>(By)) {
    if (!is_contained(Names, By)) Names.push_back(By);
    return Names.size() <= MostUses;
  }
  if (isa<ICmpInst>(By)) return true;
  const auto *Call = dyn_cast<CallBase>(By);
  if (!Call) return false;
  if (Call->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Call) || isa<MemSetInst>(Call) || isRelease(*Call))
    return true;
  const MpiFunction *Mpi = findMpi(*Call);
  if (!Mpi || !Call->isArgOperand(&U)) return false;
  // A window shows the memory to others.
  unsigned At = Call->getArgOperandNo(&U);
  Found.Buffers.push_back(&U);
  return (Mpi->row().buffers_in | Mpi->row().buffers_out) >> At & 1;
}

HeapElements Reader::read() {
  Names.push_back(&Allocation);
  for (size_t At = 0; At < Names.size(); ++At)
    for (const Use &U : Names[At]->uses())
      if (!takes(U)) return {};
  Found.Allocation = &Allocation;
  return Found;
}

HeapElements mck::statics::heapElementsAt(const Value *Address, const Canonical &Code) {
  const auto *Allocation = dyn_cast<CallBase>(getUnderlyingObject(Address, 0));
  if (!Allocation || !isAllocation(Allocation)) return {};
  auto Offset = firstOffset(Address, Allocation, Code.module().getDataLayout());
  return Offset ? Reader(Code, *Allocation, *Offset).read() : HeapElements();
}
