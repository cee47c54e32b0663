// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows expressions through the types of debug information (DeclaredNames.h).
#include "static/DeclaredNames.h"
#include "static/Elements.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

DeclaredNames::DeclaredNames(const Function &F) : F(F) {
  auto Add = [&](const DILocalVariable *Variable, const Value *Where) {
    auto &All = Locals[Variable->getName()];
    if (!is_contained(All, Variable)) All.push_back(Variable);
    if (Where) Variables[Where] = Variable;
  };
  for (const Instruction &I : instructions(F)) {
    if (const auto *Declare = dyn_cast<DbgDeclareInst>(&I)) Add(Declare->getVariable(), Declare->getAddress());
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      Add(Record.getVariable(), Record.isDbgDeclare() ? Record.getVariableLocationOp(0) : nullptr);
  }
}

// Without typedefs, qualifiers and references.
static const DIType *bare(const DIType *T) {
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(T)) {
    switch (Derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_rvalue_reference_type:
    case dwarf::DW_TAG_template_alias: T = Derived->getBaseType(); break;
    default: return T;
    }
  }
  return T;
}

static const DIType *pointee(const DIType *T) {
  const auto *Pointer = dyn_cast_or_null<DIDerivedType>(T);
  return Pointer && Pointer->getTag() == dwarf::DW_TAG_pointer_type ? bare(Pointer->getBaseType()) : nullptr;
}

static const DICompositeType *array(const DIType *T) {
  const auto *Array = dyn_cast_or_null<DICompositeType>(T);
  return Array && Array->getTag() == dwarf::DW_TAG_array_type && !Array->isVector() ? Array : nullptr;
}

// The first argument of a container's template, if the container has its elements side by side.
static StringRef elementName(StringRef Class) {
  Class.consume_front("std::");
  bool IsOne = false;
  for (StringRef One : {"vector<", "array<", "valarray<", "span<"}) IsOne |= Class.consume_front(One);
  if (!IsOne || Class.starts_with("bool")) return "";
  size_t Depth = 0, At = 0;
  for (; At < Class.size() && (Depth || (Class[At] != ',' && Class[At] != '>')); ++At) {
    Depth += Class[At] == '<';
    Depth -= Class[At] == '>';
  }
  return Class.take_front(At).trim();
}

// A type of the source. Of an element of a container there is a description only where its class is described; its name
// is there always.
struct NamedType {
  const DIType *Type = nullptr;
  StringRef Name;
  uint32_t kind() const;
};

static NamedType elementsOfContainer(const NamedType &Of) {
  const auto *Class = dyn_cast_or_null<DICompositeType>(Of.Type);
  NamedType Found{nullptr, elementName(Class ? Class->getName() : Of.Name)};
  if (Found.Name.empty()) return {};
  if (Class)
    for (const DINode *Parameter : Class->getTemplateParams())
      if (const auto *Type = dyn_cast<DITemplateTypeParameter>(Parameter); Type && !Found.Type)
        Found.Type = bare(Type->getType());
  return Found;
}

// Null also where a base class or the class itself is only declared, and of unions, which are storage of several kinds.
static const DIType *member(const DIType *Of, StringRef Name) {
  const auto *Class = dyn_cast_or_null<DICompositeType>(Of);
  if (!Class || array(Class) || Class->isForwardDecl() || Class->getTag() == dwarf::DW_TAG_union_type) return nullptr;
  const DIType *Inherited = nullptr;
  for (const DINode *Element : Class->getElements()) {
    const auto *Member = dyn_cast_or_null<DIDerivedType>(Element);
    if (!Member) continue;
    if (Member->getTag() == dwarf::DW_TAG_inheritance && !Inherited)
      Inherited = member(bare(Member->getBaseType()), Name);
    if (Member->getTag() != dwarf::DW_TAG_member && !Member->isStaticMember()) continue;
    if (Member->getName() == Name) return bare(Member->getBaseType());
    if (Member->getName().empty()) // an anonymous structure
      if (const DIType *Within = member(bare(Member->getBaseType()), Name)) return Within;
  }
  return Inherited;
}

// In the innermost block that has such a name. Several of them there are a parameter pack of C++: which one is meant,
// the text does not say.
const DIType *DeclaredNames::local(StringRef Name, const DILocation &At) const {
  auto Found = Locals.find(Name);
  if (Found == Locals.end()) return nullptr;
  for (const DIScope *Scope = At.getScope(); Scope; Scope = Scope->getScope()) {
    const DILocalVariable *One = nullptr;
    for (const DILocalVariable *Variable : Found->second) {
      if (Variable->getScope()->getNonLexicalBlockFileScope() != Scope || Variable->getLine() > At.getLine()) continue;
      if (One) return nullptr;
      One = Variable;
    }
    if (One) return bare(One->getType());
    if (isa<DISubprogram>(Scope)) break;
  }
  return nullptr;
}

