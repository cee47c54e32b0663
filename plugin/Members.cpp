// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From debug information to the text of rt/abi.h (Members.h). What may hold values of several types has no certain
// type: unions, bit-fields, arrays of bytes, vectors, and types for which MPI has no datatype (MPI-3.1 3.2.2).
#include "Members.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

const DIType *mck::stripType(const DIType *T) {
  while (const auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    unsigned Tag = D->getTag();
    if (Tag != dwarf::DW_TAG_typedef && Tag != dwarf::DW_TAG_const_type && Tag != dwarf::DW_TAG_volatile_type &&
        Tag != dwarf::DW_TAG_atomic_type)
      break;
    T = D->getBaseType();
  }
  return T;
}

// -1: only the run knows it, or it is none.
static int64_t countOf(const DINode *Dimension) {
  const auto *Range = dyn_cast<DISubrange>(Dimension);
  auto Count = Range ? Range->getCount() : DISubrange::BoundType();
  const auto *Constant = dyn_cast_if_present<ConstantInt *>(Count);
  return Constant ? Constant->getSExtValue() : -1;
}

static bool isArray(const DIType *T) {
  const auto *Composite = dyn_cast_or_null<DICompositeType>(T);
  return Composite && Composite->getTag() == dwarf::DW_TAG_array_type && !Composite->isVector();
}

static bool isStructure(const DIType *T) {
  const auto *Composite = dyn_cast_or_null<DICompositeType>(T);
  return Composite &&
         (Composite->getTag() == dwarf::DW_TAG_structure_type || Composite->getTag() == dwarf::DW_TAG_class_type);
}

std::string mck::typeText(const DIType *T) {
  if (!T) return "";
  if (const auto *D = dyn_cast<DIDerivedType>(T)) {
    if (D->getTag() != dwarf::DW_TAG_typedef) return typeText(D->getBaseType());
  }
  const auto *Composite = dyn_cast<DICompositeType>(T);
  if (!Composite || Composite->getTag() != dwarf::DW_TAG_array_type) {
    std::string Name = T->getName().str();
    unsigned Tag = Composite ? Composite->getTag() : 0;
    const char *Kind = Tag == dwarf::DW_TAG_structure_type     ? "struct"
                       : Tag == dwarf::DW_TAG_enumeration_type ? "enum"
                                                               : "";
    return Name.empty() ? Kind : *Kind ? std::string(Kind) + " " + Name : Name;
  }
  std::string Text = typeText(Composite->getBaseType());
  for (const DINode *Element : Composite->getElements()) {
    int64_t Count = countOf(Element);
    Text += Count >= 0 ? "[" + std::to_string(Count) + "]" : "[]";
  }
  return Text;
}

