// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of whole objects before a nest of loops, for accesses whose addresses have no bounds there: those through an
// index array, those whose pointer is loaded anew in each iteration, strings. Pointer arithmetic stays in the object
// that the pointer points into (C11 6.5.6). So such an access touches nothing of interest if the object has nothing.
// The pointer must be known before the nest: as a value, or in memory that nothing in the nest writes.
#pragma once
#include "Gates.h"
#include "Nests.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AAResults;
} // namespace llvm

namespace mck {

class ObjectTests {
public:
  ObjectTests(Nests &N, llvm::AAResults &AA, const llvm::TargetLibraryInfo &TLI) : N(N), AA(AA), TLI(TLI) {}

  /// Adds what must be tested before the nest for an access in it. The numbers of the tests, which other accesses may
  /// share, go to Tests. Returns false where no test of objects can answer for the access.
  bool add(const Access &A, llvm::Loop *Nest, llvm::SmallVectorImpl<unsigned> &Tests);

  /// i1: has the object a page of interest? At: in the preheader of the nest, or dominated by it.
  llvm::Value *emit(unsigned Test, llvm::Instruction *At, EntryPoints &Gate);

private:
  struct Test {
    llvm::Loop *Nest = nullptr;
    llvm::Value *Variable = nullptr;     // of known size; otherwise:
    const llvm::SCEV *Address = nullptr; // i64: where the object is, or where the first pointer is
    llvm::SmallVector<int64_t, 2> Path;  // pointers to load: each lies so far from where the one before points to
    bool IsMapped = false;               // the first pointer can be loaded
    uint64_t Size = 0;                   // of Variable
    uint32_t Bits = 0;                   // MCK_WATCH_*

    bool isSame(const Test &Other) const {
      return Nest == Other.Nest && Variable == Other.Variable && Address == Other.Address && Path == Other.Path;
    }
  };
  Nests &N;
  llvm::AAResults &AA;
  const llvm::TargetLibraryInfo &TLI;
  llvm::SmallVector<Test, 0> All;

  bool find(llvm::Value *Object, Test &T);
  bool findPointer(llvm::LoadInst *Load, Test &T);
  bool isUnchanged(const llvm::LoadInst *Load, const llvm::Loop *Nest);
};

} // namespace mck
