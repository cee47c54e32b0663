// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of Fortran as calls of C (Fortran.h).
#include "static/Fortran.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <set>

using namespace llvm;
using namespace mck::statics;

constexpr StringLiteral FortranAttr = "mck-fortran", HandleList = "mck.handles"; // the list: names and numbers

bool mck::statics::isFortran(const Module &M) { return M.getSourceFileName() == "FIRModule"; }
bool mck::statics::hasFortran(const Module &M) { return M.getNamedMetadata(HandleList); }
bool mck::statics::isOfFortran(const CallBase &Call) { return Call.getAttributes().hasFnAttr(FortranAttr); }

// All names of MPI in C have one capital letter behind "MPI_".
const MpiFunction *mck::statics::findFortranMpi(StringRef Symbol) {
  Symbol.consume_front("p");
  if (!Symbol.consume_front("mpi_") || !Symbol.consume_back("_") || Symbol.empty()) return nullptr;
  std::string Name = ("MPI_" + Symbol).str();
  Name[4] = toUpper(Name[4]);
  return findMpi(Name);
}

StringRef mck::statics::nameInC(const Function &F) {
  const MpiFunction *Mpi = findFortranMpi(F.getName());
  return Mpi ? Mpi->Name : F.getName();
}

namespace {

// The options of main are no arguments in Fortran.
bool isPassed(const Parameter &P) { return !P.is("argc") && !P.is("argv"); }

// Objects of mpif.h that stand for something else by their address (17.1.16).
Value *resolveSentinel(Value *Address) {
  StringRef Name = Address->getName();
  auto *Pointer = cast<PointerType>(Address->getType());
  if (!isa<GlobalVariable>(Address) || !Name.consume_front("mpi_fortran_")) return Address;
  if (Name == "bottom_" || Name.starts_with("status")) return ConstantPointerNull::get(Pointer);
  if (Name != "in_place_") return Address;
  return ConstantExpr::getIntToPtr(ConstantInt::get(Type::getInt64Ty(Address->getContext()), 1), Pointer);
}

Value *passAsC(IRBuilder<> &Builder, Value *Address, const Parameter &P) {
  if (P.Type == "int") return Builder.CreateLoad(Builder.getInt32Ty(), Address);
  if (P.Type == "MPI_Aint" || P.Type == "MPI_Offset" || P.Type == "MPI_Count")
    return Builder.CreateLoad(Builder.getInt64Ty(), Address);
  if (!P.isHandle() || P.Type.ends_with("*")) return resolveSentinel(Address);
  return Builder.CreateIntToPtr(Builder.CreateLoad(Builder.getInt32Ty(), Address), Builder.getPtrTy());
}

CallInst *callC(IRBuilder<> &Builder, Module &M, const MpiFunction &Mpi, Type *Result, ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 12> Types;
  for (const Value *One : Arguments) Types.push_back(One->getType());
  CallInst *New = Builder.CreateCall(M.getOrInsertFunction(Mpi.Name, FunctionType::get(Result, Types, false)),
                                     Arguments);
  New->setDoesNotThrow();
  New->addFnAttr(Attribute::get(M.getContext(), FortranAttr));
  return New;
}

// Its arguments are those of C, the error code, and the lengths of strings.
void replace(CallBase &Call, const MpiFunction &Mpi) {
  IRBuilder<> Builder(&Call);
  if (Mpi.Parameters.empty() && Call.arg_empty() && Call.getType()->isDoubleTy()) { // a clock
    Call.replaceAllUsesWith(callC(Builder, *Call.getModule(), Mpi, Call.getType(), {}));
    Call.eraseFromParent();
    return;
  }
  size_t Own = size_t(count_if(Mpi.Parameters, isPassed));
  bool IsSame = isa<CallInst>(Call) && Call.getType()->isVoidTy() && Call.arg_size() > Own &&
                all_of(seq<size_t>(0, Own + 1),
                       [&](size_t At) { return Call.getArgOperand(unsigned(At))->getType()->isPointerTy(); });
  for (size_t At = Own + 1; IsSame && At < Call.arg_size(); ++At)
    IsSame = Call.getArgOperand(unsigned(At))->getType()->isIntegerTy();
  if (!IsSame || any_of(Mpi.Parameters, [](const Parameter &P) { return P.Type.empty(); })) return;
  SmallVector<Value *, 12> Arguments;
  unsigned At = 0;
  for (const Parameter &P : Mpi.Parameters) {
    Value *Null = ConstantPointerNull::get(Builder.getPtrTy());
    Arguments.push_back(isPassed(P) ? passAsC(Builder, Call.getArgOperand(At++), P) : Null);
  }
  CallInst *New = callC(Builder, *Call.getModule(), Mpi, Builder.getInt32Ty(), Arguments);
  Builder.CreateStore(New, Call.getArgOperand(At));
  Call.eraseFromParent();
}

// Fortran's numbers of handles are those of mpif.h: named constants of each program unit that includes it.
class Handles {
public:
  explicit Handles(Module &M) : M(M) {
    for (const MDNode *One : M.getNamedMetadata(HandleList)->operands())
      Names.emplace(mdconst::extract<ConstantInt>(One->getOperand(1))->getSExtValue(),
                    cast<MDString>(One->getOperand(0))->getString());
  }
  /// In a list, since a join of modules leaves out constants that nobody uses.
  static void list(Module &M);
  /// The variable of C for a handle of this type, or null.
  GlobalVariable *find(int64_t Number, StringRef Type) {
    for (auto Found = Names.lower_bound({Number, ""}); Found != Names.end() && Found->first == Number; ++Found)
      if (auto Name = nameOf(Found->second, Type); !Name.empty())
        return cast<GlobalVariable>(M.getOrInsertGlobal(Name, Type::getInt8Ty(M.getContext())));
    return nullptr;
  }

private:
  Module &M;
  std::set<std::pair<int64_t, StringRef>> Names; // "comm_world"
  static std::string nameOf(StringRef Name, StringRef Sort);
};

// As Open MPI's mpi.h names them: MPI_COMM_WORLD is ompi_mpi_comm_world, MPI_SUM ompi_mpi_op_sum.
std::string Handles::nameOf(StringRef Name, StringRef Sort) {
  static constexpr StringRef Basic[] = {
#define MCK_BASIC(Id, Name, Text, Bytes) Text,
#include "log/basic.inc"
#undef MCK_BASIC
  };
  static constexpr StringRef Operations[] = {"max", "min",  "sum",  "prod",   "land",   "band",    "lor",
                                             "bor", "lxor", "bxor", "maxloc", "minloc", "replace", "no_op"};
  std::string Text = ("MPI_" + Name.upper());
  Sort.consume_front("MPI_");
  Sort = Sort.take_until([](char C) { return C == ' '; });
  std::string Kind = Sort.lower();
  if (Sort == "Request") return Name == "request_null" ? "ompi_request_null" : "";
  bool IsNull = Name.consume_front(Kind) && Name == "_null";
  if (IsNull) return "ompi_mpi_" + Kind + "_null";
  if (Sort == "Datatype") return is_contained(Basic, Text) ? "ompi_mpi_" + StringRef(Text).drop_front(4).lower() : "";
  if (Sort == "Op") return is_contained(Operations, Name) ? ("ompi_mpi_op_" + Name).str() : "";
  if (Sort == "Comm") return Name == "_world" || Name == "_self" ? ("ompi_mpi_comm" + Name).str() : "";
  return "";
}

void Handles::list(Module &M) {
  LLVMContext &Context = M.getContext();
  NamedMDNode *All = M.getOrInsertNamedMetadata(HandleList);
  for (const GlobalVariable &G : M.globals()) {
    size_t At = G.getName().rfind("ECmpi_");
    const auto *Number = At != StringRef::npos && G.isConstant() && G.hasInitializer()
                             ? dyn_cast<ConstantInt>(G.getInitializer())
                             : nullptr;
    if (Number)
      All->addOperand(MDNode::get(Context, {MDString::get(Context, G.getName().drop_front(At + 6)),
                                            ConstantAsMetadata::get(const_cast<ConstantInt *>(Number))}));
  }
}

} // namespace

