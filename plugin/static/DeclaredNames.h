// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What names of the source mean in one function, by its debug information: variables that can be seen at a place,
// members, elements. Of C and C++.
#pragma once
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace mck::statics {

class DeclaredNames {
public:
  explicit DeclaredNames(const llvm::Function &F);
  /// Of which numbers is what an expression points to, as kindOfNumber() has it? 0: it is no plain expression
  /// ("x", "&x[i]", "f->u + n", "v.data()"), or what it names is not of such numbers.
  uint32_t kindOfElements(llvm::StringRef Expression, const llvm::DILocation &At) const;
  /// The same of a pointer variable.
  uint32_t kindOfVariable(const llvm::AllocaInst &Variable) const;

private:
  const llvm::Function &F;
  llvm::StringMap<llvm::SmallVector<const llvm::DILocalVariable *, 1>> Locals;
  llvm::DenseMap<const llvm::Value *, const llvm::DILocalVariable *> Variables;
  const llvm::DIType *typeOf(llvm::StringRef Name, const llvm::DILocation &At) const;
  const llvm::DIType *local(llvm::StringRef Name, const llvm::DILocation &At) const;
  const llvm::DIType *global(llvm::StringRef Name) const;
};

} // namespace mck::statics
