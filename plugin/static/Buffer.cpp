// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at what a buffer is (Buffer.h).
#include "static/Buffer.h"
#include "static/KeptTypes.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace mck::statics;

// The copy that is looked at is not optimized: constants are computed here.
static Constant *fold(const Value *V, const DataLayout &Layout, unsigned Depth = 0) {
  if (auto *Number = dyn_cast<ConstantInt>(V)) return const_cast<ConstantInt *>(Number);
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 8 || !isa<BinaryOperator, CastInst>(I)) return nullptr;
  SmallVector<Constant *, 2> Operands;
  for (const Use &Operand : I->operands()) {
    Operands.push_back(fold(Operand, Layout, Depth + 1));
    if (!Operands.back()) return nullptr;
  }
  return ConstantFoldInstOperands(const_cast<Instruction *>(I), Operands, Layout);
}
static uint64_t foldedNumber(const Value *V, const DataLayout &Layout) {
  const auto *Number = dyn_cast_or_null<ConstantInt>(fold(V, Layout));
  return Number && Number->getValue().getActiveBits() <= 48 ? Number->getZExtValue() : 0;
}

// The size that an allocation asks for; 0: not known.
static uint64_t allocatedBytes(const CallBase &Call, const DataLayout &Layout) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee) return 0;
  auto Number = [&](unsigned At) { return At < Call.arg_size() ? foldedNumber(Call.getArgOperand(At), Layout) : 0; };
  StringRef Name = Callee->getName();
  if (Name == "malloc" || Name == "_Znwm" || Name == "_Znam") return Number(0);
  if (Name == "aligned_alloc") return Number(1);
  uint64_t Most = uint64_t(1) << 31;
  return Name == "calloc" && Number(0) < Most && Number(1) < Most ? Number(0) * Number(1) : 0;
}

// A member of a structure that is elsewhere: the source has its type.
static void describeMember(const Value *Address, const DataLayout &Layout, Buffer &Found) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  for (const Value *At = Address; const auto *Step = dyn_cast<GEPOperator>(At); At = Step->getPointerOperand()) {
    if (!Step->accumulateConstantOffset(Layout, Offset) || Offset.isNegative()) return;
    auto *Structure = dyn_cast<StructType>(Step->getSourceElementType());
    if (!Structure) continue;
    uint64_t Size = Layout.getTypeAllocSize(Structure);
    if (Step->getNumIndices() < 2 || !Size) return;
    Found.Variable = Structure;
    Found.Offset = Offset.getZExtValue() % Size;
    return;
  }
}

Buffer mck::statics::describeBuffer(const Value *Address, const DataLayout &Layout) {
  Buffer Found;
  if (isa<ConstantPointerNull>(Address)) {
    Found.IsNull = true;
    return Found;
  }
  Found.MayBeInPlace = isa<PHINode, SelectInst>(Address);
  if (const auto *Constant = dyn_cast<ConstantExpr>(Address);
      Constant && Constant->getOpcode() == Instruction::IntToPtr)
    if (const auto *Number = dyn_cast<ConstantInt>(Constant->getOperand(0))) Found.IsInPlace = Number->isOne();
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
  Found.Offset = Offset.isNegative() ? std::optional<uint64_t>() : Offset.getZExtValue();
  while (const auto *Step = dyn_cast<GEPOperator>(Base)) { // an index that is not known
    Base = Step->getPointerOperand()->stripPointerCasts();
    Found.Offset.reset();
  }
  if (const auto *Local = dyn_cast<AllocaInst>(Base)) {
    Found.Size = Layout.getTypeAllocSize(Local->getAllocatedType()) * foldedNumber(Local->getArraySize(), Layout);
    if (!Local->isArrayAllocation()) Found.Variable = Local->getAllocatedType();
  } else if (const auto *Global = dyn_cast<GlobalVariable>(Base)) {
    // Another definition may be larger: common variables.
    if (Global->getValueType()->isSized() && !Global->hasCommonLinkage() && !Global->getName().starts_with("ompi_")) {
      Found.Size = Layout.getTypeAllocSize(Global->getValueType());
      Found.Variable = Global->getValueType();
    }
  } else if (const auto *Call = dyn_cast<CallBase>(Base)) {
    Found.Size = allocatedBytes(*Call, Layout);
  }
  if (Found.Offset && *Found.Offset > Found.Size) Found.Size = 0, Found.Variable = nullptr;
  if (!Found.Variable) describeMember(Address, Layout, Found);
  return Found;
}

