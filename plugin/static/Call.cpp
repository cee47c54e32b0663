// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the generated tables (Call.h).
#include "static/Call.h"
#include "static/LibraryNames.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mck::statics;

namespace {

struct Row {
  uint16_t Number;
  Parameter What;
};
constexpr Row Rows[] = {
#define MCK_PARAMETER(Function, Way, Roles, Name, Type) {MCK_FN_##Function, {Direction::Way, Roles, Name, Type}},
#include "api/parameters.inc"
#undef MCK_PARAMETER
};

StringMap<MpiFunction> readFunctions() {
  StringMap<MpiFunction> All;
  SmallVector<MpiFunction *, 0> ByNumber(MCK_FN_COUNT);
#define MCK_FN(Name, Class)                                                                                            \
  ByNumber[MCK_FN_##Name] = &All.try_emplace(#Name, MpiFunction{MCK_FN_##Name, #Name, {}}).first->second;
#include "api/mpi_fns.inc"
#undef MCK_FN
  for (const Row &R : Rows) ByNumber[R.Number]->Parameters.push_back(R.What);
  return All;
}

const GlobalVariable *variableOf(const Value *Handle) {
  return Handle ? dyn_cast<GlobalVariable>(Handle->stripPointerCasts()) : nullptr;
}
bool isVariable(const Value *Handle, StringRef Name) {
  const GlobalVariable *Variable = variableOf(Handle);
  return Variable && Variable->getName() == Name;
}

} // namespace

bool Parameter::isHandle() const {
  StringRef Sort = Type;
  return Sort.consume_front("MPI_") && !Sort.starts_with("Status") && !Sort.starts_with("Aint") &&
         !Sort.starts_with("Offset") && !Sort.starts_with("Count") && !Sort.starts_with("Fint") &&
         !Sort.contains("function");
}

bool Parameter::is(StringRef Role) const {
  for (StringRef Rest = Roles; !Rest.empty();) {
    auto [First, Others] = Rest.split('+');
    if (First == Role) return true;
    Rest = Others;
  }
  return false;
}

int MpiFunction::find(StringRef Role) const {
  for (unsigned I = 0; I < Parameters.size(); ++I)
    if (Parameters[I].is(Role)) return int(I);
  return -1;
}

const MpiFunction *mck::statics::findMpi(StringRef Symbol) {
  if (!Symbol.starts_with("MPI_") && !Symbol.starts_with("PMPI_")) return nullptr;
  static const StringMap<MpiFunction> All = readFunctions();
  Symbol.consume_front("P");
  auto Found = All.find(Symbol);
  return Found == All.end() ? nullptr : &Found->second;
}

const MpiFunction *mck::statics::findMpi(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return nullptr;
  const MpiFunction *Found = findMpi(Callee->getName());
  return Found && Found->Parameters.size() == Call.arg_size() ? Found : nullptr;
}

Value *mck::statics::argument(const CallBase &Call, const MpiFunction &Function, StringRef Role) {
  int At = Function.find(Role);
  return At < 0 ? nullptr : Call.getArgOperand(unsigned(At));
}

bool mck::statics::receivesOne(const CallBase &Call, const MpiFunction &Function) {
  uint8_t Flow = Function.row().flow;
  if (Flow == MCK_STD_FLOW_GATHER || Flow == MCK_STD_FLOW_ALL_GATHER || Flow == MCK_STD_FLOW_ALL_TO_ALL) return false;
  const auto *Count = dyn_cast_or_null<ConstantInt>(argument(Call, Function, "recvcount"));
  const Value *Type = argument(Call, Function, "recvtype");
  return Type && isa<GlobalVariable>(Type) && (!Count ? Function.find("recvcount") < 0 : Count->isOne());
}

bool mck::statics::isOfInterest(const MpiFunction &Function) {
  const mck_std_fn &Row = Function.row();
  bool IsInit = Function.Number == MCK_FN_MPI_Init || Function.Number == MCK_FN_MPI_Init_thread;
  bool IsOfObjects = any_of(ArrayRef<StringRef>{"newgroup", "newinfo", "newop"},
                            [&](StringRef Role) { return Function.find(Role) >= 0; });
  return IsInit || IsOfObjects || Function.isCollective() || Row.has_request || Row.family == MCK_STD_FAMILY_P2P ||
         Row.family == MCK_STD_FAMILY_RMA || Row.family == MCK_STD_FAMILY_EPOCH || Row.family == MCK_STD_FAMILY_FILE ||
         Row.family == MCK_STD_FAMILY_REQUEST || Row.family == MCK_STD_FAMILY_DATATYPE ||
         Row.access != MCK_STD_ACCESS_NONE;
}

bool mck::statics::isAbort(const MpiFunction &Function) { return Function.Number == MCK_FN_MPI_Abort; }

// What waits for other threads, or tells them something: they may call MPI meanwhile. A pipe may be one to them.
static bool isSynchronization(StringRef Name) {
  return (Name.starts_with("omp_") && (Name.contains("lock") || Name.starts_with("omp_fulfill"))) ||
         Name.starts_with("_ZNSt6thread") || Name.starts_with("_ZNSt18condition_variable") ||
         Name.starts_with("_ZNSt3_V2") || Name.starts_with("_ZNSt13__future_base") ||
         Name.starts_with("_ZNSt28__atomic_futex") || Name == "read" || Name == "poll" || Name == "select";
}

Reach mck::statics::reachOfName(const Function &Callee) {
  StringRef Name = Callee.getName();
  if (findMpi(Name)) return Reach::Nothing;
  if (isSynchronization(Name)) return Reach::Unknown;
  if (Callee.hasFnAttribute(UnknownBody)) return Reach::Unknown;
  // To make it takes some thousand times as long as to ask it.
  static const TargetLibraryInfoImpl Library(Triple(Callee.getParent()->getTargetTriple()));
  LibFunc Known;
  if (Callee.isDeclaration() && Library.getLibFunc(Name, Known))
    return Known == LibFunc_qsort || Known == LibFunc_atexit ? Reach::Unknown : Reach::Nothing;
  return StringSwitch<Reach>(Name)
      .StartsWith("__mck_", Reach::Nothing)
      .StartsWith("mck.", Reach::Nothing)
      .StartsWith("omp_", Reach::Nothing)
      .StartsWith("_FortranAioOutputDerivedType", Reach::Unknown) // calls procedures of the program
      .StartsWith("_FortranAioInputDerivedType", Reach::Unknown)
      .StartsWith("_FortranAExecuteCommandLine", Reach::Unknown)
      .StartsWith("_FortranA", Reach::Nothing)
      .StartsWith("__kmpc_global_thread_num", Reach::Nothing)
      .StartsWith("_ZNSt", Reach::Nothing)
      .StartsWith("_ZNKSt", Reach::Nothing)
      .StartsWith("_ZNSo", Reach::Nothing)
      .StartsWith("_ZNSi", Reach::Nothing)
      .StartsWith("_ZNSs", Reach::Nothing)
      .StartsWith("_ZNKSs", Reach::Nothing)
      .StartsWith("_ZNSa", Reach::Nothing)
      .StartsWith("_ZSt", Reach::Nothing)
      .StartsWith("__cxa_", Reach::Nothing)
      .StartsWith("__isoc99_", Reach::Nothing)
      .StartsWith("__isoc23_", Reach::Nothing)
      .Default(isPlainLibraryFunction(Name) ? Reach::Nothing : Reach::Unknown);
}

Reach mck::statics::reachOf(const CallBase &Call) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm()) return Reach::Nothing;
  if (const Function *Callee = Call.getCalledFunction()) return reachOfName(*Callee);
  // what() of a caught exception.
  const auto *Caught = Call.arg_size() == 1 ? dyn_cast<CallBase>(Call.getArgOperand(0)) : nullptr;
  const Function *Catch = Caught ? Caught->getCalledFunction() : nullptr;
  return Catch && Catch->getName() == "__cxa_begin_catch" ? Reach::Nothing : Reach::Unknown;
}

bool mck::statics::maySynchronize(const Instruction &I) { return I.isAtomic() || (isa<LoadInst>(I) && I.isVolatile()); }

bool mck::statics::isWorld(const Value *Comm) { return isVariable(Comm, "ompi_mpi_comm_world"); }
const GlobalVariable *mck::statics::findWorld(const Module &M) {
  for (const GlobalVariable &Variable : M.globals())
    if (isWorld(&Variable)) return &Variable;
  return nullptr;
}
bool mck::statics::isSelf(const Value *Comm) { return isVariable(Comm, "ompi_mpi_comm_self"); }
bool mck::statics::isNullRequest(const Value *Request) { return isVariable(Request, "ompi_request_null"); }
bool mck::statics::isNullHandle(const Value *Handle, StringRef Kind) {
  return isVariable(Handle, ("ompi_mpi_" + Kind + "_null").str());
}
