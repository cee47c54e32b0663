// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequences of calls that one process can make on its ways from one place to another: a finite automaton whose
// letters are calls. Two processes do not fit if no sequence of one is a sequence of the other.
#pragma once
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <vector>

namespace mck::statics {

struct Letter {
  unsigned Name; // equal for calls that fit together
  const llvm::CallBase *Call;
};
using Word = llvm::SmallVector<Letter, 4>;

class Sequence {
public:
  unsigned addState();
  void addStep(unsigned From, unsigned To) { States[From].Steps.push_back(To); }
  void addLetter(unsigned From, Letter What, unsigned To) { States[From].Letters.push_back({What, To}); }
  /// After all has been added: forgets what does not lead from Start to End.
  void finish(unsigned Start, unsigned End);

  bool isEmpty() const { return !Useful.test(Start); } // no way leads to the end
  bool isSilent() const;                               // its only sequence is that without a call
  /// Its shortest sequences. IsWhole: these are all.
  std::vector<Word> words(unsigned Most, bool &IsWhole) const;
  /// Nothing: it takes too long to say.
  static std::optional<bool> haveCommon(const Sequence &A, const Sequence &B);

private:
  struct State {
    llvm::SmallVector<unsigned, 2> Steps;
    llvm::SmallVector<std::pair<Letter, unsigned>, 1> Letters;
  };
  std::vector<State> States;
  llvm::BitVector Useful;
  unsigned Start = 0, End = 0;
  llvm::BitVector closure(llvm::ArrayRef<unsigned> From) const;
};

} // namespace mck::statics
