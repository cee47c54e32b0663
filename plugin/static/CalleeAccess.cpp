// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads bodies and library calls (CalleeAccess.h). Of loops the first turn is taken, as paths of an inlined function
// would do. Of other conditions, null tests and those of C++'s library are taken in both ways; behind those of the
// program, such as modes, nothing is sure.
#include "static/CalleeAccess.h"
#include "Library.h"
#include "static/Call.h"
#include "static/Paths.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mck::statics;

constexpr unsigned LargestRead = 3000, MostRead = 64, MostRounds = 4, MostAccesses = 8;

namespace {

class BodyReader {
public:
  using Summary = CalleeAccesses::Summary;
  BodyReader(const Function &F, const DenseMap<const Function *, Summary> &Known)
      : F(F), Known(Known), Ways(F), Tree(const_cast<Function &>(F)), Loops(Tree),
        Layout(F.getParent()->getDataLayout()) {}
  Summary run();

private:
  const Function &F;
  const DenseMap<const Function *, Summary> &Known;
  Paths Ways;
  DominatorTree Tree;
  LoopInfo Loops;
  const DataLayout &Layout;
  Summary Found;
  const BasicBlock *Here = nullptr; // is read

  std::optional<int64_t> firstNumber(const Value *V, unsigned Depth = 0) const;
  const Value *firstAddress(const Value *V, int64_t &Offset) const;
  const Value *entering(const PHINode &Phi) const;
  bool isTaken(const BasicBlock &Block);
  bool isOfSize(const Value *V, SmallVectorImpl<unsigned> &Sizes, unsigned Depth = 0) const;
  void add(const Value *Address, int64_t Offset, int64_t Bytes, bool IsStore);
  void addCall(const CallBase &Call);
  void addSize(unsigned Argument) {
    if (!is_contained(Found.Sizes, Argument)) Found.Sizes.push_back(Argument);
  }
};

// The value in the first turn of a loop. Behind the loop it is another.
const Value *BodyReader::entering(const PHINode &Phi) const {
  const Loop *L = Loops.getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent() || !L->contains(Here)) return nullptr;
  const Value *Only = nullptr;
  for (const BasicBlock *From : Phi.blocks()) {
    if (L->contains(From)) continue;
    if (Only) return nullptr;
    Only = Phi.getIncomingValueForBlock(From);
  }
  return Only;
}

std::optional<int64_t> BodyReader::firstNumber(const Value *V, unsigned Depth) const {
  if (Depth > 8) return std::nullopt;
  if (const auto *Number = dyn_cast<ConstantInt>(V))
    return Number->getBitWidth() <= 64 ? std::optional<int64_t>(Number->getSExtValue()) : std::nullopt;
  if (const auto *Phi = dyn_cast<PHINode>(V)) {
    const Value *First = entering(*Phi);
    return First ? firstNumber(First, Depth + 1) : std::nullopt;
  }
  if (const auto *Cast = dyn_cast<CastInst>(V))
    return Cast->getSrcTy()->isIntegerTy() ? firstNumber(Cast->getOperand(0), Depth + 1) : std::nullopt;
  const auto *Operation = dyn_cast<BinaryOperator>(V);
  if (!Operation) return std::nullopt;
  auto A = firstNumber(Operation->getOperand(0), Depth + 1), B = firstNumber(Operation->getOperand(1), Depth + 1);
  bool IsProduct = Operation->getOpcode() == Instruction::Mul;
  if (IsProduct && ((A && !*A) || (B && !*B))) return 0;
  if (!A || !B || std::abs(*A) > INT32_MAX || std::abs(*B) > INT32_MAX) return std::nullopt;
  if (IsProduct) return *A * *B;
  if (Operation->getOpcode() == Instruction::Add) return *A + *B;
  if (Operation->getOpcode() == Instruction::Sub) return *A - *B;
  return std::nullopt;
}

