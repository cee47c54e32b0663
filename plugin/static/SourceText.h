// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source of places: files are read once, at the first question.
#pragma once
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mck::statics {

class SourceText {
public:
  /// The whole path of a place's file.
  static std::string pathOf(const llvm::DILocation &Place);
  /// A line of the place's file, without its end; "" where it cannot be read.
  llvm::StringRef line(const llvm::DILocation &Place, unsigned Number);
  /// The rest of the file from the place on; "" where it cannot be read.
  llvm::StringRef from(const llvm::DILocation &Place);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> Text;
    std::vector<size_t> Lines; // where each begins
  };
  std::map<std::string, File> Files;
  llvm::StringRef rest(const llvm::DILocation &Place, unsigned Line);
};

} // namespace mck::statics
