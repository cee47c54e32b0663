// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the constraints of the points-to analysis from the code of a module (Points.h).
#include "Points.h"
#include "Constraints.h"
#include "Models.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

/// Can a value of this type hold a pointer? Floating-point numbers cannot, anything else may.
bool carries(Type *T) {
  if (T->isPtrOrPtrVectorTy() || T->isAggregateType()) return true;
  return T->isIntOrIntVectorTy() && !T->getScalarType()->isIntegerTy(1);
}

} // namespace

class mck::Points::Solver : mck::Constraints {
public:
  Solver(Module &M, LibraryOf Library, void *Context) : DL(M.getDataLayout()), Library(Library), Context(Context) {
    for (GlobalVariable &G : M.globals()) addGlobal(G);
    for (GlobalAlias &A : M.aliases()) show(A.getAliaseeObject());
    for (GlobalIFunc &I : M.ifuncs()) show(I.getResolverFunction());
    for (Function &F : M)
      if (!F.isDeclaration()) addFunction(F);
    IsSolved = solve();
  }

  bool isBlock(const Value *V) const { return isa<CallBase>(V) && ObjectOf.count(V); }

  bool isRelevant(const Value *Address, StringRef &Why) const {
    Why = "the module is too large to be analysed";
    if (!IsSolved) return true;
    Why = "nothing is known of its address";
    auto Found = Values.find(Address);
    Constraints::Set Set;
    if (Found != Values.end()) Set = setOf(Found->second);
    else if (const auto *C = dyn_cast<Constant>(Address)) {
      const auto *Object = dyn_cast<GlobalVariable>(C->stripInBoundsOffsets());
      auto Known = Object ? ObjectOf.find(Object) : ObjectOf.end();
      if (Known == ObjectOf.end()) return true;
      Why = Objects[Known->second].Why;
      return !Why.empty();
    }
    if (Set.empty()) return true;
    for (Location L : Set) {
      Why = Objects[Locations[L].Object].Why;
      if (!Why.empty()) return true;
    }
    return false;
  }

private:
  const DataLayout &DL;
  LibraryOf Library;
  void *Context;
  DenseMap<const Value *, Node> Values;
  DenseMap<const Value *, unsigned> ObjectOf;
  DenseMap<const Function *, Node> Returns;
  bool IsSolved = false;

  unsigned objectOf(const Value *V) {
    auto [Entry, IsNew] = ObjectOf.try_emplace(V, unsigned(Objects.size()));
    unsigned Index = Entry->second;
    if (IsNew) Objects.emplace_back();
    return Index;
  }

  // --- values ---
  Node nodeOf(const Value *V) {
    auto [Entry, IsNew] = Values.try_emplace(V, 0);
    if (!IsNew) return Entry->second;
    Node N = newNode();
    Values[V] = N;
    if (const auto *C = dyn_cast<Constant>(V)) addConstant(N, C);
    return N;
  }

  void addConstant(Node N, const Constant *C) {
    if (isa<ConstantData>(C) && !isa<ConstantDataSequential>(C)) // null, undef and numbers point nowhere
      return;
    if (isa<ConstantDataSequential>(C)) return;
    if (const auto *G = dyn_cast<GlobalVariable>(C)) return add(N, locationOf(objectOf(G), 0));
    if (isa<Function>(C)) {
      if (const auto *F = dyn_cast<Function>(C)) takeAddress(*F);
      return add(N, OutsideLocation); // code is not loaded or stored
    }
    if (const auto *A = dyn_cast<GlobalAlias>(C)) {
      if (A->isInterposable()) return add(N, OutsideLocation);
      return copy(nodeOf(A->getAliasee()), N);
    }
    if (const auto *GEP = dyn_cast<GEPOperator>(C)) {
      APInt Offset(64, 0);
      bool IsConstant = GEP->accumulateConstantOffset(DL, Offset);
      return constrain(nodeOf(GEP->getPointerOperand()), Move, N, IsConstant ? Offset.getSExtValue() : Anywhere);
    }
    if (isa<ConstantExpr, ConstantAggregate>(C)) {
      for (const Use &Operand : C->operands())
        if (isa<Constant>(Operand))
          constrain(
              nodeOf(Operand), Move, N,
              isa<ConstantAggregate>(C) || isa<PtrToIntOperator>(C) || cast<ConstantExpr>(C)->isCast() ? 0 : Anywhere);
      return;
    }
    add(N, OutsideLocation); // block addresses and the like
  }

