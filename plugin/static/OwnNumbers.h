// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that a process computes of data of its own: a stencil leaves its loop by the residual of its own part of the
// grid, where it should be reduced first. Of memory it is asked of what all stores to a variable, a member or an array
// are made. Own data begin with something of the rank, or are set on some ranks only; and they are made of themselves
// and of their neighbors, again and again. Coordinates are not: their differences are the same on all ranks.
#pragma once
#include "static/OwnObject.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include <map>
#include <optional>
#include <tuple>

namespace mck::statics {

class RankValues;

class OwnNumbers {
public:
  OwnNumbers(const Canonical &Code, RankValues &Values) : Code(Code), Values(Values), Objects(Code) {}
  /// A comparison of floating-point numbers: what makes it another on each rank of the communicator. Null: nothing, or
  /// it is not known.
  const llvm::Value *source(const llvm::FCmpInst &Compare, const void *Comm);
  OwnObjects &objects() { return Objects; }

private:
  // Is a value made of what is equal on all ranks, of a rank, of own data, or is that not known? In this order.
  struct Kind {
    enum { Equal, OfRank, Own, Unknown } What = Equal;
    const llvm::Value *Source = nullptr;
    void add(const Kind &Other);
  };
  struct Range {
    int64_t Low, High;
  };
  // What an access may touch: a range of an object, or anything in it (High is 0).
  using Cell = std::tuple<const llvm::Value *, int64_t, int64_t>;
  struct Content {
    Kind Is;
    bool IsOpen = false, IsIterated = false; // it is being computed; it is made of itself and of neighbors
    bool IsOfNeighbors = false;              // what is looked at now is made of several elements
  };

  const Canonical &Code;
  RankValues &Values;
  OwnObjects Objects;
  std::map<std::pair<const llvm::Value *, const void *>, const llvm::Value *> Known;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<llvm::DominatorTree>> Trees;
  llvm::DenseMap<const llvm::Value *, Kind> Now, Before; // of this turn, and the one before
  std::map<Cell, Content> Cells, CellsBefore;
  llvm::SmallVector<Content *, 16> Stack; // those that are being computed
  llvm::DenseMap<const llvm::Value *, bool> Neighbors;
  unsigned Work = 0;
  bool IsActive = false;
  bool IsLast = false; // what may be one or the other is not known

  Kind of(const llvm::Value *V, unsigned Depth);
  Kind compute(const llvm::Value *V, unsigned Depth);
  Kind ofNumber(const llvm::Value *V, unsigned Depth);
  Kind ofOperands(const llvm::User &U, unsigned Depth);
  Kind ofCall(const llvm::CallBase &Call, unsigned Depth);
  Kind ofArgument(const llvm::Argument &A, unsigned Depth);
  Kind ofMemory(const llvm::Value *Address, bool IsCopied, unsigned Depth);
  Kind ofCell(const Cell &At, unsigned Depth);
  Kind ofChanges(const OwnObject &O, std::optional<Range> At, Content &In, unsigned Depth);
  bool isOfNeighbors(const llvm::Value *V);
  bool isSame() const;
  Kind ofMessage(const llvm::CallBase &Call, const MpiFunction &Mpi, const llvm::Value *Base);
  Kind ofChange(const OwnObject &O, const OwnObject::Change &C, unsigned Depth);
  static bool isOwn(const Kind &K);
  std::optional<Range> rangeOf(const llvm::Value *Address, const llvm::Value *Base) const;
  Kind oneOf(llvm::ArrayRef<Kind> All) const;
  const llvm::Value *rankThatDecides(const llvm::Instruction &I);
  bool hasIndexOfRank(const llvm::Value *Address);
};

} // namespace mck::statics
