// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The life of a handle on the paths of a function (HandleLife.h).
#include "static/state/HandleLife.h"
#include "static/state/HandleSort.h"

using namespace llvm;
using namespace mck::statics;

namespace {

bool isCommit(const MpiFunction &Function) { return Function.Number == MCK_FN_MPI_Type_commit; }

bool movesData(const MpiFunction &Function) {
  auto Family = Function.row().family;
  return Family == MCK_STD_FAMILY_P2P || Family == MCK_STD_FAMILY_RMA || Family == MCK_STD_FAMILY_COLLECTIVE ||
         Family == MCK_STD_FAMILY_NEIGHBORHOOD;
}

// On no rank, with any number of ranks that is looked at.
bool isNeverNegative(const Value *Number, const Value *Comm, FunctionView &View) {
  if (const auto *Constant = dyn_cast<ConstantInt>(Number)) return !Constant->isNegative();
  RankValues Values(View.Code, View.Stored);
  Process P{Values.ranksOf(Comm), 0, SmallestSize, 0};
  for (; P.Size <= LargestSize; ++P.Size)
    for (P.Rank = 0; P.Rank < P.Size; ++P.Rank) {
      Values.set(P);
      RankValue Is = Values.of(Number);
      if (Is.What != RankValue::Number || Is.IsAssumed || Is.Loop || Is.Value < 0) return false;
    }
  return true;
}

// Some processes may get a null handle, which is not freed.
bool mayGiveNull(const CallBase &Call, const MpiFunction &Function, FunctionView &View) {
  const Value *Color = argument(Call, Function, "color");
  if (Color && isNeverNegative(Color, argument(Call, Function, "comm"), View)) return false; // all get one (6.4.2)
  bool IsPart = Function.find("color") >= 0 || Function.find("group") >= 0 || Function.Name.contains("_create") ||
                Function.Name.contains("_sub");
  return (Function.find("newcomm") >= 0 && IsPart) || Function.row().has_request;
}

} // namespace

bool HandleLife::isStart(const CallBase &Call, const MpiFunction &Function, FunctionView &View) {
  if (isCommit(Function)) return false;
  const HandleSort *Made = handleSortOf(Function, Direction::OUT), *Freed = handleSortOf(Function, Direction::INOUT);
  if (Made && Function.row().has_request) return false; // the handle comes with the completion
  // MPI_Type_create_f90_real and the like give predefined datatypes, which need no commit (17.1.9).
  if (Made && Made->Role == "newtype" && !isOwned(Function)) return false;
  return (Made || Freed) && givenBy(Call, Made ? Made->Role : Freed->Role, View.Code);
}

HandleLife::HandleLife(FunctionView &View, const CallBase &Start, const MpiFunction &What)
    : View(View), Start(Start), What(What) {
  const HandleSort *Made = handleSortOf(What, Direction::OUT);
  IsFree = !Made;
  Role = (Made ? Made : handleSortOf(What, Direction::INOUT))->Role;
  Own = givenBy(Start, Role, View.Code);
}

bool HandleLife::isEvent(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && findMpi(*Call);
}

// Who uses the handle, also where it meets a null handle: `*out = c` in a helper that may return without one. A handle
// that stays in one variable is given to calls that free it, whatever their path.
void HandleLife::collectUsers() {
  auto IsGivenAway = [](const User *By) {
    const auto *Phi = dyn_cast<PHINode>(By);
    return Phi && count_if(Phi->incoming_values(), [](const Value *V) { return !isa<Constant>(V); }) == 1;
  };
  Names = {Own};
  Users.clear();
  IsFreed = false;
  for (size_t At = 0; At < Names.size(); ++At)
    for (const User *By : Names[At]->users()) {
      if (IsGivenAway(By)) {
        if (!is_contained(Names, By)) Names.push_back(By);
        continue;
      }
      Users.push_back(By);
      const auto *Call = dyn_cast<CallBase>(By);
      const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
      const HandleSort *Freed = Mpi && freesObject(*Mpi) ? handleSortOf(*Mpi, Direction::INOUT) : nullptr;
      IsFreed |= Freed && Freed->Role == Role && argument(*Call, *Mpi, Role) == Names[At];
    }
}

