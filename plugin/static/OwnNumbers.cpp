// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of data of a process's own (OwnNumbers.h). A value is so if all that it is made of is known, and some of it
// is a rank, or data of the own part. What a collective operation brings is equal on all ranks, or not known.
//
// Values of loops and memory are made of each other. They begin as equal, and are computed again and again until none
// changes. In a last turn it counts, too, that an address may lie in several objects.
#include "static/OwnNumbers.h"
#include "static/Memory.h"
#include "static/RankValue.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mck::statics;

constexpr unsigned MostOperands = 80, MostKinds = 300000, MostRounds = 8; // kinds: of all comparisons together

void OwnNumbers::Kind::add(const Kind &Other) {
  if (Other.What > What) *this = Other;
}

bool OwnNumbers::isSame() const {
  if (Now.size() != Before.size() || Cells.size() != CellsBefore.size()) return false;
  for (const auto &[V, Is] : Now)
    if (auto Old = Before.find(V); Old == Before.end() || Old->second.What != Is.What) return false;
  return all_of(Cells, [&](const auto &One) {
    auto Old = CellsBefore.find(One.first);
    return Old != CellsBefore.end() && Old->second.Is.What == One.second.Is.What;
  });
}

const Value *OwnNumbers::source(const FCmpInst &Compare, const void *Comm) {
  auto [Place, IsNew] = Known.try_emplace({&Compare, Comm}, nullptr);
  if (!IsNew || IsActive) return Place->second; // also while it is computed
  SaveAndRestore Active(IsActive, true);
  Before.clear(), Cells.clear(), IsLast = false;
  bool IsSettled = false;
  for (unsigned Turn = 0; Turn < MostRounds; ++Turn) {
    Now.clear();
    CellsBefore = std::move(Cells), Cells.clear();
    IsLast = IsSettled;
    Kind Found = of(&Compare, 0);
    if (IsLast) return Place->second = Found.What == Kind::Own ? Found.Source : nullptr;
    if (Found.What == Kind::Unknown) return nullptr;
    IsSettled = isSame();
    Before = Now;
  }
  return nullptr;
}

// A value that is being computed is what it was in the turn before.
OwnNumbers::Kind OwnNumbers::of(const Value *V, unsigned Depth) {
  auto [Place, IsNew] = Now.try_emplace(V, Before.lookup(V));
  if (!IsNew) return Place->second;
  if (Depth > MostOperands || ++Work > MostKinds) return Now[V] = {Kind::Unknown, nullptr};
  Kind Found = compute(V, Depth + 1);
  return Now[V] = Found;
}

OwnNumbers::Kind OwnNumbers::oneOf(ArrayRef<Kind> All) const {
  Kind Found;
  if (All.empty()) return {Kind::Unknown, nullptr};
  for (const Kind &One : All) Found.add(One);
  bool IsMixed = any_of(All, [&](const Kind &One) { return (One.What == Kind::Equal) != (Found.What == Kind::Equal); });
  return IsLast && IsMixed ? Kind{Kind::Unknown, nullptr} : Found;
}

OwnNumbers::Kind OwnNumbers::ofOperands(const User &U, unsigned Depth) {
  Kind Found;
  for (const Use &Operand : U.operands())
    if (Found.What != Kind::Unknown) Found.add(of(Operand, Depth));
  return Found;
}

// Whole numbers: sums and products of a rank. A quotient of it may be the same on all ranks.
OwnNumbers::Kind OwnNumbers::ofNumber(const Value *V, unsigned Depth) {
  RankValue Value = Values.of(V);
  if (!Value.isDifferent() && Value.What != RankValue::Unknown && Value.What != RankValue::Own) return {};
  if (const Origin *From = Code.origin(V)) {
    bool IsRank = From->Function->row().tells == MCK_STD_TELLS_RANK && Value.isDifferent();
    return IsRank ? Kind{Kind::OfRank, Value.Source} : Kind{Kind::Unknown, nullptr};
  }
  if (isa<Argument>(V)) return ofArgument(*cast<Argument>(V), Depth);
  const auto *I = dyn_cast<Instruction>(V);
  if (!I) return {Kind::Unknown, nullptr};
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::PHI: return ofOperands(*I, Depth);
  default: return {Kind::Unknown, nullptr};
  }
}

