// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Automata of calls (Sequence.h).
#include "static/Sequence.h"
#include <map>
#include <set>

using namespace llvm;
using namespace mck::statics;

constexpr size_t MostPairs = 20000, MostLength = 40;

unsigned Sequence::addState() {
  States.emplace_back();
  return unsigned(States.size() - 1);
}

void Sequence::finish(unsigned First, unsigned Last) {
  Start = First, End = Last;
  std::vector<SmallVector<unsigned, 2>> Before(States.size());
  for (unsigned At = 0; At < States.size(); ++At) {
    for (unsigned To : States[At].Steps) Before[To].push_back(At);
    for (auto &[What, To] : States[At].Letters) Before[To].push_back(At);
  }
  Useful.resize(unsigned(States.size()));
  SmallVector<unsigned, 32> Work{End};
  Useful.set(End);
  while (!Work.empty())
    for (unsigned From : Before[Work.pop_back_val()])
      if (!Useful.test(From)) {
        Useful.set(From);
        Work.push_back(From);
      }
}

BitVector Sequence::closure(ArrayRef<unsigned> From) const {
  BitVector Found(unsigned(States.size()));
  SmallVector<unsigned, 32> Work;
  auto Add = [&](unsigned At) {
    if (!Useful.test(At) || Found.test(At)) return;
    Found.set(At);
    Work.push_back(At);
  };
  for (unsigned At : From) Add(At);
  while (!Work.empty())
    for (unsigned To : States[Work.pop_back_val()].Steps) Add(To);
  return Found;
}

bool Sequence::isSilent() const {
  bool IsWhole;
  std::vector<Word> Some = words(2, IsWhole);
  return IsWhole && Some.size() == 1 && Some.front().empty();
}

std::vector<Word> Sequence::words(unsigned Most, bool &IsWhole) const {
  std::vector<Word> Found;
  IsWhole = false;
  std::vector<std::pair<BitVector, Word>> Level{{closure(Start), {}}};
  for (size_t Length = 0; Length < MostLength && !Level.empty(); ++Length) {
    std::vector<std::pair<BitVector, Word>> Longer;
    for (auto &[Set, Before] : Level) {
      if (Set.test(End)) Found.push_back(Before);
      if (Found.size() >= Most) return Found;
      std::map<unsigned, std::pair<Letter, SmallVector<unsigned, 4>>> ByName;
      for (unsigned At : Set.set_bits())
        for (auto &[What, To] : States[At].Letters) {
          auto &Place = ByName.try_emplace(What.Name, std::make_pair(What, SmallVector<unsigned, 4>())).first->second;
          Place.second.push_back(To);
        }
      for (auto &[Name, Place] : ByName) {
        BitVector Next = closure(Place.second);
        if (Next.none()) continue;
        Word After = Before;
        After.push_back(Place.first);
        Longer.push_back({std::move(Next), std::move(After)});
        if (Longer.size() > 4 * size_t(Most)) return Found;
      }
    }
    Level = std::move(Longer);
  }
  IsWhole = Level.empty();
  return Found;
}

std::optional<bool> Sequence::haveCommon(const Sequence &A, const Sequence &B) {
  std::set<std::pair<unsigned, unsigned>> Seen;
  std::vector<std::pair<unsigned, unsigned>> Work;
  auto Add = [&](unsigned X, unsigned Y) {
    const std::pair<unsigned, unsigned> Both(X, Y);
    if (A.Useful.test(X) && B.Useful.test(Y) && Seen.insert(Both).second) Work.push_back(Both);
  };
  Add(A.Start, B.Start);
  while (!Work.empty()) {
    if (Seen.size() > MostPairs) return std::nullopt;
    auto [X, Y] = Work.back();
    Work.pop_back();
    if (X == A.End && Y == B.End) return true;
    for (unsigned To : A.States[X].Steps) Add(To, Y);
    for (unsigned To : B.States[Y].Steps) Add(X, To);
    for (auto &[One, ToA] : A.States[X].Letters)
      for (auto &[Other, ToB] : B.States[Y].Letters)
        if (One.Name == Other.Name) Add(ToA, ToB);
  }
  return false;
}
