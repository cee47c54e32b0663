// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the types of containers from the names of their functions (Elements.h).
#include "static/Elements.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mck::statics;

constexpr StringRef ElementsNote = "mck.elements";

uint32_t mck::statics::kindOfName(StringRef Type) {
  return StringSwitch<uint32_t>(Type)
      .Case("float", 'f' | 4 << 8)
      .Case("double", 'f' | 8 << 8)
      .Cases("short", "unsigned short", 'i' | 2 << 8)
      .Cases("int", "unsigned int", 'i' | 4 << 8)
      .Cases("long", "unsigned long", "long long", "unsigned long long", 'i' | 8 << 8)
      .Default(0);
}

static const CallBase *callOf(const Value *V, std::string &Name) {
  while (const auto *Cast = dyn_cast<CastInst>(V)) V = Cast->getOperand(0);
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->getName().starts_with("_Z") || Call->arg_empty()) return nullptr;
  Name = demangle(Callee->getName().str());
  return Call;
}

// The place of the container, as the calls of its functions get it.
static std::pair<const Value *, int64_t> placeOf(const CallBase &Call) {
  APInt Offset(64, 0);
  const Value *Base = Call.getArgOperand(0)->stripAndAccumulateConstantOffsets(Call.getModule()->getDataLayout(),
                                                                               Offset,
                                                                               /*AllowNonInbounds=*/true);
  return {Base, Offset.getSExtValue()};
}

// std::vector<float, ...>::vector(unsigned long, ...) with a number, where the vector is a local variable that no other
// function changes.
static uint64_t sizeMade(const CallBase &Data) {
  auto [Base, Offset] = placeOf(Data);
  if (!isa<AllocaInst>(Base) || Offset) return 0;
  uint64_t Found = 0;
  for (const User *By : Base->users()) {
    std::string Name;
    const auto *Call = callOf(By, Name);
    if (isa<DbgInfoIntrinsic>(By) || (isa<CallBase>(By) && cast<CallBase>(By)->isLifetimeStartOrEnd())) continue;
    if (!Call || Call->getArgOperand(0) != Base) return 0;
    StringRef What(Name);
    What.consume_front("std::");
    size_t End = What.rfind(">::");
    if (!What.starts_with("vector<") || End == StringRef::npos) return 0;
    What = What.drop_front(End + 3);
    if (What.starts_with("vector(unsigned long")) {
      const auto *Size = dyn_cast<ConstantInt>(Call->getArgOperand(1));
      if (Found || !Size || Size->getValue().getActiveBits() > 31) return 0;
      Found = Size->getZExtValue();
    } else if (!What.starts_with("~vector(") && !What.starts_with("data(") && !What.starts_with("size(") &&
               !What.starts_with("operator[](") && !What.starts_with("begin(") && !What.starts_with("end(")) {
      return 0;
    }
  }
  return Found;
}

static bool isSizeOf(const Value *Count, const CallBase &Data) {
  std::string Name;
  const CallBase *Call = Count ? callOf(Count, Name) : nullptr;
  return Call && StringRef(Name).contains(">::size(") && placeOf(*Call) == placeOf(Data);
}

// data(), or operator[] of the first element.
static std::optional<Elements> containerOf(const Value *Address, const Value *Count) {
  std::string Name;
  const CallBase *Data = callOf(Address, Name);
  if (!Data) return std::nullopt;
  StringRef What(Name);
  if (!What.consume_front("std::")) return std::nullopt;
  bool IsArray = What.consume_front("array<");
  if (!IsArray && !What.consume_front("vector<")) return std::nullopt;
  size_t End = What.rfind(">::");
  if (End == StringRef::npos) return std::nullopt;
  StringRef Function = What.drop_front(End + 3);
  const auto *Index = Data->arg_size() > 1 ? dyn_cast<ConstantInt>(Data->getArgOperand(1)) : nullptr;
  if (!Function.starts_with("data(") && !(Function.starts_with("operator[](") && Index && Index->isZero()))
    return std::nullopt;
  auto [Type, Rest] = What.take_front(End).split(',');
  Elements Found;
  Found.Kind = kindOfName(Type);
  if (!Found.Kind) return std::nullopt;
  if (isSizeOf(Count, *Data)) return Found;
  if (IsArray) Rest.trim().consumeInteger(10, Found.Count);
  else Found.Count = sizeMade(*Data);
  return Found.Count ? std::optional<Elements>(Found) : std::nullopt;
}

void mck::statics::noteElements(CallBase &Call, const MpiFunction &Function) {
  SmallVector<Metadata *, 6> Numbers;
  for (unsigned At = 0; At < Function.Parameters.size(); ++At) {
    const Parameter &P = Function.Parameters[At];
    if (!P.is("sendbuf") && !P.is("recvbuf")) continue;
    auto Found = containerOf(Call.getArgOperand(At),
                             argument(Call, Function, P.is("sendbuf") ? "sendcount" : "recvcount"));
    if (!Found) continue;
    Type *Number = Type::getInt64Ty(Call.getContext());
    for (uint64_t One : {uint64_t(At), uint64_t(Found->Kind), Found->Count})
      Numbers.push_back(ConstantAsMetadata::get(ConstantInt::get(Number, One)));
  }
  if (!Numbers.empty()) Call.setMetadata(ElementsNote, MDNode::get(Call.getContext(), Numbers));
}

std::optional<Elements> mck::statics::elementsOf(const CallBase &Call, unsigned Parameter) {
  const MDNode *Numbers = Call.getMetadata(ElementsNote);
  auto Number = [&](unsigned At) { return mdconst::extract<ConstantInt>(Numbers->getOperand(At))->getZExtValue(); };
  for (unsigned At = 0; Numbers && At + 2 < Numbers->getNumOperands(); At += 3)
    if (Number(At) == Parameter) return Elements{uint32_t(Number(At + 1)), Number(At + 2)};
  return std::nullopt;
}
