// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins the sources' modules (Program.h).
#include "static/program/Program.h"
#include "static/Fortran.h"
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

namespace {

// What a linker would refuse is not joined; the link says it itself, and here nothing is printed.
struct Silence : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

class Parts {
public:
  Parts() { Context.setDiagnosticHandler(std::make_unique<Silence>()); }
  void read(StringRef Bytes) { readSources(Bytes, Context, All); }
  size_t size() const { return All.size(); }
  /// All modules as one; null: it cannot be.
  std::unique_ptr<Module> join();

private:
  LLVMContext Context;
  SmallVector<std::unique_ptr<Module>, 16> All;
};

std::unique_ptr<Module> Parts::join() {
  if (All.empty()) return nullptr;
  auto Whole = std::make_unique<Module>("program", Context);
  Whole->setDataLayout(All.front()->getDataLayout());
  Whole->setTargetTriple(All.front()->getTargetTriple());
  Linker Into(*Whole);
  for (std::unique_ptr<Module> &Part : All) {
    if (isFortran(*Part)) callAsC(*Part);
    if (Into.linkInModule(std::move(Part))) return nullptr;
  }
  return Whole;
}

} // namespace

bool mck::checkProgram(Module &M, bool IsProving) {
  bool HasSources = false;
  Parts Sources;
  while (GlobalVariable *One = findSource(M)) {
    Sources.read(cast<ConstantDataSequential>(One->getInitializer())->getRawDataValues());
    removeFromUsedLists(M, [&](Constant *C) { return C->stripPointerCasts() == One; });
    if (One->use_empty()) One->eraseFromParent();
    else One->setSection("");
    HasSources = true;
  }
  // One file alone was checked by the compiler, unless that left all to the link.
  if (Sources.size() > 1 || IsProving)
    if (std::unique_ptr<Module> Whole = Sources.join()) runStaticChecksOfProgram(*Whole, M, IsProving);
  return HasSources;
}

bool mck::checkProgramOf(int File, Module &M) {
  auto Bytes = MemoryBuffer::getOpenFile(sys::fs::convertFDToNativeFile(File), "sources", -1,
                                         /*RequiresNullTerminator=*/false);
  Parts Sources;
  if (Bytes) Sources.read((*Bytes)->getBuffer());
  // A linker's plugin that sees one module has nothing to add to the compiler.
  std::unique_ptr<Module> Whole = Sources.size() > 1 ? Sources.join() : nullptr;
  if (!Whole) return false;
  M.setSourceFileName(""); // it is no file of the program
  M.setDataLayout(Whole->getDataLayout());
  M.setTargetTriple(Whole->getTargetTriple());
  return runStaticChecksOfProgram(*Whole, M, /*IsProving=*/false);
}
