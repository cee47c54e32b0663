// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library does with a std::string (Execution.h): an address of its text, the length, and the room behind it or
// a short text. The methods that are inline are executed as they are.
#include "static/spmd/Execution.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace mck::statics;

constexpr int64_t LengthAt = 8, ShortAt = 16, WordSize = 8;
constexpr size_t MostOfString = 4096, MostOfShort = 15;

static Datum integer(int64_t Value) { return {Datum::Number, Value, {}, false}; }
static Datum moved(Datum At, int64_t By) { return At.Value += By, At; }

std::optional<std::string> Execution::stringAt(const Datum &This) {
  LLVMContext &Context = View.F.getContext();
  Datum Length = read(moved(This, LengthAt), Type::getInt64Ty(Context));
  if (Length.What != Datum::Number || Length.Value < 0 || Length.Value > int64_t(MostOfString)) return std::nullopt;
  if (!Length.Value) return "";
  return textAt(read(This, PointerType::getUnqual(Context)), size_t(Length.Value), /*IsBytes=*/true);
}

// A longer text gets memory of its own.
void Execution::setString(const CallBase &Call, const Datum &This, StringRef Text) {
  Datum At = moved(This, ShortAt);
  if (Text.size() > MostOfShort) {
    At = make(Call);
    Sizes[At.Of] = int64_t(Text.size()) + 1;
    Memory.store(moved(This, ShortAt), WordSize, integer(int64_t(Text.size())));
  }
  putText(Call, At, Text);
  Memory.store(This, WordSize, At);
  Memory.store(moved(This, LengthAt), WordSize, integer(int64_t(Text.size())));
}

// Its layout: without optimization these are calls, too.
std::optional<Datum> Execution::stringPart(const CallBase &Call, StringRef Name, const Datum &This) {
  LLVMContext &Context = View.F.getContext();
  Type *Pointer = PointerType::getUnqual(Context), *Word = Type::getInt64Ty(Context);
  Datum Given = Call.arg_size() > 1 ? of(Call.getArgOperand(1)) : Datum();
  auto Store = [&](int64_t At) { return Memory.store(moved(This, At), WordSize, Given), integer(0); };
  if (Name == "5c_strEv" || Name == "4dataEv" || Name == "7_M_dataEv") return read(This, Pointer);
  if (Name == "4sizeEv" || Name == "6lengthEv") return read(moved(This, LengthAt), Word);
  if (Name == "13_M_local_dataEv") return moved(This, ShortAt);
  if (Name == "7_M_dataEPc" || Name == "12_Alloc_hiderC1EPcRKS3_" || Name == "12_Alloc_hiderC2EPcRKS3_")
    return Store(0);
  if (Name == "11_M_capacityEm") return Store(ShortAt);
  if (Name == "5emptyEv") {
    Datum Length = read(moved(This, LengthAt), Word);
    return Length.What == Datum::Number ? std::optional(integer(!Length.Value)) : std::nullopt;
  }
  if (Name == "13_M_set_lengthEm") {
    Datum Text = read(This, Pointer);
    if (Given.What != Datum::Number || !isPlace(Text)) return std::nullopt;
    Memory.store(moved(Text, Given.Value), 1, integer(0));
    return Store(LengthAt);
  }
  if (Name == "13_S_copy_charsEPcPKcS7_") { // This: the bytes that it writes
    Datum End = of(Call.getArgOperand(2));
    if (Given.What != Datum::Address || Given.IsFloating || End.Of != Given.Of || End.IsFloating) return std::nullopt;
    readConstant(Given.Of.first);
    return Memory.copy(This, Given, End.Value - Given.Value), integer(0);
  }
  return std::nullopt;
}

// Asks for a text in it.
std::optional<Datum> Execution::askString(const CallBase &Call, StringRef Name, const std::string &Own) {
  bool IsCompare = Name.starts_with("7compare");
  auto Text = textIn(Call, 1);
  auto From = IsCompare ? std::optional<int64_t>(0) : numberAt(Call, 2);
  if (Text && Call.arg_size() > 3) { // of so many bytes
    auto Length = numberAt(Call, 3);
    if (!Length || *Length < 0 || *Length > int64_t(Text->size())) return std::nullopt;
    Text->resize(size_t(*Length));
  }
  if (!Text || !From) return std::nullopt;
  if (IsCompare) return integer(StringRef(Own).compare(*Text));
  return integer(int64_t(Name[0] == '4' ? Own.find(*Text, size_t(*From)) : Own.rfind(*Text, size_t(*From))));
}

// What it becomes; empty: not known, or the method does not change it.
std::optional<std::string> Execution::changeString(const CallBase &Call, StringRef Name, std::string Own) {
  if (Name == "aSEPKc" || Name == "6assignEPKc") return textIn(Call, 1);
  if (Name == "9_M_assignERKS4_" || Name == "aSERKS4_" || Name == "6assignERKS4_" || Name == "C1ERKS4_" ||
      Name == "C2ERKS4_")
    return stringAt(of(Call.getArgOperand(1)));
  if (Name == "pLEPKc" || Name == "6appendEPKc") {
    auto Text = textIn(Call, 1);
    return Text ? std::optional(Own + *Text) : std::nullopt;
  }
  bool IsReplace = Name == "10_M_replaceEmmPKcm";
  if (!IsReplace && Name != "9_M_appendEPKcm") return std::nullopt;
  unsigned First = IsReplace ? 3 : 1; // the bytes, and how many
  auto Length = numberAt(Call, First + 1);
  auto Place = IsReplace ? numberAt(Call, 1) : std::optional(int64_t(Own.size()));
  auto Gone = IsReplace ? numberAt(Call, 2) : std::optional<int64_t>(0);
  if (!Length || !Place || !Gone || *Length < 0 || *Place < 0 || *Place > int64_t(Own.size())) return std::nullopt;
  auto Text = textAt(of(Call.getArgOperand(First)), size_t(*Length), /*IsBytes=*/true);
  return Text ? std::optional(Own.replace(size_t(*Place), size_t(*Gone), *Text)) : std::nullopt;
}

std::optional<Datum> Execution::computeString(const CallBase &Call, StringRef Name) {
  Datum This = Call.arg_empty() ? Datum() : of(Call.getArgOperand(0));
  if (!isPlace(This)) return std::nullopt;
  if (Name == "D1Ev" || Name == "D2Ev" || Name == "10_M_disposeEv" || Name == "10_M_destroyEm") return integer(0);
  if (auto Is = stringPart(Call, Name, This)) return Is;
  if (Name == "9_M_createERmm") {
    Datum Room = read(of(Call.getArgOperand(1)), Type::getInt64Ty(Call.getContext()));
    if (Room.What != Datum::Number) return std::nullopt;
    Datum Made = make(Call);
    Sizes[Made.Of] = Room.Value + 1;
    return Made;
  }
  bool IsNew = Name == "C1ERKS4_" || Name == "C2ERKS4_";
  auto Own = IsNew ? std::optional<std::string>("") : stringAt(This);
  if (!Own) return std::nullopt;
  if (Name == "7compareEPKc" || Name.starts_with("4findEPKcm") || Name.starts_with("5rfindEPKcm"))
    return askString(Call, Name, *Own);
  auto Text = changeString(Call, Name, *Own);
  if (!Text) return std::nullopt;
  return setString(Call, This, *Text), This;
}
