// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C library does with texts that are known (Execution.h).
#include "static/spmd/Execution.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostOfText = 4096;
constexpr int64_t PointerSize = 8, IntSize = 4;

static Datum integer(int64_t Value) { return {Datum::Number, Value, {}, false}; }
static Datum moved(Datum At, int64_t By) { return At.Value += By, At; }

// Up to so many bytes, without the 0 at the end. IsBytes: it has no end. Empty: not known.
std::optional<std::string> Execution::textAt(Datum At, size_t Most, bool IsBytes) {
  std::string Text;
  Type *Byte = Type::getInt8Ty(View.F.getContext());
  if (At.What != Datum::Address || At.IsFloating) return std::nullopt;
  for (; Text.size() < std::min(Most, MostOfText); ++At.Value) {
    Datum Is = read(At, Byte);
    if (Is.What != Datum::Number) return std::nullopt;
    if (!IsBytes && !char(Is.Value)) return Text;
    Text += char(Is.Value);
  }
  return Most <= MostOfText ? std::optional(Text) : std::nullopt;
}

// A program that uses an argument without asking whether there is one has some: without it this is no run.
std::optional<std::string> Execution::textIn(const CallBase &Call, unsigned Number) {
  Made.IsEnded |= of(Call.getArgOperand(Number)) == integer(0);
  return textAt(of(Call.getArgOperand(Number)), MostOfText + 1, false);
}

std::optional<int64_t> Execution::numberAt(const CallBase &Call, unsigned Number) {
  Datum Is = of(Call.getArgOperand(Number));
  return Is.What == Datum::Number ? std::optional(Is.Value) : std::nullopt;
}

// With the 0 behind it.
void Execution::putText(const CallBase &Call, const Datum &To, StringRef Text) {
  use(Call, To, int64_t(Text.size()) + 1, true, "a text to ");
  for (size_t At = 0; At < Text.size(); ++At) Memory.store(moved(To, int64_t(At)), 1, integer(Text[At]));
  Memory.store(moved(To, int64_t(Text.size())), 1, integer(0));
}

bool Execution::isPlace(const Datum &At) {
  return At.What == Datum::Address && !At.IsFloating && !isa<Argument>(At.Of.first);
}

// --- texts become numbers ---
std::optional<Datum> Execution::compareTexts(const CallBase &Call, StringRef Name) {
  bool IsPart = Name.starts_with("strn"), IsBytes = Name == "memcmp" || Name == "bcmp";
  auto Count = IsPart || IsBytes ? numberAt(Call, 2) : std::optional<int64_t>(MostOfText + 1);
  if (!Count || *Count < 0) return std::nullopt;
  Made.IsEnded |= of(Call.getArgOperand(0)) == integer(0) || of(Call.getArgOperand(1)) == integer(0);
  auto Is = [&](unsigned Number) { return textAt(of(Call.getArgOperand(Number)), size_t(*Count), IsBytes); };
  auto A = Is(0), B = Is(1);
  if (!A || !B) return std::nullopt;
  bool IsSame = Name.contains("case");
  return integer(IsSame ? StringRef(*A).compare_insensitive(*B) : StringRef(*A).compare(*B));
}

// atoi, strtol, strtod and the like.
std::optional<Datum> Execution::numberInText(const CallBase &Call, StringRef Name) {
  auto Text = textIn(Call, 0);
  if (!Text) return std::nullopt;
  const char *Begin = Text->c_str();
  char *End = nullptr;
  Datum Is;
  bool IsReal = Call.getType()->isDoubleTy() || Call.getType()->isFloatTy();
  if (IsReal) {
    double Value = strtod(Begin, &End);
    APFloat Bits(Value);
    bool IsLost = false;
    if (Call.getType()->isFloatTy()) Bits.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &IsLost);
    Is = {Datum::Real, int64_t(Bits.bitcastToAPInt().getZExtValue()), {}, false};
  } else {
    bool HasBase = Name.starts_with("strto");
    auto Base = HasBase ? numberAt(Call, 2) : std::optional<int64_t>(10);
    if (!Base || *Base < 0 || *Base > 36) return std::nullopt;
    int64_t Value = strtoll(Begin, &End, int(*Base));
    Is = integer(Call.getType()->isIntegerTy(32) ? int32_t(Value) : Value);
  }
  if (!Name.starts_with("strto")) return Is;
  Datum To = of(Call.getArgOperand(1));
  if (isPlace(To)) Memory.store(To, PointerSize, moved(of(Call.getArgOperand(0)), End - Begin));
  else if (!(To == integer(0))) return std::nullopt;
  return Is;
}