namespace {

struct Number {
  char Class = 0; // 'i', 'f', 'c', 'p' (rt/abi.h); 0: no number
  uint64_t Bytes = 0;
};

/// MPI has no datatype for half precision, __int128 and __float128: programs send them as what has their size.
Number numberOf(const DIType *T) {
  if (const auto *Basic = dyn_cast<DIBasicType>(T)) {
    uint64_t Bits = Basic->getSizeInBits(), Bytes = Bits / 8;
    if (!Bits || Bits % 8) return {};
    switch (Basic->getEncoding()) {
    case dwarf::DW_ATE_float:
      if (Basic->getName().contains("128")) return {};
      return Bytes >= 4 ? Number{'f', Bytes} : Number{};
    case dwarf::DW_ATE_complex_float: return Bytes >= 8 ? Number{'c', Bytes} : Number{};
    case dwarf::DW_ATE_signed:
    case dwarf::DW_ATE_unsigned:
    case dwarf::DW_ATE_signed_char:
    case dwarf::DW_ATE_unsigned_char:
    case dwarf::DW_ATE_UTF:
    case dwarf::DW_ATE_boolean: return Bytes <= 8 ? Number{'i', Bytes} : Number{};
    default: return {};
    }
  }
  if (const auto *Composite = dyn_cast<DICompositeType>(T))
    return Composite->getTag() == dwarf::DW_TAG_enumeration_type && Composite->getSizeInBits() >= 8
               ? Number{'i', Composite->getSizeInBits() / 8}
               : Number{};
  const auto *D = dyn_cast<DIDerivedType>(T);
  if (!D) return {};
  switch (D->getTag()) {
  case dwarf::DW_TAG_pointer_type:
  case dwarf::DW_TAG_reference_type:
  case dwarf::DW_TAG_rvalue_reference_type: return D->getSizeInBits() == 64 ? Number{'p', 8} : Number{};
  default: return {};
  }
}

/// A class without data: it may lie where another member is.
bool isEmpty(const DIType *T) {
  T = mck::stripType(T);
  if (!isStructure(T) || T->isForwardDecl()) return false;
  return all_of(cast<DICompositeType>(T)->getElements(), [](const DINode *Element) {
    const auto *M = dyn_cast_or_null<DIDerivedType>(Element);
    if (M && M->getTag() == dwarf::DW_TAG_inheritance) return !M->isVirtual() && isEmpty(M->getBaseType());
    return !M || M->getTag() != dwarf::DW_TAG_member || M->isStaticMember();
  });
}

/// Only the run knows where the members of a virtual base are.
bool hasVirtualBase(const DIType *T) {
  T = mck::stripType(T);
  return isStructure(T) && any_of(cast<DICompositeType>(T)->getElements(), [](const DINode *Element) {
           const auto *M = dyn_cast_or_null<DIDerivedType>(Element);
           return M && M->getTag() == dwarf::DW_TAG_inheritance && (M->isVirtual() || hasVirtualBase(M->getBaseType()));
         });
}

/// Writes the text. It stops where it becomes too long, and nothing is told then.
struct Writer {
  std::string Text;
  unsigned Types = 0;

  void unknown(uint64_t Size) { Text += "?" + std::to_string(Size) + "\n"; }
  void type(const DIType *T, uint64_t Size, unsigned Depth);
  void array(const DICompositeType *T, uint64_t Size, unsigned Depth);
  void structure(const DICompositeType *T, const std::string &Name, unsigned Depth);
  void member(const DIDerivedType *M, uint64_t End, unsigned Depth);
};

enum { TypesMax = 300, DepthMax = 12 };

const DIType *elementOf(const DIType *T) {
  T = mck::stripType(T);
  while (isArray(T)) T = mck::stripType(cast<DICompositeType>(T)->getBaseType());
  return T;
}

/// The size of an element that is no array, in bytes; 0: it is unknown.
uint64_t sizeOf(const DIType *T) { return T ? T->getSizeInBits() / 8 : 0; }

void Writer::array(const DICompositeType *T, uint64_t Size, unsigned Depth) {
  const DIType *Base = T->getBaseType(), *Element = mck::stripType(Base);
  uint64_t One = sizeOf(Element), Bytes = One;
  SmallVector<std::pair<int64_t, uint64_t>, 4> Dimensions; // count, size of an element
  SmallVector<const DINode *, 4> Nodes;
  for (const DINode *Dimension : T->getElements()) Nodes.push_back(Dimension);
  for (const DINode *Dimension : reverse(Nodes)) {
    int64_t Count = countOf(Dimension);
    Dimensions.push_back({Count, Bytes});
    Bytes = Count > 0 ? Bytes * uint64_t(Count) : 0;
  }
  if (One <= 1 || Dimensions.empty() || Bytes != Size) return unknown(Size);
  for (auto [Count, Each] : reverse(Dimensions))
    Text += "[" + std::to_string(Count) + " " + std::to_string(Each) + "\n";
  type(Base, One, Depth - 1);
}

void Writer::member(const DIDerivedType *M, uint64_t End, unsigned Depth) {
  uint64_t Offset = M->getOffsetInBits() / 8, Size = M->getSizeInBits() / 8;
  bool IsBase = M->getTag() == dwarf::DW_TAG_inheritance;
  std::string Name = IsBase ? "" : M->getName().str();
  if (M->isBitField()) { // the unit that it lies in may be used as a whole
    uint64_t Unit = std::max<uint64_t>(1, sizeOf(mck::stripType(M->getBaseType())));
    uint64_t Low = Offset / Unit * Unit, High = std::min(Low + 2 * Unit, End);
    if (M->getOffsetInBits() + M->getSizeInBits() <= (Low + Unit) * 8) High = std::min(Low + Unit, End);
    Text += std::to_string(Low) + " " + Name + "\n";
    return unknown(High - Low);
  }
  if (isEmpty(M->getBaseType())) return;
  if (IsBase) Size = sizeOf(mck::stripType(M->getBaseType()));
  Text += std::to_string(Offset) + " " + Name + "\n";
  if (Size && Offset + Size <= End) return type(M->getBaseType(), Size, Depth - 1);
  unknown(End > Offset ? End - Offset : 0); // a flexible array, or a class that is defined elsewhere
}

void Writer::structure(const DICompositeType *T, const std::string &Name, unsigned Depth) {
  uint64_t Size = T->getSizeInBits() / 8;
  if (hasVirtualBase(T)) return unknown(Size);
  SmallVector<const DIDerivedType *, 16> Found;
  for (const DINode *Element : T->getElements()) {
    const auto *M = dyn_cast_or_null<DIDerivedType>(Element);
    if (!M) continue;
    bool IsBase = M->getTag() == dwarf::DW_TAG_inheritance;
    if (IsBase && !sizeOf(mck::stripType(M->getBaseType()))) return unknown(Size); // it is defined elsewhere
    if (IsBase || (M->getTag() == dwarf::DW_TAG_member && !M->isStaticMember())) Found.push_back(M);
  }
  if (Found.empty()) return unknown(Size);
  Text += "{" + std::to_string(Size) + " " + Name + "\n";
  for (const DIDerivedType *M : Found) member(M, Size, Depth);
  Text += "}\n";
}

void Writer::type(const DIType *Written, uint64_t Size, unsigned Depth) {
  const DIType *T = mck::stripType(Written);
  if (!T || !Depth || ++Types > TypesMax || T->getSizeInBits() / 8 != Size) return unknown(Size);
  if (isArray(T)) return array(cast<DICompositeType>(T), Size, Depth);
  if (isStructure(T)) return structure(cast<DICompositeType>(T), mck::typeText(Written), Depth);
  Number N = numberOf(T);
  if (!N.Class || N.Bytes != Size) return unknown(Size);
  Text += N.Class + std::to_string(N.Bytes) + " " + (N.Class == 'p' ? "a pointer" : mck::typeText(Written)) + "\n";
}

} // namespace