const DIType *DeclaredNames::global(StringRef Name) const {
  const DIType *Found = nullptr;
  for (const GlobalVariable &Variable : F.getParent()->globals()) {
    SmallVector<DIGlobalVariableExpression *, 1> Descriptions;
    Variable.getDebugInfo(Descriptions);
    for (const DIGlobalVariableExpression *One : Descriptions) {
      const DIGlobalVariable *Is = One->getVariable();
      if (Is->getName() != Name) continue;
      const DIType *Type = bare(Is->getType());
      if (Found && Found != Type) return nullptr; // of several scopes
      Found = Type;
    }
  }
  return Found;
}

const DIType *DeclaredNames::typeOf(StringRef Name, const DILocation &At) const {
  if (const DIType *Found = local(Name, At)) return Found;
  if (const DIType *This = local("this", At)) {
    if (const DIType *Found = member(pointee(This), Name)) return Found;
    if (const DIType *Outer = member(pointee(This), "this")) return member(pointee(Outer), Name); // of a lambda
    return nullptr; // it may be of a base class that is not described
  }
  return global(Name);
}

static uint32_t kindOf(const DIType *T) {
  while (const DICompositeType *Array = array(T)) T = bare(Array->getBaseType());
  const auto *Basic = dyn_cast_or_null<DIBasicType>(T);
  if (const auto *Composite = dyn_cast_or_null<DICompositeType>(T))
    return Composite->getTag() == dwarf::DW_TAG_enumeration_type && Composite->getSizeInBits() >= 16
               ? 'i' | uint32_t(Composite->getSizeInBits() / 8) << 8
               : 0;
  uint32_t Size = Basic ? uint32_t(Basic->getSizeInBits() / 8) : 0;
  if (Basic && Basic->getEncoding() == dwarf::DW_ATE_boolean) return 'i' | Size << 8;
  if (Size < 2) return 0;
  switch (Basic->getEncoding()) {
  case dwarf::DW_ATE_float: return Size <= 8 ? 'f' | Size << 8 : 0;
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_unsigned: return Size <= 8 ? 'i' | Size << 8 : 0;
  default: return 0;
  }
}

static StringRef takeName(StringRef &Text) {
  Text = Text.ltrim();
  if (Text.empty() || isDigit(Text[0])) return "";
  StringRef Name = Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
  Text = Text.drop_front(Name.size()).ltrim();
  return Name;
}

static bool skipIndex(StringRef &Text) {
  size_t Depth = 0, At = 0;
  for (; At < Text.size(); ++At) {
    Depth += Text[At] == '[';
    Depth -= Text[At] == ']';
    if (!Depth) break;
  }
  if (At >= Text.size()) return false;
  Text = Text.drop_front(At + 1).ltrim();
  return true;
}

uint32_t NamedType::kind() const { return Type ? kindOf(Type) : kindOfName(Name); }

// Of "a[i]": of an array of several dimensions the type stays, and is one of numbers only if it is an address that is
// asked for.
static NamedType elementOf(const NamedType &Of) {
  if (const DIType *To = pointee(Of.Type)) return {To, ""};
  const DICompositeType *Array = array(Of.Type);
  if (!Array) return elementsOfContainer(Of);
  return {Array->getElements().size() > 1 ? Of.Type : bare(Array->getBaseType()), ""};
}

uint32_t DeclaredNames::kindOfElements(StringRef Text, const DILocation &At) const {
  Text = Text.trim();
  bool IsAddress = Text.consume_front("&");
  StringRef Name = takeName(Text);
  NamedType T{Name.empty() ? nullptr : typeOf(Name, At), ""};
  while (!Text.empty()) {
    if (Text[0] == '[') {
      if (!skipIndex(Text)) return 0;
      T = elementOf(T);
      continue;
    }
    bool IsArrow = Text.consume_front("->");
    if (!IsArrow && !Text.consume_front(".")) break;
    if (IsArrow) T = {pointee(T.Type), ""};
    Name = takeName(Text);
    if (!Text.consume_front("(")) {
      T = {member(T.Type, Name), ""};
      continue;
    }
    Text = Text.ltrim();
    if (Name != "data" || IsAddress || !Text.consume_front(")")) return 0;
    Text = Text.ltrim();
    return Text.empty() || Text[0] == '+' ? elementsOfContainer(T).kind() : 0;
  }
  if (!Text.empty() && (IsAddress || Text[0] != '+')) return 0;
  return IsAddress || array(T.Type) ? T.kind() : kindOf(pointee(T.Type));
}

uint32_t DeclaredNames::kindOfVariable(const AllocaInst &Variable) const {
  auto Found = Variables.find(&Variable);
  return Found == Variables.end() ? 0 : kindOf(pointee(bare(Found->second->getType())));
}