// A place in a text, or null.
std::optional<Datum> Execution::placeInText(const CallBase &Call, StringRef Name) {
  auto Text = textIn(Call, 0);
  if (!Text) return std::nullopt;
  size_t Found = StringRef::npos;
  if (Name == "strstr") {
    auto Part = textIn(Call, 1);
    if (!Part) return std::nullopt;
    Found = StringRef(*Text).find(*Part);
  } else {
    auto Letter = numberAt(Call, 1);
    if (!Letter) return std::nullopt;
    Found = Name == "strrchr" ? StringRef(*Text).rfind(char(*Letter)) : StringRef(*Text).find(char(*Letter));
    if (!char(*Letter)) Found = Text->size();
  }
  return Found == StringRef::npos ? integer(0) : moved(of(Call.getArgOperand(0)), int64_t(Found));
}

// sscanf with a format of plain numbers.
std::optional<Datum> Execution::scanText(const CallBase &Call) {
  auto Text = textIn(Call, 0), Format = textIn(Call, 1);
  if (!Text || !Format) return std::nullopt;
  StringRef Left(*Text), Wanted(*Format);
  int64_t Count = 0;
  for (unsigned Number = 2; Number < Call.arg_size(); ++Number) Scans.erase({&Call, Number});
  for (unsigned Number = 2; !Wanted.empty(); ++Number) {
    StringRef One = Wanted.take_until([](char C) { return C == '%'; });
    Left = Left.ltrim();
    if (!Left.consume_front(One.trim())) break;
    Wanted = Wanted.drop_front(One.size());
    if (Wanted.empty()) break;
    size_t Length = Wanted.find_first_of("diuf", 1);
    if (Length == StringRef::npos || Number >= Call.arg_size()) return std::nullopt;
    StringRef Kind = Wanted.slice(1, Length + 1);
    Wanted = Wanted.drop_front(Length + 1);
    std::string Rest = Left.ltrim().str();
    char *End = nullptr;
    Datum To = of(Call.getArgOperand(Number));
    bool IsReal = Kind.ends_with("f"), IsLong = Kind.starts_with("l");
    bool IsVariable = To == integer(0); // of which the copy has the value only
    if (!(IsVariable || isPlace(To)) || (Kind.size() > 1 && Kind.drop_back() != "l")) return std::nullopt;
    int64_t Whole = IsReal ? 0 : strtoll(Rest.c_str(), &End, 10);
    double Value = IsReal ? strtod(Rest.c_str(), &End) : 0;
    if (End == Rest.c_str()) break;
    int64_t Size = IsLong ? PointerSize : IntSize;
    uint64_t Bits = IsLong ? bit_cast<uint64_t>(Value) : bit_cast<uint32_t>(float(Value));
    Datum Is = IsReal ? Datum{Datum::Real, int64_t(Bits), {}, false} : integer(IsLong ? Whole : int32_t(Whole));
    if (IsVariable) Scans[{&Call, Number}] = Is;
    else Memory.store(To, Size, Is);
    ++Count;
    Left = Left.ltrim().drop_front(size_t(End - Rest.c_str()));
  }
  return integer(Count || !Left.empty() ? Count : -1);
}

// --- texts are made ---
// What printf makes of this format, from the argument on. Empty: not known.
std::optional<std::string> Execution::format(const CallBase &Call, unsigned Number) {
  auto Format = textIn(Call, Number);
  if (!Format) return std::nullopt;
  std::string Text;
  for (StringRef Left(*Format); !Left.empty();) {
    StringRef Plain = Left.take_until([](char C) { return C == '%'; });
    Text += Plain;
    Left = Left.drop_front(Plain.size());
    if (Left.empty()) break;
    size_t Length = Left.find_first_of("diucxXfFgGeEs%", 1);
    if (Length == StringRef::npos || Left.slice(0, Length).contains('*')) return std::nullopt;
    std::string One = Left.take_front(Length + 1).str();
    char Kind = One.back(), Made[MostOfText];
    Left = Left.drop_front(Length + 1);
    if (Kind == '%') {
      Text += '%';
      continue;
    }
    if (++Number >= Call.arg_size()) return std::nullopt;
    Datum Is = of(Call.getArgOperand(Number));
    if (Kind == 's') {
      auto Part = textIn(Call, Number);
      if (!Part) return std::nullopt;
      snprintf(Made, sizeof Made, One.c_str(), Part->c_str());
    } else if (StringRef("fFgGeE").contains(Kind)) {
      if (Is.What != Datum::Real || StringRef(One).contains('L')) return std::nullopt;
      snprintf(Made, sizeof Made, One.c_str(), bit_cast<double>(uint64_t(Is.Value)));
    } else {
      if (Is.What != Datum::Number) return std::nullopt;
      One = StringRef(One).drop_back().rtrim("hlzjt").str() + (Kind == 'c' ? "c" : std::string("ll") + Kind);
      int64_t Value = Is.Value;
      if (StringRef("uxX").contains(Kind) && Call.getArgOperand(Number)->getType()->isIntegerTy(32))
        Value = uint32_t(Value);
      if (Kind == 'c') snprintf(Made, sizeof Made, One.c_str(), int(Value));
      else snprintf(Made, sizeof Made, One.c_str(), Value);
    }
    Text += Made;
  }
  return Text;
}