  void addInitializer(unsigned O, const Constant *C, int64_t Offset, bool IsExact) {
    if (isa<ConstantData>(C)) return;
    if (const auto *Struct = dyn_cast<ConstantStruct>(C)) {
      const StructLayout *Layout = DL.getStructLayout(Struct->getType());
      for (unsigned I = 0; I < Struct->getNumOperands(); ++I)
        addInitializer(O, Struct->getOperand(I), Offset + int64_t(Layout->getElementOffset(I).getFixedValue()),
                       IsExact);
      return;
    }
    if (isa<ConstantAggregate>(C)) {
      uint64_t Size = C->getNumOperands() ? DL.getTypeAllocSize(C->getOperand(0)->getType()).getFixedValue() : 0;
      for (unsigned I = 0; I < C->getNumOperands(); ++I)
        addInitializer(O, cast<Constant>(C->getOperand(I)), Offset + int64_t(I * Size), IsExact);
      return;
    }
    copy(nodeOf(C), fieldOf(O, std::abs(Offset) > Farthest ? Anywhere : Offset));
  }

  void addGlobal(const GlobalVariable &G) {
    unsigned O = objectOf(&G);
    bool IsOwn = G.hasLocalLinkage() && G.hasInitializer();
    if (G.hasInitializer()) addInitializer(O, G.getInitializer(), 0, true);
    if (!IsOwn && !G.getName().starts_with("llvm.")) leave(locationOf(O, 0));
    if (G.getName().starts_with("llvm.") || G.hasSection()) leave(locationOf(O, 0));
  }

  // The outside may call it with any arguments, and gets its result.
  DenseMap<const Function *, bool> IsTaken;
  void takeAddress(const Function &F) {
    if (F.isDeclaration() || !IsTaken.try_emplace(&F, true).second) return;
    for (const Argument &A : F.args())
      if (carries(A.getType())) add(nodeOf(&A), OutsideLocation);
    copy(returnOf(F), 0);
  }
  // The variable has other names.
  void show(const GlobalObject *O) {
    if (const auto *F = dyn_cast_or_null<Function>(O)) takeAddress(*F);
    else if (O) leave(locationOf(objectOf(O), 0));
  }
  Node returnOf(const Function &F) {
    auto [Entry, IsNew] = Returns.try_emplace(&F, 0);
    if (IsNew) Returns[&F] = newNode();
    return Returns[&F];
  }

  void addFunction(Function &F) {
    if (!F.hasLocalLinkage()) takeAddress(F);
    for (const Argument &A : F.args())
      if (A.hasByValAttr()) add(nodeOf(&A), locationOf(objectOf(&A), 0));
    const TargetLibraryInfo &TLI = Library(F, Context);
    for (Instruction &I : instructions(F)) addInstruction(I, TLI);
  }

  // A value of several pointers covers several offsets.
  Node pointerTo(const Value *Address, Type *T) {
    TypeSize Size = DL.getTypeStoreSize(T);
    if (!Size.isScalable() && Size.getFixedValue() <= DL.getPointerSize() && Address->getType()->isPointerTy())
      return nodeOf(Address);
    Node Wide = newNode();
    constrain(nodeOf(Address), Move, Wide, Anywhere);
    return Wide;
  }
  void addLoad(const Value *Address, const Value *Result) {
    if (carries(Result->getType())) constrain(pointerTo(Address, Result->getType()), Load, nodeOf(Result));
  }
  void addStore(const Value *Address, const Value *Stored) {
    if (carries(Stored->getType())) constrain(pointerTo(Address, Stored->getType()), Store, nodeOf(Stored));
  }

  // The value is too short for an address. It may be a piece of one that is only copied.
  static bool isAddressLike(Type *T) { return carries(T) && !(T->isIntegerTy() && T->getIntegerBitWidth() < 64); }