// The condition on the rank that decides whether the instruction is executed, if there is one.
const Value *OwnNumbers::rankThatDecides(const Instruction &I) {
  auto &Tree = Trees[I.getFunction()];
  if (!Tree) Tree = std::make_unique<DominatorTree>(const_cast<Function &>(*I.getFunction()));
  const DomTreeNode *Node = Tree->getNode(I.getParent());
  for (unsigned Step = 0; Node && Node->getIDom() && Step < 32; ++Step) {
    Node = Node->getIDom();
    const auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || Branch->isUnconditional() || !isa<ICmpInst>(Branch->getCondition())) continue;
    RankValue Why = Values.of(Branch->getCondition());
    if (Why.What != RankValue::Number || !Why.isDifferent() || Why.Loop) continue;
    for (const BasicBlock *To : successors(Node->getBlock()))
      if (Tree->dominates(BasicBlockEdge(Node->getBlock(), To), I.getParent())) return Why.Source;
  }
  return nullptr;
}

static bool isMathematical(const Function &Callee) {
  if (Callee.isIntrinsic()) return Callee.doesNotAccessMemory() || Callee.onlyAccessesInaccessibleMemory();
  static const TargetLibraryInfoImpl Names{Triple(Callee.getParent()->getTargetTriple())};
  LibFunc Which;
  return Callee.isDeclaration() && Callee.getReturnType()->isFloatingPointTy() &&
         Names.getLibFunc(Callee.getName(), Which) &&
         all_of(Callee.args(), [](const Argument &A) { return !A.getType()->isPointerTy(); });
}

// A function of the module that only computes is what it returns.
OwnNumbers::Kind OwnNumbers::ofCall(const CallBase &Call, unsigned Depth) {
  const Function *Callee = Call.getCalledFunction();
  Kind Found;
  if (Callee && isMathematical(*Callee)) {
    for (const Use &Given : Call.args()) Found.add(of(Given, Depth));
    return Found;
  }
  if (!Callee || Callee->isDeclaration() || !Code.isQuiet(*Callee)) return {Kind::Unknown, nullptr};
  SmallVector<Kind, 2> Returned;
  for (const BasicBlock &Block : *Callee)
    if (const auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()); Return && Return->getReturnValue())
      Returned.push_back(of(Return->getReturnValue(), Depth));
  return oneOf(Returned);
}

// What all callers pass.
OwnNumbers::Kind OwnNumbers::ofArgument(const Argument &A, unsigned Depth) {
  const Function &F = *A.getParent();
  SmallVector<Kind, 4> Passed;
  if (!Code.isQuiet(F)) return {Kind::Unknown, nullptr};
  for (const User *By : F.users()) {
    const auto *Call = dyn_cast<CallBase>(By);
    if (!Call || Call->getCalledFunction() != &F) return {Kind::Unknown, nullptr};
    Passed.push_back(of(Call->getArgOperand(A.getArgNo()), Depth));
  }
  return oneOf(Passed);
}

OwnNumbers::Kind OwnNumbers::compute(const Value *V, unsigned Depth) {
  if (isa<UndefValue>(V)) return {Kind::Unknown, nullptr};
  if (isa<Constant>(V)) return {};
  if (V->getType()->isIntegerTy() && !V->getType()->isIntegerTy(1)) return ofNumber(V, Depth);
  if (Code.origin(V)) {
    RankValue Value = Values.of(V);
    bool IsEqual = Value.What != RankValue::Unknown && Value.What != RankValue::Own && !Value.isDifferent();
    return {IsEqual ? Kind::Equal : Kind::Unknown, nullptr};
  }
  if (const auto *Given = dyn_cast<Argument>(V)) return ofArgument(*Given, Depth);
  if (const auto *Call = dyn_cast<CallBase>(V)) return ofCall(*Call, Depth);
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    if (Load->isVolatile()) return {Kind::Unknown, nullptr};
    return constantAt(*Load) ? Kind() : ofMemory(Load->getPointerOperand(), false, Depth);
  }
  const auto *I = dyn_cast<Instruction>(V);
  bool IsMade = I && (isa<PHINode>(I) || isa<FCmpInst>(I) || isa<UnaryOperator>(I) || isa<BinaryOperator>(I) ||
                      isa<CastInst>(I) || isa<SelectInst>(I) || isa<FreezeInst>(I));
  return IsMade && !I->getType()->isPointerTy() ? ofOperands(*I, Depth) : Kind{Kind::Unknown, nullptr};
}

// --- memory ---
static bool isArray(const Type *T) {
  while (const auto *Array = dyn_cast<ArrayType>(T)) T = Array->getElementType();
  return T->isFloatingPointTy();
}

static std::optional<int64_t> sizeOf(const Value *Base, const DataLayout &Layout) {
  if (const auto *Local = dyn_cast<AllocaInst>(Base)) {
    auto Size = Local->getAllocationSize(Layout);
    return Size && !Size->isScalable() ? std::optional<int64_t>(Size->getFixedValue()) : std::nullopt;
  }
  if (const auto *Variable = dyn_cast<GlobalVariable>(Base))
    return int64_t(Layout.getTypeAllocSize(Variable->getValueType()).getFixedValue());
  int64_t Size = 1;
  for (const Use &Given : cast<CallBase>(Base)->args())
    if (const auto *Number = dyn_cast<ConstantInt>(Given)) Size *= Number->getSExtValue();
    else return std::nullopt;
  return Size;
}

