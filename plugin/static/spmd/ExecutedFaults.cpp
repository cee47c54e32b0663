// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes main for all ranks, and looks at what is wrong with their calls (ExecutedFaults.h). A call is wrong if, with
// each number of ranks and each value of unknown numbers with which a process comes to it, some process is wrong there;
// or in a run without arguments or with an option, if all that decides is known there. So `1 - rank` is right: it is a
// program for two. A rank that is the same with each number of ranks is one of a larger world.
#include "static/spmd/ExecutedFaults.h"
#include "static/spmd/Processes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

namespace {

// What must be known of the run to say something.
enum Basis { AtOnce, OfMessages, OfRequests, OfObjects, OfWaiting, Bases };
constexpr uint64_t MostOfLines = 4000000; // instructions
using Faults = std::map<const Instruction *, Fault>;

// One execution of all processes. Visited: what some process came to. IsKnown: so that nothing of this basis is
// missing.
struct Run {
  int Size, Round;
  Faults Wrong[Bases];
  bool IsKnown[Bases] = {true, false, false, false, true};
  BitVector Visited;
  bool isWrong(bool WithLeaks = true) const {
    return any_of(Wrong, [&](const Faults &All) { return !All.empty() && (WithLeaks || &All != &Wrong[OfObjects]); });
  }
};

class FaultSearch {
public:
  FaultSearch(FunctionView &View, RankValues &Values, CommKey World) : View(View), Values(Values), World(World) {}
  void run();
  void say(Warnings &Out) const;

private:
  FunctionView &View;
  RankValues &Values;
  CommKey World;
  std::vector<Run> Runs;
  bool IsForMany = false, IsBuffering = true;
  uint64_t Steps = 0; // of all executions
  bool execute(int Size, int Round);
  bool look();
  int roundOf(int Round, const Instruction &At) const;
  std::optional<Fault> isWrong(const Instruction &At, Basis On) const;
};

// The messages to one process on one communicator.
struct Inbox {
  std::map<std::pair<int64_t, int64_t>, std::vector<const CallBase *>> Sent, Received; // by source and tag
  std::vector<const CallBase *> AllSent, AllReceived;
  bool HasWildcard = false;
  bool hasPair() const;
};

bool Inbox::hasPair() const {
  auto Fits = [](int64_t Wanted, int64_t Is) { return Wanted < 0 || Wanted == Is; };
  for (const auto &[To, Calls] : Received)
    for (const auto &[From, Others] : Sent)
      if (Fits(To.first, From.first) && Fits(To.second, From.second)) return true;
  return false;
}

Fault lonely(const CallBase &Call, bool IsSend, int Of, int64_t Peer, int Size, size_t Sent, size_t Received) {
  std::string Name = findMpi(Call)->Name.str(), Ranks = "of " + std::to_string(Size) + " ranks, ";
  std::string From = Peer < 0 ? "" : " from rank " + std::to_string(Peer);
  std::string Counts = "rank " + std::to_string(Of) + " receives " + std::to_string(Received) + " such message" +
                       (Received == 1 ? "" : "s") + From + ", and " + std::to_string(Sent) +
                       (Sent == 1 ? " is sent" : " are sent") + " to it";
  if (IsSend) return {"message.lost", Name + ": nobody receives this message: " + Ranks + Counts};
  return {"message.unmatched-receive", Name + ": nobody sends this message: " + Ranks + Counts};
}

// What one process receives beyond what is sent to it, or the other way round. Which of several calls is the wrong one
// nobody knows: it is the last one.
void compare(const Inbox &In, int Of, int Size, Faults &Here) {
  auto Tell = [&](const std::vector<const CallBase *> &More, bool IsSend, int64_t Peer, size_t Sent, size_t Received) {
    Here.try_emplace(More.back(), lonely(*More.back(), IsSend, Of, Peer, Size, Sent, Received));
  };
  bool IsTold = false;
  for (const auto &[Key, Received] : In.Received) {
    auto Found = In.Sent.find(Key);
    size_t Sent = Found == In.Sent.end() ? 0 : Found->second.size();
    bool IsExact = Key.first >= 0 && Key.second >= 0;
    if (IsExact && Received.size() > Sent) Tell(Received, false, Key.first, Sent, Received.size()), IsTold = true;
  }
  for (const auto &[Key, Sent] : In.Sent) {
    auto Found = In.Received.find(Key);
    size_t Received = Found == In.Received.end() ? 0 : Found->second.size();
    if (!In.HasWildcard && Sent.size() > Received) Tell(Sent, true, Key.first, Sent.size(), Received), IsTold = true;
  }
  size_t Sent = In.AllSent.size(), Received = In.AllReceived.size();
  if (IsTold || Sent == Received) return;
  Tell(Sent > Received ? In.AllSent : In.AllReceived, Sent > Received, -1, Sent, Received);
}

// Only if all processes are known to their end, no call of them is wrong by itself, and some message has a partner:
// others may belong to another program.
void compareMessages(const std::vector<Trace> &All, Run &Into) {
  if (Into.isWrong(/*WithLeaks=*/false)) return;
  std::map<std::pair<CommKey, int>, Inbox> Boxes;
  for (int Rank = 0; Rank < int(All.size()); ++Rank) {
    const Trace &Of = All[size_t(Rank)];
    if (!Of.IsWhole || !Of.AreMessagesKnown) return;
    for (const Message &M : Of.Messages) {
      if (M.IsSend && (M.Peer < 0 || M.Peer >= int64_t(All.size()))) return;
      Inbox &In = Boxes[{M.Comm, M.IsSend ? int(M.Peer) : Rank}];
      std::pair<int64_t, int64_t> Key{M.IsSend ? Rank : M.Peer, M.Tag};
      (M.IsSend ? In.Sent : In.Received)[Key].push_back(M.Call);
      (M.IsSend ? In.AllSent : In.AllReceived).push_back(M.Call);
      In.HasWildcard |= M.Peer < 0 || M.Tag < 0;
    }
  }
  if (none_of(Boxes, [](const auto &One) { return One.second.hasPair(); })) return;
  Into.IsKnown[OfMessages] = true;
  for (const auto &[Key, In] : Boxes) compare(In, Key.second, int(All.size()), Into.Wrong[OfMessages]);
}

// Has something been wrong?
bool FaultSearch::execute(int Size, int Round) {
  std::vector<Trace> Traces;
  Run Is{Size, Round, {}, {}, BitVector(View.Ways.size())};
  Is.IsKnown[AtOnce] = Is.IsKnown[OfRequests] = Is.IsKnown[OfObjects] = Is.IsKnown[OfWaiting] = true;
  for (Trace &One : executeProcesses(View, Values, World, Size, Round, IsBuffering)) {
    Steps += One.Steps;
    if (One.IsEnded) return false;
    Is.Visited |= One.Visited;
    for (const auto &[At, What] : One.Faults) Is.Wrong[What.IsOfWaiting ? OfWaiting : AtOnce].insert({At, What});
    Is.Wrong[OfRequests].insert(One.Unfinished.begin(), One.Unfinished.end());
    Is.IsKnown[OfRequests] &= One.IsWhole && One.AreRequestsKnown;
    Is.Wrong[OfObjects].insert(One.Leaks.begin(), One.Leaks.end());
    Is.IsKnown[OfObjects] &= One.IsWhole && One.AreObjectsKnown;
    Traces.push_back(std::move(One));
  }
  if (IsBuffering) compareMessages(Traces, Is);
  Runs.push_back(Is);
  return Is.isWrong();
}

// Is something computed of the number of ranks, or a loop as long?
bool isForMany(const Canonical &Code, const Function &F) {
  auto Counts = [](const User *Use) {
    const auto *Compare = dyn_cast<ICmpInst>(Use);
    return isa<BinaryOperator>(Use) || (Compare && !isa<Constant>(Compare->getOperand(0)) &&
                                        !isa<Constant>(Compare->getOperand(1)) && !Compare->isEquality());
  };
  for (const Instruction &I : instructions(F)) {
    const Origin *From = Code.origin(&I);
    if (!From || From->Function->row().tells != MCK_STD_TELLS_SIZE) continue;
    for (const User *Use : I.users())
      if (Counts(Use) || (isa<CastInst>(Use) && any_of(Use->users(), Counts))) return true;
  }
  return false;
}

// A send that may be buffered.
bool hasStandardSend(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && Mpi->row().mode == MCK_STD_MODE_STANDARD;
  });
}

