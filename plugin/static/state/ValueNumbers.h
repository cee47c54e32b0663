// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of values: what is computed in the same way from the same values has the same number, so that a condition
// that a program tests twice is known to be the same one. Loads of one address are one value; Facts.h says until when.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <deque>
#include <map>
#include <vector>

namespace mck::statics {

using ValueNumber = unsigned;

/// "a < b" or "a == b", the operands in the order of their numbers where that does not matter, perhaps negated.
struct Comparison {
  ValueNumber Number;
  bool IsNegated;
};

class ValueNumbers {
public:
  ValueNumber of(const llvm::Value *V);
  Comparison of(const llvm::CmpInst &Compare);
  /// What this load gives is a value of its own: it is used where its address may hold another one.
  void keepApart(const llvm::LoadInst &Load);
  /// Number of a truth that has no instruction of its own: an ordered pair of two values.
  ValueNumber ofPair(unsigned Tag, ValueNumber A, ValueNumber B);
  /// The values that it is computed from: arguments, results of calls, variables of loops, loads.
  llvm::ArrayRef<const llvm::Value *> leaves(ValueNumber Number) const { return Leaves[Number]; }
  /// The address number of a load, or 0.
  ValueNumber addressOf(ValueNumber Load) const { return Loads.lookup(Load); }
  /// The load of this type of an address with this number, or 0.
  ValueNumber loadOf(ValueNumber Address, llvm::Type *Type) const { return LoadsOf.lookup({Address, Type}); }
  const llvm::Value *valueOf(ValueNumber Number) const { return Values[Number]; }

private:
  using Key = std::vector<uintptr_t>;
  std::map<Key, ValueNumber> Known;
  llvm::DenseMap<const llvm::Value *, ValueNumber> Done;
  llvm::DenseMap<ValueNumber, ValueNumber> Loads;
  llvm::DenseMap<std::pair<ValueNumber, llvm::Type *>, ValueNumber> LoadsOf;
  std::deque<llvm::SmallVector<const llvm::Value *, 2>> Leaves{{}}; // who reads some may make more
  std::vector<const llvm::Value *> Values{nullptr};
  const llvm::Value *memberOf(const llvm::Value *Address, int64_t &Offset);
  ValueNumber make(const Key &K, const llvm::Value *V, llvm::ArrayRef<ValueNumber> Operands, bool IsLeaf);
};

} // namespace mck::statics
