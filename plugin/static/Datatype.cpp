// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at what a datatype is (Datatype.h).
#include "static/Datatype.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
extern "C" {
#include "log/basic-kind.h"
}

using namespace llvm;
using namespace mck::statics;

// By the names of the library's variables: MPI_INT is the address of ompi_mpi_int.
static StringMap<Datatype> readBasicTypes() {
  StringMap<Datatype> All;
  auto Add = [&](const char *Name, StringRef Text, unsigned Bytes) {
    Datatype New;
    New.Basic = Text;
    New.Kind = mck_basic_kind_of(Name, Bytes);
    if (New.Kind) New.Numbers = Bytes / (New.Kind >> 8);
    // A pair of different numbers has holes.
    if (New.Kind || Bytes == 1) New.Extent = New.Reach = Bytes;
    All["ompi_mpi_" + Text.drop_front(4).lower()] = New;
  };
#define MCK_BASIC(Id, Name, Text, Bytes) Add(#Name, Text, Bytes);
#include "log/basic.inc"
#undef MCK_BASIC
  return All;
}

static std::optional<uint64_t> constantOf(const Value *V) {
  const auto *Found = V ? dyn_cast<ConstantInt>(V) : nullptr;
  if (!Found || Found->isNegative() || Found->getValue().getActiveBits() > 31) return std::nullopt;
  return Found->getZExtValue();
}

Datatype mck::statics::describeDatatype(const Value *Handle, const Canonical &Code, RankValues &Values) {
  static const StringMap<Datatype> Basic = readBasicTypes();
  const Value *Definition = Values.definition(Handle);
  if (const auto *Variable = dyn_cast<GlobalVariable>(Definition->stripPointerCasts())) {
    auto Found = Basic.find(Variable->getName());
    return Found == Basic.end() ? Datatype() : Found->second;
  }
  const Origin *From = Code.origin(Definition);
  if (!From) return {};
  const CallBase &Maker = *From->Call;
  // What a function makes of a count, and of lengths and steps in elements (4.1.2).
  bool IsVector = From->Function->Number == MCK_FN_MPI_Type_vector;
  bool IsCopy = From->Function->Number == MCK_FN_MPI_Type_dup;
  if (!IsVector && !IsCopy && From->Function->Number != MCK_FN_MPI_Type_contiguous) return {};
  const Value *Old = argument(Maker, *From->Function, "type");
  if (!Old) return {};
  Datatype New = describeDatatype(Old, Code, Values);
  if (!New.isKnown() || IsCopy) return New;
  auto Count = constantOf(Maker.getArgOperand(0));
  std::optional<uint64_t> Length = 1, Step = 1;
  if (IsVector) Length = constantOf(Maker.getArgOperand(1)), Step = constantOf(Maker.getArgOperand(2));
  if (!Count || !Length || !Step || !*Count || !*Length || *Step < *Length) return {};
  uint64_t Elements = (*Count - 1) * *Step + *Length;
  if (Elements > uint64_t(1) << 40 || New.Extent > 1 << 20) return {};
  New.Numbers *= *Count * *Length;
  New.Reach = (Elements - 1) * New.Extent + New.Reach;
  New.Extent *= Elements;
  return New;
}