  // One switch, since it is a table: each case is an instruction of LLVM.
  // NOLINTNEXTLINE(readability-function-size)
  void addInstruction(Instruction &I, const TargetLibraryInfo &TLI) {
    auto Pass = [&](const Value *From, int64_t Offset) { // constants get their node; other values have one or get one
      if (carries(From->getType())) constrain(nodeOf(From), Move, nodeOf(&I), Offset);
    };
    switch (I.getOpcode()) {
    case Instruction::Alloca: return add(nodeOf(&I), locationOf(objectOf(&I), 0));
    case Instruction::Load: return addLoad(I.getOperand(0), &I);
    case Instruction::Store: return addStore(I.getOperand(1), I.getOperand(0));
    case Instruction::AtomicRMW:
      constrain(nodeOf(I.getOperand(0)), Store, nodeOf(I.getOperand(1)));
      return constrain(nodeOf(I.getOperand(0)), Load, nodeOf(&I));
    case Instruction::AtomicCmpXchg:
      constrain(nodeOf(I.getOperand(0)), Store, nodeOf(I.getOperand(2)));
      return constrain(nodeOf(I.getOperand(0)), Load, nodeOf(&I));
    case Instruction::GetElementPtr: {
      auto &GEP = cast<GEPOperator>(I);
      APInt Offset(64, 0);
      bool IsConstant = I.getType()->isPointerTy() && GEP.accumulateConstantOffset(DL, Offset);
      return Pass(GEP.getPointerOperand(), IsConstant ? Offset.getSExtValue() : Anywhere);
    }
    case Instruction::Ret:
      if (I.getNumOperands() && carries(I.getOperand(0)->getType()))
        copy(nodeOf(I.getOperand(0)), returnOf(*I.getFunction()));
      return;
    case Instruction::PHI:
    case Instruction::Freeze:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::InsertElement:
    case Instruction::ExtractElement:
    case Instruction::ShuffleVector:
    case Instruction::InsertValue:
    case Instruction::ExtractValue:
    case Instruction::ZExt:
    case Instruction::SExt:
      for (const Use &Operand : I.operands()) Pass(Operand, 0);
      return;
    case Instruction::Select: Pass(I.getOperand(1), 0); return Pass(I.getOperand(2), 0);
    case Instruction::BitCast:
      if (!carries(I.getType())) // the result is a floating-point number
        return copy(nodeOf(I.getOperand(0)), 0);
      if (!carries(I.getOperand(0)->getType())) return add(nodeOf(&I), OutsideLocation);
      return Pass(I.getOperand(0), 0);
    case Instruction::AShr:
    case Instruction::SDiv:
      if (I.isExact()) // the result is a number of elements
        return;
      [[fallthrough]];
    case Instruction::Mul: // p / 64 * 64, p - p % 64
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::Add:
    case Instruction::Sub: // the difference of two addresses may be added to one of them later
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
      if (!isAddressLike(I.getType())) return;
      Pass(I.getOperand(0), Anywhere);
      return Pass(I.getOperand(1), Anywhere);
    case Instruction::Trunc:
      if (isAddressLike(I.getType())) // the first of a pair
        Pass(I.getOperand(0), Anywhere);
      return;
    case Instruction::Call:
    case Instruction::Invoke:
    case Instruction::CallBr: return addCall(cast<CallBase>(I), TLI);
    default:
      if (carries(I.getType())) add(nodeOf(&I), OutsideLocation);
      if (!I.isTerminator() && !isa<CmpInst>(I))
        for (const Use &Operand : I.operands())
          if (carries(Operand->getType()) && !isa<BasicBlock>(Operand)) copy(nodeOf(Operand), 0);
    }
  }

  void addUnknownCall(CallBase &Call) {
    for (const Use &Argument : Call.args())
      if (isAddressLike(Argument->getType())) copy(nodeOf(Argument), 0);
    if (carries(Call.getType())) add(nodeOf(&Call), OutsideLocation);
  }

  bool addIntrinsic(IntrinsicInst &I) {
    switch (I.getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
      addLoad(I.getArgOperand(0), &I);
      if (carries(I.getType())) // lanes whose mask is off
        copy(nodeOf(I.getArgOperand(3)), nodeOf(&I));
      return true;
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter: addStore(I.getArgOperand(1), I.getArgOperand(0)); return true;
    case Intrinsic::prefetch:
    case Intrinsic::stackrestore:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end: return true;
    default:
      if (!I.doesNotAccessMemory()) return false;
      for (const Use &Argument : I.args())
        if (carries(I.getType()) && carries(Argument->getType()))
          constrain(nodeOf(Argument), Move, nodeOf(&I), Anywhere);
      return true;
    }
  }