// "STOP" behind MPI_Finalize is how many main programs end. Elsewhere it is taken for an exit, as in C.
static void returnAtStop(Function &Main) {
  SmallVector<const Instruction *, 2> Finalized;
  SmallVector<CallInst *, 4> Stops;
  for (Instruction &I : instructions(Main)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee) continue;
    if (nameInC(*Callee) == "MPI_Finalize") Finalized.push_back(&I);
    if (Callee->getName().starts_with("_FortranAStopStatement") && isa<UnreachableInst>(I.getNextNode()))
      Stops.push_back(Call);
  }
  DominatorTree Order(Main);
  for (CallInst *Stop : Stops)
    if (any_of(Finalized, [&](const Instruction *Before) { return Order.dominates(Before, Stop); })) {
      ReplaceInstWithInst(Stop->getNextNode(), ReturnInst::Create(Main.getContext()));
      Stop->eraseFromParent();
    }
}

void mck::statics::callAsC(Module &M) {
  Handles::list(M);
  if (Function *Main = M.getFunction("_QQmain"); Main && !Main->isDeclaration()) returnAtStop(*Main);
  SmallVector<std::pair<CallBase *, const MpiFunction *>, 32> Calls;
  for (Function &F : M) {
    if (!F.isDeclaration()) F.addFnAttr(FortranAttr);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction(); Callee && Callee->isDeclaration())
          if (const MpiFunction *Mpi = findFortranMpi(Callee->getName())) Calls.emplace_back(Call, Mpi);
  }
  for (auto [Call, Mpi] : Calls) replace(*Call, *Mpi);
}

