// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the copy that the static checks read (Canonical.h).
#include "static/CanonicalSizes.h"
#include "static/DecidedEdges.h"
#include "static/BufferPair.h"
#include "static/DeclaredElements.h"
#include "static/Elements.h"
#include "static/Fortran.h"
#include "static/FunctionPointers.h"
#include "static/KeptTypes.h"
#include "static/LibraryNames.h"
#include "static/Memory.h"
#include "static/ScalarType.h"
#include "static/SmallArrays.h"
#include "static/Speaking.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace mck::statics;
using namespace llvm::PatternMatch;

namespace {

// Behind the call an opaque value is stored, as a number if one is to be in memory. Null: nothing is behind it.
CallInst *storeOpaque(CallBase &Call, Value *Address, Type *Type, llvm::Type *Number = nullptr) {
  Instruction *Next = Call.getNextNode();
  if (!Next) return nullptr;
  FunctionCallee Opaque = Call.getModule()->getOrInsertFunction(
      ("mck.given." + Twine(Type->getTypeID()) + "." + Twine(Type->getScalarSizeInBits())).str(),
      FunctionType::get(Type, false));
  IRBuilder<> Builder(Next);
  Builder.SetCurrentDebugLocation(Call.getDebugLoc());
  CallInst *Given = Builder.CreateCall(Opaque);
  Given->setDoesNotThrow();
  Builder.CreateStore(Number ? Builder.CreatePtrToInt(Given, Number) : Given, Address);
  return Given;
}

// A handle as an argument; in Fortran's memory it is a number.
Value *loadHandle(CallBase &Call, Type *InMemory, Value *Address) {
  IRBuilder<> Builder(&Call);
  Value *Handle = Builder.CreateLoad(InMemory, Address);
  return InMemory->isPointerTy() ? Handle : Builder.CreateIntToPtr(Handle, Address->getType());
}

// What scanf and the like read.
void giveScanned(CallBase &Call, DenseMap<const Value *, std::pair<const CallBase *, unsigned>> &Given) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || !Callee->isVarArg() || !Callee->getName().ends_with("scanf")) return;
  for (unsigned At = Callee->arg_size(); At < Call.arg_size(); ++At) {
    Value *Address = Call.getArgOperand(At);
    Type *Scalar = Address->getType()->isPointerTy() ? scalarAt(Address, /*IsFirst=*/false) : nullptr;
    const CallInst *Opaque = Scalar ? storeOpaque(Call, Address, Scalar) : nullptr;
    if (Opaque) Given[Opaque] = {&Call, At};
    if (Opaque) Call.setArgOperand(At, ConstantPointerNull::get(cast<PointerType>(Address->getType())));
  }
}

// The distance of two addresses of one variable is a number, and asks for neither. (Sizes of containers stay what they
// are asked for.)
void foldDistances(Function &F) {
  const DataLayout &Layout = F.getDataLayout();
  SmallVector<Instruction *, 8> Known;
  for (Instruction &I : instructions(F)) {
    Value *A = nullptr, *B = nullptr;
    if (!match(&I, m_Sub(m_PtrToInt(m_Value(A)), m_PtrToInt(m_Value(B))))) continue;
    APInt From(Layout.getIndexTypeSizeInBits(B->getType()), 0), To = From;
    const Value *Base = A->stripAndAccumulateConstantOffsets(Layout, To, true);
    if (isa<CallBase>(Base) || Base != B->stripAndAccumulateConstantOffsets(Layout, From, true)) continue;
    I.replaceAllUsesWith(ConstantInt::get(I.getType(), (To - From).sextOrTrunc(I.getType()->getIntegerBitWidth())));
    Known.push_back(&I);
  }
  for (Instruction *I : Known) RecursivelyDeleteTriviallyDeadInstructions(I);
}

} // namespace

bool Canonical::isWorth(const Module &M) {
  auto Find = statics::isFortran(M) ? findFortranMpi : static_cast<const MpiFunction *(*)(StringRef)>(findMpi);
  for (const Function &F : M)
    if (F.isDeclaration() && !F.use_empty())
      if (const MpiFunction *Mpi = Find(F.getName()); Mpi && isOfInterest(*Mpi)) return true;
  return false;
}

