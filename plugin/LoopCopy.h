// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of a loop as it would run if nothing came any more: a function of its own, in which all calls that ask MPI for
// something have been replaced by their results in that case, and which has then been optimized. Code that runs only
// when something has come is gone.
#pragma once
#include "Asks.h"
#include "PrivateMemory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace mck {

/// What MPI_Test says of a null request (MPI-3.1 3.7.3).
enum class NullRequests {
  Complete, // as it is: "complete"
  Absent,   // no such request is tested
};

class LoopCopy {
public:
  static constexpr char Name[] = "mck.loop"; // of the function
  LoopCopy(const llvm::Loop &L, PrivateMemory &Memory, NullRequests Nulls, llvm::FunctionAnalysisManager &Passes);
  ~LoopCopy();
  LoopCopy(const LoopCopy &) = delete;
  LoopCopy &operator=(const LoopCopy &) = delete;
  bool make(); // false: the loop cannot be copied, or is too large
  llvm::Function &function() { return *Copy; }
  bool hasTests() const { return HasTests; } // some call tests a single request

  /// A call in the copy stands for an original one: itself, or the call of the function that it was in.
  struct Marker {
    llvm::CallInst *Call; // its arguments say what is asked for
    unsigned Id;          // index in originals()
  };
  llvm::SmallVector<Marker, 8> markers();
  llvm::ArrayRef<llvm::CallBase *> originals() const { return Originals; }
  /// Calls that the copy has in place of others. Asked: a value, or the memory, that says what is asked for. Lost:
  /// memory is undefined afterwards.
  static bool isAsked(const llvm::CallBase &Call);
  static bool isAskedMemory(const llvm::CallBase &Call);
  static bool isLost(const llvm::CallBase &Call);
  static bool isNullRequest(const llvm::Value *V); // MPI_REQUEST_NULL

private:
  const llvm::Loop &L;
  PrivateMemory &Memory;
  NullRequests Nulls;
  llvm::FunctionAnalysisManager &Passes;
  llvm::Module &M;
  llvm::Function *Copy = nullptr;
  llvm::BasicBlock *Entry = nullptr;
  llvm::ValueToValueMapTy Map;
  llvm::SmallVector<llvm::CallBase *, 8> Originals;
  llvm::SmallVector<llvm::Instruction *, 8> Moved; // address computations before the loop
  bool HasTests = false, HadNull;

  bool isCopyable() const;
  void declareInputs(llvm::SmallVectorImpl<llvm::Value *> &Inputs);
  void copyBlocks();
  void replaceVariable(llvm::Value *Object, llvm::Value *Contents);
  void replaceGlobals();
  void replaceInvokes();
  void replaceAsks();
  void replaceAsk(llvm::CallBase &Call, const Ask &A);
  bool inlineCalls();
  static bool isStoredAgain(const llvm::StoreInst &Store);
  void simplify();
  unsigned idOf(const llvm::CallBase &Call) const;
  llvm::FunctionCallee declare(llvm::StringRef Name, bool IsMarker, llvm::MemoryEffects Effects);
};

} // namespace mck
