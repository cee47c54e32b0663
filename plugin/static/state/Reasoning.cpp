// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides conditions by the facts of a path (Facts.h).
#include "static/state/Facts.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace mck::statics;
using namespace llvm::PatternMatch;

constexpr unsigned MostDepth = 40;

static Sum number(int64_t Value) {
  Sum Made;
  Made.Rest = {Value, Value};
  return Made;
}

Sum Reasoning::symbol(const Value *V, const Facts &F, Range Known) {
  ValueNumber About = Numbers.of(V);
  Sum Made;
  const Facts::Fact *Fact = F.find(About);
  if (Fact && Fact->Base) {
    Made.Terms.push_back({Fact->Base, 1});
    Made.Rest = Fact->Is;
    return Made;
  }
  Range Is = Fact ? Fact->Is : Known;
  if (Is.isOne()) return number(Is.Low);
  if (!Fact && !Known.isAny()) Made.Rest = Known;
  else Made.Terms.push_back({About, 1});
  return Made;
}

Sum Reasoning::valueOf(const Value *V, const Facts &F) {
  if (Depth > MostDepth) return symbol(V, F);
  ++Depth;
  Sum Found = compute(V, F);
  --Depth;
  return Found;
}

static bool isMemoryCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  static constexpr StringRef Names[] = {"malloc", "calloc", "realloc", "strdup", "aligned_alloc", "_Znam", "_Znwm"};
  return Callee && is_contained(Names, Callee->getName());
}

Sum Reasoning::compute(const Value *V, const Facts &F) {
  if (const auto *Constant = dyn_cast<ConstantInt>(V))
    return Constant->getBitWidth() <= 64
               ? number(Constant->getBitWidth() == 1 ? int64_t(Constant->getZExtValue()) : Constant->getSExtValue())
               : symbol(V, F);
  if (isa<ConstantPointerNull>(V)) return number(0);
  if (Values && V->getType()->isIntegerTy() && !isa<Constant>(V)) {
    RankValue Own = Values->of(V);
    if (Own.What == RankValue::Number && !Own.IsAssumed && !Own.Loop)
      return number(V->getType()->isIntegerTy(1) ? Own.Value & 1 : Own.Value);
  }
  if (const auto *I = dyn_cast<BinaryOperator>(V)) return ofBinary(*I, F);
  if (const auto *Compare = dyn_cast<CmpInst>(V)) {
    if (auto Is = compare(*Compare, F)) return number(*Is);
    return symbol(V, F, {0, 1});
  }
  if (const auto *Cast = dyn_cast<CastInst>(V)) {
    if (!Cast->getSrcTy()->isIntegerTy() || !Cast->getDestTy()->isIntegerTy()) return symbol(V, F);
    Sum Inner = valueOf(Cast->getOperand(0), F);
    if (!Cast->getDestTy()->isIntegerTy(1)) return Inner; // numbers of programs fit into their types
    Range Is = rangeOf(Inner, F);
    return Is.Low >= 0 && Is.High <= 1 && !Inner.Terms.empty()
               ? Inner
               : symbol(V, F, Is.isOne() ? Range{Is.Low & 1, Is.Low & 1} : Range{0, 1});
  }
  if (const auto *Choice = dyn_cast<SelectInst>(V)) {
    if (auto Is = decide(Choice->getCondition(), F))
      return valueOf(*Is ? Choice->getTrueValue() : Choice->getFalseValue(), F);
    Range A = rangeOf(Choice->getTrueValue(), F), B = rangeOf(Choice->getFalseValue(), F);
    return symbol(V, F, {std::min(A.Low, B.Low), std::max(A.High, B.High)});
  }
  if (const auto *Freeze = dyn_cast<FreezeInst>(V)) return valueOf(Freeze->getOperand(0), F);
  if (const auto *Call = dyn_cast<CallBase>(V)) {
    const MpiFunction *Mpi = findMpi(*Call);
    if (Mpi && Mpi->row().has_code) return number(0); // that MPI fails is none of the program's ways
  }
  if (isa<AllocaInst>(V) || isa<GlobalVariable>(V) || isa<Function>(V)) {
    Sum Made;
    Made.Terms.push_back({Numbers.of(V), 1});
    return Made;
  }
  return symbol(V, F);
}

