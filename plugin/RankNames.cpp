// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of nodes, and what is known of the functions of MPI and of libraries (RankNames.h).
#include "RankNames.h"
#include "static/Call.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using mck::RankNames;

uint64_t RankNames::hashOf(const GlobalValue &V) const {
  auto [At, IsNew] = Hashes.try_emplace(&V);
  if (IsNew)
    At->second = definitionOf(V.hasLocalLinkage() ? V.getName().str() + "@" + M.getSourceFileName()
                                                  : V.getName().str());
  return At->second;
}

uint64_t RankNames::hashOf(const FunctionType &Type) const {
  auto [At, IsNew] = TypeHashes.try_emplace(&Type);
  if (!IsNew) return At->second;
  std::string Text;
  raw_string_ostream Out(Text);
  Out << "*";
  for (const llvm::Type *Parameter : Type.params()) Out << *Parameter << ",";
  if (Type.isVarArg()) Out << "...";
  return At->second = definitionOf(Text);
}

uint64_t RankNames::nodeOf(RankPlace Place, uint64_t Owner, unsigned At, bool IsBehind) {
  uint64_t Hash = (Owner ^ (uint64_t(Place) << 32 | At << 1 | IsBehind)) * UINT64_C(0x9e3779b97f4a7c15);
  return (Hash ^ Hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

uint64_t RankNames::nodeOf(RankPlace Place, const CallBase &Call, unsigned At, bool IsBehind) const {
  bool IsOfArgument = Place == RankPlace::VALUE || Place == RankPlace::MEMORY || Place == RankPlace::FILLED;
  if (IsOfArgument && At >= Call.getFunctionType()->getNumParams()) At = VariableArguments;
  const Function *Callee = calleeOf(Call);
  return nodeOf(Place, Callee ? hashOf(*Callee) : hashOf(*Call.getFunctionType()), At, IsBehind);
}

const Function *RankNames::calleeOf(const CallBase &Call) {
  const Value *Called = Call.getCalledOperand()->stripPointerCasts();
  if (const auto *Alias = dyn_cast<GlobalAlias>(Called)) Called = Alias->getAliaseeObject();
  return dyn_cast_or_null<Function>(Called);
}

bool RankNames::isMpi(const CallBase &Call) {
  const Function *Callee = calleeOf(Call);
  return Callee && Callee->isDeclaration() &&
         (Callee->getName().starts_with("MPI_") || Callee->getName().starts_with("PMPI_"));
}

bool RankNames::isPassing(const CallBase &Call) {
  StringRef Name = isMpi(Call) ? calleeOf(Call)->getName() : StringRef();
  Name.consume_front("P");
  if (!Name.consume_front("MPI_")) return false;
  Name.consume_front("I");
  return StringSwitch<bool>(Name)
      .Cases("Pack", "Unpack", "Pack_external", "Unpack_external", "Reduce_local", true)
      .Cases("Group_translate_ranks", "Cart_rank", "Cart_coords", "Cart_shift", "Graph_neighbors", true)
      .Cases("Allreduce", "Reduce", "Scan", "Exscan", "Reduce_scatter", "Reduce_scatter_block", true)
      .Cases("allreduce", "reduce", "scan", "exscan", "reduce_scatter", "reduce_scatter_block", true)
      .Cases("Allgather", "Allgatherv", "Gather", "Gatherv", "Scatter", "Scatterv", "Alltoall", "Alltoallv", true)
      .Cases("allgather", "allgatherv", "gather", "gatherv", "scatter", "scatterv", "alltoall", "alltoallv", true)
      .Default(false);
}

bool RankNames::isHarmless(const CallBase &Call) const {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm()) return true;
  const Function *Callee = calleeOf(Call);
  return Callee && isHarmless(*Callee);
}

bool RankNames::isHarmless(const Function &F) const {
  if (!F.isDeclaration()) return Templates.contains(&F);
  auto [At, IsNew] = Declared.try_emplace(&F);
  if (!IsNew) return At->second;
  StringRef Name = F.getName();
  bool IsKept = Name == "__cxa_throw" || Name == "__cxa_begin_catch" || Name.starts_with("_ZNSt6thread");
  bool IsKnown = Name == "qsort" || Name == "bsearch" || Name == "pthread_create" ||
                 statics::reachOfName(F) == statics::Reach::Nothing;
  return At->second = !IsKept && IsKnown;
}

bool RankNames::isFilling(const CallBase &Call, unsigned Argument) {
  if (const statics::MpiFunction *Function = isMpi(Call) ? statics::findMpi(Call) : nullptr)
    return Argument < Function->Parameters.size() && Function->Parameters[Argument].Way != statics::Direction::IN;
  const Function *Callee = calleeOf(Call);
  return !Callee || !Callee->isDeclaration() ||
         StringSwitch<bool>(Callee->getName())
             .Cases("printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "fputc", "putc", false)
             .Cases("fwrite", "fread", "fgets", "fgetc", "getc", "scanf", "fscanf", "fflush", "fopen", "fclose", false)
             .Cases("free", "strlen", "strcmp", "strncmp", "memcmp", "memset", "perror", "exit", "abort", false)
             .Cases("__isoc99_scanf", "__isoc99_fscanf", "__isoc23_scanf", "__isoc23_fscanf", "__assert_fail", false)
             .Cases("time", "clock_gettime", "gettimeofday", "nanosleep", "pthread_join", false)
             .Default(true);
}

bool RankNames::isTemplate(const Function &F) {
  StringRef Name = F.getName();
  return F.hasLinkOnceLinkage() && !F.isDeclaration() && Name.consume_front("_Z") &&
         (Name.starts_with("St") || Name.starts_with("NSt") || Name.starts_with("NKSt") ||
          Name.starts_with("N9__gnu_cxx") || Name.starts_with("NK9__gnu_cxx"));
}

bool RankNames::isBinding(const GlobalValue &V) {
  StringRef Name = V.getName();
  return Name.consume_front("_Z") && (Name.starts_with("N3MPI") || Name.starts_with("NK3MPI") ||
                                      (Name.starts_with("T") && Name.drop_front(2).starts_with("N3MPI")));
}

// All templates but those that call something of the program, directly or in others.
RankNames::RankNames(const Module &M) : M(M) {
  DenseMap<const Function *, SmallVector<const Function *, 4>> Callers;
  SmallVector<const Function *, 32> Work;
  for (const Function &F : M) {
    if (!isTemplate(F)) continue;
    Templates.insert(&F);
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || isa<IntrinsicInst>(Call) || Call->isInlineAsm()) continue;
      const Function *Callee = calleeOf(*Call);
      if (Callee && isTemplate(*Callee)) Callers[Callee].push_back(&F);
      else if (!Callee || !Callee->isDeclaration() || !isHarmless(*Callee)) Work.push_back(&F);
    }
  }
  while (!Work.empty()) {
    const Function *F = Work.pop_back_val();
    if (Templates.erase(F)) Work.append(Callers[F]);
  }
}

