// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that come from data, across the functions of a module: which arguments, results and variables are made to ranks
// by another function than the one that has received them (DataRanks.h). It knows no order: what may be one, is one.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace mck {

class RankFlow {
public:
  explicit RankFlow(const llvm::Module &M);
  /// Does the function make a rank of this argument, or of what it points to?
  bool namesArgument(const llvm::Function *F, unsigned Argument) const { return Arguments.count({F, Argument}); }
  /// Does a caller make a rank of the result, or of what the function stores where this argument points?
  bool namesResult(const llvm::Function *F) const { return Results.contains(F); }
  bool namesFilled(const llvm::Function *F, unsigned Argument) const { return Filled.count({F, Argument}); }
  /// Does any function, or another one, make a rank of the variable?
  bool namesVariable(const llvm::Value *Variable) const { return Variables.count(Variable); }
  bool namesVariable(const llvm::Value *Variable, const llvm::Function &ButOf) const;
  /// May the call lead to such a function?
  bool leadsToName(const llvm::CallBase &Call, const llvm::Value *Variable) const;

private:
  using Place = std::pair<const llvm::Function *, unsigned>;
  llvm::DenseSet<Place> Arguments, Filled;
  llvm::SmallPtrSet<const llvm::Function *, 16> Results;
  llvm::DenseMap<const llvm::Value *, llvm::SmallPtrSet<const llvm::Function *, 4>> Variables;

  bool look(const llvm::Function &F);
};

} // namespace mck
