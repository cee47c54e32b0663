// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known on one path: the ranges of values, from the conditions that were taken and from where values meet, and
// truths of comparisons that have no range. Conditions are decided by it, so that a path on which one condition is once
// true and once false is none.
#pragma once
#include "static/RankValue.h"
#include "static/state/ValueNumbers.h"

namespace mck::statics {

constexpr int64_t Unbounded = INT64_C(1) << 60; // of ranges

struct Range {
  int64_t Low = -Unbounded, High = Unbounded;
  bool isOne() const { return Low == High; }
  bool isAny() const { return Low <= -Unbounded && High >= Unbounded; }
  bool isEmpty() const { return Low > High; }
  bool operator==(const Range &O) const { return Low == O.Low && High == O.High; }
};
Range operator+(Range A, Range B);
Range operator*(Range A, int64_t Factor);

/// A sum of values with factors, and a number of a range.
struct Sum {
  llvm::SmallVector<std::pair<ValueNumber, int64_t>, 2> Terms; // by number
  Range Rest{0, 0};
  bool isNumber() const { return Terms.empty() && Rest.isOne(); }
  Sum plus(const Sum &Other, int64_t Factor) const;
};

/// Facts of a path are few: a sorted vector.
class Facts {
public:
  struct Fact {
    ValueNumber About, Base; // it is Base + Is; without a base a number
    Range Is;
    bool operator==(const Fact &O) const { return About == O.About && Base == O.Base && Is == O.Is; }
  };
  const Fact *find(ValueNumber About) const;
  void set(const Fact &New);
  template <typename Predicate>
  void dropIf(Predicate P) {
    llvm::erase_if(All, P);
  }
  llvm::MutableArrayRef<Fact> all() { return All; }
  /// Is everything that the other knows known here, too?
  bool implies(const Facts &Weaker) const;

private:
  llvm::SmallVector<Fact, 4> All;
};

/// Computes values by the facts of a path, for one process or for all.
class Reasoning {
public:
  Reasoning(ValueNumbers &Numbers, RankValues *Values) : Numbers(Numbers), Values(Values) {}
  Sum valueOf(const llvm::Value *V, const Facts &F);
  /// The range of a sum, by what is known of its values.
  Range rangeOf(const Sum &S, const Facts &F) const;
  Range rangeOf(const llvm::Value *V, const Facts &F) { return rangeOf(valueOf(V, F), F); }
  /// What a condition is; nothing: not known.
  std::optional<bool> decide(const llvm::Value *Condition, const Facts &F);
  /// Takes it that the condition is so. False: it cannot be.
  bool assume(const llvm::Value *Condition, bool IsTrue, Facts &F);
  /// Takes it that a number is this one.
  bool assumeEqual(const llvm::Value *V, int64_t Is, Facts &F);

  ValueNumbers &Numbers;

private:
  RankValues *Values; // null: nothing is known of ranks
  unsigned Depth = 0;
  Sum symbol(const llvm::Value *V, const Facts &F, Range Known = {});
  Range usual(ValueNumber Number) const;
  Sum compute(const llvm::Value *V, const Facts &F);
  Sum ofBinary(const llvm::BinaryOperator &I, const Facts &F);
  std::optional<bool> compare(const llvm::CmpInst &C, const Facts &F);
  bool narrow(ValueNumber About, Range To, Facts &F);
  bool assumeOrder(const Sum &Difference, bool IsStrict, Facts &F);
  bool assumeComparison(const llvm::ICmpInst &C, bool IsTrue, Facts &F);
};

} // namespace mck::statics
