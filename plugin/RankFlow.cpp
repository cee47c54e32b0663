// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks each function what a rank outside of it may come from (RankFlow.h).
#include "RankFlow.h"
#include "PromotedCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using mck::RankFlow;
using mck::RankGraph;
using mck::RankNames;
using mck::RankPlace;

constexpr unsigned LargestCopied = 20000; // instructions

// Each object that needs it brings such a function along.
static bool isOfEachObject(const GlobalValue &V) { return V.hasLocalLinkage() || V.hasLinkOnceLinkage(); }

static bool isLooked(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !F.getName().starts_with("mck.") &&
         !F.getName().starts_with("__mck_");
}

static StringRef mpiName(const CallBase &Call) {
  StringRef Name = RankNames::isMpi(Call) ? RankNames::calleeOf(Call)->getName() : StringRef();
  Name.consume_front("P");
  return Name;
}

// Does something of the program use the bindings for C++? Open MPI's come with mpi.h, with all their virtual functions.
static bool isUsed(const Value &V) {
  return any_of(V.users(), [](const User *By) {
    const auto *I = dyn_cast<Instruction>(By);
    const auto *Global = I ? I->getFunction() : dyn_cast<GlobalValue>(By);
    return Global ? !RankNames::isBinding(*Global) : isUsed(*By);
  });
}
static bool usesBindings(Module &M) {
  return any_of(M.global_values(), [](const GlobalValue &V) { return RankNames::isBinding(V) && isUsed(V); });
}

RankFlow::RankFlow(Module &M) : M(M), Names(M) {
  SmallVector<Function *, 32> Work;
  bool HasBindings = usesBindings(M);
  for (Function &F : M)
    if (isLooked(F) && !Names.isHarmless(F) && (HasBindings || !RankNames::isBinding(F))) Work.push_back(&F);
  Outer = {MCK_RANK_ALWAYS, MCK_RANK_LIBRARY, MCK_RANK_DEFINED};
  for (Function *F : Work) {
    if (!isOfEachObject(*F)) add(RankNames::definitionOf(F->getName()), MCK_RANK_DEFINED);
    if (F->hasAddressTaken()) addPointer(*F);
  }
  // Where no message is sent, templates of C++'s library that call the program are not worth the time: some thousand
  // of them come with one header.
  bool NamesRanks = any_of(Work, [](Function *F) {
    return any_of(instructions(F), [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && (RankNames::bufferOf(*Call) || !RankNames::ranksOf(*Call).empty());
    });
  });
  for (Function *F : Work) {
    if (NamesRanks || !RankNames::isTemplate(*F)) look(*F);
    else giveUp(*F, *F, {});
  }
}

void RankFlow::add(uint64_t From, uint64_t To, uint64_t Unless) {
  if (Known.insert({From, To}).second) Edges.push_back({Unless, From, To});
}

void RankFlow::receive(const Received &R, uint64_t From) {
  bool IsStarted = mpiName(*R.Call) == "MPI_Recv_init"; // the mark stands at MPI_Start
  if (From == MCK_RANK_ALWAYS && !IsStarted) Naming.insert(R.Call);
  else add(From, IsStarted ? MCK_RANK_RECEIVE | MCK_RANK_STARTED : R.Node);
}

// Calls through pointers may call it.
void RankFlow::addPointer(const Function &F) {
  uint64_t Type = Names.hashOf(*F.getFunctionType());
  auto Join = [&](RankPlace Place, unsigned At, bool IsBehind, bool IsToPointer) {
    uint64_t Own = Names.nodeOf(Place, F, At, IsBehind), Any = Names.nodeOf(Place, Type, At, IsBehind);
    Outer.insert(Any);
    add(IsToPointer ? Own : Any, IsToPointer ? Any : Own);
  };
  Join(RankPlace::RESULT, 0, false, false);
  Join(RankPlace::CALLED, 0, false, true);
  for (unsigned I = 0; I < F.arg_size() + F.isVarArg(); ++I) {
    unsigned At = I < F.arg_size() ? I : VariableArguments;
    Join(RankPlace::VALUE, At, false, true);
    for (bool IsBehind : {false, true}) {
      Join(RankPlace::MEMORY, At, IsBehind, true);
      Join(RankPlace::FILLED, At, IsBehind, false);
    }
  }
}

void RankFlow::look(Function &F) {
  SmallVector<Received, 8> Calls;
  unsigned Number = 0;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call) continue;
    if (RankNames::bufferOf(*Call)) {
      std::string Name = M.getSourceFileName() + "/" + F.getName().str() + "/" + std::to_string(Number++);
      Calls.push_back({Call, Call, MCK_RANK_RECEIVE | (mck_abi_hash(Name.c_str()) >> 1 | 2)});
    }
    if (StringRef Name = mpiName(*Call); Name == "MPI_Start" || Name == "MPI_Startall") Starts.push_back(Call);
  }
  for (const Received &R : Calls) Receives.push_back({R.Call, R.Node});
  if (F.getInstructionCount() > LargestCopied || F.isPresplitCoroutine() || F.callsFunctionThatReturnsTwice())
    return lookAt(F, F, Calls);
  ValueToValueMapTy Map;
  Function *Copy = mck::copyPromoted(F, Map);
  erase_if(Calls, [&](Received &R) { // a call that cannot be reached has no copy
    R.Copy = dyn_cast_or_null<CallBase>(Map.lookup(R.Call));
    return !R.Copy;
  });
  lookAt(*Copy, F, Calls);
  Copy->eraseFromParent();
}

