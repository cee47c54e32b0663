// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts warnings into the object (WarningRecord.h).
#include "static/WarningRecord.h"
#include "Attach.h"
#include "static/Fortran.h"
#include "static/PlaceMarks.h"
#include "warning-abi.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MD5.h"

using namespace llvm;
using namespace mck::statics;

namespace {

bool isSameFunction(const DISubprogram *A, const DISubprogram *B) {
  return A && B && A->getLine() == B->getLine() && A->getName() == B->getName() &&
         A->getLinkageName() == B->getLinkageName() && A->getFilename() == B->getFilename();
}

// Where C++ cleans up behind a call, the module has an invoke, and the analysed copy a call: MPI throws nothing.
bool isSameOperation(const Instruction &I, unsigned Opcode) {
  return I.getOpcode() == Opcode || (isa<InvokeInst>(I) && Opcode == Instruction::Call);
}

// The instruction of the module itself. A place has no other name than its line and column: a macro may make several
// instructions there, of which the first is taken.
Instruction *find(Module &M, const ToldPlace &W) {
  for (Function &F : M) {
    if (F.isDeclaration() || !isSameFunction(F.getSubprogram(), W.Place->getScope()->getSubprogram())) continue;
    for (Instruction &I : instructions(F)) {
      const DILocation *Place = I.getDebugLoc();
      if (!Place || Place->getInlinedAt() || Place->getLine() != W.Place->getLine() ||
          Place->getColumn() != W.Place->getColumn() || !isSameOperation(I, W.Opcode) || isa<IntrinsicInst>(I) ||
          isa<PHINode>(I))
        continue;
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!W.Callee || (Callee && nameInC(*Callee) == nameInC(*W.Callee))) return &I;
    }
  }
  return nullptr;
}

// What tells whether the place was executed, beside a store before its instruction.
struct CallMark {
  GlobalVariable *Of = nullptr;
  bool IsPart = false;
};

// That of the call itself; or of a call that is named with it, without which it is not executed as the warning says.
CallMark findCallMark(Module &M, const Told &W) {
  for (const ToldPlace *At = &W.At; At; At = At == &W.At && !W.Notes.empty() ? &W.Notes.front() : nullptr)
    if (At->Place && At->Callee && findMpi(At->Callee->getName()))
      if (GlobalVariable *Mark = findMark(M, *At->Place, *At->Callee)) return {Mark, At != &W.At};
  return {};
}

// struct mck_static_warning. Equal places of several objects (inline functions of a header) are one: linkers keep one
// of the variables with this name, and --gc-sections keeps it.
GlobalVariable *addRecord(Module &M, const Told &W, bool IsStored, const CallMark &Mark) {
  LLVMContext &Context = M.getContext();
  const DILocation *Place = W.At.Place;
  const DISubprogram *Function = Place->getScope()->getSubprogram();
  bool IsMarked = IsStored || Mark.Of;
  std::string Strings, Path = SourceText::pathOf(*Place);
  for (StringRef Text :
       {StringRef(W.Kind), StringRef(Path), Function ? Function->getName() : StringRef("?"), StringRef(W.Text)})
    Strings += (Text.empty() ? StringRef("?") : Text).str() + '\0';
  constexpr size_t Fixed = offsetof(mck_static_warning, strings);
  Strings.append((8 - (Fixed + Strings.size()) % 8) % 8, '\0');
  std::string Key = Strings + std::to_string(Place->getLine()) + ":" + std::to_string(Place->getColumn());
  std::string Name = ("mck.warning." + Twine::utohexstr(MD5Hash(Key)) + (IsMarked ? "" : ".unmarked")).str();
  if (GlobalVariable *Existing = M.getNamedGlobal(Name)) return Existing;
  Type *Number = Type::getInt32Ty(Context), *Byte = Type::getInt8Ty(Context);
  auto *Pointer = PointerType::getUnqual(Context);
  Constant *Text = ConstantDataArray::getRaw(StringRef(Strings), Strings.size(), Byte);
  auto *Layout = StructType::get(Context,
                                 {Number, Number, Pointer, Pointer, Number, Number, Byte, Byte, Text->getType()});
  auto *Record = mck::hidden(M, new GlobalVariable(M, Layout, false, GlobalValue::LinkOnceODRLinkage, nullptr, Name));
  Constant *Own = ConstantExpr::getInBoundsGetElementPtr(
      Byte, Record, ConstantInt::get(Type::getInt64Ty(Context), offsetof(mck_static_warning, own)));
  auto Of = [&](uint32_t Value) { return ConstantInt::get(Number, Value); };
  Constant *Null = ConstantPointerNull::get(Pointer), *Zero = ConstantInt::get(Byte, 0);
  Constant *CallsMark = Mark.Of ? static_cast<Constant *>(Mark.Of) : Null;
  Record->setInitializer(ConstantStruct::get(
      Layout, {Of(MCK_WARNING_HEAD), Of(uint32_t(Fixed + Strings.size())), IsStored ? Own : Null, CallsMark,
               Of(Place->getLine()), Of(Place->getColumn()), Zero, ConstantInt::get(Byte, Mark.IsPart), Text}));
  Record->setSection("mck_warnings");
  Record->setAlignment(Align(8));
  GlobalValue::SanitizerMetadata NoRedZone;
  NoRedZone.NoAddress = NoRedZone.NoHWAddress = true;
  Record->setSanitizerMetadata(NoRedZone);
  appendToUsed(M, {Record});
  return Record;
}

void mark(Instruction &I, GlobalVariable *Record) {
  IRBuilder<> Builder(&I);
  MDNode *None = MDNode::get(I.getContext(), {});
  auto *Where = Builder.CreateLoad(
      Builder.getPtrTy(),
      Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Record, offsetof(mck_static_warning, executed)));
  auto *Store = Builder.CreateStore(Builder.getInt8(1), Where);
  Where->setMetadata(LLVMContext::MD_nosanitize, None);
  Store->setMetadata(LLVMContext::MD_nosanitize, None);
}

} // namespace

bool mck::statics::recordWarnings(Module &M, ArrayRef<Told> Warnings) {
  for (const Told &W : Warnings) {
    Instruction *At = find(M, W.At);
    GlobalVariable *Record = addRecord(M, W, At != nullptr, At ? CallMark() : findCallMark(M, W));
    if (At) mark(*At, Record);
  }
  if (!Warnings.empty()) mck::attachSection(M, "warnings", MCK_WARNINGS_VERSION);
  return !Warnings.empty();
}
