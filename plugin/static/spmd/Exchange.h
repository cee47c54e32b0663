// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What processes that are executed together give each other: the parts of collective calls, and messages, matched in
// the order of MPI-3.1 3.5. A send that is not synchronous waits for nobody, as if messages were buffered without end;
// or each standard one waits, as if none were buffered. Where a receive may take several messages it takes the one that
// came first here: a run that is possible. A process of which something is not known that others may notice leaves the
// exchange: whoever waits for it goes on, and does not know what came.
#pragma once
#include "static/Call.h"
#include "static/spmd/Contents.h"

namespace mck::statics {

/// A communicator; windows and files have a number of their own, too, with the members of what they were made of.
using Comm = int;

class Exchange {
public:
  static constexpr Comm World = 0;
  static constexpr Comm self(int Rank) { return 1 + Rank; }
  explicit Exchange(int Size, bool IsBuffering = true);
  /// Does a send in this mode wait for its receive? (MPI-3.1 3.4)
  bool isWaiting(uint8_t Mode) const {
    return Mode == MCK_STD_MODE_SYNCHRONOUS || (!IsBuffering && Mode == MCK_STD_MODE_STANDARD);
  }
  int size() const { return int(States.size()); }
  const std::vector<int> &members(Comm C) const { return Comms[size_t(C)]; }
  Comm make(std::vector<int> Members);

  /// Something of this process is not known any more.
  void leave(int Rank) { States[size_t(Rank)].IsThere = false; }
  bool isThere(int Rank) const { return States[size_t(Rank)].IsThere; }
  /// It has returned from main.
  void end(int Rank) { States[size_t(Rank)].IsEnded = true; }
  bool areAllThere() const;

  /// What one process brings to a collective call.
  struct Part {
    const llvm::CallBase *Call;
    const MpiFunction *Mpi;
    std::optional<int64_t> Root, Color, Key;
    const llvm::Value *Operation = nullptr; // null: not known, or none
    std::optional<std::vector<int>> Group{};
    uint32_t Kind = 0;              // of the numbers that are reduced (log/basic-kind.h)
    Piece Own{};                    // for all
    std::vector<Piece> Each{};      // for each member
    std::optional<int64_t> Bytes{}; // of Own, if they are known
    std::vector<int64_t> Sizes{};   // of Each
  };
  struct Meeting {
    Comm Of;
    std::vector<std::optional<Part>> Parts; // of the members
    std::map<int64_t, Comm> Made{};         // by color
  };
  /// The next call of this communicator; it lives as long as the exchange.
  Meeting &arrive(int Rank, Comm Of, Part What);
  /// All have come, or will not.
  bool isOver(const Meeting &M) const;
  /// All have come, and fit each other.
  static bool isWhole(const Meeting &M);
  static bool fits(const Part &A, const Part &B);

  struct Letter {
    const llvm::CallBase *Call;
    Comm Of;
    int From, To;
    int64_t Tag;
    int64_t Bytes; // -1: not known
    Piece Data;
    bool IsTaken = false;
  };
  struct Receipt { // From, Tag: -1: any
    const llvm::CallBase *Call;
    Comm Of;
    int To, From;
    int64_t Tag;
    std::optional<size_t> Matched{};
    bool IsProbe = false;
  };
  /// Its number.
  size_t send(Letter L);
  size_t receive(Receipt R);
  /// It has a message, or nobody knows whether it gets one.
  bool isOver(size_t Receipt) const;
  /// It was received, or nobody knows.
  bool isReceived(size_t Letter) const { return Letters[Letter].IsTaken || !isThere(Letters[Letter].To); }
  /// Processes wait for each other in ways that are not seen (epochs of groups, locks): which message comes first is
  /// not known from here.
  void loseOrder() { HasOrder = false; }
  /// Null: it is not known which.
  const Letter *letter(size_t Receipt) const;

  /// What a process waits for.
  struct Wait {
    const llvm::CallBase *Call = nullptr; // null: for nothing
    std::vector<const Meeting *> Meetings{};
    std::vector<size_t> Receipts{}, Letters{}; // Letters: until they are received (MPI_Ssend)
    bool IsForAny = false;
    bool IsAsking = false;  // a test or probe: once nobody else can go on, it says no
    bool IsRefused = false; // it says so now
  };
  Wait &waitOf(int Rank) { return States[size_t(Rank)].Waits; }
  bool isReady(int Rank) const;
  /// Nobody can go on: the first one that asks gets no for an answer. False: none does.
  bool refuse();
  /// No process can go on: what is wrong, with the rank that waits, and the call. Of messages only if the others belong
  /// to this program: HasSend and HasReceive tell whether it sends or receives any with such a tag.
  struct Stuck {
    int Rank;
    const llvm::CallBase *Call;
    Fault Is;
  };
  /// The messages that nobody has received.
  std::vector<const Letter *> untaken() const;
  std::vector<Stuck> explain(llvm::function_ref<bool(int64_t Tag)> HasSend,
                             llvm::function_ref<bool(int64_t Tag)> HasReceive) const;
  /// Standard sends with data, and receives of one source, that wait for each other; the first send of the cycle.
  std::optional<Stuck> explainCycle() const;
  /// Has some process been told that there is no message?
  bool hasRefused() const { return HasRefused; }
  bool hasLetters() const { return !Letters.empty(); }

private:
  struct State {
    bool IsThere = true, IsEnded = false;
    std::map<Comm, size_t> Calls{}; // how many of this communicator
    Wait Waits{};
    std::vector<size_t> Posted{}, Untaken{}; // receipts without a message, letters to it that nobody has received
  };
  std::vector<State> States;
  std::vector<std::vector<int>> Comms;
  std::map<std::pair<Comm, size_t>, Meeting> Meetings;
  std::vector<Letter> Letters;
  std::vector<Receipt> Receipts;
  bool fits(const Receipt &R, const Letter &L) const;
  std::optional<Fault> explain(int Rank, const Meeting &M) const;
  std::optional<Fault> explain(int Rank, const Receipt &R) const;
  Fault explainSend(int Rank, const Letter &L, const llvm::CallBase *Other) const;
  const bool IsBuffering;
  bool HasOrder = true, HasRefused = false;
  std::optional<int> waitsFor(int Rank) const;
  bool isAtEnd(int Rank) const; // it has returned, or is in MPI_Finalize
  std::string ranks(int Rank, llvm::StringRef Does) const;
};

} // namespace mck::statics
