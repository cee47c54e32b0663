// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at what a datatype is (Datatype.h).
#include "static/Datatype.h"
#include "static/SmallArrays.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
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

static std::optional<int64_t> numberOf(const Value *V, RankValues &Values) {
  RankValue Is = Values.of(V);
  if (Is.What != RankValue::Number || Is.isDifferent() || Is.IsAssumed || Is.Loop) return std::nullopt;
  return Is.Value;
}

// A displacement: a number, or the difference of two addresses in one variable (MPI_Get_address, 4.1.5).
static std::optional<int64_t> displacementOf(const Value *V, const Canonical &Code, RankValues &Values) {
  if (auto Number = numberOf(V, Values)) return Number;
  const auto *Minus = dyn_cast<BinaryOperator>(V);
  if (!Minus || Minus->getOpcode() != Instruction::Sub) return std::nullopt;
  const Value *Bases[2];
  int64_t Offsets[2];
  for (unsigned At : {0, 1}) {
    const Origin *From = Code.origin(Minus->getOperand(At));
    const Value *Memory = From ? argument(*From->Call, *From->Function, "memory") : nullptr;
    if (!Memory) return std::nullopt;
    APInt Offset(64, 0);
    Bases[At] = Memory->stripAndAccumulateConstantOffsets(From->Call->getModule()->getDataLayout(), Offset, true);
    Offsets[At] = Offset.getSExtValue();
  }
  return Bases[0] == Bases[1] ? std::optional<int64_t>(Offsets[0] - Offsets[1]) : std::nullopt;
}

// Do the ranges of bytes lie side by side, from the first byte on?
static bool areDense(std::vector<std::pair<uint64_t, uint64_t>> &Ranges) {
  sort(Ranges);
  uint64_t End = 0;
  for (auto [Begin, Behind] : Ranges) {
    if (Begin > End) return false;
    End = std::max(End, Behind);
  }
  return true;
}

// MPI_Type_create_struct of predefined types. Its extent is rounded up to the alignment of its numbers (4.1.6).
static Datatype describeStructure(const CallBase &Maker, const MpiFunction &Function, const Canonical &Code,
                                  RankValues &Values) {
  auto Lengths = passedNumbers(argument(Maker, Function, "counts")),
       Types = passedNumbers(argument(Maker, Function, "types"));
  auto Offsets = passedNumbers(argument(Maker, Function, "addresses"));
  if (Lengths.begin() == Lengths.end() || Types.begin() == Types.end() || Offsets.begin() == Offsets.end()) return {};
  Datatype New;
  uint64_t Alignment = 1, First = UINT64_MAX;
  std::vector<std::pair<uint64_t, uint64_t>> Ranges;
  for (size_t At = 0; At < size_t(Lengths.end() - Lengths.begin()); ++At) {
    auto Length = numberOf(Lengths.begin()[At], Values), Offset = displacementOf(Offsets.begin()[At], Code, Values);
    Datatype Old = describeDatatype(Types.begin()[At], Code, Values);
    uint64_t Size = Old.Kind ? Old.Kind >> 8 : 1;
    bool IsPlain = Old.isKnown() && Old.Parts.empty() && Old.isDense();
    if (!IsPlain || !Length || !Offset || *Length < 1 || *Length > 1 << 20 || *Offset < 0 || *Offset > 1 << 24)
      return {};
    New.Parts.push_back({uint64_t(*Offset), Old.Basic, Old.Kind, Old.Numbers * uint64_t(*Length)});
    Ranges.push_back({uint64_t(*Offset), uint64_t(*Offset) + uint64_t(*Length) * Old.Extent});
    New.Reach = std::max(New.Reach, Ranges.back().second);
    Alignment = std::max(Alignment, Size);
    First = std::min(First, uint64_t(*Offset));
  }
  New.Extent = alignTo(New.Reach - First, Alignment);
  New.HasGaps = !areDense(Ranges) || New.Extent != New.Reach;
  return New;
}

static Datatype describeResized(const CallBase &Maker, const MpiFunction &Function, const Canonical &Code,
                                RankValues &Values) {
  Datatype New = describeDatatype(argument(Maker, Function, "type"), Code, Values);
  auto Begin = numberOf(Maker.getArgOperand(1), Values), Extent = numberOf(Maker.getArgOperand(2), Values);
  if (!New.isKnown() || !Begin || *Begin || !Extent || *Extent < 1 || *Extent > 1 << 24) return {};
  New.HasGaps |= uint64_t(*Extent) != New.Reach;
  New.Extent = uint64_t(*Extent);
  return New;
}

static Datatype basicType(const GlobalVariable &Handle) {
  static const StringMap<Datatype> Basic = readBasicTypes();
  auto Found = Basic.find(Handle.getName());
  return Found == Basic.end() ? Datatype() : Found->second;
}

uint64_t mck::statics::bytesOfBasic(const Value *Handle) {
  const auto *Variable = Handle ? dyn_cast<GlobalVariable>(Handle->stripPointerCasts()) : nullptr;
  return Variable ? basicType(*Variable).Extent : 0;
}

Datatype mck::statics::describeDatatype(const Value *Handle, const Canonical &Code, RankValues &Values) {
  const Value *Definition = Values.definition(Handle);
  if (const auto *Variable = dyn_cast<GlobalVariable>(Definition->stripPointerCasts())) return basicType(*Variable);
  const Origin *From = Code.origin(Definition);
  if (!From) return {};
  const CallBase &Maker = *From->Call;
  // What a function makes of a count, and of lengths and steps in elements (4.1.2).
  bool IsVector = From->Function->Number == MCK_FN_MPI_Type_vector;
  bool IsCopy = From->Function->Number == MCK_FN_MPI_Type_dup;
  if (From->Function->Number == MCK_FN_MPI_Type_create_struct)
    return describeStructure(Maker, *From->Function, Code, Values);
  if (From->Function->Number == MCK_FN_MPI_Type_create_resized)
    return describeResized(Maker, *From->Function, Code, Values);
  if (!IsVector && !IsCopy && From->Function->Number != MCK_FN_MPI_Type_contiguous) return {};
  const Value *Old = argument(Maker, *From->Function, "type");
  if (!Old) return {};
  Datatype New = describeDatatype(Old, Code, Values);
  if (!New.isKnown() || IsCopy) return New;
  if (!New.Parts.empty()) return {};
  auto Count = constantOf(Maker.getArgOperand(0));
  std::optional<uint64_t> Length = 1, Step = 1;
  if (IsVector) Length = constantOf(Maker.getArgOperand(1)), Step = constantOf(Maker.getArgOperand(2));
  if (!Count || !Length || !Step || !*Count || !*Length || *Step < *Length) return {};
  uint64_t Elements = (*Count - 1) * *Step + *Length;
  if (Elements > uint64_t(1) << 40 || New.Extent > 1 << 20) return {};
  New.HasGaps |= *Count > 1 && *Step > *Length;
  New.Numbers *= *Count * *Length;
  New.Reach = (Elements - 1) * New.Extent + New.Reach;
  New.Extent *= Elements;
  return New;
}
