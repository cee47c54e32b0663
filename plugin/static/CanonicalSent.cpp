// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that are sent, in the copy that the static checks read (Canonical.h): their calls have no address, so that
// they become values, but what is sent is still known.
#include "static/Canonical.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace mck::statics;

// A load of it before the call becomes the value with the variable.
void Canonical::noteSent(CallBase &Call, unsigned Parameter, Type *Scalar) {
  IRBuilder<> Builder(&Call);
  Value *Load = Builder.CreateLoad(Scalar, Call.getArgOperand(Parameter));
  Variables[{&Call, Parameter}] = {Scalar, Load, nullptr, Load};
}

// Where the variable stays in memory, it is no load of the program.
void Canonical::settleSent() {
  for (auto &[Where, Is] : Variables) {
    if (!Is.Value || Is.Value != Is.Load) continue;
    auto *Load = cast<LoadInst>(Is.Value);
    Is.Address = Load->getPointerOperand();
    Is.Value = nullptr;
    Load->eraseFromParent();
  }
}

const Sent *Canonical::sent(const CallBase &Call, unsigned Parameter) const {
  auto Found = Variables.find({&Call, Parameter});
  return Found == Variables.end() ? nullptr : &Found->second;
}
