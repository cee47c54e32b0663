// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of the program (CommandLines.h), and getopt, which reads them (Execution.h).
#include "static/spmd/Execution.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace mck::statics;

constexpr int64_t PointerSize = 8, IntSize = 4;
constexpr size_t MostOfArgument = 4096;

static Datum integer(int64_t Value) { return {Datum::Number, Value, {}, false}; }
static Datum moved(Datum At, int64_t By) { return At.Value += By, At; }

// A text that the program did not bring along: of an argument, or of the environment.
Datum Execution::textOf(const std::string &Text) const {
  Module &M = *View.F.getParent();
  std::string Name = "mck.argument." + Text;
  GlobalVariable *Is = M.getNamedGlobal(Name);
  if (!Is) {
    Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
    Is = new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage, Bytes, Name);
  }
  return {Datum::Address, 0, {Is, 0}, false};
}

// What argv has. A program that reads more of it, without asking how many there are, has more arguments.
Datum Execution::argumentAt(const Argument &Given, const Datum &At) {
  if (Given.getArgNo() != 1 || View.F.getName() != "main") return {};
  const std::vector<std::string> &Line = Values.line().Arguments;
  int64_t Number = At.Value / PointerSize, Count = int64_t(Line.size()) + 1;
  if (At.IsFloating || At.Value < 0 || At.Value % PointerSize || Number > Count) return Made.IsEnded = true, Datum();
  if (Number == Count) return integer(0);
  return textOf(Number ? Line[size_t(Number) - 1] : "./program");
}

// As getopt does where the options come first.
std::optional<Datum> Execution::nextOption(const CallBase &Call, bool IsLong) {
  const Module &M = *View.F.getParent();
  auto Count = numberAt(Call, 0);
  Datum All = of(Call.getArgOperand(1));
  auto Letters = textIn(Call, 2);
  if (!Count || All.What != Datum::Address || !Letters) return std::nullopt;
  auto Set = [&](StringRef Name, int64_t Size, const Datum &What) {
    if (const GlobalVariable *Is = M.getNamedGlobal(Name))
      Memory.store({Datum::Address, 0, {Is, 0}, false}, Size, What);
  };
  auto Argument = [&](int64_t Number) {
    return read(moved(All, Number * PointerSize), PointerType::getUnqual(M.getContext()));
  };
  auto Give = [&](int64_t Is) {
    Set("optind", IntSize, integer(Options.Index));
    return integer(Is);
  };
  if (Options.Index >= *Count) return Give(-1);
  Datum At = Argument(Options.Index);
  auto Text = textAt(At, MostOfArgument, false);
  if (!Text) return std::nullopt;
  if (Text->size() < 2 || (*Text)[0] != '-') return Give(-1);
  if (*Text == "--") return ++Options.Index, Give(-1);
  Set("optarg", PointerSize, integer(0));
  if (IsLong && (*Text)[1] == '-') {
    auto [Name, Value] = StringRef(*Text).drop_front(2).split('=');
    Datum Table = of(Call.getArgOperand(3));
    constexpr int64_t Each = 32, HasArgument = 8, Flag = 16, Letter = 24; // struct option
    Type *Int = Type::getInt32Ty(M.getContext()), *Pointer = PointerType::getUnqual(M.getContext());
    ++Options.Index;
    for (;; Table.Value += Each) {
      Datum Is = read(Table, Pointer), Needs = read(moved(Table, HasArgument), Int);
      if (Is == integer(0)) return Give('?');
      auto Known = textAt(Is, MostOfArgument, false);
      if (!Known || Needs.What != Datum::Number) return std::nullopt;
      if (*Known != Name) continue;
      if (Needs.Value == 1 && Options.Index >= *Count) return Give('?');
      if (Needs.Value == 1) Set("optarg", PointerSize, Argument(Options.Index++));
      Datum Into = read(moved(Table, Flag), Pointer), Gives = read(moved(Table, Letter), Int);
      if (Into == integer(0)) return Gives.What == Datum::Number ? std::optional(Give(Gives.Value)) : std::nullopt;
      if (!isPlace(Into)) return std::nullopt;
      Memory.store(Into, IntSize, Gives);
      return Give(0);
    }
  }
  char Letter = (*Text)[Options.Letter];
  size_t Found = Letter == ':' ? std::string::npos : Letters->find(Letter);
  bool NeedsMore = Found != std::string::npos && Found + 1 < Letters->size() && (*Letters)[Found + 1] == ':';
  bool IsLast = ++Options.Letter >= Text->size();
  if (NeedsMore && !IsLast) Set("optarg", PointerSize, moved(At, int64_t(Options.Letter)));
  if (NeedsMore || IsLast) ++Options.Index, Options.Letter = 1;
  if (Found == std::string::npos) return Give('?');
  if (NeedsMore && IsLast) {
    if (Options.Index >= *Count) return Give('?');
    Set("optarg", PointerSize, Argument(Options.Index++));
  }
  return Give(Letter);
}