// A comparison of the handle with the null handle of its sort.
bool HandleLife::asksForNull(const User *By) const {
  const auto *Question = dyn_cast<ICmpInst>(By);
  const HandleSort *Made = handleSortOf(What, Direction::OUT);
  if (!Question || !Question->isEquality() || !Made) return false;
  return isNullHandle(Question->getOperand(0), Made->Name) || isNullHandle(Question->getOperand(1), Made->Name);
}

// What MPI has given is no null handle, and so is one that was used.
void HandleLife::learn(Node &N) {
  N.State[ThereAt] = 1;
  for (const User *By : Own->users()) {
    if (!asksForNull(By)) continue;
    const auto *Question = cast<ICmpInst>(By);
    bool IsTrue = Question->getPredicate() == CmpInst::ICMP_NE;
    Comparison Asked = View.Numbers.of(*Question);
    N.Known.set({Asked.Number, 0, {IsTrue != Asked.IsNegated, IsTrue != Asked.IsNegated}});
  }
}

// Only values that are passed to MPI: nobody else can free it. Where nothing frees it, it may be compared, too; but one
// that may be null and is not used otherwise is expected to be null, and a call whose code is looked at may fail.
bool HandleLife::isOurs() const {
  if (!IsFreed && !Start.use_empty()) return false;
  if (mayGiveNull(Start, What, View) && none_of(Users, [](const User *By) { return isa<CallBase>(By); })) return false;
  return all_of(Users, [&](const User *By) {
    const auto *Other = dyn_cast<CallBase>(By);
    const MpiFunction *Mpi = Other ? findMpi(*Other) : nullptr;
    if (!Mpi) return asksForNull(By) || (!IsFreed && isa<ICmpInst>(By));
    return Mpi->row().family != MCK_STD_FAMILY_CONVERSION;
  });
}

Meeting HandleLife::compare(const Value *Handle, const Node &N, PathWalk &Walk) const {
  const Value *Is = N.State[AliasAt] ? Aliases[size_t(N.State[AliasAt]) - 1] : Own;
  return compareHandles(Is, Handle, View.Code, Walk.Thinker, N.Known);
}

// In the next turn of the loop another value has the handle: the variable that it was stored in.
void HandleLife::turn(Node &N, const Loop &L, PathWalk &Walk) {
  if (!N.IsTracking || !L.contains(&Start)) return;
  const BasicBlock *Latch = L.getLoopLatch();
  for (const PHINode &Phi : L.getHeader()->phis()) {
    if (!Latch || !Phi.getType()->isPointerTy()) continue;
    const Value *Comes = Phi.getIncomingValueForBlock(Latch);
    if (isa<Constant>(Comes) || compare(Comes, N, Walk) != Meeting::Surely) continue;
    auto Found = find(Aliases, &Phi);
    if (Found == Aliases.end()) Found = Aliases.insert(Aliases.end(), &Phi);
    N.State[AliasAt] = Found - Aliases.begin() + 1;
    return;
  }
  // The variable that had it gets another one.
  if (N.State[AliasAt] && Aliases[size_t(N.State[AliasAt]) - 1]->getParent() == L.getHeader()) N.State[AliasAt] = 0;
}