// Of two numbers one may decide alone.
static std::optional<int64_t> decideBits(unsigned Opcode, Range A, Range B) {
  auto Is = [](Range R, int64_t Value) { return R.isOne() && R.Low == Value; };
  auto IsTruth = [](Range R) { return R.Low >= 0 && R.High <= 1; };
  if (Opcode == Instruction::And && (Is(A, 0) || Is(B, 0))) return 0;
  if (Opcode == Instruction::Or && IsTruth(A) && IsTruth(B) && (Is(A, 1) || Is(B, 1))) return 1;
  return std::nullopt;
}

Sum Reasoning::ofBinary(const BinaryOperator &I, const Facts &F) {
  Sum A = valueOf(I.getOperand(0), F), B = valueOf(I.getOperand(1), F);
  switch (I.getOpcode()) {
  case Instruction::Add: return A.plus(B, 1);
  case Instruction::Sub: return A.plus(B, -1);
  case Instruction::Mul:
    if (B.isNumber()) return number(0).plus(A, B.Rest.Low);
    if (A.isNumber()) return number(0).plus(B, A.Rest.Low);
    break;
  case Instruction::Shl:
    if (B.isNumber() && B.Rest.Low >= 0 && B.Rest.Low < 32) return number(0).plus(A, INT64_C(1) << B.Rest.Low);
    break;
  case Instruction::Xor:
    if (I.getType()->isIntegerTy(1) && B.isNumber()) return B.Rest.Low ? number(1).plus(A, -1) : A;
    [[fallthrough]];
  default: {
    if (auto Bits = decideBits(I.getOpcode(), rangeOf(A, F), rangeOf(B, F))) return number(*Bits);
    if (!A.isNumber() || !B.isNumber()) break;
    int64_t X
    = A.Rest.Low, Y = B.Rest.Low;
    switch (I.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::UDiv: return Y ? number(X / Y) : symbol(&I, F);
    case Instruction::SRem:
    case Instruction::URem: return Y ? number(X % Y) : symbol(&I, F);
    case Instruction::And: return number(X & Y);
    case Instruction::Or: return number(X | Y);
    case Instruction::Xor: return number(X ^ Y);
    case Instruction::LShr:
    case Instruction::AShr: return Y >= 0 && Y < 63 ? number(X >> Y) : symbol(&I, F);
    default: break;
    }
  }
  }
  if (auto Is = I.getType()->isIntegerTy(1) ? decide(&I, F) : std::nullopt) return number(*Is);
  return symbol(&I, F, I.getType()->isIntegerTy(1) ? Range{0, 1} : Range{});
}

// Without a fact about it. Allocations succeed, and each is an object of its own.
Range Reasoning::usual(ValueNumber Number) const {
  const auto *Call = dyn_cast_or_null<CallBase>(Numbers.valueOf(Number));
  return Call && isMemoryCall(*Call) ? Range{1, Unbounded} : Range();
}

Range Reasoning::rangeOf(const Sum &S, const Facts &F) const {
  Range Found = S.Rest;
  for (auto [Number, Times] : S.Terms) {
    const Facts::Fact *Fact = F.find(Number);
    Found = Found + (Fact && !Fact->Base ? Fact->Is : usual(Number)) * Times;
  }
  return Found;
}

// Two variables, and a variable and null, are never at one address.
static bool areOtherObjects(const Value *A, const Value *B) {
  A = A->stripPointerCasts(), B = B->stripPointerCasts();
  auto IsObject = [](const Value *V) { return isa<GlobalVariable>(V) || isa<AllocaInst>(V) || isa<Function>(V); };
  return A != B && ((IsObject(A) && (IsObject(B) || isa<ConstantPointerNull>(B))) ||
                    (IsObject(B) && isa<ConstantPointerNull>(A)));
}