// A short look at all command lines of programs that are short. Is something wrong?
bool FaultSearch::look() {
  bool IsWrong = false;
  auto HasTime = [&](int Round) { return Round >= NoArguments || Steps < MostOfLines; };
  for (int Round = IsBuffering ? 0 : NoArguments; !IsWrong && Round >= Values.lastCertainRound() && HasTime(Round);
       --Round)
    for (int Size = SmallestSize; !IsWrong && Size <= SmallestSize + 1; ++Size) IsWrong = execute(Size, Round);
  return IsWrong;
}

// Most programs have nothing that is wrong. Only where all is right is it asked whether that is so by buffers alone.
void FaultSearch::run() {
  IsForMany = isForMany(View.Code, View.F);
  bool IsWrong = look();
  if (!IsWrong && hasStandardSend(View.F)) {
    IsBuffering = false, Steps = MostOfLines / 2;
    Runs.clear();
    IsWrong = look();
  }
  if (!IsWrong) return;
  int Last = Steps < MostOfLines ? Values.lastCertainRound() : Runs.back().Round;
  Runs.clear();
  for (int Size = 1; Size <= LargestSize; ++Size)
    for (int Round = Last; Round < (Values.hasSymbols() ? Rounds : 1); ++Round) execute(Size, Round);
}

