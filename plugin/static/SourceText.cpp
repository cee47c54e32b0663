// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads source files (SourceText.h).
#include "static/SourceText.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace mck::statics;

std::string SourceText::pathOf(const DILocation &Place) {
  SmallString<256> Path(sys::path::is_absolute(Place.getFilename()) ? "" : Place.getDirectory());
  sys::path::append(Path, Place.getFilename());
  sys::path::remove_dots(Path); // of ./x.h
  return Path.str().str();
}

// From the beginning of a line to the end of the file.
StringRef SourceText::rest(const DILocation &Place, unsigned Line) {
  auto [Found, IsNew] = Files.try_emplace(pathOf(Place));
  File &In = Found->second;
  if (IsNew)
    if (auto Read = MemoryBuffer::getFile(Found->first)) {
      In.Text = std::move(*Read);
      StringRef All = In.Text->getBuffer();
      In.Lines.push_back(0);
      for (size_t At = All.find('\n'); At != StringRef::npos; At = All.find('\n', At + 1)) In.Lines.push_back(At + 1);
    }
  return Line && Line <= In.Lines.size() ? In.Text->getBuffer().substr(In.Lines[Line - 1]) : "";
}

StringRef SourceText::line(const DILocation &Place, unsigned Number) {
  return rest(Place, Number).split('\n').first.rtrim('\r');
}

StringRef SourceText::from(const DILocation &Place) {
  return Place.getColumn() ? rest(Place, Place.getLine()).substr(Place.getColumn() - 1) : "";
}