Canonical::Canonical(const Module &M, bool IsDeep) : IsDeep(IsDeep) {
  if (statics::isFortran(M)) {
    auto InC = CloneModule(M);
    callAsC(*InC);
    copy(*InC);
  } else {
    copy(M);
  }
  if (IsDeep) {
    callByChoice(*Copy);
    inlineIntoMain();
  } else {
    if (callsPointers(*Copy)) {
      promote();
      callDirectly(*Copy);
    }
    inlineCalls();
  }
  promote();
  if (hasFortran()) resolveHandles(*Copy);
  SmallVector<CallBase *, 32> Calls;
  for (Function &F : *Copy)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    if (const MpiFunction *Mpi = findMpi(*Call)) giveResults(*Call, *Mpi);
    else giveScanned(*Call, Scanned);
  }
  promote();
  settleSent();
  if (hasFortran()) resolveHandles(*Copy);
  readCallees();
}

bool Canonical::isDeeper(const Module &M) const {
  const Function *Main = Copy->getFunction("main");
  if (!is_contained(Roots, Main) || M.getInstructionCount() > LargestModule) return false;
  return callsPointers(*Copy) || any_of(instructions(*Main), [&](const Instruction &I) {
           const auto *Call = dyn_cast<CallBase>(&I);
           const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
           const Function *Body = Callee && Callee->hasName() ? M.getFunction(Callee->getName()) : nullptr;
           return Body && !Body->isDeclaration() && Body->getInstructionCount() <= DeepFunction;
         });
}

void Canonical::readCallees() {
  Callees.read(*Copy, Quiet, Speaking);
  for (Function *F : Large) {
    F->setComdat(nullptr);
    F->deleteBody();
  }
}

Canonical::~Canonical() = default;

bool Canonical::hasFortran() const { return statics::hasFortran(*Copy); }

const Origin *Canonical::origin(const Value *V) const {
  auto Found = Origins.find(V);
  return Found == Origins.end() ? nullptr : &Found->second;
}

const Buffer *Canonical::buffer(const CallBase &Call, unsigned Parameter) const {
  auto Found = Buffers.find({&Call, Parameter});
  return Found == Buffers.end() ? nullptr : &Found->second;
}

bool Canonical::mayReachMpi(const CallBase &Call) const {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && !Callee->isDeclaration()) return !isQuiet(*Callee);
  if (Callee && isQuiet(*Callee) && !Callee->hasFnAttribute(UnknownBody)) return false; // a large one
  return !findMpi(Call) && reachOf(Call) != Reach::Nothing;
}

// Functions of MPI throw nothing: what is called where C++ would clean up is an ordinary call.
static void leaveExceptions(Function &F) {
  for (BasicBlock &Block : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(Block.getTerminator()); Invoke && findMpi(*Invoke)) changeToCall(Invoke);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && findMpi(*Call)) Call->setDoesNotThrow(); // nor where it is inlined
}

// Of functions that neither reach MPI nor are small, the copy has the declaration. (Of some the body, until it is
// read.)
void Canonical::copy(const Module &M) {
  SmallPtrSet<const Function *, 16> OldQuiet, OldSpeaking;
  classify(M, OldQuiet, OldSpeaking);
  auto Readable = IsDeep ? decltype(CalleeAccesses::findReadable(M, OldSpeaking, 0))()
                         : CalleeAccesses::findReadable(M, OldSpeaking, SmallFunction);
  auto Reached = IsDeep ? reachedFrom(*M.getFunction("main"), 2 * LargestDeep) : decltype(OldQuiet)();
  ValueToValueMapTy Map;
  Copy = CloneModule(M, Map, [&](const GlobalValue *Value) {
    const auto *F = dyn_cast<Function>(Value);
    if (!F || IsDeep) return !F || (Reached.contains(F) && !isStreamFunction(F->getName()));
    return OldSpeaking.contains(F) || F->getInstructionCount() <= SmallFunction || Readable.contains(F);
  });
  auto Translate = [&](const Function *F) { return cast<Function>(Map.lookup(F)); };
  for (const Function *F : OldQuiet) Quiet.insert(Translate(F));
  for (const Function *F : OldSpeaking) Speaking.insert(Translate(F));
  for (const Function &F : M)
    if (!F.isDeclaration() && !OldQuiet.contains(&F) && !(IsDeep && isStreamFunction(F.getName())))
      Translate(&F)->addFnAttr(UnknownBody);
  for (const Function *F : Readable) Large.push_back(Translate(F));
  readUnseen(M, [&](const Value *V) { return static_cast<Value *>(Map.lookup(V)); });
  for (const Function *F : findEnding(M)) Translate(F)->addFnAttr(UnknownBody);
  keepTypes(*Copy);
  DeclaredElements Declared;
  for (Function &F : *Copy) {
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
    if (!IsDeep) Declared.note(F);
    for (Instruction &I : instructions(F)) I.dropDbgRecords();
    leaveExceptions(F);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const MpiFunction *Mpi = findMpi(*Call)) noteElements(*Call, *Mpi);
  }
}

