// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changes memory besides plain stores to known places: calls that get an address, stores through an index that is
// not known, copies; and addresses that go where nobody follows them.
#pragma once
#include "static/Area.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace mck::statics {

struct Write {
  Area At;
  const llvm::Instruction *By; // null: at any time
};
using WriteList = std::vector<Write>;

/// How a call is to be seen.
enum class Callee {
  Library, // writes through its arguments only
  Own,     // a function of the module whose body is looked at
  Unseen,  // a function of the module whose body is not in the copy
  Unknown  // it may write whatever other modules reach
};

void findWrites(const llvm::Function &F, const Areas &Places, llvm::function_ref<Callee(const llvm::CallBase &)> Ask,
                WriteList &All);

/// Does the store write the number or pointer that is at the place, as a whole?
bool isPlain(const llvm::StoreInst &Store, const Areas &Places);

} // namespace mck::statics
