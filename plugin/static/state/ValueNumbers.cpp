// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hash-consing of expressions (ValueNumbers.h).
#include "static/state/ValueNumbers.h"
#include "static/RankValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostLeaves = 16;

ValueNumber ValueNumbers::make(const Key &K, const Value *V, ArrayRef<ValueNumber> Operands, bool IsLeaf) {
  auto [Place, IsNew] = Known.try_emplace(K, unsigned(Leaves.size()));
  if (!IsNew) return Place->second;
  SmallVector<const Value *, 2> All;
  for (ValueNumber Operand : Operands)
    for (const Value *Leaf : Leaves[Operand])
      if (!is_contained(All, Leaf) && All.size() < MostLeaves) All.push_back(Leaf);
  if (IsLeaf) All.push_back(V);
  Leaves.push_back(std::move(All));
  Values.push_back(V);
  return Place->second;
}

ValueNumber ValueNumbers::ofPair(unsigned Tag, ValueNumber A, ValueNumber B) {
  return make({~uintptr_t(0), Tag, A, B}, nullptr, {A, B}, false);
}

Comparison ValueNumbers::of(const CmpInst &Compare) {
  ValueNumber A = of(Compare.getOperand(0)), B = of(Compare.getOperand(1));
  enum { Equal, Less };
  switch (Compare.getPredicate()) {
  case CmpInst::ICMP_EQ: return {ofPair(Equal, std::min(A, B), std::max(A, B)), false};
  case CmpInst::ICMP_NE: return {ofPair(Equal, std::min(A, B), std::max(A, B)), true};
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT: return {ofPair(Less, A, B), false};
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE: return {ofPair(Less, A, B), true};
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT: return {ofPair(Less, B, A), false};
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE: return {ofPair(Less, B, A), true};
  default: return {ofPair(Compare.getPredicate() + 2U, A, B), false};
  }
}

// Where an address is a number of bytes behind another one, this other one. A first member, and the same member in two
// types of structures, are at one address.
const Value *ValueNumbers::memberOf(const Value *Address, int64_t &Offset) {
  const auto *I = dyn_cast<GetElementPtrInst>(Address);
  if (!I) return nullptr;
  const DataLayout &Layout = I->getModule()->getDataLayout();
  APInt Bytes(Layout.getIndexTypeSizeInBits(I->getType()), 0);
  const Value *Base = I->stripAndAccumulateConstantOffsets(Layout, Bytes, /*AllowNonInbounds=*/true);
  Offset = Bytes.getSExtValue();
  return Base == Address ? nullptr : Base;
}

void ValueNumbers::keepApart(const LoadInst &Load) {
  if (!Done.contains(&Load)) Done[&Load] = make({reinterpret_cast<uintptr_t>(&Load)}, &Load, {}, true);
}

// Argument of the program, or a text in it: what it points to stays the same.
static bool isText(const Value *V, unsigned Depth = 0) {
  if (isa<Constant>(V)) return true;
  if (const auto *Load = dyn_cast<LoadInst>(V)) return RankValues::isOfMain(*Load);
  if (Depth == 3 || !isa<PHINode, SelectInst>(V)) return false;
  return all_of(drop_begin(cast<Instruction>(V)->operands(), isa<SelectInst>(V)),
                [&](const Use &From) { return isText(From, Depth + 1); });
}

// Two comparisons of the same texts say the same.
static bool comparesKnownTexts(const Value *V) {
  return RankValues::comparesTexts(V) && isText(cast<CallInst>(V)->getArgOperand(0)) &&
         isText(cast<CallInst>(V)->getArgOperand(1));
}

ValueNumber ValueNumbers::of(const Value *V) {
  int64_t Offset = 0;
  if (auto Found = Done.find(V); Found != Done.end()) return Found->second;
  ValueNumber Number = 0;
  const auto *I = dyn_cast<Instruction>(V);
  const auto *Load = dyn_cast<LoadInst>(V);
  if (const Value *Whole = memberOf(V, Offset)) {
    ValueNumber Base = of(Whole);
    Number = Offset ? make({~uintptr_t(2), Base, uintptr_t(Offset)}, V, {Base}, false) : Base;
  } else if (I && (isa<BinaryOperator>(I) || isa<CastInst>(I) || isa<GetElementPtrInst>(I) || isa<SelectInst>(I) ||
                   isa<FreezeInst>(I) || Load)) {
    Key K{I->getOpcode(), reinterpret_cast<uintptr_t>(I->getType())};
    if (const auto *Step = dyn_cast<GetElementPtrInst>(I))
      K.push_back(reinterpret_cast<uintptr_t>(Step->getSourceElementType()));
    SmallVector<ValueNumber, 3> Operands;
    for (const Use &Operand : I->operands()) Operands.push_back(of(Operand));
    K.insert(K.end(), Operands.begin(), Operands.end());
    Number = make(K, V, Operands, Load != nullptr);
    if (Load) Loads[Number] = Operands[0], LoadsOf[{Operands[0], Load->getType()}] = Number;
  } else if (comparesKnownTexts(V)) {
    Key K{I->getOpcode()};
    for (const Use &Operand : I->operands()) K.push_back(of(Operand));
    Number = make(K, V, {}, true);
  } else if (const auto *Compare = dyn_cast<CmpInst>(V)) {
    Comparison C = of(*Compare);
    Number = make({~uintptr_t(1), C.Number, C.IsNegated}, V, {C.Number}, false);
  } else {
    Number = make({reinterpret_cast<uintptr_t>(V)}, V, {}, !isa<Constant>(V));
  }
  return Done[V] = Number;
}
