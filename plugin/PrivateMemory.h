// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that only one thread uses, and only in the way that the code of this module shows: no other thread, signal
// handler or process, no other module and no pending operation of MPI may change them.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"

namespace mck {

class PrivateMemory {
public:
  explicit PrivateMemory(llvm::Module &M);
  /// Object: a local variable, or a global one. May only code of F, and what F calls, change it while F runs?
  bool isPrivate(const llvm::Value *Object, const llvm::Function &F);

private:
  enum class Writers { Asks, Main, Others }; // calls that ask MPI for something; code of OfMain, too; any code
  struct Facts {
    bool IsPrivate;
    Writers By;
  };
  llvm::TargetLibraryInfoImpl LibraryImpl;
  llvm::TargetLibraryInfo Library;
  llvm::DenseMap<const llvm::Value *, Facts> Known;
  // Functions that run on the thread of main only, and not within a signal handler.
  llvm::SmallPtrSet<const llvm::Function *, 32> OfMain;

  void findOfMain(llvm::Module &M);
  Facts look(const llvm::Value *Object) const;
  friend class Uses;
};

} // namespace mck