// Memory and counts that do not fit one number of the command line: the user has to give one that fits. So all numbers
// are one round then.
int FaultSearch::roundOf(int Round, const Instruction &At) const {
  constexpr int OfNumbers = -1000;
  auto IsOfNumber = [&](const Run &Is) {
    auto Found = Is.Wrong[AtOnce].find(&At);
    return Found != Is.Wrong[AtOnce].end() && Found->second.Kind.starts_with("arg.");
  };
  return Values.lineOf(Round).hasNumber() && any_of(Runs, IsOfNumber) ? OfNumbers : Round;
}

// With each number of ranks and each value of unknown numbers with which some process comes there, or in runs that are
// certain.
std::optional<Fault> FaultSearch::isWrong(const Instruction &At, Basis On) const {
  unsigned Block = View.Ways.indexOf(At.getParent());
  std::map<int, std::set<int>> Sizes, Right; // by round; all of those that are not certain are one
  std::set<int> Possible;
  std::set<std::optional<int64_t>> Numbers;
  const Fault *Shown = nullptr;
  int ShownRound = 0;
  for (const Run &Is : Runs) {
    auto Found = Is.Wrong[On].find(&At);
    bool IsWrong = Found != Is.Wrong[On].end();
    int Round = isCertainRound(Is.Round) ? roundOf(Is.Round, At) : 0;
    // Best without arguments, and with few processes.
    bool IsSimple = !isCertainRound(Is.Round) || Is.Round == NoArguments;
    bool WasSimple = !isCertainRound(ShownRound) || ShownRound == NoArguments;
    if (IsWrong && (!Shown || (IsSimple && !WasSimple) || (IsSimple == WasSimple && Is.Size == SmallestSize)))
      Shown = &Found->second, ShownRound = Is.Round;
    // One process has one block in any case, and is its own neighbor.
    if (Is.Size == 1 && (On == AtOnce || On == OfWaiting) && !IsWrong && !View.rankCalls().empty()) continue;
    Possible.insert(Is.Size);
    if (!Is.IsKnown[On] || !Is.Visited.test(Block)) continue;
    (IsWrong ? Sizes : Right)[Round].insert(Is.Size);
    if (IsWrong) Numbers.insert(Found->second.Number);
  }
  size_t Enough = std::min(size_t(2), Possible.size());
  bool IsWrong = any_of(Sizes, [&](const auto &One) {
    auto Not = Right.find(One.first);
    if (Not == Right.end()) return One.second.size() >= Enough;
    // A program for two computes nothing of the number of ranks.
    return isCertainRound(One.first) && *Not->second.rbegin() <= SmallestSize && One.second.size() >= 2 && IsForMany;
  });
  bool IsLarger = Numbers.size() == 1 && Numbers.begin()->value_or(-1) >= 0; // a rank of a larger world
  if (!IsWrong || IsLarger) return std::nullopt;
  Fault Told = *Shown;
  if (isCertainRound(ShownRound)) Told.Text += Values.lineOf(ShownRound).describe();
  return Told;
}

