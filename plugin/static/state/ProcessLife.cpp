// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows MPI's life (ProcessLife.h).
#include "static/state/ProcessLife.h"
#include "static/state/Buffers.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace mck::statics;

static bool isInit(const MpiFunction &Function) {
  return Function.Number == MCK_FN_MPI_Init || Function.Number == MCK_FN_MPI_Init_thread;
}
static bool isFinalize(const MpiFunction &Function) { return Function.Number == MCK_FN_MPI_Finalize; }

static bool callsFinalize(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && isFinalize(*Mpi);
  });
}

// Constructors of global objects run before main.
static bool mayBeginBeforeMain(const Canonical &Code) {
  const GlobalVariable *All = Code.module().getGlobalVariable("llvm.global_ctors");
  const auto *Array = All && All->hasInitializer() ? dyn_cast<ConstantArray>(All->getInitializer()) : nullptr;
  if (!Array) return All != nullptr;
  return any_of(Array->operands(), [&](const Use &Entry) {
    const auto *One = dyn_cast<ConstantStruct>(Entry);
    const auto *F = One ? dyn_cast<Function>(One->getOperand(1)->stripPointerCasts()) : nullptr;
    return !F || !Code.isQuiet(*F);
  });
}

bool ProcessLife::isWorth(FunctionView &View) {
  return any_of(instructions(View.F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
    return Mpi && (isInit(*Mpi) || isFinalize(*Mpi) || View.F.getName() == "main");
  });
}

ProcessLife::ProcessLife(FunctionView &View) : View(View) {
  if (View.F.getName() == "main" && !mayBeginBeforeMain(View.Code)) Entry = NotYet;
  for (const Function &F : View.Code.module())
    if (!F.isDeclaration() && F.hasAddressTaken() && callsFinalize(F)) IsEndedElsewhere = true;
}

bool ProcessLife::isEvent(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || View.Code.origin(Call)) return false;
  return findMpi(*Call) || View.Code.mayReachMpi(*Call);
}

int64_t ProcessLife::numberOf(const Instruction &I) {
  auto Found = find(Calls, &I);
  if (Found == Calls.end()) Found = Calls.insert(Calls.end(), &I);
  return Found - Calls.begin();
}

BitVector ProcessLife::blocksWith(function_ref<bool(const MpiFunction &)> Is) const {
  BitVector Found(View.Ways.size());
  for (unsigned At = 0; At < View.Ways.size(); ++At)
    for (const Instruction &I : *View.Ways.block(At))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const MpiFunction *Mpi = findMpi(*Call); Mpi && Is(*Mpi)) Found.set(At);
  return Found;
}

void ProcessLife::step(const Instruction &I, Node &N, PathWalk &Walk, SmallVectorImpl<Node> &More) {
  const auto &Call = cast<CallBase>(I);
  const MpiFunction *Mpi = findMpi(Call);
  if (!Mpi) {
    // Nothing begins MPI again.
    if (now(N) == NotYet) N.State[LifeAt] = Unknown;
    else if (now(N) == Running) N.State[LifeAt] = Begun;
    return;
  }
  if (isInit(*Mpi)) begin(Call, *Mpi, N);
  else if (Mpi->find("flag") >= 0 && Mpi->row().is_anytime) ask(Call, *Mpi, N, More);
  else if (!Mpi->row().is_anytime) use(Call, *Mpi, N, Walk);
}

void ProcessLife::wrong(StringRef Kind, const CallBase &Call, std::string Text, int64_t Other, Node &N) {
  std::vector<Note> Notes;
  if (Other) Notes.push_back({Calls[size_t(Other)], "this call comes first"});
  if (const Instruction *Last = Conditions.last(N, View); Last && Other)
    Notes.push_back({Last, "on one of the ways from this condition"});
  warn(Kind, &Call, std::move(Text), std::move(Notes));
  N.IsDead = true;
}