bool Canonical::keepRoots(unsigned Most) {
  SmallPtrSet<const Function *, 32> All(Roots.begin(), Roots.end());
  Roots.clear();
  auto Keep = [&](Function *F) {
    if (!F || !All.erase(F) || F->getInstructionCount() > Most) return;
    Most -= F->getInstructionCount();
    Roots.push_back(F);
  };
  Keep(Copy->getFunction("main"));
  for (Function &F : *Copy) Keep(&F);
  return All.empty();
}

// A structure that is passed by value in a register is put together from one of which nothing is known: the other bits
// of its members come from nowhere, and are masked out.
static void clearUndefinedBits(Function &F) {
  for (Instruction &I : instructions(F)) {
    const auto *Mask = I.getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
    if (Mask && isa<UndefValue>(I.getOperand(0)) && (~Mask->getValue()).isShiftedMask())
      I.replaceAllUsesWith(Constant::getNullValue(I.getType()));
  }
}

// `struct options o = {.steps = 4}` is copied from a constant, whose parts are loaded where SROA has split the
// variable.
static void loadConstants(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    const Constant *Is = Load && Load->isSimple() ? constantAt(*Load) : nullptr;
    if (Is && !isa<UndefValue>(Is)) Load->replaceAllUsesWith(const_cast<Constant *>(Is));
  }
}

void Canonical::promote() {
  PassBuilder Builder;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Sccs;
  ModuleAnalysisManager Modules;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Sccs);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Sccs, Modules);
  SROAPass Promotion(SROAOptions::PreserveCFG);
  for (Function &F : *Copy)
    if (!F.isDeclaration()) {
      Promotion.run(F, Functions);
      foldDistances(F);
      loadConstants(F);
      clearUndefinedBits(F);
      bendDecidedEdges(F);
    }
}

void Canonical::give(CallBase &Call, const MpiFunction &Mpi, unsigned At, Type *Type) {
  Value *Address = Call.getArgOperand(At);
  bool IsNumber = isOfFortran(Call) && Type->isIntegerTy() && Mpi.Parameters[At].isHandle(); // it is in memory
  CallInst *Given = IsNumber ? storeOpaque(Call, Address, Address->getType(), Type) : storeOpaque(Call, Address, Type);
  if (!Given) return;
  Origins[Given] = {&Call, &Mpi, At};
  // What a call takes away stays known: the handle is its argument. So does what else it writes behind the first
  // number.
  bool IsBuffer = Mpi.row().buffers_out >> At & 1;
  bool IsMore = IsBuffer && isa<GEPOperator>(Address) && !receivesOne(Call, Mpi);
  if (IsBuffer && !IsMore) noteSent(Call, At, Type);
  Value *Before = IsMore ? Address : ConstantPointerNull::get(cast<PointerType>(Address->getType()));
  if (!IsBuffer && Mpi.Parameters[At].Way == Direction::INOUT && (Type->isPointerTy() || IsNumber))
    Before = loadHandle(Call, Type, Address);
  Call.setArgOperand(At, Before);
}