// strcpy, strcat, snprintf and the like: what they give.
std::optional<Datum> Execution::makeText(const CallBase &Call, StringRef Name) {
  Datum To = of(Call.getArgOperand(0));
  if (!isPlace(To)) return std::nullopt;
  if (Name == "sprintf" || Name == "snprintf") {
    auto Text = format(Call, Name == "sprintf" ? 1 : 2);
    auto Room = Name == "sprintf" ? std::optional<int64_t>(MostOfText) : numberAt(Call, 1);
    if (!Text || !Room || *Room < 0) return std::nullopt;
    if (*Room) putText(Call, To, StringRef(*Text).take_front(size_t(*Room) - 1));
    return integer(int64_t(Text->size()));
  }
  auto Text = textIn(Call, 1), Old = Name == "strcat" ? textIn(Call, 0) : std::optional(std::string());
  if (!Text || !Old) return std::nullopt;
  if (Name == "strncpy") {
    auto Count = numberAt(Call, 2);
    if (!Count || *Count < 0 || *Count > int64_t(MostOfText)) return std::nullopt;
    bool IsCut = int64_t(Text->size()) >= *Count;
    use(Call, To, *Count, true, "a text to ");
    for (int64_t At = 0; At < *Count; ++At)
      Memory.store(moved(To, At), 1, integer(IsCut || At < int64_t(Text->size()) ? (*Text)[size_t(At)] : 0));
    return To;
  }
  putText(Call, moved(To, int64_t(Old->size())), *Text);
  return Name == "stpcpy" ? moved(To, int64_t(Text->size())) : To;
}

// A program may declare a function of its own with such a name.
static bool hasArguments(const CallBase &Call, StringRef Name) {
  unsigned Needed = StringSwitch<unsigned>(Name)
                        .Cases("strcmp", "strcasecmp", "strchr", "strrchr", "strstr", "sscanf", 2)
                        .Cases("strcpy", "stpcpy", "strcat", "sprintf", "strnlen", "strtod", "strtof", 2)
                        .Cases("strncmp", "strncasecmp", "memcmp", "bcmp", "strncpy", "snprintf", "getopt", 3)
                        .Cases("strtol", "strtoul", "strtoll", "strtoull", 3)
                        .Case("getopt_long", 4)
                        .Default(1);
  return Call.arg_size() >= Needed;
}

// What a function of the C library does with texts; empty: not known.
std::optional<Datum> Execution::computeText(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!isCertainRound(Who.Round) || !Callee || !Callee->isDeclaration() || Callee->isIntrinsic()) return std::nullopt;
  StringRef Name = Callee->getName();
  if (Name.consume_front("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE") ||
      Name.consume_front("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"))
    return computeString(Call, Name);
  Name.consume_front("__isoc23_");
  Name.consume_front("__isoc99_");
  enum {
    Nothing,
    Compare,
    Number,
    Place,
    Length,
    Scan,
    Make,
    Copy,
    Option
  } Is = StringSwitch<decltype(Nothing)>(Name)
             .Cases("strcmp", "strncmp", "strcasecmp", "strncasecmp", "memcmp", "bcmp", Compare)
             .Cases("atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull", Number)
             .Cases("strtod", "strtof", Number)
             .Cases("strchr", "strrchr", "strstr", Place)
             .Cases("strlen", "strnlen", Length)
             .Case("sscanf", Scan)
             .Cases("strcpy", "stpcpy", "strncpy", "strcat", "sprintf", "snprintf", Make)
             .Cases("strdup", "__strdup", Copy)
             .Cases("getopt", "getopt_long", Option)
             .Default(Nothing);
  if (Is != Nothing && !hasArguments(Call, Name)) return std::nullopt;
  switch (Is) {
  case Nothing: return std::nullopt;
  case Compare: return compareTexts(Call, Name);
  case Number: return numberInText(Call, Name);
  case Place: return placeInText(Call, Name);
  case Scan: return scanText(Call);
  case Make: return makeText(Call, Name);
  case Option: return nextOption(Call, Name == "getopt_long");
  case Length:
  case Copy: break;
  }
  auto Text = textIn(Call, 0);
  if (!Text) return std::nullopt;
  if (Is == Copy) {
    Datum Made = make(Call);
    Sizes[Made.Of] = int64_t(Text->size()) + 1;
    putText(Call, Made, *Text);
    return Made;
  }
  auto Most = Name == "strnlen" ? numberAt(Call, 1) : std::optional<int64_t>(MostOfText);
  return Most ? std::optional(integer(std::min(int64_t(Text->size()), *Most))) : std::nullopt;
}
