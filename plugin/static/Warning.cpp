// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints warnings (Warning.h).
#include "static/Warning.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;
using namespace mck::statics;

constexpr StringRef Group = "mpicc-check";

Warnings::Warnings() {
  const char *Options = std::getenv("MPICC_CHECK_STATIC");
  SmallVector<StringRef, 8> Words;
  StringRef(Options ? Options : "").split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) readOption(Word);
}

// -w, -W[no-][error=]mpicc-check[-KIND]; the last one counts.
void Warnings::readOption(StringRef Option) {
  if (Option == "-w") Off = true;
  if (!Option.consume_front("-W")) return;
  bool IsNo = Option.consume_front("no-"), IsError = Option.consume_front("error=");
  if (!Option.consume_front(Group)) return;
  if (!Option.consume_front("-")) {
    (IsError ? AllErrors : Off) = IsError != IsNo;
    return;
  }
  std::string Kind = Option.str();
  if (IsError && !IsNo) Wrong.insert(Kind), Silent.erase(Kind);
  else if (IsError) Wrong.erase(Kind);
  else if (IsNo) Silent.insert(Kind);
  else Silent.erase(Kind);
}

// As the compiler was given it, where it is relative to the working directory.
std::string Warnings::pathOf(const DILocation &Place) {
  if (sys::path::is_absolute(Place.getFilename())) return Place.getFilename().str();
  SmallString<256> Here;
  if (!sys::fs::current_path(Here) && Here == Place.getDirectory()) return Place.getFilename().str();
  SmallString<256> Path(Place.getDirectory());
  sys::path::append(Path, Place.getFilename());
  return Path.str().str();
}

StringRef Warnings::line(const DILocation &Place, unsigned Number) {
  auto [Found, IsNew] = Files.try_emplace(pathOf(Place));
  if (IsNew)
    if (auto Read = MemoryBuffer::getFile(Found->first)) Found->second = std::move(*Read);
  if (!Found->second) return "";
  StringRef Rest = Found->second->getBuffer(), First;
  for (unsigned I = 0; I < Number; ++I) std::tie(First, Rest) = Rest.split('\n');
  return First.rtrim('\r');
}

// "mpicc-check: ignore KIND KIND" in a comment, on the line or on the one above. Without a kind: all.
bool Warnings::isIgnored(const DILocation &Place, StringRef Kind) {
  for (unsigned Above = 0; Above < 2 && Place.getLine() > Above; ++Above) {
    auto [Before, Comment] = line(Place, Place.getLine() - Above).split("mpicc-check: ignore");
    if (Comment.data() == nullptr || (!Before.contains("//") && !Before.contains("/*"))) continue;
    if (Above && !Before.substr(0, Before.find('/')).trim().empty()) continue; // it belongs to that line's own code
    SmallVector<StringRef, 4> Kinds;
    StringRef Named = Comment.split("*/").first;
    Named.split(Kinds, ' ', -1, /*KeepEmpty=*/false);
    if (Kinds.empty() || is_contained(Kinds, Kind)) return true;
  }
  return false;
}

void Warnings::print(const DILocation &Place, const std::string &Head) {
  errs() << pathOf(Place) << ":" << Place.getLine() << ":";
  if (Place.getColumn()) errs() << Place.getColumn() << ":";
  errs() << " " << Head << "\n";
  StringRef Text = line(Place, Place.getLine());
  if (Text.empty()) return;
  std::string Number = std::to_string(Place.getLine());
  Number.insert(0, Number.size() < 5 ? 5 - Number.size() : 0, ' ');
  errs() << Number << " | " << Text << "\n" << std::string(Number.size(), ' ') << " | ";
  for (unsigned I = 0; I + 1 < Place.getColumn() && I < Text.size(); ++I) errs() << (Text[I] == '\t' ? '\t' : ' ');
  errs() << "^\n";
}

void Warnings::add(const Warning &W) {
  const DILocation *Place = W.At->getDebugLoc();
  if (!isOn(W.Kind) || !Place || !Place->getLine()) return;
  std::string Key = (W.Kind + Place->getFilename() + ":" + Twine(Place->getLine()) + ":" + Twine(Place->getColumn()))
                        .str();
  if (!Said.insert(Key).second || isIgnored(*Place, W.Kind)) return;
  bool IsError = AllErrors || Wrong.count(W.Kind.str());
  Errors += IsError;
  std::string Flag = (Group + "-" + W.Kind + "]").str();
  print(*Place, (IsError ? "error: " : "warning: ") + W.Text + (IsError ? " [-Werror,-W" : " [-W") + Flag);
  for (const DILocation *Caller = Place->getInlinedAt(); Caller; Caller = Caller->getInlinedAt())
    print(*Caller, "note: called from here");
  for (const Note &N : W.Notes)
    if (const DILocation *Other = N.At->getDebugLoc(); Other && Other->getLine()) print(*Other, "note: " + N.Text);
}