// Dimensions and coordinates: what is in a short local array is read from it before the call, and stored behind it.
void Canonical::giveNumbers(CallBase &Call, const MpiFunction &Mpi, unsigned At) {
  Value *Address = Call.getArgOperand(At);
  Direction Way = Mpi.Parameters[At].Way;
  Type *Int = Type::getInt32Ty(Call.getContext());
  unsigned Numbers = countNumbers(Address, Int), Count = std::min(Numbers, 4U);
  bool IsAll = Numbers == Count;
  for (unsigned Other = 0; Other < Mpi.Parameters.size(); ++Other)
    if (Mpi.Parameters[Other].Name == "ndims" || Mpi.Parameters[Other].Name == "maxdims") {
      const auto *Given = dyn_cast<ConstantInt>(Call.getArgOperand(Other));
      Count = Given && Given->getZExtValue() <= Count ? unsigned(Given->getZExtValue()) : 0;
      IsAll = true; // no more are written
    }
  if (!Count || (!IsAll && Way != Direction::IN) || !Call.getNextNode()) return;
  if (Way == Direction::OUT) Call.setArgOperand(At, ConstantPointerNull::get(cast<PointerType>(Address->getType())));
  else passNumbers(Call, At, Count, Int);
  if (Way == Direction::IN) return;
  IRBuilder<> Builder(&Call);
  for (unsigned Element = 0; Element < Count; ++Element)
    if (CallInst *Given = storeOpaque(Call, Builder.CreateConstGEP1_32(Int, Address, Element), Int))
      Origins[Given] = {&Call, &Mpi, At, Element, Count};
}

void Canonical::giveResults(CallBase &Call, const MpiFunction &Mpi) {
  const mck_std_fn &Row = Mpi.row();
  bool IsPending = Row.returns == MCK_STD_RETURNS_STARTED || Row.keeps == MCK_STD_KEEPS_BUFFERS ||
                   Row.split == MCK_STD_SPLIT_BEGIN;
  // It may take options of its own away, on all ranks alike (8.7).
  bool IsInit = Mpi.Number == MCK_FN_MPI_Init || Mpi.Number == MCK_FN_MPI_Init_thread;
  if (Mpi.Number == MCK_FN_MPI_Type_create_struct) passMembers(Call, Mpi);
  noteBufferPair(Call, Mpi);
  for (unsigned At = 0; At < Mpi.Parameters.size(); ++At) {
    const Parameter &P = Mpi.Parameters[At];
    Value *Address = Call.getArgOperand(At);
    if (!Address->getType()->isPointerTy()) continue;
    if (P.is("sendbuf") || P.is("recvbuf")) Buffers[{&Call, At}] = describeBuffer(Address, Copy->getDataLayout());
    bool IsBuffer = (Row.buffers_in | Row.buffers_out) >> At & 1;
    if (IsPending && IsBuffer) continue;
    if (P.is("cartdims") || P.is("freedims") || P.is("cartcoords") || P.is("numbers") || P.is("results")) {
      giveNumbers(Call, Mpi, At);
      continue;
    }
    Type *Scalar = scalarAt(Address, /*IsFirst=*/!IsBuffer);
    bool IsBare = !isa<GEPOperator, AllocaInst, Constant>(Address) && !IsBuffer && !isOfFortran(Call);
    if (!Scalar && IsBare) Scalar = declaredScalar(P, Call.getContext());
    // A commit leaves the handle as it is.
    bool IsCommit = Mpi.Number == MCK_FN_MPI_Type_commit;
    if (IsCommit && Scalar) Call.setArgOperand(At, loadHandle(Call, Scalar, Address));
    else if (((IsInit || IsCommit) && P.Way == Direction::INOUT) ||
             (IsBuffer && Scalar && isa<AllocaInst>(Address) && P.Way == Direction::IN)) {
      if (IsBuffer) noteSent(Call, At, Scalar);
      Call.setArgOperand(At, ConstantPointerNull::get(cast<PointerType>(Address->getType())));
    } else if (Scalar &&
               (IsBuffer || P.is("result") || P.is("newcomm") || P.is("newgroup") || P.is("newtype") ||
                P.is("newwin") || P.is("newfile") || P.is("newinfo") || P.is("newop") || P.is("flag") ||
                P.is("outcount") || P.is("index") || P.is("newaddress")) &&
               P.Way != Direction::IN && !P.is("status"))
      give(Call, Mpi, At, Scalar);
  }
}
