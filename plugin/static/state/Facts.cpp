// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges, sums, and the facts of a path (Facts.h); Reasoning.cpp decides conditions by them.
#include "static/state/Facts.h"

using namespace llvm;
using namespace mck::statics;

static int64_t clamp(__int128 Value) {
  if (Value >= Unbounded) return Unbounded;
  if (Value <= -Unbounded) return -Unbounded;
  return int64_t(Value);
}

Range mck::statics::operator+(Range A, Range B) {
  bool IsLowOpen = A.Low <= -Unbounded || B.Low <= -Unbounded, IsHighOpen = A.High >= Unbounded || B.High >= Unbounded;
  return {IsLowOpen ? -Unbounded : clamp(__int128(A.Low) + B.Low),
          IsHighOpen ? Unbounded : clamp(__int128(A.High) + B.High)};
}

Range mck::statics::operator*(Range A, int64_t Factor) {
  if (!Factor) return {0, 0};
  int64_t Low = clamp(__int128(A.Low) * Factor), High = clamp(__int128(A.High) * Factor);
  return Factor > 0 ? Range{Low, High} : Range{High, Low};
}

Sum Sum::plus(const Sum &Other, int64_t Factor) const {
  Sum Made = *this;
  Made.Rest = Rest + Other.Rest * Factor;
  for (auto [Number, Times] : Other.Terms) {
    auto *Place = llvm::find_if(Made.Terms, [N = Number](const auto &Term) { return Term.first >= N; });
    if (Place == Made.Terms.end() || Place->first != Number) Place = Made.Terms.insert(Place, {Number, 0});
    Place->second += Times * Factor;
    if (!Place->second) Made.Terms.erase(Place);
  }
  return Made;
}

const Facts::Fact *Facts::find(ValueNumber About) const {
  const Fact *Place = llvm::lower_bound(All, About, [](const Fact &A, ValueNumber B) { return A.About < B; });
  return Place != All.end() && Place->About == About ? Place : nullptr;
}

void Facts::set(const Fact &New) {
  Fact *Place = llvm::lower_bound(All, New.About, [](const Fact &A, ValueNumber B) { return A.About < B; });
  bool IsThere = Place != All.end() && Place->About == New.About;
  if (!New.Base && New.Is.isAny()) {
    if (IsThere) All.erase(Place);
  } else if (IsThere) *Place = New;
  else All.insert(Place, New);
}

// Both are sorted. Walks compare what they know with all that was known at a place: most of these comparisons fail.
bool Facts::implies(const Facts &Weaker) const {
  if (Weaker.All.size() > All.size()) return false;
  const Fact *Own = All.begin();
  for (const Fact &Other : Weaker.All) {
    while (Own != All.end() && Own->About < Other.About) ++Own;
    if (Own == All.end() || Own->About != Other.About || Own->Base != Other.Base) return false;
    if (Own->Is.Low < Other.Is.Low || Own->Is.High > Other.Is.High) return false;
  }
  return true;
}
