// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the sources' modules for the link (Program.h).
#include "static/program/Program.h"
#include "static/StaticChecks.h"
#include "static/proof/WindowProof.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

constexpr StringLiteral Section = "mck.source";

bool mck::keepSource(Module &M) {
  statics::nameWindows(M);
  SmallString<0> Bytes;
  raw_svector_ostream Stream(Bytes);
  WriteBitcodeToFile(M, Stream);
  // The linker leaves the section out of the program.
  embedBufferInModule(M, MemoryBufferRef(Bytes, M.getName()), Section, Align(8));
  return true;
}

// What a linker would refuse is not joined; the link says it itself.
static std::unique_ptr<Module> join(LLVMContext &Context, ArrayRef<GlobalVariable *> Kept) {
  auto Whole = std::make_unique<Module>("program", Context);
  Linker Into(*Whole);
  for (GlobalVariable *One : Kept) {
    const auto *Bytes = dyn_cast<ConstantDataSequential>(One->getInitializer());
    if (!Bytes) return nullptr;
    Expected<std::unique_ptr<Module>> Part = parseBitcodeFile(MemoryBufferRef(Bytes->getRawDataValues(), "source"),
                                                              Context);
    if (!Part) {
      consumeError(Part.takeError());
      return nullptr;
    }
    if (Whole->getFunctionList().empty() && Whole->global_empty()) {
      Whole->setDataLayout((*Part)->getDataLayout());
      Whole->setTargetTriple((*Part)->getTargetTriple());
    }
    if (Into.linkInModule(std::move(*Part))) return nullptr;
  }
  return Whole;
}

bool mck::checkProgram(Module &M) {
  SmallVector<GlobalVariable *, 16> Kept;
  for (GlobalVariable &G : M.globals())
    if (G.getSection() == Section && G.hasInitializer()) Kept.push_back(&G);
  if (Kept.empty()) return false;
  if (std::unique_ptr<Module> Whole = join(M.getContext(), Kept)) runStaticChecksOfProgram(*Whole, M);
  removeFromUsedLists(M, [&](Constant *C) { return is_contained(Kept, C->stripPointerCasts()); });
  for (GlobalVariable *One : Kept)
    if (One->use_empty()) One->eraseFromParent();
  return true;
}
