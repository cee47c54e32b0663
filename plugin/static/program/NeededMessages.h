// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls need a partner: those that the program executes, and that nothing takes back. A library that is linked
// has more than one program uses of it.
#pragma once
#include "static/Paths.h"
#include <map>

namespace mck::statics {

class NeededMessages {
public:
  explicit NeededMessages(const Canonical &Code);
  /// False also where it is not known.
  bool isNeeded(const llvm::CallBase &Call, const MpiFunction &Function);

private:
  struct View {
    Paths Ways;
    llvm::BitVector Returning; // blocks from which the function may return
    llvm::BitVector Reached;   // blocks to which a way leads, as far as switches that nothing sets allow it
    explicit View(const llvm::Function &F);
  };
  llvm::SmallPtrSet<const llvm::Function *, 32> Executed; // perhaps
  bool HasCancel = false;
  std::map<const llvm::Function *, View> Views;
  void execute(const llvm::Constant &First);
  bool isStarted(const llvm::CallBase &Call, const View &In) const;
};

} // namespace mck::statics
