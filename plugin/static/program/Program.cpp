// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins the sources' modules (Program.h).
#include "static/program/Program.h"
#include "static/StaticChecks.h"
#include "static/program/Source.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace mck::statics;

struct Silence : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

using ModuleList = SmallVector<std::unique_ptr<Module>, 16>;

// What a linker would refuse is not joined; the link says it itself, and here nothing is printed.
static std::unique_ptr<Module> join(ModuleList Parts) {
  if (Parts.empty()) return nullptr;
  auto Whole = std::make_unique<Module>("program", Parts.front()->getContext());
  Whole->setDataLayout(Parts.front()->getDataLayout());
  Whole->setTargetTriple(Parts.front()->getTargetTriple());
  LLVMContext &Context = Whole->getContext();
  std::unique_ptr<DiagnosticHandler> Usual = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<Silence>());
  Linker Into(*Whole);
  bool IsJoined = all_of(Parts, [&](std::unique_ptr<Module> &Part) { return !Into.linkInModule(std::move(Part)); });
  Context.setDiagnosticHandler(std::move(Usual));
  return IsJoined ? std::move(Whole) : nullptr;
}

bool mck::checkProgram(Module &M, bool IsProving) {
  SmallVector<GlobalVariable *, 16> Kept;
  ModuleList Parts;
  while (GlobalVariable *One = findSource(M)) {
    readSources(cast<ConstantDataSequential>(One->getInitializer())->getRawDataValues(), M.getContext(), Parts);
    removeFromUsedLists(M, [&](Constant *C) { return C->stripPointerCasts() == One; });
    if (One->use_empty()) One->eraseFromParent();
    else One->setSection("");
    Kept.push_back(One);
  }
  // One file alone was checked by the compiler, unless that left all to the link.
  if (Parts.size() > 1 || IsProving)
    if (std::unique_ptr<Module> Whole = join(std::move(Parts))) runStaticChecksOfProgram(*Whole, M, IsProving);
  return !Kept.empty();
}

bool mck::checkProgramOf(int File, Module &M) {
  auto Bytes = MemoryBuffer::getOpenFile(sys::fs::convertFDToNativeFile(File), "sources", -1,
                                         /*RequiresNullTerminator=*/false);
  ModuleList Parts;
  if (Bytes) readSources((*Bytes)->getBuffer(), M.getContext(), Parts);
  // A linker's plugin that sees one module has nothing to add to the compiler.
  std::unique_ptr<Module> Whole = Parts.size() > 1 ? join(std::move(Parts)) : nullptr;
  if (!Whole) return false;
  M.setDataLayout(Whole->getDataLayout());
  M.setTargetTriple(Whole->getTargetTriple());
  return runStaticChecksOfProgram(*Whole, M, /*IsProving=*/false);
}
