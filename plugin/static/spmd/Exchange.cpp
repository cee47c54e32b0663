// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches collective calls and messages of processes (Exchange.h).
#include "static/spmd/Exchange.h"

using namespace llvm;
using namespace mck::statics;

Exchange::Exchange(int Size, bool IsBuffering) : States(size_t(Size)), IsBuffering(IsBuffering) {
  std::vector<int> All;
  for (int Rank = 0; Rank < Size; ++Rank) All.push_back(Rank);
  Comms.push_back(All);
  for (int Rank = 0; Rank < Size; ++Rank) Comms.push_back({Rank});
}

Comm Exchange::make(std::vector<int> Members) {
  Comms.push_back(std::move(Members));
  return Comm(Comms.size()) - 1;
}

bool Exchange::areAllThere() const {
  return all_of(States, [](const State &S) { return S.IsThere; });
}

Exchange::Meeting &Exchange::arrive(int Rank, Comm Of, Part What) {
  size_t Number = States[size_t(Rank)].Calls[Of]++;
  const std::vector<int> &Members = members(Of);
  auto [Found, IsNew] = Meetings.try_emplace({Of, Number}, Meeting{Of, {}, {}});
  Meeting &M = Found->second;
  if (IsNew) M.Parts.resize(Members.size());
  for (size_t At = 0; At < Members.size(); ++At)
    if (Members[At] == Rank) M.Parts[At] = std::move(What);
  return M;
}

bool Exchange::isOver(const Meeting &M) const {
  for (size_t At = 0; At < M.Parts.size(); ++At)
    if (!M.Parts[At] && isThere(members(M.Of)[At])) return false;
  return isWhole(M) || !areAllThere(); // calls that do not fit wait for ever
}

bool Exchange::fits(const Part &A, const Part &B) {
  if (A.Mpi->Number != B.Mpi->Number) return false;
  if (A.Root && B.Root && *A.Root != *B.Root) return false;
  return !A.Operation || !B.Operation || A.Operation == B.Operation;
}

bool Exchange::isWhole(const Meeting &M) {
  return all_of(M.Parts, [&](const auto &P) { return P && fits(*P, *M.Parts.front()); });
}

bool Exchange::fits(const Receipt &R, const Letter &L) const {
  if (R.From < 0 && !HasOrder) return false;
  return R.Of == L.Of && (R.From < 0 || R.From == L.From) && (R.Tag < 0 || R.Tag == L.Tag);
}

// The receive that was posted first gets it.
size_t Exchange::send(Letter L) {
  size_t Number = Letters.size();
  Letters.push_back(std::move(L));
  State &To = States[size_t(Letters.back().To)];
  for (size_t I = 0; I < To.Posted.size(); ++I) {
    Receipt &R = Receipts[To.Posted[I]];
    if (!fits(R, Letters.back())) continue;
    R.Matched = Number;
    To.Posted.erase(To.Posted.begin() + long(I--));
    if (R.IsProbe) continue;
    Letters.back().IsTaken = true;
    return Number;
  }
  To.Untaken.push_back(Number);
  return Number;
}

// The message that was sent first is taken.
size_t Exchange::receive(Receipt R) {
  State &Own = States[size_t(R.To)];
  for (size_t I = 0; I < Own.Untaken.size() && !R.Matched; ++I) {
    Letter &L = Letters[Own.Untaken[I]];
    if (!fits(R, L)) continue;
    R.Matched = Own.Untaken[I];
    if (R.IsProbe) continue;
    L.IsTaken = true;
    Own.Untaken.erase(Own.Untaken.begin() + long(I));
  }
  Receipts.push_back(R);
  if (!R.Matched) Own.Posted.push_back(Receipts.size() - 1);
  return Receipts.size() - 1;
}

bool Exchange::isOver(size_t Number) const {
  const Receipt &R = Receipts[Number];
  if (R.Matched) return true;
  if (R.From >= 0) return !isThere(R.From);
  if (!HasOrder) return true;
  return any_of(members(R.Of), [&](int Rank) { return !isThere(Rank); });
}

