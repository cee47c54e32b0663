// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable or an allocation of the module: all that ever changes it. Its address may be kept in others of this kind.
#pragma once
#include "static/Canonical.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include <map>

namespace mck::statics {

struct OwnObject {
  struct Change {
    const llvm::Instruction *By;
    const llvm::Value *Address;       // in the object
    const llvm::Value *Value;         // that is stored; null: see below
    const llvm::Value *From;          // memory that is copied; null: see below
    const MpiFunction *Mpi = nullptr; // what MPI brings; else zeros, or the like
  };
  const llvm::Value *Base;
  bool IsKnown = false; // nothing else changes it
  llvm::SmallVector<Change, 8> Changes;
};

class OwnObjects {
public:
  using Bases = llvm::SmallSetVector<const llvm::Value *, 4>;

  explicit OwnObjects(const Canonical &Code) : Code(Code) {}
  /// The objects that an address may lie in. False: perhaps in others, too.
  bool basesOf(const llvm::Value *Address, Bases &Found) { return find(Address, Found, 0); }
  const OwnObject &of(const llvm::Value *Base);

private:
  const Canonical &Code;
  std::map<const llvm::Value *, OwnObject> All;
  llvm::SmallPtrSet<const llvm::Value *, 16> Open; // addresses that are being looked for

  bool find(const llvm::Value *Address, Bases &Found, unsigned Depth);
  bool findAll(const llvm::Value *Address, Bases &Found, unsigned Depth);
  bool findLoaded(const llvm::LoadInst &Load, Bases &Found, unsigned Depth);
  bool takes(OwnObject &O, const llvm::Use &U, llvm::SmallVectorImpl<const llvm::Value *> &Names);
  bool takesCall(OwnObject &O, const llvm::CallBase &Call, const llvm::Use &U,
                 llvm::SmallVectorImpl<const llvm::Value *> &Names);
  bool addLoads(const llvm::Value *Address, llvm::SmallVectorImpl<const llvm::Value *> &Names);
};

} // namespace mck::statics