// The bytes that an access through the address may have: a variable subscript stays in its array of a structure. None:
// not known.
std::optional<OwnNumbers::Range> OwnNumbers::rangeOf(const Value *Address, const Value *Base) const {
  const DataLayout &Layout = Code.module().getDataLayout();
  const auto *Local = dyn_cast<AllocaInst>(Base);
  const auto *Variable = dyn_cast<GlobalVariable>(Base);
  const Type *Whole = Local ? Local->getAllocatedType() : Variable ? Variable->getValueType() : nullptr;
  Range All{0, sizeOf(Base, Layout).value_or(0)};
  std::optional<Range> Anywhere = Whole && isArray(Whole) ? std::optional<Range>(All) : std::nullopt;
  int64_t Low = 0, Span = 0;
  for (; Address && Address != Base; Address = cast<GEPOperator>(Address)->getPointerOperand()) {
    const auto *Step = dyn_cast<GEPOperator>(Address);
    if (!Step) return Anywhere;
    const ArrayType *Array = nullptr; // that the subscript is of
    for (auto At = gep_type_begin(*Step), End = gep_type_end(*Step); At != End; ++At) {
      const auto *Number = dyn_cast<ConstantInt>(At.getOperand());
      if (StructType *Structure = At.getStructTypeOrNull())
        Low += int64_t(Layout.getStructLayout(Structure)->getElementOffset(unsigned(Number->getZExtValue())));
      else if (Number) Low += Number->getSExtValue() * int64_t(At.getSequentialElementStride(Layout).getFixedValue());
      else if (Array) Span += int64_t(Layout.getTypeAllocSize(const_cast<ArrayType *>(Array)).getFixedValue());
      else return Anywhere;
      Array = dyn_cast<ArrayType>(At.getIndexedType());
    }
  }
  return Address ? std::optional<Range>({Low, Low + std::max<int64_t>(Span, 1)}) : Anywhere;
}

bool OwnNumbers::isOwn(const Kind &K) { return K.What == Kind::OfRank || K.What == Kind::Own; }

// Do two addresses look alike?
static bool areAlike(const Value *A, const Value *B, unsigned Depth = 0) {
  if (A == B) return true;
  const auto *One = dyn_cast<Instruction>(A), *Other = dyn_cast<Instruction>(B);
  if (!One || !Other || Depth > 8 || isa<PHINode>(One) || One->getOpcode() != Other->getOpcode() ||
      One->getNumOperands() != Other->getNumOperands())
    return false;
  for (unsigned I = 0; I < One->getNumOperands(); ++I)
    if (!areAlike(One->getOperand(I), Other->getOperand(I), Depth + 1)) return false;
  return true;
}

// Is a value made of two elements of one object, neither of which is always the same?
bool OwnNumbers::isOfNeighbors(const Value *V) {
  auto [Place, IsNew] = Neighbors.try_emplace(V, false);
  if (!IsNew) return Place->second;
  SmallVector<const Value *, 16> Made{V};
  SmallVector<const Value *, 8> Loaded;
  for (size_t At = 0; At < Made.size() && Made.size() < 100; ++At) {
    const auto *I = dyn_cast<Instruction>(Made[At]);
    if (const auto *Load = dyn_cast_or_null<LoadInst>(I)) {
      const Value *Address = Load->getPointerOperand();
      bool IsMoving = !Load->isVolatile() && Address->stripInBoundsConstantOffsets() != getUnderlyingObject(Address, 0);
      for (const Value *Other : Loaded)
        if (IsMoving && !areAlike(Address, Other)) {
          OwnObjects::Bases Here, There;
          if (Objects.basesOf(Address, Here) && Objects.basesOf(Other, There) &&
              any_of(Here, [&](const Value *Base) { return There.contains(Base); }))
            return Neighbors[V] = true;
        }
      if (IsMoving) Loaded.push_back(Address);
    } else if (I && (isa<BinaryOperator>(I) || isa<UnaryOperator>(I) || isa<CastInst>(I) || isa<SelectInst>(I) ||
                     isa<CallBase>(I) || isa<PHINode>(I)))
      for (const Use &Operand : I->operands())
        if (Operand->getType()->isFloatingPointTy() && !is_contained(Made, Operand.get())) Made.push_back(Operand);
  }
  return false;
}

