// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts of arguments (CommandLines.h).
#include "static/spmd/CommandLines.h"
#include "static/RankValue.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

// A number that is neither special nor large.
static const char *const AnyNumber = "12";
// Of a number alone: one that no number of ranks divides, and the smallest one.
static const char *const OtherNumbers[] = {"13", "1"};
static const char *const VariableSet = "1"; // what switches something on
constexpr size_t MostTexts = 8, MostNames = 8, MostNumbers = 3, MostVariables = 4;

namespace {
class Search {
public:
  void look(const Function &Main);
  std::vector<CommandLine> lines() const;

private:
  std::vector<std::string> Texts, Names; // Names: in tables, with which arguments may be compared
  std::vector<StringRef> Variables;      // of the environment
  bool HasNumbers = false, HasFiles = false, ComparesOthers = false; // Others: texts that are no constants
  void add(std::string Text) {
    if (!Text.empty() && Texts.size() < MostTexts && !is_contained(Texts, Text)) Texts.push_back(std::move(Text));
  }
  void addLetter(const ConstantInt *Letter) {
    if (Letter && Letter->getValue().isSignedIntN(9) && isAlnum(char(Letter->getSExtValue())))
      add(std::string("-") + char(Letter->getSExtValue()));
  }
  void addTables(const Module &M);
  void addLetters(const Value *Short);
  void addNames(const Value *Long);
  void lookAtCall(const CallBase &Call);
  void look(const Instruction &I);
};

// One letter of an argument: argv[i][1].
bool isLetter(const Value *V) {
  while (isa<SExtInst, ZExtInst>(V)) V = cast<Instruction>(V)->getOperand(0);
  const auto *Load = dyn_cast<LoadInst>(V);
  return Load && Load->getType()->isIntegerTy(8) && RankValues::isOfMain(*Load);
}

// Functions of std::string that ask for a text.
bool comparesString(StringRef Name) {
  return Name.consume_front("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE") &&
         (Name == "7compareEPKc" || Name.starts_with("4findEPKcm") || Name.starts_with("5rfindEPKcm"));
}

// The letters of getopt.
void Search::addLetters(const Value *Short) {
  StringRef Letters;
  if (!getConstantStringInfo(Short, Letters)) return;
  for (char Letter : Letters)
    if (isAlnum(Letter)) add(std::string("-") + Letter);
}

// Texts in constant tables: {"sum", add_all}.
void Search::addTables(const Module &M) {
  for (const GlobalVariable &Table : M.globals()) {
    if (!Table.isConstant() || !Table.hasDefinitiveInitializer()) continue;
    const auto *All = dyn_cast<ConstantArray>(Table.getInitializer());
    for (size_t At = 0; All && At < All->getNumOperands(); ++At) {
      StringRef Name;
      const auto *Is = dyn_cast<ConstantStruct>(All->getOperand(unsigned(At)));
      const Constant *First = Is ? Is->getOperand(0) : All->getOperand(unsigned(At));
      bool IsText = First->getType()->isPointerTy() && getConstantStringInfo(First, Name) && !Name.empty();
      if (IsText && Names.size() < MostNames && !is_contained(Names, Name)) Names.push_back(Name.str());
    }
  }
}

// The names of getopt_long: the first members of its structures.
void Search::addNames(const Value *Long) {
  const auto *Table = dyn_cast<GlobalVariable>(getUnderlyingObject(Long));
  const auto *All = Table && Table->hasDefinitiveInitializer() ? dyn_cast<ConstantArray>(Table->getInitializer())
                                                               : nullptr;
  if (!All) return;
  for (const Use &One : All->operands()) {
    StringRef Name;
    const auto *Is = dyn_cast<ConstantStruct>(One);
    if (Is && getConstantStringInfo(Is->getOperand(0), Name)) add(("--" + Name).str());
  }
}

void Search::lookAtCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return;
  StringRef Name = Callee->getName();
  Name.consume_front("__isoc23_");
  HasNumbers |= StringSwitch<bool>(Name)
                    .Cases("atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", true)
                    .Cases("strtoull", "strtod", "strtof", "sscanf", "__isoc99_sscanf", true)
                    .Default(false);
  HasFiles |= Name == "fopen" || Name == "fopen64";
  StringRef Variable = environmentVariable(Call);
  if (!Variable.empty() && Variables.size() < MostVariables && !is_contained(Variables, Variable))
    Variables.push_back(Variable);
  bool IsLong = Name == "getopt_long" || Name == "getopt_long_only";
  if ((Name == "getopt" || IsLong) && Call.arg_size() >= 3) addLetters(Call.getArgOperand(2));
  if (IsLong && Call.arg_size() >= 4) addNames(Call.getArgOperand(3));
  if (Call.arg_size() < 2) return;
  if (!RankValues::comparesTexts(&Call) && !comparesString(Name)) return;
  StringRef A, B;
  bool IsFirst = getConstantStringInfo(Call.getArgOperand(0), A),
       IsSecond = getConstantStringInfo(Call.getArgOperand(1), B);
  ComparesOthers |= !IsFirst && !IsSecond;
  if (IsFirst == IsSecond) return;
  std::string Text = (IsFirst ? A : B).str();
  add(Text + (StringRef(Text).ends_with("=") ? AnyNumber : "")); // --name=
}

