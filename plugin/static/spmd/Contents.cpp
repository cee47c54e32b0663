// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in memory (Contents.h).
#include "static/spmd/Contents.h"

using namespace llvm;
using namespace mck::statics;

void Contents::forget(const Object &O) {
  All[O].clear();
  Changed.insert(O);
}

void Contents::forget(const Object &O, int64_t Low, int64_t High) {
  if (Low < High) store({Datum::Address, Low, O, false}, High - Low, {});
}

void Contents::forgetIf(function_ref<bool(const Object &)> P) {
  for (auto &[O, Cells] : All)
    if (P(O)) forget(O);
}

// Cells that have bytes in common with these are gone. Of what is not known the rest stays so.
void Contents::clear(const Datum &At, int64_t Size) {
  auto &Cells = All[At.Of];
  int64_t End = At.Value + Size;
  std::vector<std::pair<int64_t, Cell>> Rest;
  for (auto I = Cells.begin(); I != Cells.end();) {
    auto [Begin, C] = *I;
    int64_t Last = Begin + C.Size;
    bool IsTouched = Begin < End && At.Value < Last;
    if (IsTouched && C.What.What == Datum::Unknown) {
      if (Begin < At.Value) Rest.push_back({Begin, {At.Value - Begin, {}, C.IsCopied}});
      if (End < Last) Rest.push_back({End, {Last - End, {}, C.IsCopied}});
    }
    I = IsTouched ? Cells.erase(I) : std::next(I);
  }
  for (const auto &[Begin, C] : Rest) Cells[Begin] = C;
}

void Contents::store(const Datum &At, int64_t Size, const Datum &What) {
  if (At.IsFloating) return forget(At.Of);
  clear(At, Size);
  All[At.Of][At.Value] = {Size, What};
}

const Datum *Contents::load(const Datum &At, int64_t Size) const {
  auto Cells = All.find(At.Of);
  if (At.IsFloating || Cells == All.end()) return nullptr;
  auto Found = Cells->second.find(At.Value);
  if (Found != Cells->second.end() && Found->second.Size == Size) return &Found->second.What;
  static const Datum None;
  bool IsCopied = any_of(Cells->second, [&](const auto &One) {
    return One.second.IsCopied && One.first < At.Value + Size && At.Value < One.first + One.second.Size;
  });
  return IsCopied ? &None : nullptr;
}

bool Contents::isUntouched(const Datum &At, int64_t Size) const {
  if (At.IsFloating || Changed.count(At.Of)) return false;
  auto Cells = All.find(At.Of);
  return Cells == All.end() || none_of(Cells->second, [&](const auto &One) {
           return One.first < At.Value + Size && At.Value < One.first + One.second.Size;
         });
}

unsigned Contents::count(const Datum &What) const {
  unsigned Is = 0;
  for (const auto &[O, Cells] : All)
    for (const auto &[Offset, C] : Cells) Is += C.What == What;
  return Is;
}

void Contents::forEach(const Object &O, function_ref<void(const Datum &)> Look) const {
  if (auto Cells = All.find(O); Cells != All.end())
    for (const auto &[Offset, C] : Cells->second) Look(C.What);
}

void Contents::copy(const Datum &To, const Datum &From, int64_t Size) {
  if (To.IsFloating) return forget(To.Of);
  std::map<int64_t, Cell> Copied;
  auto Cells = All.find(From.Of);
  if (!From.IsFloating && Cells != All.end())
    for (const auto &[Offset, C] : Cells->second)
      if (Offset >= From.Value && Offset + C.Size <= From.Value + Size) Copied[Offset - From.Value + To.Value] = C;
  clear(To, Size);
  int64_t End = To.Value; // of what was copied so far
  for (const auto &[Offset, C] : Copied) {
    if (End < Offset) All[To.Of][End] = {Offset - End, {}, true};
    All[To.Of][Offset] = C;
    End = Offset + C.Size;
  }
  if (End < To.Value + Size) All[To.Of][End] = {To.Value + Size - End, {}, true};
  Changed.insert(To.Of);
}
