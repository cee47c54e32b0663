// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a function for one rank of a small number of ranks, as far as everything is known, and writes down what the
// process does with the memory of windows. Numbers that are equal on all ranks and not known get small values
// (RankValue.h). A condition that is not known is passed over: execution goes on where its ways meet, nothing that
// they may have changed is known, and what they may have done orders accesses, or ends the trace. So what is in the
// trace happens.
#pragma once
#include "static/spmd/Exchange.h"
#include "static/state/Buffers.h"
#include "static/state/PathWalk.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace mck::statics {

class Execution {
public:
  /// Others: processes that are executed together with it; null: what they bring is not known.
  Execution(FunctionView &View, RankValues &Values, const Process &Who, Exchange *Others = nullptr);
  /// False: it waits for others (Exchange::isReady).
  bool advance();
  /// What it has done; the execution is over.
  Trace finish();
  /// The whole execution of one that waits for nobody.
  Trace run() {
    advance();
    return finish();
  }

private:
  FunctionView &View;
  RankValues &Values;
  const Process Who;
  const llvm::DataLayout &Layout;
  Reasoning Thinker;
  Places Memories;
  Trace Made;
  Exchange *const Others;
  unsigned At;                           // the block
  llvm::BasicBlock::const_iterator Next; // the instruction

  // Control flow (Execution.cpp).
  struct Turn {
    unsigned Count = 0, Begin = 0, Times = 0; // Begin: steps when the loop began the last time
  };
  llvm::DenseMap<const llvm::BasicBlock *, Turn> Turns; // of loops, by header
  llvm::DenseMap<const llvm::BasicBlock *, bool> Computing;
  bool isComputing(const llvm::Loop &L);
  bool hasEnough(const llvm::Loop &L);
  bool IsLost = false, IsWhole = true;
  const unsigned Most;
  unsigned Steps = 0;
  const llvm::BitVector *Passing = nullptr; // blocks that are passed over: what they compute is not known
  unsigned enter(unsigned To, unsigned From, const llvm::BitVector *Skipped);
  unsigned leave(unsigned At);
  unsigned passOver(unsigned At, llvm::BitVector Region, unsigned To, bool IsCounted = false);
  unsigned goOn(unsigned At);
  bool isSure(unsigned From) const;
  void skip(const llvm::Instruction &I);

  // Values (ExecutionValues.cpp).
  llvm::DenseMap<const llvm::Value *, Datum> Known;
  llvm::DenseMap<const llvm::Value *, unsigned> Times; // executions of what makes objects
  Contents Memory;
  bool AreFirstValuesKept = true; // of variables that other functions reach
  Datum of(const llvm::Value *V);
  Datum ofTable(const llvm::Value *V); // of RankValues
  Datum make(const llvm::Instruction &I);
  Datum compute(const llvm::Instruction &I);
  Datum address(const llvm::GEPOperator &Step);
  Datum compare(const llvm::CmpInst &C);
  Datum fold(const llvm::Instruction &I);
  std::optional<Datum> moveAddress(const llvm::BinaryOperator &I);
  Datum extract(const llvm::ExtractValueInst &Part);
  Datum load(const llvm::LoadInst &Load);
  Datum read(const Datum &At, llvm::Type *T);
  std::optional<Datum> stored(const Datum &At, llvm::Type *T);
  void readConstant(const llvm::Value *Variable);
  void store(const llvm::Value *Address, int64_t Size, const Datum &What);
  void forgetThrough(const llvm::Value *Address, int64_t Most = 0);
  bool mayOthersWrite(const Datum &At, int64_t Size) const;
  bool findObject(const llvm::Value *Address, std::optional<Object> &Found,
                  llvm::SmallPtrSetImpl<const llvm::Value *> &Seen);
  std::vector<std::pair<const llvm::Value *, std::optional<Object>>> PassedStores;
  void checkPassedStores();
  struct Span {
    int64_t Low = 0, High = 0;
    bool IsVariable = false;
    std::optional<std::pair<int64_t, int64_t>> Array{}; // begin and end of the array that the address is in
  };
  struct Reach {
    Object Of;
    int64_t Low, High;
  };
  std::optional<Span> spanOf(const llvm::GEPOperator &Step) const;
  std::optional<Reach> reach(const llvm::Value *Address, int64_t Most);
  void forgetShared();