uint32_t mck::numberKind(const DIType *T) {
  T = elementOf(T);
  if (!T || isStructure(T)) return 0;
  Number N = numberOf(T);
  if (N.Class == 'c') N = {'f', N.Bytes / 2};
  return (N.Class == 'i' || N.Class == 'f') && N.Bytes > 1 ? uint32_t(N.Class) << 8 | uint32_t(N.Bytes) << 16 : 0;
}

mck::Members mck::membersOf(const DIType *T) {
  const DIType *Element = elementOf(T);
  if (!isStructure(Element) || !sizeOf(Element)) return {};
  const DIType *Outer = stripType(T);
  Writer W;
  // All dimensions but the first have a length that is known, or an element is not found by its offset.
  SmallVector<int64_t, 4> Counts;
  while (isArray(Outer)) {
    for (const DINode *Dimension : cast<DICompositeType>(Outer)->getElements()) Counts.push_back(countOf(Dimension));
    T = cast<DICompositeType>(Outer)->getBaseType();
    Outer = stripType(T);
  }
  uint64_t Each = sizeOf(Element);
  SmallVector<uint64_t, 4> Sizes;
  for (size_t I = Counts.size(); I-- > 0; Each *= uint64_t(Counts[I])) {
    Sizes.push_back(Each);
    if (Counts[I] <= 0 && I > 0) return {};
    if (Counts[I] <= 0) Counts[I] = 0; // the object's size says it
    if (I == 0) break;
  }
  for (size_t I = 0; I < Counts.size(); ++I)
    W.Text += "[" + std::to_string(Counts[I]) + " " + std::to_string(Sizes[Counts.size() - 1 - I]) + "\n";
  W.type(T, sizeOf(Element), DepthMax);
  if (W.Types > TypesMax || W.Text.find('\0') != std::string::npos) return {};
  return {W.Text, sizeOf(Element)};
}
