// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects what changes memory (Writes.h).
#include "static/Writes.h"
#include "static/Call.h"
#include "static/Datatype.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

namespace {

class Collector {
public:
  Collector(const Areas &Places, function_ref<Callee(const CallBase &)> Ask, WriteList &All)
      : Places(Places), Ask(Ask), All(All) {}
  void look(const Instruction &I);

private:
  const Areas &Places;
  function_ref<Callee(const CallBase &)> Ask;
  WriteList &All;

  void write(const Value *Address, const Instruction *By, bool IsMore = false) {
    for (const Area &At : Places.behind(Address, IsMore)) All.push_back({At, By});
  }
  // The members of a structure are found by its type, wherever its address goes.
  void escape(const Value *Address) {
    for (const Area &At : Places.behind(Address))
      if (!At.IsStructure || !At.isWhole()) All.push_back({At, nullptr});
  }
  void copy(const MemTransferInst &Copy);
  void call(const CallBase &Call);
  void callMpi(const CallBase &Call, const MpiFunction &Mpi);
};

} // namespace

// A structure that is assigned keeps what its members have been given elsewhere.
void Collector::copy(const MemTransferInst &Copy) {
  AreaList To = Places.behind(Copy.getRawDest()), From = Places.behind(Copy.getRawSource());
  for (const Area &At : To) {
    bool IsSame = At.IsStructure && At.isWhole() &&
                  any_of(From, [&](const Area &Other) { return Other.Of == At.Of && Other.isWhole(); });
    if (!IsSame) All.push_back({At, &Copy});
  }
}

// A buffer is one object: MPI writes no further than the array to which the address leads, unless a number says so.
static bool staysInside(const CallBase &Call, const MpiFunction &Mpi, const Value *Address, const Areas &Places) {
  if (receivesOne(Call, Mpi)) return true;
  const auto *Step = dyn_cast<GEPOperator>(Address);
  auto At = Places.locate(Address);
  auto Member = Places.member(Address);
  bool IsArray = Step && (Step->getSourceElementType()->isArrayTy() || Step->getResultElementType()->isArrayTy());
  if (!IsArray || !At || !Member) return false;
  const auto *Count = dyn_cast_or_null<ConstantInt>(argument(Call, Mpi, "recvcount"));
  uint64_t Size = bytesOfBasic(argument(Call, Mpi, "recvtype"));
  return !Count || !Size || int64_t(Count->getZExtValue() * Size) <= Member->End - At->second;
}

void Collector::callMpi(const CallBase &Call, const MpiFunction &Mpi) {
  const mck_std_fn &Row = Mpi.row();
  bool IsPending = Row.returns == MCK_STD_RETURNS_STARTED || Row.keeps == MCK_STD_KEEPS_BUFFERS ||
                   Row.access != MCK_STD_ACCESS_NONE;
  for (unsigned At = 0; At < Mpi.Parameters.size() && At < Call.arg_size(); ++At) {
    const Value *Address = Call.getArgOperand(At);
    if (!Address->getType()->isPointerTy() || Mpi.Parameters[At].Way == Direction::IN) continue;
    bool IsBuffer = (Row.buffers_in | Row.buffers_out) >> At & 1;
    write(Address, IsPending && IsBuffer ? nullptr : &Call,
          /*IsMore=*/IsBuffer && !staysInside(Call, Mpi, Address, Places));
  }
}

void Collector::call(const CallBase &Call) {
  if (const auto *Copy = dyn_cast<MemTransferInst>(&Call)) return copy(*Copy);
  if (const auto *Set = dyn_cast<MemSetInst>(&Call)) return write(Set->getRawDest(), Set);
  if (Call.isLifetimeStartOrEnd() || Call.onlyReadsMemory()) return;
  if (const MpiFunction *Mpi = findMpi(Call)) return callMpi(Call, *Mpi);
  const Function *Function = Call.getCalledFunction();
  static constexpr StringRef Harmless[] = {"free", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm"};
  if (Function && is_contained(Harmless, Function->getName())) return;
  Callee Is = Ask(Call);
  for (const Use &Argument : Call.args()) {
    if (!Argument->getType()->isPointerTy() || Call.onlyReadsMemory(Call.getArgOperandNo(&Argument))) continue;
    if (Is == Callee::Library) write(Argument, &Call);
    else escape(Argument);
  }
}

void Collector::look(const Instruction &I) {
  if (isa<LoadInst>(I) || isa<GetElementPtrInst>(I) || isa<ICmpInst>(I)) return;
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    if (!isPlain(*Store, Places)) write(Store->getPointerOperand(), Store);
    if (Store->getValueOperand()->getType()->isPointerTy()) escape(Store->getValueOperand());
    return;
  }
  if (const auto *Call = dyn_cast<CallBase>(&I)) return call(*Call);
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I)) write(I.getOperand(0), &I);
  for (const Use &Operand : I.operands())
    if (Operand->getType()->isPointerTy()) escape(Operand);
}

bool mck::statics::isPlain(const StoreInst &Store, const Areas &Places) {
  auto At = Places.locate(Store.getPointerOperand());
  auto Member = Places.member(Store.getPointerOperand());
  if (!At || !Member) return false;
  const DataLayout &Layout = Store.getModule()->getDataLayout();
  int64_t Size = int64_t(Layout.getTypeStoreSize(Store.getValueOperand()->getType()).getFixedValue());
  return At->second + Size <= Member->End;
}

void mck::statics::findWrites(const Function &F, const Areas &Places, function_ref<Callee(const CallBase &)> Ask,
                              WriteList &All) {
  Collector Now(Places, Ask, All);
  for (const Instruction &I : instructions(F)) Now.look(I);
}