std::string noteOf(const Fault &Is) {
  if (Is.Kind == "handle.freed") return "freed here";
  if (Is.Kind == "init.after") return "MPI is finalized here";
  if (Is.Kind == "rma.epoch-mixed" || Is.Kind == "rma.lock-twice") return "the epoch was opened here";
  if (Is.Kind == "request.start-active") return "the request of this call";
  if (Is.Kind == "message.truncated") return "the message is sent here";
  if (Is.IsOfWaiting || Is.Kind == "collective.count") return "the other one is here";
  return ("in use since this " + findMpi(*Is.Since)->Name).str();
}

// Processes that wait for ever do so because of what was told already.
bool isConsequence(const Fault &Is, const Warnings &Out) { return Is.IsOfWaiting && Out.hasToldErrors(); }

// The same mistake was told by another kind at this place, or by another use of the buffer of this operation.
bool isToldAlready(const Instruction &At, const Fault &Is, const Warnings &Out) {
  auto IsAt = [](const ToldPlace &Place, const Instruction &I) {
    const DILocation *Other = I.getDebugLoc();
    return Other && Place.Place && Warnings::placeName(*Place.Place) == Warnings::placeName(*Other);
  };
  return any_of(Out.told(), [&](const Told &W) {
    StringRef Kind = W.Kind;
    bool IsOfBuffer = Is.Since && Is.Kind.starts_with("buffer.") && Kind.starts_with("buffer.");
    bool IsOfMemory = Is.Kind.starts_with("arg.memory") && (Kind == "type.buffer" || Kind.starts_with("arg.memory"));
    return ((IsOfBuffer || IsOfMemory) && IsAt(W.At, At)) ||
           (IsOfBuffer && any_of(W.Notes, [&](const ToldPlace &N) { return IsAt(N, *Is.Since); }));
  });
}

void FaultSearch::say(Warnings &Out) const {
  auto IsBefore = [&](const Instruction *A, const Instruction *B) { return View.order(*A) < View.order(*B); };
  for (Basis On : {AtOnce, OfMessages, OfRequests, OfObjects, OfWaiting}) {
    std::set<const Instruction *, decltype(IsBefore)> All(IsBefore);
    for (const Run &Is : Runs)
      for (const auto &[At, Wrong] : Is.Wrong[On]) All.insert(At);
    for (const Instruction *At : All) {
      auto Is = isWrong(*At, On);
      if (!Is || isConsequence(*Is, Out) || isToldAlready(*At, *Is, Out)) continue;
      Warning W{Is->Kind, At, Is->Text, {}};
      if (Is->Since) W.Notes.push_back({Is->Since, noteOf(*Is)});
      Out.add(W);
    }
  }
}

} // namespace

void mck::statics::findExecutedFaults(const Canonical &Code, const Memory &Stored, Warnings &Out) {
  CommKey World = findWorld(Code.module());
  for (Function *F : Code.roots()) {
    if (!World || F->getName() != "main") continue;
    FunctionView View(Code, Stored, *F);
    RankValues Values(Code, Stored);
    Values.lookForOptions(*F);
    FaultSearch Search(View, Values, World);
    Search.run();
    Search.say(Out);
  }
}
