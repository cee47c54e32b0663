// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the arguments of a call in the source, and the types of what they name in the debug information
// (DeclaredElements.h).
#include "static/DeclaredElements.h"
#include "static/Buffer.h"
#include "static/DeclaredNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace mck::statics;

constexpr StringRef DeclaredNote = "mck.declared";
constexpr size_t MostText = 4000; // of one call

// The text up to a quote, with blanks for comments.
static std::string withoutComments(StringRef Text) {
  std::string Is = Text.str();
  for (size_t At = 0; (At = Is.find_first_of("/\"'", At)) != std::string::npos; ++At) {
    StringRef Rest = StringRef(Is).substr(At);
    bool IsLine = Rest.starts_with("//");
    if (Rest.front() != '/') Is.resize(At);
    else if (IsLine || Rest.starts_with("/*")) {
      size_t End = IsLine ? Is.find('\n', At) : Is.find("*/", At + 2);
      End = End == std::string::npos ? Is.size() : End + (IsLine ? 0 : 2);
      std::fill(Is.begin() + long(At), Is.begin() + long(End), ' ');
    }
  }
  return Is;
}

// The arguments behind a function's name, if the text has just one call of it until the statement ends. The place of a
// call within a macro's argument is that of the macro's name.
static SmallVector<StringRef, 12> argumentsIn(StringRef Text, StringRef Name) {
  size_t End = Text.find_first_of(";{}"), At = Text.find(Name);
  Text = Text.take_front(End);
  if (At >= Text.size() || Text.find(Name, At + 1) != StringRef::npos) return {};
  if (At && (isAlnum(Text[At - 1]) || Text[At - 1] == '_')) return {};
  StringRef Rest = Text.drop_front(At + Name.size()).ltrim();
  if (!Rest.consume_front("(")) return {};
  SmallVector<StringRef, 12> Found;
  size_t Begin = 0, Depth = 0;
  for (size_t I = 0; I < Rest.size(); ++I) {
    char C = Rest[I];
    if (C == '"' || C == '\'' || C == '#' || C == '\\') return {};
    if (C == '(' || C == '[') ++Depth;
    if ((C == ',' || C == ')') && !Depth) {
      Found.push_back(Rest.slice(Begin, I).trim());
      Begin = I + 1;
      if (C == ')') return Found;
    }
    if ((C == ')' || C == ']') && Depth) --Depth;
  }
  return {};
}

namespace {

// A place in memory: the variable, and what is loaded from where in turn.
struct MemoryPlace {
  const Value *Root = nullptr;
  SmallVector<int64_t, 4> Steps;
  bool operator==(const MemoryPlace &Other) const { return Root && Root == Other.Root && Steps == Other.Steps; }
};

constexpr int64_t AnyIndex = INT64_MIN;

MemoryPlace placeOf(const Value *Address) {
  MemoryPlace Found;
  for (unsigned Depth = 0; Depth < 8; ++Depth) {
    APInt Offset(64, 0);
    const auto &Layout = cast<Instruction>(Address)->getModule()->getDataLayout();
    const Value *Base = Address->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
    bool IsAny = false;
    while (const auto *Step = dyn_cast<GetElementPtrInst>(Base)) Base = Step->getPointerOperand(), IsAny = true;
    Found.Steps.push_back(IsAny ? AnyIndex : Offset.getSExtValue());
    if (isa<AllocaInst, GlobalVariable, Argument>(Base)) {
      Found.Root = Base;
      return Found;
    }
    const auto *Load = dyn_cast<LoadInst>(Base);
    if (!Load || !isa<Instruction>(Load->getPointerOperand())) return {};
    Address = Load->getPointerOperand();
  }
  return {};
}

} // namespace

// Does the program use the memory as that of other numbers, too? Then it is storage of several kinds in turn.
static bool isUsedAs(const Value *Pointer, uint32_t Kind, const DeclaredNames &Names, unsigned Depth = 0) {
  return any_of(Pointer->users(), [&](const User *By) {
    if (isa<GetElementPtrInst, CastInst>(By)) return Depth < 4 && isUsedAs(By, Kind, Names, Depth + 1);
    uint32_t Other = 0;
    if (const auto *Load = dyn_cast<LoadInst>(By)) Other = kindOfNumber(Load->getType());
    if (const auto *Store = dyn_cast<StoreInst>(By)) {
      if (Store->getPointerOperand() == Pointer) Other = kindOfNumber(Store->getValueOperand()->getType());
      else if (const auto *To = dyn_cast<AllocaInst>(Store->getPointerOperand())) Other = Names.kindOfVariable(*To);
    }
    return Other && Other != Kind;
  });
}

static bool isReused(const CallBase &Call, unsigned Parameter, uint32_t Kind, const DeclaredNames &Names) {
  const Value *Given = Call.getArgOperand(Parameter);
  while (isa<GetElementPtrInst, CastInst>(Given)) Given = cast<Instruction>(Given)->getOperand(0);
  const auto *Load = dyn_cast<LoadInst>(Given);
  if (!Load || !isa<Instruction>(Load->getPointerOperand())) return isUsedAs(Given, Kind, Names);
  MemoryPlace Place = placeOf(Load->getPointerOperand());
  return any_of(instructions(*Call.getFunction()), [&](const Instruction &I) {
    const auto *Other = dyn_cast<LoadInst>(&I);
    return Other && Other->getType()->isPointerTy() && isa<Instruction>(Other->getPointerOperand()) &&
           (Other == Load || placeOf(Other->getPointerOperand()) == Place) && isUsedAs(Other, Kind, Names);
  });
}

void DeclaredElements::note(Function &F) {
  std::optional<DeclaredNames> Names;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    const DILocation *Place = Call ? Call->getDebugLoc().get() : nullptr;
    if (!Mpi || !Place || Place->getInlinedAt() || !F.getSubprogram()) continue;
    std::string Text;
    SmallVector<StringRef, 12> Given;
    SmallVector<Metadata *, 4> Found;
    for (unsigned At = 0; At < Mpi->Parameters.size(); ++At) {
      const Parameter &P = Mpi->Parameters[At];
      if (!P.is("sendbuf") && !P.is("recvbuf")) continue;
      if (Given.empty()) {
        Text = withoutComments(Sources.from(*Place).take_front(MostText));
        Given = argumentsIn(Text, Call->getCalledFunction()->getName());
      }
      if (Given.size() != Mpi->Parameters.size()) break;
      if (!Names) Names.emplace(F);
      uint32_t Kind = Names->kindOfElements(Given[At], *Place);
      if (!Kind || isReused(*Call, At, Kind, *Names)) continue;
      for (uint64_t Number : {uint64_t(At), uint64_t(Kind)})
        Found.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(F.getContext()), Number)));
    }
    if (!Found.empty()) Call->setMetadata(DeclaredNote, MDNode::get(F.getContext(), Found));
  }
}

uint32_t DeclaredElements::of(const CallBase &Call, unsigned Parameter) {
  const MDNode *Noted = Call.getMetadata(DeclaredNote);
  auto Number = [&](unsigned At) { return mdconst::extract<ConstantInt>(Noted->getOperand(At))->getZExtValue(); };
  for (unsigned At = 0; Noted && At + 1 < Noted->getNumOperands(); At += 2)
    if (Number(At) == Parameter) return uint32_t(Number(At + 1));
  return 0;
}