const Value *mck::statics::behindNumber(const Value *Handle) {
  for (const auto *Made = dyn_cast<Operator>(Handle);
       Made && (Made->getOpcode() == Instruction::IntToPtr || Made->getOpcode() == Instruction::PtrToInt);
       Made = dyn_cast<Operator>(Handle))
    Handle = Made->getOperand(0);
  return Handle;
}

// Arguments come by address, and belong to the procedure alone while it runs (Fortran 2018, 15.5.2.13). One that
// nothing stores to is one number.
static void shareLoads(Function &F) {
  for (Argument &Given : F.args()) {
    SmallVector<LoadInst *, 8> Loads;
    bool IsRead = all_of(Given.users(), [&](User *By) {
      if (auto *Load = dyn_cast<LoadInst>(By); Load && !Load->isVolatile()) Loads.push_back(Load);
      return isa<LoadInst>(By);
    });
    if (!IsRead || Loads.size() < 2) continue;
    Type *Is = Loads[0]->getType();
    if (any_of(Loads, [&](const LoadInst *Load) { return Load->getType() != Is; })) continue;
    LoadInst *One = IRBuilder<>(&*F.getEntryBlock().getFirstInsertionPt()).CreateLoad(Is, &Given);
    for (LoadInst *Load : Loads) {
      Load->replaceAllUsesWith(One);
      Load->eraseFromParent();
    }
  }
}

// MPI_Comm_c2f and the like. A number that a function gets by value may be a constant where that is inlined: it is
// found then, and not made a pointer before.
static void convertHandles(Module &M, Handles &Known) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      const MpiFunction *Mpi = Call && Call->arg_size() == 1 ? findMpi(*Call) : nullptr;
      StringRef Name = Mpi ? StringRef(Mpi->Name) : "";
      bool IsToNumber = Name.consume_back("_c2f");
      if (!IsToNumber && !Name.consume_back("_f2c")) continue;
      Value *From = Call->getArgOperand(0), *Is = nullptr;
      if (const auto *Number = dyn_cast<ConstantInt>(From))
        Is = Known.find(Number->getSExtValue(), Name == "MPI_Type" ? "MPI_Datatype" : Name);
      else
        Is = CastInst::Create(IsToNumber ? Instruction::PtrToInt : Instruction::IntToPtr, From, Call->getType(), "",
                              Call->getIterator());
      if (!Is) continue;
      Call->replaceAllUsesWith(Is);
      Call->eraseFromParent();
    }
}

void mck::statics::resolveHandles(Module &M) {
  Handles Known(M);
  convertHandles(M, Known);
  SmallVector<WeakTrackingVH, 32> Casts;
  for (Function &F : M) {
    if (F.hasFnAttribute(FortranAttr)) shareLoads(F);
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const MpiFunction *Mpi = Call ? findMpi(*Call) : nullptr;
      for (unsigned At = 0; Mpi && At < Mpi->Parameters.size(); ++At) {
        const auto *Made = dyn_cast<IntToPtrInst>(Call->getArgOperand(At));
        if (!Made || !Mpi->Parameters[At].isHandle()) continue;
        Value *Is = nullptr;
        if (const auto *Given = dyn_cast<PtrToIntOperator>(Made->getOperand(0))) Is = Given->getOperand(0);
        else if (const auto *Number = dyn_cast<ConstantInt>(Made->getOperand(0)))
          Is = Known.find(Number->getSExtValue(), Mpi->Parameters[At].Type);
        if (!Is) continue;
        Casts.push_back(const_cast<IntToPtrInst *>(Made));
        Call->setArgOperand(At, Is);
      }
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Casts);
}
