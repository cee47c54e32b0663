// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Status variables: which parts of the statuses in one variable are read, where, and from which calls on (Statuses.h).
#pragma once
#include "abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace llvm {
class IntrinsicInst;
} // namespace llvm

namespace mck {

/// A status that an MPI function gets, from the generated list.
enum class StatusBecomes { READS, FILLS, FILLS_SEVERAL, MAY_FILL };
struct StatusParameter {
  llvm::StringLiteral Name; // of the function
  unsigned Count, Place;
  StatusBecomes What;
  int Source, Tag; // other parameters; -1: the function has none
};
/// NULL: the instruction is no call of such a function.
const StatusParameter *findStatusParameter(const llvm::Instruction &I);

/// Where a status lies. Offset: bytes from the begin of the variable; if it is not exact, bytes from the begin of one
/// of its statuses.
struct StatusPlace {
  int64_t Offset = 0;
  bool IsExact = true;

  StatusPlace status() const { return {IsExact ? Offset - Offset % MCK_STATUS_BYTES : 0, IsExact}; }
  bool mayBe(const StatusPlace &Other) const { return !IsExact || !Other.IsExact || Offset == Other.Offset; }
};

class StatusVariable {
public:
  /// Only: other functions are left out, as they are copies; NULL: none is.
  StatusVariable(const llvm::Value &Object, const llvm::DataLayout &Layout, const llvm::Function *Only);
  bool IsKnown;           // all its uses are known
  bool IsWritten = false; // the program changes statuses itself

  /// What is read in any place: MCK_STATUS_SOURCE, _TAG, _COUNT.
  unsigned allBits() const;
  /// Of a load of one part.
  unsigned bitsOf(const llvm::LoadInst &Load) const { return Touches.find(&Load)->second.front().Bits; }
  /// What is read of the status that From has filled in, before it is filled in again. Bits: but for Loads, which read
  /// one part each.
  struct Reads {
    unsigned Bits = 0;
    llvm::SmallVector<const llvm::LoadInst *, 4> Loads;
  };
  Reads readsFrom(const llvm::CallBase &From, StatusPlace Status) const;

private:
  struct Touch {
    StatusPlace At;
    unsigned Bits;       // what is read
    bool IsEnd = false;  // the status is filled in, or its variable ends
    bool IsEach = false; // all statuses of the variable from here on are read
  };
  const llvm::Value &Object;
  const llvm::DataLayout &Layout;
  const llvm::Function *Only;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<Touch, 1>> Touches;
  llvm::SmallVector<std::pair<const llvm::Value *, StatusPlace>, 16> Work;

  bool hasStatuses() const;
  bool follow();
  bool look(const llvm::Use &U, StatusPlace At);
  bool lookAtPart(const llvm::GEPOperator &Pointer, StatusPlace At);
  bool lookAtCall(const llvm::CallBase &Call, unsigned Argument, StatusPlace At);
  bool lookAtIntrinsic(const llvm::IntrinsicInst &Known, unsigned Argument, StatusPlace At);
  void read(const llvm::Instruction &I, StatusPlace At, uint64_t Size);
};

} // namespace mck