void RankFlow::lookAt(const Function &F, const Function &Of, SmallVectorImpl<Received> &Calls) {
  RankGraph Graph(F, Of, Names);
  Questions All;
  addOwn(All, F, Of);
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call) continue;
    for (unsigned At : RankNames::ranksOf(*Call)) {
      Question &Rank = All[MCK_RANK_ALWAYS];
      Rank.Values.push_back({Call->getArgOperand(At), Call});
      Rank.Blocks.push_back(I.getParent());
      add(MCK_RANK_ALWAYS, Names.nodeOf(RankPlace::CALLED, Of));
    }
    if (RankNames::isMpi(*Call)) continue;
    addCallbacks(All, *Call);
    if (!Names.isHarmless(*Call)) addCall(All, *Call, Of);
  }
  for (const auto &[Node, What] : All) {
    ask(Graph, Of, Node, What, Calls);
    if (Graph.isTooLarge()) return giveUp(F, Of, Calls);
  }
}

// Then everything may be a rank.
void RankFlow::giveUp(const Function &F, const Function &Of, ArrayRef<Received> Calls) {
  for (const Received &R : Calls) receive(R, MCK_RANK_ALWAYS);
  add(MCK_RANK_ALWAYS, Names.nodeOf(RankPlace::CALLED, Of));
  for (unsigned I = 0; I < Of.arg_size(); ++I) {
    add(MCK_RANK_ALWAYS, Names.nodeOf(RankPlace::VALUE, Of, I));
    for (bool IsBehind : {false, true}) add(MCK_RANK_ALWAYS, Names.nodeOf(RankPlace::MEMORY, Of, I, IsBehind));
  }
  for (const GlobalVariable *Variable : RankGraph::variables(F))
    for (bool IsBehind : {false, true}) add(MCK_RANK_ALWAYS, Names.nodeOf(*Variable, IsBehind));
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || RankNames::isMpi(*Call) || Names.isHarmless(*Call)) continue;
    add(MCK_RANK_ALWAYS, Names.nodeOf(RankPlace::RESULT, *Call));
    for (unsigned At = 0; At < Call->arg_size(); ++At)
      for (bool IsBehind : {false, true}) add(MCK_RANK_ALWAYS, Names.nodeOf(RankPlace::FILLED, *Call, At, IsBehind));
  }
}

// --- questions ---
// What others make of its result, of what it stores where its parameters point, and of variables.
void RankFlow::addOwn(Questions &All, const Function &F, const Function &Of) {
  if (!Of.getReturnType()->isVoidTy()) All[Names.nodeOf(RankPlace::RESULT, Of)].IsResult = true;
  for (const Argument &A : F.args()) {
    if (!A.getType()->isPointerTy()) continue;
    All[Names.nodeOf(RankPlace::FILLED, Of, A.getArgNo())].Memory.push_back({&A, nullptr});
    All[Names.nodeOf(RankPlace::FILLED, Of, A.getArgNo(), true)].Behind.push_back({&A, nullptr});
  }
  for (const GlobalVariable *Variable : RankGraph::variables(F))
    for (bool IsBehind : {false, true}) {
      uint64_t Node = Names.nodeOf(*Variable, IsBehind);
      if (!Variable->hasLocalLinkage()) Outer.insert(Node);
      add(Names.nodeOf(*Variable, IsBehind, Of), Node);
      All[Node].Variable = Variable, All[Node].IsBehind = IsBehind;
    }
  if (isOfEachObject(Of)) return;
  Outer.insert(Names.nodeOf(RankPlace::RESULT, Of));
  Outer.insert(Names.nodeOf(RankPlace::CALLED, Of));
  for (unsigned I = 0; I < Of.arg_size() + Of.isVarArg(); ++I) {
    unsigned At = I < Of.arg_size() ? I : VariableArguments;
    Outer.insert(Names.nodeOf(RankPlace::VALUE, Of, At));
    for (RankPlace Place : {RankPlace::MEMORY, RankPlace::FILLED})
      for (bool IsBehind : {false, true}) Outer.insert(Names.nodeOf(Place, Of, At, IsBehind));
  }
}

