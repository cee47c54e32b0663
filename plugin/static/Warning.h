// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings of the static checks, in clang's form: file:line:column: warning: text [-Wmpicc-check-KIND], the line of the
// source, notes at other places. They are printed here, since clang gives a pass's diagnostics neither a place nor a
// group of their own. mpicc-check hands over the options that concern them in MPICC_CHECK_STATIC.
#pragma once
#include "static/SourceText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Instruction.h"
#include <set>
#include <string>
#include <vector>
extern "C" {
#include "base/suppression.h"
}

namespace mck::statics {

struct Note {
  const llvm::Instruction *At;
  std::string Text;
};
struct Warning {
  llvm::StringRef Kind;
  const llvm::Instruction *At;
  std::string Text;
  std::vector<Note> Notes;
};

/// An instruction: its innermost place in the program's own files.
struct ToldPlace {
  const llvm::DILocation *Place;
  unsigned Opcode;              // of the instruction there
  const llvm::Function *Callee; // that it calls, or null
};
/// A warning that was printed, as the object and the report get it.
struct Told {
  std::string Kind, Text;
  ToldPlace At;
  std::vector<ToldPlace> Notes;
};

class Warnings {
public:
  Warnings();
  ~Warnings() { mck_rules_free(&Suppressed); }
  Warnings(const Warnings &) = delete;
  Warnings &operator=(const Warnings &) = delete;
  bool isOff() const { return Off; }
  bool isOn(llvm::StringRef Kind) const { return !Off && !Silent.count(Kind.str()); }
  /// Prints it, unless it is switched off, ignored at its place, or printed before. What has no place is not said.
  void add(const Warning &W);
  /// It was said before, of this place (placeName): it is not said again.
  void addSaid(llvm::StringRef Kind, llvm::StringRef PlaceName);
  /// A kind that is off in one file of a program.
  void addSilent(llvm::StringRef UnitName, llvm::StringRef Kind) { SilentIn.insert({UnitName.str(), Kind.str()}); }
  static std::string unitName(const llvm::DICompileUnit &Unit);
  const std::set<std::string> &silentKinds() const { return Silent; }
  static std::string placeName(const llvm::DILocation &Place);
  unsigned errors() const { return Errors; }
  llvm::ArrayRef<Told> told() const { return Printed; }
  /// Was anything but leaks told, also of files that were compiled before?
  bool hasToldErrors() const;

private:
  bool Off = false, AllErrors = false;
  std::set<std::string> Silent, Wrong, Said; // kinds that are off, kinds that are errors
  bool HasSaidErrors = false;                // of files that were compiled before
  std::set<std::pair<std::string, std::string>> SilentIn;
  SourceText Sources;
  unsigned Errors = 0;
  std::vector<Told> Printed;
  mck_rules Suppressed{}; // -fcheck-suppressions

  static std::string pathOf(const llvm::DILocation &Place);
  void readOption(llvm::StringRef Option);
  bool isSuppressed(const llvm::DILocation &Place, llvm::StringRef Kind);
  bool isSilentIn(const llvm::DILocation &Place, llvm::StringRef Kind) const;
  bool isIgnored(const llvm::DILocation &Place, llvm::StringRef Kind);
  void print(const llvm::DILocation &Place, const std::string &Head);
};

} // namespace mck::statics