  void addCall(CallBase &Call, const TargetLibraryInfo &TLI) {
    for (unsigned I = 0; I < Call.getNumOperandBundles(); ++I)
      for (const Use &Input : Call.getOperandBundleAt(I).Inputs)
        if (carries(Input->getType())) copy(nodeOf(Input), 0);
    auto Arg = [&](unsigned I) -> Value * { return Call.getArgOperand(I); };
    if (isa<DbgInfoIntrinsic, AssumeInst>(Call) || Call.isLifetimeStartOrEnd()) return;
    if (isa<AnyMemTransferInst>(Call)) return constrain(nodeOf(Arg(1)), CopyAll, nodeOf(Arg(0)));
    if (isa<AnyMemSetInst>(Call)) return;
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call); Intrinsic && addIntrinsic(*Intrinsic)) return;
    auto *Callee = dyn_cast<Function>(Call.getCalledOperand());
    // Another body may take the place of one that can be interposed. What is only declared is known by its name, also
    // where it is weak (the runtime's tests, which the compile step has inserted before a link).
    if (!Callee || (!Callee->isDeclaration() && Callee->isInterposable()) ||
        (Callee->isDeclaration() && Callee->isVarArg() && !modelOf(Call, TLI)))
      return addUnknownCall(Call);
    if (!Callee->isDeclaration()) return addOwnCall(Call, *Callee);
    std::optional<mck::Model> Model = modelOf(Call, TLI);
    if (!Model) return addUnknownCall(Call);
    // The call returns a new block.
    if (Model->IsNew) add(nodeOf(&Call), locationOf(objectOf(&Call), 0));
    if (Model->NewAt >= 0) {
      Node Block = newNode();
      add(Block, locationOf(objectOf(&Call), 0));
      constrain(nodeOf(Arg(unsigned(Model->NewAt))), Store, Block);
    }
    if (Model->From >= 0 && Model->To >= 0)
      constrain(nodeOf(Arg(unsigned(Model->From))), CopyAll,
                Model->IsNew ? nodeOf(&Call) : nodeOf(Arg(unsigned(Model->To))));
    for (unsigned I = 0; I < Call.arg_size(); ++I) {
      if (!Arg(I)->getType()->isPointerTy()) continue;
      if (Model->Used >> I & 1) constrain(nodeOf(Arg(I)), Uses, 0);
      if (Model->Filled >> I & 1) constrain(nodeOf(Arg(I)), Fills, 0);
      if (Model->Returned >> I & 1) constrain(nodeOf(Arg(I)), Move, nodeOf(&Call), Model->IsNew ? 0 : Anywhere);
    }
    if (carries(Call.getType()) && !Model->IsNew && !Model->Returned) add(nodeOf(&Call), OutsideLocation);
  }

  std::optional<mck::Model> modelOf(const CallBase &Call, const TargetLibraryInfo &TLI) {
    return mck::findModel(Call, TLI);
  }

  void addOwnCall(CallBase &Call, Function &Callee) {
    for (unsigned I = 0; I < Call.arg_size(); ++I) {
      Value *Given = Call.getArgOperand(I);
      if (!carries(Given->getType())) continue;
      if (I >= Callee.arg_size()) { // a variable argument
        copy(nodeOf(Given), 0);
        continue;
      }
      Argument *Taken = Callee.getArg(I);
      if (Taken->hasByValAttr()) constrain(nodeOf(Given), CopyAll, nodeOf(Taken));
      else copy(nodeOf(Given), nodeOf(Taken));
    }
    if (carries(Call.getType())) copy(returnOf(Callee), nodeOf(&Call));
    // The call does not have the type of the function.
    if (Call.getFunctionType() != Callee.getFunctionType()) takeAddress(Callee);
  }
};

mck::Points::Points(Module &M, LibraryOf Library, void *Context)
    : Impl(std::make_unique<Solver>(M, Library, Context)) {}
mck::Points::Points(Points &&) = default;
mck::Points::~Points() = default;
bool mck::Points::isRelevant(const Value *Address, StringRef &Why) const { return Impl->isRelevant(Address, Why); }
bool mck::Points::isBlock(const Value *V) const { return Impl->isBlock(V); }