// A cell that is being computed is what it was in the turn before. All that are on the way back to it are made of
// themselves.
OwnNumbers::Kind OwnNumbers::ofCell(const Cell &At, unsigned Depth) {
  auto [Place, IsNew] = Cells.try_emplace(At);
  Content &In = Place->second;
  if (IsNew) {
    const auto &[Base, Low, High] = At;
    In.Is = CellsBefore[At].Is, In.IsOpen = true;
    Stack.push_back(&In);
    Kind Found = ofChanges(Objects.of(Base), High ? std::optional<Range>({Low, High}) : std::nullopt, In, Depth);
    Stack.pop_back();
    In.IsOpen = false;
    if (Found.What == Kind::OfRank && In.IsIterated) Found.What = Kind::Own;
    In.Is = Found;
  } else if (In.IsOpen && isOwn(In.Is)) {
    auto From = std::find(Stack.begin(), Stack.end(), &In);
    if (std::any_of(From, Stack.end(), [](const Content *One) { return One->IsOfNeighbors; }))
      for (; From != Stack.end(); ++From) (*From)->IsIterated = true;
  }
  return In.Is;
}

// IsCopied: so many bytes from there on.
OwnNumbers::Kind OwnNumbers::ofMemory(const Value *Address, bool IsCopied, unsigned Depth) {
  OwnObjects::Bases Found;
  if (!Objects.basesOf(Address, Found)) return {Kind::Unknown, nullptr};
  SmallVector<Kind, 4> All;
  for (const Value *Base : Found) {
    Range At = rangeOf(IsCopied ? nullptr : Address, Base).value_or(Range{0, 0});
    All.push_back(ofCell({Base, At.Low, At.High}, Depth));
  }
  return oneOf(All);
}

// A part of an array that others have, too: each writes where its rank says.
bool OwnNumbers::hasIndexOfRank(const Value *Address) {
  for (const Value *A = Address; const auto *Step = dyn_cast<GEPOperator>(A); A = Step->getPointerOperand())
    for (const Use &Index : Step->indices())
      if (Values.of(Index).isDifferent()) return true;
  return false;
}

// Messages of a neighbor are data of its part. Those of one rank for all may be the same everywhere; and a few numbers
// may be a sum that processes make of each other's.
OwnNumbers::Kind OwnNumbers::ofMessage(const CallBase &Call, const MpiFunction &Mpi, const Value *Base) {
  constexpr int64_t Few = 256;
  const Value *Source = Mpi.row().family == MCK_STD_FAMILY_P2P ? argument(Call, Mpi, "source") : nullptr;
  auto Size = sizeOf(Base, Code.module().getDataLayout());
  bool IsPart = Source && Values.of(Source).isDifferent() && !(Size && *Size <= Few);
  return {IsPart ? Kind::Equal : Kind::Unknown, nullptr};
}

OwnNumbers::Kind OwnNumbers::ofChange(const OwnObject &O, const OwnObject::Change &C, unsigned Depth) {
  const Origin *Given = C.Value ? Code.origin(C.Value) : nullptr;
  if (Given && Given->Function->row().family == MCK_STD_FAMILY_P2P)
    return ofMessage(*Given->Call, *Given->Function, O.Base);
  if (C.Value) return of(C.Value, Depth);
  if (C.From) return ofMemory(C.From, true, Depth);
  return C.Mpi ? ofMessage(*cast<CallBase>(C.By), *C.Mpi, O.Base) : Kind();
}

// All that is stored in a range of an object, or anywhere in it. What own data are stored anywhere may not lie there.
OwnNumbers::Kind OwnNumbers::ofChanges(const OwnObject &O, std::optional<Range> At, Content &In, unsigned Depth) {
  Kind Whole;
  if (!O.IsKnown) return {Kind::Unknown, nullptr};
  for (const OwnObject::Change &C : O.Changes) {
    if (C.Value && C.Value->getType()->isPointerTy()) continue;
    std::optional<Range> To = C.Value ? rangeOf(C.Address, O.Base) : rangeOf(nullptr, O.Base);
    if (At && To && (To->High <= At->Low || At->High <= To->Low)) continue;
    In.IsOfNeighbors = C.Value && isOfNeighbors(C.Value);
    Kind One = ofChange(O, C, Depth);
    bool IsOfIndex = hasIndexOfRank(C.Address);
    if (One.What == Kind::Unknown || (IsOfIndex && isOwn(One))) return {Kind::Unknown, nullptr};
    if (One.What == Kind::Equal && C.Value && !Code.origin(C.Value) && !IsOfIndex)
      if (const Value *Why = rankThatDecides(*C.By)) One = {Kind::OfRank, Why};
    if (At && !To && isOwn(One)) return {Kind::Unknown, nullptr};
    Whole.add(One);
  }
  return Whole;
}