void HandleLife::step(const Instruction &I, Node &N, PathWalk &Walk, SmallVectorImpl<Node> &More) {
  const auto &Call = cast<CallBase>(I);
  const MpiFunction &Mpi = *findMpi(Call);
  if (!N.IsTracking) {
    if (&I != &Start) return;
    if (View.Loops.getLoopFor(I.getParent())) More.push_back(N);
    N.IsTracking = true;
    N.State = {};
    N.State[CommittedAt] = IsFree || Role != "newtype" || What.Number == MCK_FN_MPI_Type_dup;
    collectUsers();
    const auto *Color = dyn_cast_or_null<ConstantInt>(argument(Start, What, "color"));
    bool IsNone = Color && Color->isNegative(); // MPI_UNDEFINED: a null handle on all ranks
    IsFollowed = !IsFree && !IsNone && isOwned(What) && isOurs();
    if (!IsFree && !mayGiveNull(Start, What, View)) learn(N);
    return;
  }
  bool IsNull = &I == &Start && IsFree && N.State[AliasAt] &&
                compare(argument(Call, Mpi, Role), N, Walk) == Meeting::Surely;
  if (IsNull) use(Call, Mpi, unsigned(Mpi.find(Role)), N);
  if (N.IsDead) return;
  if (&I == &Start) { // the next turn has another one
    if (IsFollowed) end(I, N, Walk);
    N.IsDead = true;
    return;
  }
  for (unsigned At = 0; At < Mpi.Parameters.size() && !N.IsDead; ++At) {
    const Value *Handle = Call.getArgOperand(At);
    if (!Handle->getType()->isPointerTy() || isa<Constant>(Handle)) continue;
    const Parameter &P = Mpi.Parameters[At];
    if (!(P.Way == Direction::INOUT
              ? P.is(Role)
              : isOfSort(P) || P.is("type") || P.is("type2") || P.is("sendtype") || P.is("recvtype")))
      continue;
    Meeting Has = compare(Handle, N, Walk);
    if (Has == Meeting::Surely) use(Call, Mpi, At, N);
    else if (Has == Meeting::Perhaps && P.Way == Direction::INOUT) N.IsDead = true;
  }
}

void HandleLife::use(const CallBase &Call, const MpiFunction &Other, unsigned Parameter, Node &N) {
  const mck_std_fn &Row = Other.row();
  bool IsEnd = Other.Parameters[Parameter].Way == Direction::INOUT;
  bool IsUse = movesData(Other) || Row.family == MCK_STD_FAMILY_EPOCH || Row.family == MCK_STD_FAMILY_FILE ||
               Row.family == MCK_STD_FAMILY_INFO || Other.isCollective() || IsEnd || Row.tells == MCK_STD_TELLS_RANK ||
               Row.tells == MCK_STD_TELLS_SIZE; // (MPI-3.1 6.4.1)
  std::string Name = Other.Parameters[Parameter].Name.str() + " of " + Other.Name.str();
  if (IsFree) {
    if (IsUse) {
      warn("handle.null", &Call, Name + " is a null handle: its object was freed", {{&Start, "freed here"}});
      N.IsDead = true;
    }
    return;
  }
  if (IsUse && !IsEnd && !N.State[ThereAt]) learn(N);
  if (isCommit(Other)) N.State[CommittedAt] = 1;
  else if (IsEnd) N.IsDead = true;
  else if (!N.State[CommittedAt] && (movesData(Other) || Other.Parameters[Parameter].Roles.contains("committed"))) {
    warn("datatype.uncommitted", &Call, Name + " is a datatype that is not committed", {{&Start, "made here"}});
    N.IsDead = true;
  }
}

// The end of the function, or the next turn of its loop.
void HandleLife::end(const Instruction &At, Node &N, PathWalk &Walk) {
  if (!N.IsTracking || !IsFollowed || N.IsDead || (IsFreed && !N.State[ThereAt])) return;
  // Who gets it from here may know by a condition that is not seen whether there is one to free.
  for (const Value *Name : ArrayRef<const Value *>(Names).drop_front())
    if (compareHandles(Own, Name, View.Code, Walk.Thinker, N.Known) != Meeting::Never) return;
  const HandleSort *Made = handleSortOf(What, Direction::OUT);
  const char *Lost = &At == &Start ? "here its handle is lost when the loop makes the next one"
                                   : "here its handle is lost";
  if (!IsFreed) return warn(Made->Kind, &Start, "what " + What.Name.str() + " makes is never freed", {{&At, Lost}});
  BitVector Frees(View.Ways.size());
  for (const User *By : Users) {
    const auto *Call = dyn_cast<CallBase>(By);
    if (Call && freesObject(*findMpi(*Call))) Frees.set(View.Ways.indexOf(Call->getParent()));
  }
  std::vector<Note> Notes;
  if (const Instruction *Turn = Walk.turningPoint(N, Frees))
    Notes.push_back({Turn, "this condition leads past what frees it"});
  Notes.push_back({&At, Lost});
  warn(Made->Kind, &Start, "what " + What.Name.str() + " makes is not freed on every path", Notes);
}
