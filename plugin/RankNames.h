// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of what ranks may come from: nodes of a graph that the objects of a program have together (RankFlow.h,
// rt/abi.h). A node is a hash of a text.
#pragma once
#include "abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace mck {

enum class RankPlace : char {
  VALUE = 'V',    // a parameter names a rank
  MEMORY = 'M',   // what it points to does
  FILLED = 'F',   // a caller makes a rank of what the function stores where a parameter points
  RESULT = 'R',   // a caller makes a rank of the result, or of what it points to
  CALLED = 'C',   // the function leads to calls that name ranks
  VARIABLE = 'G', // somebody makes a rank of a variable of a module
  USER = 'N'      // a function makes a rank of it
};

// Arguments behind the parameters are one.
constexpr unsigned VariableArguments = 255;

class RankNames {
public:
  explicit RankNames(const llvm::Module &M);
  /// Owner: the hash of a name.
  static uint64_t nodeOf(RankPlace Place, uint64_t Owner, unsigned At = 0, bool IsBehind = false);
  uint64_t nodeOf(RankPlace Place, const llvm::Function &F, unsigned At = 0, bool IsBehind = false) const {
    return nodeOf(Place, hashOf(F), At, IsBehind);
  }
  uint64_t nodeOf(RankPlace Place, const llvm::CallBase &Call, unsigned At = 0, bool IsBehind = false) const;
  uint64_t nodeOf(const llvm::GlobalVariable &Variable, bool IsBehind) const {
    return nodeOf(RankPlace::VARIABLE, hashOf(Variable), 0, IsBehind);
  }
  uint64_t nodeOf(const llvm::GlobalVariable &Variable, bool IsBehind, const llvm::Function &User) const {
    return nodeOf(RankPlace::USER, hashOf(Variable) * 31 + hashOf(User), 0, IsBehind);
  }
  /// Of its name; those of one module have its name, too.
  uint64_t hashOf(const llvm::GlobalValue &V) const;
  /// Of all functions whose address may be called as one of this type.
  uint64_t hashOf(const llvm::FunctionType &Type) const;

  /// The function that is called; null: any of its type.
  static const llvm::Function *calleeOf(const llvm::CallBase &Call);
  /// A template of C++'s library, instantiated in this module.
  static bool isTemplate(const llvm::Function &F);
  /// A function or table of MPI-2's bindings for C++ (MPI-2.2 16.1), which are classes of a header.
  static bool isBinding(const llvm::GlobalValue &V);
  static bool isMpi(const llvm::CallBase &Call);
  /// A function of MPI that makes data of other data of the same process: MPI_Unpack, MPI_Allreduce.
  static bool isPassing(const llvm::CallBase &Call);
  /// A function of a library that keeps nothing but in its arguments and calls nothing of the program, but for
  /// functions that it is given. So are templates of C++'s library that call only such functions.
  bool isHarmless(const llvm::CallBase &Call) const;
  bool isHarmless(const llvm::Function &F) const;
  /// May such a function put what it gets into memory of this argument? Files bring no data back.
  static bool isFilling(const llvm::CallBase &Call, unsigned Argument);
  /// Where the buffer that the call receives into is among its arguments.
  static std::optional<unsigned> bufferOf(const llvm::CallBase &Receive);
  /// Visits the arguments that name a rank.
  static llvm::SmallVector<unsigned, 2> ranksOf(const llvm::CallBase &Call);
  static uint64_t definitionOf(llvm::StringRef Name) { return mck_abi_hash_wide(Name.str().c_str()); }

private:
  const llvm::Module &M;
  llvm::SmallPtrSet<const llvm::Function *, 32> Templates; // the harmless ones
  mutable llvm::DenseMap<const llvm::Value *, uint64_t> Hashes;
  mutable llvm::DenseMap<const llvm::FunctionType *, uint64_t> TypeHashes;
  mutable llvm::DenseMap<const llvm::Function *, bool> Declared;
};

} // namespace mck