void RankFlow::addCall(Questions &All, const CallBase &Call, const Function &Of) {
  const Function *Callee = RankNames::calleeOf(Call);
  uint64_t Called = Names.nodeOf(RankPlace::CALLED, Call);
  All[Called].Blocks.push_back(Call.getParent());
  add(Called, Names.nodeOf(RankPlace::CALLED, Of));
  for (unsigned At = 0; At < Call.arg_size(); ++At) {
    const Value *Given = Call.getArgOperand(At);
    if (!Given->getType()->isPointerTy()) {
      All[Names.nodeOf(RankPlace::VALUE, Call, At)].Values.push_back({Given, &Call});
      continue;
    }
    All[Names.nodeOf(RankPlace::MEMORY, Call, At)].Memory.push_back({Given, &Call});
    All[Names.nodeOf(RankPlace::MEMORY, Call, At, true)].Behind.push_back({Given, &Call});
  }
  if (!Callee || Callee->isDeclaration()) addUnknown(Call, Callee);
}

// Functions that are given to the call: it may give them its other arguments, or what a library has kept.
void RankFlow::addCallbacks(Questions &All, const CallBase &Call) {
  for (const Use &Given : Call.args()) {
    const auto *F = dyn_cast<Function>(Given->stripPointerCasts());
    if (!F || F->isIntrinsic()) continue;
    for (unsigned I = 0; I < F->arg_size(); ++I)
      for (uint64_t Node : {Names.nodeOf(RankPlace::VALUE, *F, I), Names.nodeOf(RankPlace::MEMORY, *F, I),
                            Names.nodeOf(RankPlace::MEMORY, *F, I, true)}) {
        for (const Use &Other : Call.args()) {
          if (Other == Given || isa<MetadataAsValue>(Other)) continue;
          bool IsPointer = Other->getType()->isPointerTy();
          if (IsPointer) All[Node].Memory.push_back({Other, &Call}), All[Node].Behind.push_back({Other, &Call});
          else All[Node].Values.push_back({Other, &Call});
        }
        if (!Names.isHarmless(Call)) add(Node, MCK_RANK_LIBRARY);
      }
    if (Names.isHarmless(Call)) continue;
    add(MCK_RANK_LIBRARY, Names.nodeOf(RankPlace::RESULT, *F));
    for (unsigned I = 0; I < F->arg_size(); ++I)
      for (bool IsBehind : {false, true}) add(MCK_RANK_LIBRARY, Names.nodeOf(RankPlace::FILLED, *F, I, IsBehind));
  }
}

// A function of another module. Where that was not recompiled, it may name ranks itself, as the runtime finds out; or
// it keeps what it gets, and a rank is made of what such functions bring back.
void RankFlow::addUnknown(const CallBase &Call, const Function *Callee) {
  uint64_t Definition = Callee ? RankNames::definitionOf(Callee->getName()) : 0;
  auto Put = [&](uint64_t Node) {
    Outer.insert(Node);
    if (!Callee) return;
    add(MCK_RANK_LIBRARY, Node, Definition);
    add(Definition, Node, Definition);
  };
  auto Get = [&](uint64_t Node) {
    Outer.insert(Node);
    if (Callee) add(Node, MCK_RANK_LIBRARY, Definition);
  };
  Outer.insert(Definition);
  Outer.insert(Names.nodeOf(RankPlace::CALLED, Call));
  Get(Names.nodeOf(RankPlace::RESULT, Call));
  for (unsigned At = 0; At < Call.arg_size(); ++At) {
    bool IsPointer = Call.getArgOperand(At)->getType()->isPointerTy();
    if (!IsPointer) Put(Names.nodeOf(RankPlace::VALUE, Call, At));
    for (bool IsBehind : {false, true}) {
      if (!IsPointer) continue;
      Put(Names.nodeOf(RankPlace::MEMORY, Call, At, IsBehind));
      Get(Names.nodeOf(RankPlace::FILLED, Call, At, IsBehind));
    }
  }
}

void RankFlow::ask(RankGraph &Graph, const Function &Of, uint64_t Node, const Question &What,
                   ArrayRef<Received> Calls) {
  Graph.begin();
  for (auto [Value, Call] : What.Values) Graph.addValue(Value);
  for (auto [Pointer, Call] : What.Memory) Graph.addMemory(Pointer, false, Call);
  for (auto [Pointer, Call] : What.Behind) Graph.addMemory(Pointer, true, Call);
  for (const BasicBlock *Block : What.Blocks) Graph.addCondition(Block);
  if (What.Variable) Graph.addVariable(*What.Variable, What.IsBehind);
  if (What.IsResult) Graph.addResult();
  Graph.run();
  uint64_t Own = What.Variable ? Names.nodeOf(*What.Variable, What.IsBehind, Of) : 0;
  for (uint64_t To : Graph.nodes())
    if (To != Own && To != Node) add(Node, To);
  for (const Received &R : Calls) {
    if (!Graph.isReceived(*R.Copy)) continue;
    SmallPtrSet<const Function *, 16> Next;
    if (!What.Variable || What.IsBehind || !Graph.isOf(*R.Copy, *What.Variable) ||
        Graph.isLeft(*R.Copy, *What.Variable, Next))
      receive(R, Node);
    else
      for (const Function *F : Next) receive(R, Names.nodeOf(*What.Variable, false, *F));
  }
}