void ProcessLife::begin(const CallBase &Call, const MpiFunction &Function, Node &N) {
  if (now(N) == Running || now(N) == Ended) {
    bool IsEnded = now(N) == Ended;
    return wrong("init.twice", Call,
                 Function.Name.str() + (IsEnded ? " after MPI_Finalize: MPI cannot begin again"
                                                : " in a process in which MPI has begun already"),
                 N.State[IsEnded ? EndAt : BeginAt], N);
  }
  N.State[LifeAt] = Running, N.State[BeginAt] = numberOf(Call);
}

void ProcessLife::use(const CallBase &Call, const MpiFunction &Function, Node &N, PathWalk &Walk) {
  if (now(N) == NotYet) {
    std::vector<Note> Notes;
    if (const Instruction *Turn = Walk.turningPoint(N, blocksWith(isInit)))
      Notes.push_back({Turn, "this condition leads past MPI_Init"});
    warn("init.before", &Call, Function.Name.str() + " is called before MPI_Init", std::move(Notes));
    N.IsDead = true;
    return;
  }
  if (now(N) == Ended)
    return wrong("init.after", Call, Function.Name.str() + " is called after MPI_Finalize", N.State[EndAt], N);
  if (isFinalize(Function)) N.State[LifeAt] = Ended, N.State[EndAt] = numberOf(Call);
}

// MPI_Initialized and MPI_Finalized: what the flag will be.
void ProcessLife::ask(const CallBase &Call, const MpiFunction &Function, Node &N, SmallVectorImpl<Node> &More) {
  const Value *Flag = givenBy(Call, "flag", View.Code);
  if (!Flag) return;
  auto Set = [&](Node &To, bool Is) { To.Known.set({View.Numbers.of(Flag), 0, {Is, Is}}); };
  bool IsEndAsked = Function.Number == MCK_FN_MPI_Finalized;
  if (now(N) == Begun && IsEndAsked) return;
  if (now(N) != Unknown) return Set(N, IsEndAsked ? now(N) == Ended : now(N) != NotYet);
  if (IsEndAsked) return;
  Node Before = N; // it has not begun, or nothing is known still
  Before.State[LifeAt] = NotYet;
  Set(Before, false);
  More.push_back(std::move(Before));
  Set(N, true);
}

void ProcessLife::end(const Instruction &Return, Node &N, PathWalk &Walk) {
  if (View.F.getName() != "main" || IsEndedElsewhere || now(N) != Running || !N.State[BeginAt]) return;
  const Instruction *Begin = Calls[size_t(N.State[BeginAt])];
  std::vector<Note> Notes;
  if (const Instruction *Turn = Walk.turningPoint(N, blocksWith(isFinalize)))
    Notes.push_back({Turn, "this condition leads past MPI_Finalize"});
  Notes.push_back({&Return, "main returns here"});
  warn("init.no-finalize", Begin, "on some path main returns without MPI_Finalize", std::move(Notes));
}

// What the ways of a condition may do to MPI's life; and do they call MPI?
ProcessLife::Region ProcessLife::look(unsigned Block) {
  Region Found;
  for (unsigned At : View.region(Block).set_bits()) {
    if (View.Ways.isEnd(At)) Found.HasLife = true;
    for (const Instruction &I : *View.Ways.block(At)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || View.Code.origin(Call)) continue;
      const MpiFunction *Mpi = findMpi(*Call);
      Found.HasLife |= Mpi ? isInit(*Mpi) || isFinalize(*Mpi) : View.Code.mayReachMpi(*Call);
      Found.HasCalls |= Mpi && !Mpi->row().is_anytime;
    }
  }
  return Found;
}

bool ProcessLife::isAllowed(unsigned At, Node &N, PathWalk &) {
  auto Known = Regions.find(At);
  if (Known == Regions.end()) Known = Regions.try_emplace(At, look(At)).first;
  Region In = Known->second;
  bool IsRelevant = In.HasLife || (In.HasCalls && now(N) != Running);
  return !IsRelevant || Conditions.take(At, N, View);
}
