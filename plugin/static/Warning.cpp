// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints warnings (Warning.h).
#include "static/Warning.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
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
  char Error[512];
  const char *File = std::getenv("MPICC_CHECK_SUPPRESSIONS");
  if (File && *File && !mck_rules_read(&Suppressed, File, nullptr, Error, sizeof Error)) {
    errs() << "mpicc-check: error: " << Error << "\n";
    ++Errors;
  }
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
  SmallString<256> Here;
  if (!sys::fs::current_path(Here) && Here == Place.getDirectory()) return Place.getFilename().str();
  return SourceText::pathOf(Place);
}

// A rule of the file of suppressions: the places of a warning are its own, and the calls that lead there.
bool Warnings::isSuppressed(const DILocation &Place, StringRef Kind) {
  if (!Suppressed.count) return false;
  std::vector<std::pair<std::string, std::string>> Names; // function, file
  for (const DILocation *At = &Place; At; At = At->getInlinedAt()) {
    const DISubprogram *Function = At->getScope()->getSubprogram();
    Names.push_back({Function ? Function->getName().str() : "", SourceText::pathOf(*At)});
  }
  std::vector<mck_named_frame> Frames;
  for (const auto &[Function, File] : Names)
    Frames.push_back({Function.empty() ? nullptr : Function.c_str(), File.c_str(), nullptr});
  mck_named_place Where{Frames.data(), unsigned(Frames.size()), 1};
  std::string KindName = Kind.str();
  mck_named Finding{KindName.c_str(), nullptr, &Where, 1, nullptr, 0};
  return mck_rules_find(&Suppressed, &Finding) != nullptr;
}

// A comment "mpicc-check: ignore KIND" on the line, or alone on the one above.
bool Warnings::isIgnored(const DILocation &Place, StringRef Kind) {
  std::string KindName = Kind.str();
  const char *Reason;
  size_t Length;
  for (unsigned Above = 0; Above < 2 && Place.getLine() > Above; ++Above) {
    StringRef Text = Sources.line(Place, Place.getLine() - Above);
    if (mck_comment_ignores(Text.data(), Text.size(), Above, KindName.c_str(), &Reason, &Length)) return true;
  }
  return isSuppressed(Place, Kind);
}

void Warnings::print(const DILocation &Place, const std::string &Head) {
  errs() << pathOf(Place) << ":" << Place.getLine() << ":";
  if (Place.getColumn()) errs() << Place.getColumn() << ":";
  errs() << " " << Head << "\n";
  StringRef Text = Sources.line(Place, Place.getLine());
  if (Text.empty()) return;
  std::string Number = std::to_string(Place.getLine());
  Number.insert(0, Number.size() < 5 ? 5 - Number.size() : 0, ' ');
  errs() << Number << " | " << Text << "\n" << std::string(Number.size(), ' ') << " | ";
  for (unsigned I = 0; I + 1 < Place.getColumn() && I < Text.size(); ++I) errs() << (Text[I] == '\t' ? '\t' : ' ');
  errs() << "^\n";
}

// A header of the compiler or the system, such as that of std::sort.
static bool isOfLibrary(const DILocation &Place) {
  StringRef Path = Place.getFilename();
  return Path.contains("/include/c++/") || Path.starts_with("/usr/include/") || Path.starts_with("/usr/lib");
}

// Nobody mends a template of the library: the place is where the program calls it.
static const DILocation *placeOf(const Instruction &I) {
  const DILocation *Own = I.getDebugLoc(), *Place = Own;
  while (Place && isOfLibrary(*Place)) Place = Place->getInlinedAt();
  return Place ? Place : Own;
}

static ToldPlace toldPlace(const Instruction &I) {
  const DILocation *Place = placeOf(I);
  if (Place != I.getDebugLoc()) return {Place, Instruction::Call, nullptr};
  const auto *Call = dyn_cast<CallBase>(&I);
  return {Place, I.getOpcode(), Call ? Call->getCalledFunction() : nullptr};
}

std::string Warnings::placeName(const DILocation &Place) {
  return (SourceText::pathOf(Place) + ":" + Twine(Place.getLine()) + ":" + Twine(Place.getColumn())).str();
}

static bool isLeak(StringRef Kind) { return Kind.starts_with("leak."); }

void Warnings::addSaid(StringRef Kind, StringRef PlaceName) {
  Said.insert((Kind + PlaceName).str());
  HasSaidErrors |= !isLeak(Kind);
}

bool Warnings::hasToldErrors() const {
  return HasSaidErrors || any_of(Printed, [](const Told &W) { return !isLeak(W.Kind); });
}

std::string Warnings::unitName(const DICompileUnit &Unit) {
  return (Unit.getDirectory() + ":" + Unit.getFilename()).str();
}

bool Warnings::isSilentIn(const DILocation &Place, StringRef Kind) const {
  if (SilentIn.empty()) return false;
  const DISubprogram *Function = Place.getScope()->getSubprogram();
  const DICompileUnit *Unit = Function ? Function->getUnit() : nullptr;
  return Unit && SilentIn.count({unitName(*Unit), Kind.str()});
}

void Warnings::add(const Warning &W) {
  const DILocation *Place = placeOf(*W.At), *Inner = W.At->getDebugLoc();
  if (!isOn(W.Kind) || !Place || !Place->getLine()) return;
  if (isSilentIn(*Place, W.Kind) || !Said.insert(W.Kind.str() + placeName(*Place)).second || isIgnored(*Place, W.Kind))
    return;
  Printed.push_back({W.Kind.str(), W.Text, toldPlace(*W.At), {}});
  for (const Note &N : W.Notes) Printed.back().Notes.push_back(toldPlace(*N.At));
  bool IsError = AllErrors || Wrong.count(W.Kind.str());
  Errors += IsError;
  std::string Flag = (Group + "-" + W.Kind + "]").str();
  print(*Place, (IsError ? "error: " : "warning: ") + W.Text + (IsError ? " [-Werror,-W" : " [-W") + Flag);
  if (Place != Inner) print(*Inner, "note: here in the library");
  for (const DILocation *Caller = Place->getInlinedAt(); Caller; Caller = Caller->getInlinedAt())
    print(*Caller, "note: called from here");
  for (const Note &N : W.Notes)
    if (const DILocation *Other = placeOf(*N.At); Other && Other->getLine()) print(*Other, "note: " + N.Text);
}