const Exchange::Letter *Exchange::letter(size_t Number) const {
  const Receipt &R = Receipts[Number];
  return R.Matched ? &Letters[*R.Matched] : nullptr;
}

std::vector<const Exchange::Letter *> Exchange::untaken() const {
  std::vector<const Letter *> All;
  for (const State &S : States)
    for (size_t Number : S.Untaken) All.push_back(&Letters[Number]);
  return All;
}

bool Exchange::isReady(int Rank) const {
  const Wait &W = States[size_t(Rank)].Waits;
  size_t Over = 0, All = W.Meetings.size() + W.Receipts.size() + W.Letters.size();
  for (const Meeting *M : W.Meetings) Over += isOver(*M);
  for (size_t R : W.Receipts) Over += isOver(R);
  for (size_t L : W.Letters) Over += isReceived(L);
  return W.IsRefused || (W.IsForAny ? Over > 0 || !All : Over == All);
}

bool Exchange::refuse() {
  for (int Rank = 0; Rank < size(); ++Rank)
    if (Wait &W = waitOf(Rank); W.IsAsking && !isReady(Rank)) return W.IsRefused = HasRefused = true;
  return false;
}

std::string Exchange::ranks(int Rank, StringRef Does) const {
  return ("of " + Twine(size()) + " ranks, rank " + Twine(Rank) + " " + Does).str();
}

static std::string nameOf(const CallBase &Call) { return findMpi(Call)->Name.str(); }

// Another member has returned, or is in another call of the same communicator.
std::optional<Fault> Exchange::explain(int Rank, const Meeting &M) const {
  const std::vector<int> &Members = members(M.Of);
  const Part *Own = nullptr;
  for (size_t At = 0; At < Members.size(); ++At)
    if (Members[At] == Rank) Own = &*M.Parts[At];
  for (size_t At = 0; At < Members.size(); ++At) {
    const std::optional<Part> &Other = M.Parts[At];
    std::string Who = std::to_string(Members[At]);
    if (Other && !fits(*Own, *Other)) {
      bool IsSame = Own->Mpi->Number == Other->Mpi->Number;
      return Fault{"collective.divergence",
                   Own->Mpi->Name.str() + " is called by some ranks where others call " +
                       (IsSame ? "it with another root or operation" : Other->Mpi->Name.str()) + ": " +
                       ranks(Rank, "calls it and rank " + Who + " does not"),
                   std::nullopt, Other->Call};
    }
    if (!Other && States[size_t(Members[At])].IsEnded)
      return Fault{"collective.divergence", Own->Mpi->Name.str() +
                                                " is not called by all ranks that must call it together: " +
                                                ranks(Rank, "calls it and rank " + Who + " does not")};
  }
  return std::nullopt;
}

bool Exchange::isAtEnd(int Rank) const {
  const State &S = States[size_t(Rank)];
  return S.IsEnded || (S.Waits.Call && findMpi(*S.Waits.Call)->Number == MCK_FN_MPI_Finalize);
}

// Nobody is left who could send, or only such who wait themselves.
std::optional<Fault> Exchange::explain(int Rank, const Receipt &R) const {
  std::string Name = nameOf(*R.Call), From = R.From < 0 ? "" : " from rank " + std::to_string(R.From);
  const CallBase *Since = nullptr, *End = nullptr;
  for (int Other : members(R.Of)) {
    if (Other == Rank || (R.From >= 0 && R.From != Other)) continue;
    (isAtEnd(Other) ? End : Since) = States[size_t(Other)].Waits.Call;
  }
  if (!Since)
    return Fault{"message.unmatched-receive",
                 Name + ": nobody sends this message: " + ranks(Rank, "waits for a message" + From) +
                     (R.From < 0 || R.From == Rank ? "" : ", which is at its end already"),
                 std::nullopt, End};
  return Fault{"deadlock",
               Name + " waits for ever: " + ranks(Rank, "waits for a message" + From) +
                   (R.From < 0 ? ", and the others wait, too" : ", which waits, too"),
               std::nullopt, Since};
}