void Search::look(const Function &Main) {
  for (const Instruction &I : instructions(Main)) look(I);
  if (!Texts.empty() || ComparesOthers) addTables(*Main.getParent());
}

void Search::look(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I)) return lookAtCall(*Call);
  if (const auto *Switch = dyn_cast<SwitchInst>(&I); Switch && isLetter(Switch->getCondition()))
    for (const auto &Case : Switch->cases()) addLetter(Case.getCaseValue());
  if (const auto *Compare = dyn_cast<ICmpInst>(&I); Compare && isLetter(Compare->getOperand(0)))
    addLetter(dyn_cast<ConstantInt>(Compare->getOperand(1)));
}

std::vector<CommandLine> Search::lines() const {
  std::vector<CommandLine> All{{}};
  auto Add = [&](std::vector<std::string> Line) { All.push_back({std::move(Line)}); };
  auto IsOption = [](const std::string &Text) { return Text[0] == '-'; };
  std::vector<std::string> Values = Names; // of options
  for (const std::string &Text : Texts)
    if (!IsOption(Text)) Values.push_back(Text);
  for (const std::string &Text : Texts) Add({Text});
  if (HasFiles) All.push_back({{}, false});
  for (const std::string &Text : Texts)
    if (HasFiles && IsOption(Text)) All.push_back({{Text, AnyNumber}, false});
  for (StringRef Variable : Variables) {
    auto Set = [&](StringRef Value, bool CanOpen) { All.push_back({{}, CanOpen, Variable.str(), Value.str()}); };
    Set(VariableSet, true);
    if (HasFiles) Set(VariableSet, false);
    if (HasNumbers) Set(AnyNumber, true), Set(OtherNumbers[0], true);
    for (const std::string &Value : Values) Set(Value, true);
  }
  for (const std::string &Name : Names) Add({Name});
  for (const std::string &Text : Texts)
    for (const std::string &Value : Values)
      if (IsOption(Text)) Add({Text, Value});
  if (!HasNumbers) return All;
  for (size_t Count = 1; Count <= MostNumbers; ++Count) Add(std::vector<std::string>(Count, AnyNumber));
  for (const std::string &Text : Texts) Add({Text, AnyNumber});
  for (const char *Number : OtherNumbers) Add({Number});
  for (const std::string &Text : Texts) Add({AnyNumber, Text});
  return All;
}
} // namespace

StringRef mck::statics::environmentVariable(const CallBase &Call) {
  static constexpr StringRef Usual[] = {"HOME", "PATH", "USER", "LOGNAME", "PWD", "SHELL", "LANG", "TERM", "HOSTNAME"};
  static constexpr StringRef OfMpi[] = {"OMPI_", "PMI_", "PMIX_", "ORTE_", "MPI", "SLURM_"};
  const Function *Callee = Call.getCalledFunction();
  StringRef Name;
  if (!Callee || !Callee->isDeclaration() || (Callee->getName() != "getenv" && Callee->getName() != "secure_getenv"))
    return "";
  if (!getConstantStringInfo(Call.getArgOperand(0), Name) || is_contained(Usual, Name)) return "";
  return any_of(OfMpi, [&](StringRef Begin) { return Name.starts_with(Begin); }) ? "" : Name;
}

bool CommandLine::hasNumber() const {
  if (!Value.empty() && isDigit(Value.back())) return true;
  return any_of(Arguments, [](const std::string &Text) { return isDigit(Text.back()); });
}

std::string CommandLine::describe() const {
  std::string Text = Arguments.empty() ? "" : ", if the program is started with " + join(Arguments, " ");
  if (!Variable.empty()) Text += ", if the environment has " + Variable + "=" + Value;
  return Text + (HasFiles ? "" : Text.empty() ? ", if no file can be opened" : " and no file can be opened");
}

std::vector<CommandLine> mck::statics::findCommandLines(const Function &Main) {
  Search In;
  if (Main.getName() == "main") In.look(Main);
  return In.lines();
}