std::optional<bool> Reasoning::compare(const CmpInst &C, const Facts &F) {
  if (!isa<ICmpInst>(C)) {
    const Facts::Fact *Known = F.find(Numbers.of(C).Number);
    return Known && Known->Is.isOne() ? std::optional<bool>(Known->Is.Low) : std::nullopt;
  }
  CmpInst::Predicate Is = C.getPredicate();
  if (ICmpInst::isEquality(Is) && areOtherObjects(C.getOperand(0), C.getOperand(1))) return Is == CmpInst::ICMP_NE;
  Sum Difference = valueOf(C.getOperand(0), F).plus(valueOf(C.getOperand(1), F), -1);
  Range D = rangeOf(Difference, F);
  switch (ICmpInst::isUnsigned(Is) ? ICmpInst::getSignedPredicate(Is) : Is) {
  case CmpInst::ICMP_EQ:
  case CmpInst::ICMP_NE:
    if (D.isOne() && !D.Low) return Is == CmpInst::ICMP_EQ;
    if (D.Low > 0 || D.High < 0) return Is == CmpInst::ICMP_NE;
    break;
  case CmpInst::ICMP_SLT:
    if (D.High < 0) return true;
    if (D.Low >= 0) return false;
    break;
  case CmpInst::ICMP_SLE:
    if (D.High <= 0) return true;
    if (D.Low > 0) return false;
    break;
  case CmpInst::ICMP_SGT:
    if (D.Low > 0) return true;
    if (D.High <= 0) return false;
    break;
  case CmpInst::ICMP_SGE:
    if (D.Low >= 0) return true;
    if (D.High < 0) return false;
    break;
  default: break;
  }
  Comparison Known = Numbers.of(C);
  const Facts::Fact *Truth = F.find(Known.Number);
  if (Truth && Truth->Is.isOne()) return bool(Truth->Is.Low) != Known.IsNegated;
  return std::nullopt;
}

std::optional<bool> Reasoning::decide(const Value *Condition, const Facts &F) {
  Value *A = nullptr, *B = nullptr;
  if (match(const_cast<Value *>(Condition), m_LogicalAnd(m_Value(A), m_Value(B)))) {
    auto One = decide(A, F), Other = decide(B, F);
    if ((One && !*One) || (Other && !*Other)) return false;
    return One && Other ? std::optional<bool>(true) : std::nullopt;
  }
  if (match(const_cast<Value *>(Condition), m_LogicalOr(m_Value(A), m_Value(B)))) {
    auto One = decide(A, F), Other = decide(B, F);
    if ((One && *One) || (Other && *Other)) return true;
    return One && Other ? std::optional<bool>(false) : std::nullopt;
  }
  Range Is = rangeOf(Condition, F);
  return Is.isOne() ? std::optional<bool>(Is.Low) : std::nullopt;
}

bool Reasoning::narrow(ValueNumber About, Range To, Facts &F) {
  const Facts::Fact *Known = F.find(About);
  Range Is = Known && !Known->Base ? Known->Is : usual(About);
  Range New{std::max(Is.Low, To.Low), std::min(Is.High, To.High)};
  if (New.isEmpty()) return false;
  if (!(New == Is)) F.set({About, 0, New});
  return true;
}

// Difference < 0, or <= 0.
bool Reasoning::assumeOrder(const Sum &Difference, bool IsStrict, Facts &F) {
  for (auto [Number, Times] : Difference.Terms) {
    if (Times != 1 && Times != -1) continue;
    Sum Others = Difference;
    erase_if(Others.Terms, [N = Number](const auto &Term) { return Term.first == N; });
    Range Rest = rangeOf(Others, F); // Times * value + Rest <= -IsStrict
    int64_t Limit = Rest.Low <= -Unbounded ? Unbounded : -int64_t(IsStrict) - Rest.Low;
    if (Limit >= Unbounded) continue;
    if (!narrow(Number, Times == 1 ? Range{-Unbounded, Limit} : Range{-Limit, Unbounded}, F)) return false;
  }
  return true;
}