uint32_t mck::statics::kindOfNumber(const Type *T) {
  if (T->isIntegerTy() &&
      (T->getIntegerBitWidth() == 16 || T->getIntegerBitWidth() == 32 || T->getIntegerBitWidth() == 64))
    return 'i' | (T->getIntegerBitWidth() / 8) << 8;
  if (T->isFloatTy()) return 'f' | 4 << 8;
  if (T->isDoubleTy()) return 'f' | 8 << 8;
  return 0;
}

// All numbers of a type, if they are of one kind and lie side by side.
static Numbers allNumbers(Type *T, const DataLayout &Layout) {
  if (uint32_t Kind = kindOfNumber(T)) return {Kind, 1, false};
  Numbers Found;
  if (const auto *Array = dyn_cast<ArrayType>(T)) {
    Found = allNumbers(Array->getElementType(), Layout);
    Found.Count *= Array->getNumElements();
  } else if (auto *Structure = dyn_cast<StructType>(T)) {
    // A union has the type of one of its members.
    if (Structure->hasName() && Structure->getName().starts_with("union.")) return {};
    for (Type *Member : Structure->elements()) {
      Numbers One = allNumbers(Member, Layout);
      if (!One.Kind || (Found.Kind && One.Kind != Found.Kind)) return {};
      Found.Kind = One.Kind;
      Found.Count += One.Count;
    }
  }
  if (!Found.Kind || Found.Count * (Found.Kind >> 8) != Layout.getTypeAllocSize(T)) return {};
  return Found;
}

// A typedef names a structure that has no name itself.
static const DICompositeType *namedBy(const DIType *Type, StringRef Name) {
  if (Type->getName() != Name) return nullptr;
  if (const auto *Alias = dyn_cast<DIDerivedType>(Type))
    return Alias->getTag() == dwarf::DW_TAG_typedef ? dyn_cast_or_null<DICompositeType>(Alias->getBaseType()) : nullptr;
  return dyn_cast<DICompositeType>(Type);
}

constexpr StringLiteral KeptTypes = "mck.types"; // metadata of the module

void mck::statics::keepTypes(Module &M) {
  DebugInfoFinder Finder;
  Finder.processModule(M);
  NamedMDNode *Types = M.getOrInsertNamedMetadata(KeptTypes);
  for (DIType *Type : Finder.types()) Types->addOperand(Type);
}

bool mck::statics::mayHaveBitFields(const StructType &Structure, const Module &M) {
  if (!Structure.hasName()) return true;
  StringRef Name = Structure.getName();
  for (StringRef Tag : {"struct.", "class."}) Name.consume_front(Tag);
  Name = Name.rtrim("0123456789").rtrim('.'); // a number tells types of one name apart
  if (size_t Scope = Name.rfind("::"); Scope != StringRef::npos) Name = Name.drop_front(Scope + 2);
  bool IsKnown = false, HasSome = false;
  const NamedMDNode *Types = M.getNamedMetadata(KeptTypes);
  for (unsigned At = 0; Types && At < Types->getNumOperands(); ++At) {
    const DICompositeType *Found = namedBy(cast<DIType>(Types->getOperand(At)), Name);
    if (!Found || Found->isForwardDecl()) continue;
    IsKnown = true;
    for (const DINode *Element : Found->getElements())
      if (const auto *Member = dyn_cast<DIDerivedType>(Element)) HasSome |= Member->isBitField();
  }
  return HasSome || !IsKnown;
}

Numbers mck::statics::numbersAt(Type *Variable, uint64_t Offset, const DataLayout &Layout) {
  if (Offset == 0) {
    Numbers All = allNumbers(Variable, Layout);
    All.IsWhole = true;
    if (All.Kind) return All;
  }
  // The member at this place, or that of an element of an array of structures.
  for (Type *T = Variable;;) {
    if (const auto *Array = dyn_cast<ArrayType>(T)) {
      Type *Element = Array->getElementType();
      uint64_t Size = Layout.getTypeAllocSize(Element);
      if (!Element->isStructTy() || !Size) return {}; // within an array of numbers
      Offset %= Size;
      T = Element;
    } else if (auto *Structure = dyn_cast<StructType>(T)) {
      if ((Structure->hasName() && Structure->getName().starts_with("union.")) || !Structure->getNumElements())
        return {};
      const StructLayout *Places = Layout.getStructLayout(Structure);
      if (Offset >= Places->getSizeInBytes()) return {};
      unsigned At = Places->getElementContainingOffset(Offset);
      Offset -= Places->getElementOffset(At);
      T = Structure->getElementType(At);
      if (Offset != 0) continue;
      Numbers Found = allNumbers(T, Layout);
      Found.Holder = Structure;
      Found.IsFirst = At == 0;
      if (Found.Kind) return Found;
    } else {
      return {};
    }
  }
}
