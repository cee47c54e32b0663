// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in memory (Contents.h).
#include "static/spmd/Contents.h"

using namespace llvm;
using namespace mck::statics;

static const Datum None, Zero{Datum::Number, 0, {}, false};

Datum Piece::at(int64_t Offset, int64_t Bytes) const {
  auto Found = Parts.upper_bound(Offset);
  if (Found == Parts.begin()) return None;
  const auto &[Begin, Is] = *std::prev(Found);
  if (Is.What == Zero && Offset + Bytes <= Begin + Is.Size) return Zero;
  return Begin == Offset && Is.Size == Bytes ? Is.What : None;
}

Piece Piece::of(int64_t Size, const Datum &What) {
  Piece One{Size, {}};
  if (What.What == Datum::Number || What.What == Datum::Real) One.Parts[0] = {Size, What};
  return One;
}

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

// The first cell that ends behind Low.
Contents::Cells::const_iterator Contents::first(const Cells &In, int64_t Low) {
  auto Found = In.upper_bound(Low);
  if (Found == In.begin()) return Found;
  auto Before = std::prev(Found);
  return Before->first + Before->second.Size > Low ? Before : Found;
}

static bool isNumber(const Datum &Is) { return Is.What == Datum::Number || Is.What == Datum::Real; }

// Cells that have bytes in common with these are gone. Of what is not known, or zero, the rest stays so; of a number
// its other bytes.
void Contents::clear(const Datum &At, int64_t Size) {
  auto &Cells = All[At.Of];
  int64_t End = At.Value + Size;
  std::vector<std::pair<int64_t, Cell>> Rest;
  for (auto I = first(Cells, At.Value); I != Cells.end() && I->first < End; I = Cells.erase(I)) {
    auto [Begin, C] = *I;
    int64_t Last = Begin + C.Size;
    if (!C.isOfBytes()) {
      for (int64_t Byte = Begin; Byte < Last; ++Byte) {
        if (Byte >= At.Value && Byte < End) continue;
        bool IsKnown = isNumber(C.What) && C.Size <= 8;
        auto Value = int64_t(int8_t(uint64_t(C.What.Value) >> (IsKnown ? 8 * (Byte - Begin) : 0)));
        Rest.push_back({Byte, {1, IsKnown ? Datum{Datum::Number, Value, {}, false} : Datum()}});
      }
      continue;
    }
    if (Begin < At.Value) Rest.push_back({Begin, {At.Value - Begin, {}, C.IsCopied, C.IsZero}});
    if (End < Last) Rest.push_back({End, {Last - End, {}, C.IsCopied, C.IsZero}});
  }
  for (const auto &[Begin, C] : Rest) Cells[Begin] = C;
}

void Contents::store(const Datum &At, int64_t Size, const Datum &What) {
  if (At.IsFloating) return forget(At.Of);
  clear(At, Size);
  All[At.Of][At.Value] = {Size, What};
}

void Contents::clearToZero(const Datum &At, int64_t Size) {
  if (At.IsFloating) return forget(At.Of);
  if (Size <= 0) return;
  clear(At, Size);
  All[At.Of][At.Value] = {Size, {}, false, true};
}

const Datum *Contents::load(const Datum &At, int64_t Size) const {
  auto Cells = All.find(At.Of);
  if (At.IsFloating || Cells == All.end()) return nullptr;
  auto Found = first(Cells->second, At.Value);
  if (Found == Cells->second.end()) return nullptr;
  const auto &[Begin, C] = *Found;
  if (C.IsZero && Begin <= At.Value && At.Value + Size <= Begin + C.Size) return &Zero;
  if (Begin == At.Value && C.Size == Size && !C.IsZero) return &C.What;
  for (; Found != Cells->second.end() && Found->first < At.Value + Size; ++Found)
    if (Found->second.IsCopied) return &None;
  return nullptr;
}

std::optional<uint64_t> Contents::bits(const Datum &At, int64_t Size, bool IsFresh) const {
  auto Cells = All.find(At.Of);
  if (At.IsFloating || Size > 8 || Cells == All.end()) return std::nullopt;
  uint64_t Is = 0;
  for (int64_t Byte = 0; Byte < Size; ++Byte) {
    auto Found = first(Cells->second, At.Value + Byte);
    bool IsThere = Found != Cells->second.end() && Found->first <= At.Value + Byte;
    if (!IsThere) {
      if (!Byte || !IsFresh || Changed.count(At.Of)) return std::nullopt;
      continue;
    }
    const auto &[Begin, C] = *Found;
    if (C.IsZero) continue;
    if (!isNumber(C.What) || C.Size > 8) return std::nullopt;
    Is |= (uint64_t(C.What.Value) >> 8 * (At.Value + Byte - Begin) & 0xff) << 8 * Byte;
  }
  return Is;
}

bool Contents::isUntouched(const Datum &At, int64_t Size) const {
  if (At.IsFloating || Changed.count(At.Of)) return false;
  auto Cells = All.find(At.Of);
  if (Cells == All.end()) return true;
  auto Found = first(Cells->second, At.Value);
  return Found == Cells->second.end() || Found->first >= At.Value + Size;
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
  Cells Copied;
  auto Old = All.find(From.Of);
  if (!From.IsFloating && Old != All.end())
    for (auto I = first(Old->second, From.Value); I != Old->second.end() && I->first < From.Value + Size; ++I) {
      auto [Offset, C] = *I;
      int64_t Begin = std::max(Offset, From.Value), End = std::min(Offset + C.Size, From.Value + Size);
      if (!C.isOfBytes() && End - Begin != C.Size) continue;
      C.Size = End - Begin, C.IsCopied |= !C.IsZero && C.isOfBytes();
      Copied[Begin - From.Value + To.Value] = C;
    }
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

Piece Contents::take(const Datum &At, int64_t Size) const {
  Piece Taken{Size, {}};
  auto Cells = All.find(At.Of);
  if (At.IsFloating || Cells == All.end()) return Taken;
  for (auto I = first(Cells->second, At.Value); I != Cells->second.end() && I->first < At.Value + Size; ++I) {
    const auto &[Offset, C] = *I;
    int64_t Begin = std::max(Offset, At.Value), End = std::min(Offset + C.Size, At.Value + Size);
    bool IsNumber = C.What.What == Datum::Number || C.What.What == Datum::Real;
    if (C.IsZero) Taken.Parts[Begin - At.Value] = {End - Begin, Zero};
    else if (IsNumber && End - Begin == C.Size) Taken.Parts[Begin - At.Value] = {C.Size, C.What};
  }
  return Taken;
}

void Contents::put(const Datum &To, const Piece &What) {
  forget(To.Of, To.Value, To.Value + What.Size);
  for (const auto &[Offset, Is] : What.Parts) {
    Datum At = To;
    At.Value += Offset;
    if (Is.What == Zero) clearToZero(At, Is.Size);
    else store(At, Is.Size, Is.What);
  }
}