bool Reasoning::assumeComparison(const ICmpInst &C, bool IsTrue, Facts &F) {
  CmpInst::Predicate Is = IsTrue ? C.getPredicate() : C.getInversePredicate();
  if (ICmpInst::isUnsigned(Is)) Is = ICmpInst::getSignedPredicate(Is);
  Sum Difference = valueOf(C.getOperand(0), F).plus(valueOf(C.getOperand(1), F), -1);
  Sum Opposite = number(0).plus(Difference, -1);
  switch (Is) {
  case CmpInst::ICMP_SLT: return assumeOrder(Difference, true, F);
  case CmpInst::ICMP_SLE: return assumeOrder(Difference, false, F);
  case CmpInst::ICMP_SGT: return assumeOrder(Opposite, true, F);
  case CmpInst::ICMP_SGE: return assumeOrder(Opposite, false, F);
  case CmpInst::ICMP_EQ: return assumeOrder(Difference, false, F) && assumeOrder(Opposite, false, F);
  case CmpInst::ICMP_NE: {
    // Only the end of a range can be taken off.
    Range D = rangeOf(Difference, F);
    if (D.Low == 0) return assumeOrder(Opposite, true, F);
    if (D.High == 0) return assumeOrder(Difference, true, F);
    return true;
  }
  default: return true;
  }
}

bool Reasoning::assume(const Value *Condition, bool IsTrue, Facts &F) {
  if (auto Is = decide(Condition, F)) return *Is == IsTrue;
  Value *A = nullptr, *B = nullptr;
  if (match(const_cast<Value *>(Condition), m_Not(m_Value(A)))) return assume(A, !IsTrue, F);
  if (IsTrue && match(const_cast<Value *>(Condition), m_LogicalAnd(m_Value(A), m_Value(B))))
    return assume(A, true, F) && assume(B, true, F);
  if (!IsTrue && match(const_cast<Value *>(Condition), m_LogicalOr(m_Value(A), m_Value(B))))
    return assume(A, false, F) && assume(B, false, F);
  ICmpInst::Predicate Is;
  if (match(const_cast<Value *>(Condition), m_ICmp(Is, m_ZExt(m_Value(A)), m_Zero())) && ICmpInst::isEquality(Is) &&
      A->getType()->isIntegerTy(1))
    return assume(A, IsTrue == (Is == CmpInst::ICMP_NE), F);
  if (const auto *Compare = dyn_cast<CmpInst>(Condition)) {
    if (const auto *Whole = dyn_cast<ICmpInst>(Compare); Whole && !assumeComparison(*Whole, IsTrue, F)) return false;
    Comparison Truth = Numbers.of(*Compare);
    F.set({Truth.Number, 0, {IsTrue != Truth.IsNegated, IsTrue != Truth.IsNegated}});
    return true;
  }
  Sum Is1 = valueOf(Condition, F);
  if (Is1.Terms.size() == 1 && Is1.Rest.isOne() && (Is1.Terms[0].second == 1 || Is1.Terms[0].second == -1)) {
    int64_t Number = (int64_t(IsTrue) - Is1.Rest.Low) * Is1.Terms[0].second;
    return narrow(Is1.Terms[0].first, {Number, Number}, F);
  }
  F.set({Numbers.of(Condition), 0, {IsTrue, IsTrue}});
  return true;
}

bool Reasoning::assumeEqual(const Value *V, int64_t Is, Facts &F) {
  Sum Now = valueOf(V, F);
  if (Now.isNumber()) return Now.Rest.Low == Is;
  if (Now.Terms.size() != 1 || !Now.Rest.isOne() || Now.Terms[0].second != 1) return true;
  return narrow(Now.Terms[0].first, {Is - Now.Rest.Low, Is - Now.Rest.Low}, F);
}