Fault Exchange::explainSend(int Rank, const Letter &L, const CallBase *Other) const {
  std::string Does = "waits until rank " + std::to_string(L.To) + " receives";
  if (isAtEnd(L.To))
    return {"message.lost", nameOf(*L.Call) + ": nobody receives this message: " + ranks(Rank, Does), std::nullopt,
            Other};
  return {"deadlock", nameOf(*L.Call) + " waits for ever: " + ranks(Rank, Does + ", which waits, too"), std::nullopt,
          Other};
}

// Only what is wrong by itself: others wait because of these.
std::vector<Exchange::Stuck> Exchange::explain(function_ref<bool(int64_t)> HasSend,
                                               function_ref<bool(int64_t)> HasReceive) const {
  std::vector<Stuck> Wrong, Cycles;
  for (int Rank = 0; Rank < size(); ++Rank) {
    const Wait &W = States[size_t(Rank)].Waits;
    if (!W.Call || States[size_t(Rank)].IsEnded) continue;
    for (const Meeting *M : W.Meetings)
      if (auto Is = explain(Rank, *M)) Wrong.push_back({Rank, W.Call, *Is});
    for (size_t Number : W.Letters)
      if (int To = Letters[Number].To; !Letters[Number].IsTaken && HasReceive(Letters[Number].Tag))
        (isAtEnd(To) ? Wrong : Cycles)
            .push_back({Rank, Letters[Number].Call, explainSend(Rank, Letters[Number], States[size_t(To)].Waits.Call)});
    for (size_t Number : W.Receipts) {
      const Receipt &R = Receipts[Number];
      if (R.Matched || !HasSend(R.Tag)) continue;
      if (auto Is = explain(Rank, R)) (Is->Kind == "deadlock" ? Cycles : Wrong).push_back({Rank, R.Call, *Is});
    }
  }
  return Wrong.empty() ? Cycles : Wrong;
}

// Only what surely waits: all of its operations must be complete, and the other process alone can complete this one.
std::optional<int> Exchange::waitsFor(int Rank) const {
  const Wait &W = States[size_t(Rank)].Waits;
  if (!W.Call || W.IsForAny || W.IsAsking || States[size_t(Rank)].IsEnded) return std::nullopt;
  for (size_t Number : W.Letters)
    if (!Letters[Number].IsTaken)
      return Letters[Number].Bytes > 0 ? std::optional<int>(Letters[Number].To) : std::nullopt;
  for (size_t Number : W.Receipts)
    if (const Receipt &R = Receipts[Number]; !R.Matched) return R.From >= 0 ? std::optional<int>(R.From) : std::nullopt;
  return std::nullopt;
}

std::optional<Exchange::Stuck> Exchange::explainCycle() const {
  for (int First = 0; First < size(); ++First) {
    std::vector<int> Cycle{First};
    std::optional<int> Next = waitsFor(First);
    for (; Next && !is_contained(Cycle, *Next); Next = waitsFor(*Next)) Cycle.push_back(*Next);
    if (!Next || *Next != First) continue;
    for (int Rank : Cycle)
      for (size_t Number : States[size_t(Rank)].Waits.Letters) {
        const Letter &L = Letters[Number];
        if (L.IsTaken || findMpi(*L.Call)->row().mode != MCK_STD_MODE_STANDARD) continue;
        return Stuck{Rank,
                     L.Call,
                     {"deadlock.buffering",
                      nameOf(*L.Call) + " waits for ever unless its message is buffered: " +
                          ranks(Rank, "waits until rank " + std::to_string(L.To) + " receives, which waits, too"),
                      std::nullopt, States[size_t(L.To)].Waits.Call}};
      }
  }
  return std::nullopt;
}