  // What libraries give (ExecutionLibrary.cpp).
  std::optional<llvm::TargetLibraryInfoImpl> Names; // of functions of the C library
  static llvm::Constant *asConstant(const Datum &Is, llvm::Type *T);
  Datum computeCall(const llvm::CallBase &Call);
  Datum answer(const llvm::CallBase &Call);
  Datum textOf(const std::string &Text) const;
  static bool isOpening(const llvm::Value *Call);
  static bool leavesMemory(const llvm::Function &Callee);
  static bool isClock(const llvm::Function &Callee);
  bool enlarge(const llvm::CallBase &Call);
  static bool isMade(const llvm::Value *Call); // none of these is null

  // Texts (ExecutionText.cpp), and the program's arguments (ExecutionOptions.cpp).
  struct {
    int64_t Index = 1; // of the argument
    size_t Letter = 1; // in it
  } Options;           // how far getopt is
  static bool isPlace(const Datum &At);
  Datum argumentAt(const llvm::Argument &Given, const Datum &At);
  std::optional<Datum> nextOption(const llvm::CallBase &Call, bool IsLong);
  std::optional<std::string> textAt(Datum At, size_t Most, bool IsBytes);
  std::optional<std::string> textIn(const llvm::CallBase &Call, unsigned Number);
  std::optional<int64_t> numberAt(const llvm::CallBase &Call, unsigned Number);
  void putText(const llvm::CallBase &Call, const Datum &To, llvm::StringRef Text);
  std::optional<Datum> compareTexts(const llvm::CallBase &Call, llvm::StringRef Name);
  std::optional<std::string> stringAt(const Datum &This); // ExecutionString.cpp
  void setString(const llvm::CallBase &Call, const Datum &This, llvm::StringRef Text);
  std::optional<Datum> stringPart(const llvm::CallBase &Call, llvm::StringRef Name, const Datum &This);
  std::optional<Datum> askString(const llvm::CallBase &Call, llvm::StringRef Name, const std::string &Own);
  std::optional<std::string> changeString(const llvm::CallBase &Call, llvm::StringRef Name, std::string Own);
  std::optional<Datum> computeString(const llvm::CallBase &Call, llvm::StringRef Name);
  std::optional<Datum> numberInText(const llvm::CallBase &Call, llvm::StringRef Name);
  std::optional<Datum> placeInText(const llvm::CallBase &Call, llvm::StringRef Name);
  std::map<std::pair<const llvm::CallBase *, unsigned>, Datum> Scans; // what stands for variables that sscanf sets
  std::optional<Datum> scanText(const llvm::CallBase &Call);
  std::optional<std::string> format(const llvm::CallBase &Call, unsigned Number);
  std::optional<Datum> makeText(const llvm::CallBase &Call, llvm::StringRef Name);
  std::optional<Datum> computeText(const llvm::CallBase &Call);