// The argument that an address is of, and how far from it in first turns.
const Value *BodyReader::firstAddress(const Value *V, int64_t &Offset) const {
  for (unsigned Depth = 0; Depth < 24; ++Depth) {
    V = V->stripPointerCasts();
    if (isa<Argument>(V)) return V;
    if (const auto *Phi = dyn_cast<PHINode>(V)) {
      V = entering(*Phi);
      if (!V) return nullptr;
    } else if (const auto *Step = dyn_cast<GEPOperator>(V)) {
      MapVector<Value *, APInt> Variable;
      APInt Constant(64, 0);
      if (!Step->collectOffset(Layout, 64, Variable, Constant)) return nullptr;
      Offset += Constant.getSExtValue();
      for (auto &[Index, Scale] : Variable) {
        auto First = firstNumber(Index);
        if (!First) return nullptr;
        Offset += *First * Scale.getSExtValue();
      }
      V = Step->getPointerOperand();
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

// Is the function of the C++ library? Its conditions guard empty ranges, or are about elements.
bool isOfLibrary(const Function &F) {
  return F.getName().starts_with("_ZSt") || F.getName().starts_with("_ZNSt") ||
         F.getName().starts_with("_ZN9__gnu_cxx");
}

// Is the value made of sizes (the arguments are added), addresses, variables of loops and what is in buffers?
bool BodyReader::isOfSize(const Value *V, SmallVectorImpl<unsigned> &Sizes, unsigned Depth) const {
  if (Depth > 8) return false;
  if (isa<Constant>(V)) return true;
  if (V->getType()->isPointerTy()) return !isa<LoadInst>(V) && !isa<CallBase>(V);
  if (const auto *Given = dyn_cast<Argument>(V)) {
    if (Given->getType()->isIntegerTy()) Sizes.push_back(Given->getArgNo());
    return true;
  }
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    int64_t Offset = 0; // elements decide in std::sort; elsewhere they may be a mask
    return isOfLibrary(F) && firstAddress(Load->getPointerOperand(), Offset);
  }
  if (const auto *Phi = dyn_cast<PHINode>(V)) {
    const Value *First = entering(*Phi);
    return First && isOfSize(First, Sizes, Depth + 1);
  }
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !(isa<BinaryOperator>(I) || isa<CastInst>(I) || I->getOpcode() == Instruction::FNeg)) return false;
  return all_of(I->operands(), [&](const Use &Operand) { return isOfSize(Operand, Sizes, Depth + 1); });
}

bool isNullTest(const CmpInst &Asked) {
  return isa<ConstantPointerNull>(Asked.getOperand(1)) && isa<Argument>(Asked.getOperand(0)->stripPointerCasts());
}

// May a condition be taken in both ways? One that ends a loop: the loop has a turn. Others of the program's functions
// ask for modes, levels and ends of the domain, and the caller may know the answer.
bool BodyReader::isTaken(const BasicBlock &Block) {
  const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  const auto *Asked = Branch && Branch->isConditional() ? dyn_cast<CmpInst>(Branch->getCondition()) : nullptr;
  if (!Asked) return false;
  const Loop *L = Loops.getLoopFor(&Block);
  bool IsOfLoop = L && L->isLoopExiting(&Block);
  if (!IsOfLoop && !isOfLibrary(F)) return isNullTest(*Asked);
  SmallVector<unsigned, 2> Sizes;
  for (const Use &Operand : Asked->operands())
    if (!isOfSize(Operand, Sizes)) return false;
  if (!Sizes.empty() && Asked->isEquality() && !IsOfLoop) return false; // a mode
  for (unsigned Size : Sizes) addSize(Size);
  return true;
}

void BodyReader::add(const Value *Address, int64_t Offset, int64_t Bytes, bool IsStore) {
  const auto *Base = dyn_cast_or_null<Argument>(firstAddress(Address, Offset));
  if (!Base || Bytes <= 0 || Found.All.size() >= MostAccesses) return;
  CalleeAccess New{Base->getArgNo(), nullptr, nullptr, Offset, Bytes, IsStore};
  if (!is_contained(Found.All, New)) Found.All.push_back(New);
}

void BodyReader::addCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  auto Other = Callee ? Known.find(Callee) : Known.end();
  if (Other == Known.end()) return;
  for (unsigned Size : Other->second.Sizes) {
    const Value *Is = Call.getArgOperand(Size);
    if (const auto *Number = dyn_cast<ConstantInt>(Is); Number && Number->getSExtValue() <= 0) return;
    if (const auto *Own = dyn_cast<Argument>(Is)) addSize(Own->getArgNo());
  }
  for (const CalleeAccess &A : Other->second.All) add(Call.getArgOperand(A.Argument), A.Offset, A.Bytes, A.IsStore);
}

