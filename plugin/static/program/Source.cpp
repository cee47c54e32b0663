// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps modules in objects (Source.h).
#include "static/program/Source.h"
#include "source-abi.h"
#include "static/Fortran.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace mck::statics;

constexpr StringLiteral SaidList = "mck.said", SilentList = "mck.silent"; // named metadata of a module that is kept

// The warnings of the compile step, and the kinds that are off in this file.
static void writeSaid(Module &M, const Warnings &Said) {
  LLVMContext &Context = M.getContext();
  for (const Told &W : Said.told())
    M.getOrInsertNamedMetadata(SaidList)->addOperand(MDNode::get(
        Context, {MDString::get(Context, W.Kind), MDString::get(Context, Warnings::placeName(*W.At.Place))}));
  for (const std::string &Kind : Said.silentKinds())
    for (DICompileUnit *Unit : M.debug_compile_units())
      M.getOrInsertNamedMetadata(SilentList)
          ->addOperand(
              MDNode::get(Context, {MDString::get(Context, Warnings::unitName(*Unit)), MDString::get(Context, Kind)}));
}

static StringRef text(const MDNode &Of, unsigned At) {
  const auto *Text = At < Of.getNumOperands() ? dyn_cast<MDString>(Of.getOperand(At)) : nullptr;
  return Text ? Text->getString() : "";
}

void mck::statics::readSaid(const Module &M, Warnings &To) {
  if (const NamedMDNode *Said = M.getNamedMetadata(SaidList))
    for (const MDNode *W : Said->operands()) To.addSaid(text(*W, 0), text(*W, 1));
  if (const NamedMDNode *Silent = M.getNamedMetadata(SilentList))
    for (const MDNode *One : Silent->operands()) To.addSilent(text(*One, 0), text(*One, 1));
}

static bool callsMpi(const Module &M) {
  bool IsFortran = isFortran(M);
  return any_of(M, [&](const Function &F) {
    return F.isDeclaration() && !F.use_empty() && findMpi(IsFortran ? nameInC(F) : F.getName());
  });
}

void mck::statics::keepSource(Module &M, const Warnings &Said) {
  SmallString<0> Bitcode;
  raw_svector_ostream Stream(Bitcode);
  writeSaid(M, Said);
  WriteBitcodeToFile(M, Stream);
  for (StringRef List : {SaidList, SilentList})
    if (NamedMDNode *Written = M.getNamedMetadata(List)) Written->eraseFromParent();

  ArrayRef<uint8_t> Stored = arrayRefFromStringRef(Bitcode);
  SmallVector<uint8_t, 0> Compressed;
  bool IsCompressed = compression::zstd::isAvailable();
  if (IsCompressed) {
    compression::zstd::compress(Stored, Compressed, /*Level=*/1);
    Stored = Compressed;
  }
  mck_source Head{MCK_SOURCE_MAGIC,
                  uint32_t((callsMpi(M) ? MCK_SOURCE_CALLS_MPI : 0) | (IsCompressed ? MCK_SOURCE_COMPRESSED : 0)), 0,
                  Stored.size(), Bitcode.size()};
  SmallString<0> Section(StringRef(reinterpret_cast<const char *>(&Head), sizeof Head));
  Section += toStringRef(Stored);
  Section.append((8 - Section.size() % 8) % 8, '\0');
  // The linker leaves the section out of the program.
  embedBufferInModule(M, MemoryBufferRef(Section, M.getName()), MCK_SOURCE_SECTION, Align(8));
}

GlobalVariable *mck::statics::findSource(Module &M) {
  for (GlobalVariable &G : M.globals())
    if (G.getSection() == MCK_SOURCE_SECTION && G.hasInitializer() && isa<ConstantDataSequential>(G.getInitializer()))
      return &G;
  return nullptr;
}

void mck::statics::readSources(StringRef Bytes, LLVMContext &Context, SmallVectorImpl<std::unique_ptr<Module>> &To) {
  while (Bytes.size() >= sizeof(mck_source)) {
    mck_source Head;
    memcpy(&Head, Bytes.data(), sizeof Head);
    Bytes = Bytes.drop_front(sizeof Head);
    if (Head.magic != MCK_SOURCE_MAGIC || Head.stored > Bytes.size()) return;
    StringRef Stored = Bytes.take_front(Head.stored);
    SmallVector<uint8_t, 0> Whole;
    if (Head.flags & MCK_SOURCE_COMPRESSED) {
      constexpr uint64_t Most = uint64_t(1) << 30; // a damaged head shall not take all memory
      if (Head.size > Most || !compression::zstd::isAvailable()) return;
      if (Error Failed = compression::zstd::decompress(arrayRefFromStringRef(Stored), Whole, Head.size)) {
        consumeError(std::move(Failed));
        return;
      }
      Stored = toStringRef(Whole);
    }
    Expected<std::unique_ptr<Module>> Read = parseBitcodeFile(MemoryBufferRef(Stored, "source"), Context);
    if (Read) To.push_back(std::move(*Read));
    else consumeError(Read.takeError());
    Bytes = Bytes.drop_front(std::min<uint64_t>(alignTo(Head.stored, 8), Bytes.size()));
  }
}