std::optional<unsigned> RankNames::bufferOf(const CallBase &Receive) {
  if (!isMpi(Receive)) return std::nullopt;
  StringRef Name = calleeOf(Receive)->getName();
  Name.consume_front("P");
  int At = StringSwitch<int>(Name)
               .Cases("MPI_Recv", "MPI_Irecv", "MPI_Recv_init", "MPI_Mrecv", "MPI_Imrecv", "MPI_Sendrecv_replace", 0)
               .Case("MPI_Sendrecv", 5)
               .Default(-1);
  return At >= 0 && unsigned(At) < Receive.arg_size() ? std::optional<unsigned>(At) : std::nullopt;
}

// MPI-3.1 3.2, 3.7, 3.10, 5.4
SmallVector<unsigned, 2> RankNames::ranksOf(const CallBase &Call) {
  SmallVector<unsigned, 2> Found;
  const statics::MpiFunction *Function = isMpi(Call) ? statics::findMpi(Call) : nullptr;
  for (unsigned I = 0; Function && I < Function->Parameters.size() && I < Call.arg_size(); ++I) {
    const statics::Parameter &P = Function->Parameters[I];
    if (P.Way == statics::Direction::IN && P.Type == "int" && (P.is("dest") || P.is("source") || P.is("root")))
      Found.push_back(I);
  }
  return Found;
}