BodyReader::Summary BodyReader::run() {
  if (!Ways.size() || !Ways.isLive(0)) return {};
  BitVector Seen(Ways.size());
  SmallVector<unsigned, 16> Work{0};
  while (!Work.empty()) {
    unsigned At = Work.pop_back_val();
    if (Seen.test(At)) continue;
    Seen.set(At);
    const BasicBlock &Block = *Ways.block(At);
    Here = &Block;
    for (const Instruction &I : Block) {
      auto SizeOf = [&](const Type *T) { return int64_t(Layout.getTypeStoreSize(const_cast<Type *>(T))); };
      if (const auto *Load = dyn_cast<LoadInst>(&I)) add(Load->getPointerOperand(), 0, SizeOf(Load->getType()), false);
      else if (const auto *Store = dyn_cast<StoreInst>(&I))
        add(Store->getPointerOperand(), 0, SizeOf(Store->getValueOperand()->getType()), true);
      else if (const auto *Call = dyn_cast<CallBase>(&I)) addCall(*Call);
    }
    ArrayRef<unsigned> Next = Ways.next(At);
    if (Next.size() < 2 || isTaken(Block)) Work.append(Next.begin(), Next.end());
    else if (Ways.meeting(At) != NoBlock) Work.push_back(Ways.meeting(At));
  }
  return std::move(Found);
}

bool hasPointer(const CallBase &Call) {
  return any_of(Call.args(), [](const Use &A) { return A->getType()->isPointerTy() && !isa<Constant>(A); });
}

} // namespace

SmallPtrSet<const Function *, 16> CalleeAccesses::findReadable(const Module &M,
                                                               const SmallPtrSetImpl<const Function *> &Speaking,
                                                               unsigned SmallFunction) {
  SmallPtrSet<const Function *, 16> Found, Seen;
  auto IsStarting = [](const Function &F) {
    const MpiFunction *Mpi = F.isDeclaration() && !F.use_empty() ? findMpi(F.getName()) : nullptr;
    return Mpi && (Mpi->row().has_request || Mpi->row().access != MCK_STD_ACCESS_NONE);
  };
  if (none_of(M, IsStarting)) return Found;
  SmallVector<const Function *, 16> Work(Speaking.begin(), Speaking.end());
  while (!Work.empty()) {
    const Function *F = Work.pop_back_val();
    for (const Instruction &I : instructions(*F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || Callee->isDeclaration() || Speaking.contains(Callee) || !hasPointer(*Call)) continue;
      unsigned Size = Callee->getInstructionCount();
      if (Size > LargestRead || Found.size() >= MostRead || !Seen.insert(Callee).second) continue;
      if (Size > SmallFunction) Found.insert(Callee);
      Work.push_back(Callee);
    }
  }
  return Found;
}

// The library's calls are asked where operations may go on.
void CalleeAccesses::readLibrary(Function &F) {
  static TargetLibraryInfoImpl Names(Triple(F.getParent()->getTargetTriple()));
  TargetLibraryInfo Info(Names, &F);
  SmallVector<CallInst *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && !isa<IntrinsicInst>(Call)) Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || !Callee->isDeclaration() || findMpi(*Call)) continue;
    for (const LibraryAccess &A :
         findLibraryAccesses(*Call, Info, [](const Value *V) { return !isa<Constant>(getUnderlyingObject(V)); }))
      if (!A.IsAtomic) Library[Call].push_back({0, A.Address, A.IsString ? nullptr : A.Length, 0, 1, A.IsStore});
  }
}

void CalleeAccesses::read(Module &M, const SmallPtrSetImpl<const Function *> &Quiet,
                          const SmallPtrSetImpl<const Function *> &Speaking) {
  for (unsigned Round = 0; Round < MostRounds; ++Round) {
    bool IsChanged = false;
    for (Function &F : M) {
      if (F.isDeclaration() || Speaking.contains(&F) || !Quiet.contains(&F)) continue;
      Summary New = BodyReader(F, Bodies).run();
      if (New.All.empty()) continue;
      IsChanged |= Bodies.lookup(&F).All.size() != New.All.size();
      Bodies[&F] = std::move(New);
    }
    if (!IsChanged) break;
  }
  for (Function &F : M)
    if (!F.isDeclaration() && Speaking.contains(&F)) readLibrary(F);
}

ArrayRef<CalleeAccess> CalleeAccesses::of(const CallBase &Call, ArrayRef<unsigned> &Sizes) const {
  if (auto Found = Library.find(&Call); Found != Library.end()) return Found->second;
  auto Found = Bodies.find(Call.getCalledFunction());
  if (!Call.getCalledFunction() || Found == Bodies.end()) return {};
  Sizes = Found->second.Sizes;
  return Found->second.All;
}