  // Calls (ExecutionCalls.cpp).
  struct State {
    int Epoch = 0;
    std::map<int64_t, uint8_t> Locks;          // enum mck_conflict_lock, by target
    bool IsLockedAll = false, IsOther = false; // IsOther: an epoch of which something is not known
    std::map<int, int> Starts;                 // of each target
    std::set<int> Targets;                     // of the epoch of MPI_Win_start
    int Exposure = -1;                         // in the trace
    const llvm::CallBase *Holder = nullptr;    // the last call that has locked
    bool isLocked() const { return (IsLockedAll || !Locks.empty()) && !IsOther; }
    uint8_t lockOf(int64_t Target) const {
      auto Found = Locks.find(Target);
      if (Found != Locks.end()) return Found->second;
      return uint8_t(IsLockedAll ? MCK_CONFLICT_SHARED : MCK_CONFLICT_UNLOCKED);
    }
  };
  const llvm::CallBase *Finalized = nullptr; // the call of MPI_Finalize
  std::map<Object, State> Windows;
  std::map<Object, std::pair<Object, int>> Shared; // memory of others: the window, and whose it is (MPI-3.1 11.2.3)
  Datum querySegment(const llvm::CallBase &Query, const MpiFunction &Mpi);
  int Phase = 0;
  int Told = 0, Learned = 0;                 // Learned: in this phase
  std::map<Object, std::vector<int>> Groups; // their ranks
  void step(const llvm::Instruction &I);
  void call(const llvm::CallBase &Call);
  void callMpi(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void callOther(const llvm::CallBase &Call);
  void skipMpi(const llvm::CallBase &Call, const MpiFunction &Mpi);
  int64_t bytesOfMessage(const llvm::CallBase &Call, const MpiFunction &Mpi, unsigned Parameter);
  void write(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void openWindow(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void synchronize(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void operate(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void addTouch(const Access &Is);
  void touch(const llvm::Instruction &I, const llvm::Value *Address, int64_t Size, bool IsWriting, bool IsPolling);
  const llvm::Value *communicator(const llvm::CallBase &Call, const MpiFunction &Mpi);
  bool isWorldOf(const llvm::Value *Handle); // has it the processes of the world, in their order?
  bool isOfGroup(const llvm::CallBase &Call, const MpiFunction &Mpi);
  std::optional<int64_t> number(const llvm::CallBase &Call, const MpiFunction &Mpi, llvm::StringRef Role);
  std::optional<Object> window(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void order(); // something may have ordered accesses of this phase
  void begin(); // a phase
  void meetUnknown();
  void meet(const llvm::CallBase &Call, const MpiFunction &Mpi);

  // What is wrong with a call (ExecutionChecks.cpp).
  std::map<Object, int64_t> Sizes; // of allocations
  int64_t sizeOfAllocation(const llvm::CallBase &Call);
  int64_t sizeOf(const Object &O) const;
  static bool isOfMessages(const MpiFunction &Mpi);
  void fault(const llvm::Instruction &At, llvm::StringRef Kind, const llvm::Twine &Text,
             std::optional<int64_t> Number = std::nullopt, const llvm::CallBase *Since = nullptr);
  void check(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void checkRank(const llvm::CallBase &Call, const MpiFunction &Mpi, unsigned Number);
  void checkInPlace(const llvm::CallBase &Call, const MpiFunction &Mpi, unsigned Number);
  void checkCount(const llvm::CallBase &Call, const MpiFunction &Mpi, unsigned Number);
  struct Membership {
    int Rank, Size;
  };
  std::optional<Membership> membership(const llvm::Value *Handle); // in a communicator
  static int countBlocks(const MpiFunction &Mpi, bool IsSent, bool IsRoot, int Size);
  struct BufferBytes {
    int64_t Count = 0, Size = 0;
    int Blocks = 0;
    bool IsDense = false, IsOfRoot = false; // IsDense: the bytes have no holes
  };
  std::optional<BufferBytes> bytesOfBuffer(const llvm::CallBase &Call, const MpiFunction &Mpi, unsigned Number);
  void checkRoom(const llvm::CallBase &Call, const MpiFunction &Mpi, unsigned Number);
  void addMessage(const llvm::CallBase &Call, const MpiFunction &Mpi, bool IsSend);

  // What others bring (ExecutionExchange.cpp).
  struct Block { // of a buffer
    int64_t Begin, Size;
  };
  struct Target { // where it comes to: memory, or what stands for a variable
    const llvm::CallBase *Call = nullptr;
    unsigned Parameter = 0;
    Datum At{};
    std::vector<Block> Blocks{};
  };
  std::map<Object, Comm> Comms;                    // of handles
  std::map<const llvm::CallBase *, Comm> NewComms; // that a call has made; -1: the null handle
  std::map<std::pair<const llvm::CallBase *, unsigned>, Piece> Given;
  std::vector<std::pair<Datum, Piece>> Deliveries; // of the call that is executed
  void leave();
  std::optional<Comm> commOf(const llvm::Value *Handle);
  std::optional<Comm> commOfMeeting(const llvm::CallBase &Call, const MpiFunction &Mpi);
  std::optional<int64_t> bytesOf(const llvm::Value *Count, const llvm::Value *Type);
  Piece takeBuffer(const llvm::CallBase &Call, unsigned Number, Datum At, int64_t Begin, int64_t Size);
  std::optional<std::vector<int64_t>> numbersAt(const llvm::Value *Array, size_t Count);
  std::vector<Block> blocksOf(const llvm::CallBase &Call, const MpiFunction &Mpi, bool IsSent, size_t Members);
  Exchange::Part bring(const llvm::CallBase &Call, const MpiFunction &Mpi, const std::vector<int> &Members);
  void checkCounts(const Exchange::Meeting &M, const Target &Into);
  void takePart(const Exchange::Meeting &M, const Target &Into);
  bool isGridOfAll(const llvm::CallBase &Call);
  void takeComm(const llvm::CallBase &Call, const MpiFunction &Mpi, Exchange::Meeting &M);
  void giveTo(const Target &Into, int64_t Begin, const Piece &What);
  void giveNumber(const llvm::CallBase &Call, const MpiFunction &Mpi, llvm::StringRef Role, int64_t Value);

  // Messages, and waiting (ExecutionMessages.cpp).
  struct Plan { // a message
    const llvm::CallBase *Call;
    bool IsSend;
    Comm Of;
    int Peer;           // the process, -1: any
    int64_t Tag, Bytes; // Bytes: -1: not known
    Datum At;
    unsigned Parameter;
  };
  struct Arrival {          // what the call that is executed has started
    bool IsJoined = false;  // what it brings is known as far as that of others is
    bool IsRefused = false; // it asked, and the answer is no
    Exchange::Meeting *Meeting = nullptr;
    Target Into{};
    std::optional<Plan> Sends{}, Receives{};
    std::optional<size_t> Receipt{}, Letter{};
  };
  Arrival Now;
  bool IsArrived = false; // it waits in a call
  struct Operation;
  std::optional<Plan> planMessage(const llvm::CallBase &Call, const MpiFunction &Mpi, bool IsSend);
  size_t post(const Plan &Is, bool IsProbe = false);
  void giveStatus(const llvm::Value *Status, int64_t Index, const Exchange::Letter *L);
  Datum countOf(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void takeMessage(const Plan &Is, size_t Receipt, const llvm::Value *Status, int64_t Index);
  bool join(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void arrive(const llvm::CallBase &Call, const MpiFunction &Mpi, Exchange::Wait &W);
  void arriveTogether(const llvm::CallBase &Call, const MpiFunction &Mpi, Exchange::Wait &W);
  void arriveAtRequests(const llvm::CallBase &Call, const MpiFunction &Mpi, Exchange::Wait &W);
  std::optional<std::vector<Operation *>> operationsOf(const llvm::CallBase &Call, const MpiFunction &Mpi);
  bool isComplete(const Operation &Is) const;
  std::optional<std::set<int64_t>> complete(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void take(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void deliver();
  bool isUnchanged(const llvm::CallBase &Call, const MpiFunction &Mpi);
  bool storesNothing(const llvm::Instruction &I);
  std::optional<Datum> given(const llvm::CallBase &Value, const Origin &From);

  // Requests (ExecutionRequests.cpp).
  struct Used { // bytes of a buffer
    Object Of;
    int64_t Low, High;
    bool IsWritten;
  };
  struct Operation {
    const llvm::CallBase *Call;
    bool IsPersistent, IsActive;
    bool IsElsewhere = false; // its handle may be in places that are not known
    std::vector<Used> Buffers;
    std::optional<Plan> Message{};             // with others: what it sends or receives
    std::optional<size_t> Receipt{}, Letter{}; // Letter: of MPI_Issend
    Exchange::Meeting *Meeting = nullptr;
    Target Into{};
  };
  std::map<Object, Operation> Operations;             // by handle
  static bool startsRequests(const MpiFunction &Mpi); // persistent ones
  Datum nullRequest() const;
  std::vector<Used> buffersOf(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void loseRequests();
  void shareRequests();
  void shareRequestsIn(const llvm::Value *Address);
  void addBlocks(const llvm::CallBase &Call, const MpiFunction &Mpi, const Parameter &P, const Datum &At,
                 std::vector<Used> &To);
  void use(const llvm::Instruction &I, const Datum &At, int64_t Size, bool IsWriting, llvm::StringRef What);
  void useBuffers(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void useRequests(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void startRequest(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void changeRequest(const llvm::CallBase &Call, const MpiFunction &Mpi, const Datum &Cell, bool IsChosen);
  void endRequests();

  // Other objects (ExecutionObjects.cpp).
  std::map<Object, const llvm::CallBase *> Objects, Freed; // by handle: what made and freed them
  void checkHandle(const llvm::CallBase &Call, const MpiFunction &Mpi, unsigned Number);
  void noteObject(const Origin &From, const Datum &Handle);
  void endObjects();

  // Epochs of groups (ExecutionGroups.cpp).
  std::optional<std::vector<int>> members(const llvm::Value *Group);
  std::optional<std::vector<int>> membersOf(const llvm::CallBase &Call, const MpiFunction &Mpi);
  void open(State &S, const Object &Window, const llvm::CallBase &Call, const MpiFunction &Mpi);
  void close(State &S, const MpiFunction &Mpi);
};

} // namespace mck::statics
