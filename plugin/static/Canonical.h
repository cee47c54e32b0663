// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of the module in which the static checks find what they need within one function: functions of the module
// that reach MPI, and small ones that compute, are inlined (each call has its own context, so no summary can confuse
// two callers), and locals are values. What MPI writes to a variable is a store of an opaque value, so that variables
// whose address only MPI gets are values, too. Debug locations stay, with what they are inlined at.
#pragma once
#include "static/Buffer.h"
#include "static/Call.h"
#include "static/CalleeAccess.h"
#include "static/Writes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>

namespace mck::statics {

/// Where an opaque value comes from: what a parameter of a call gives.
struct Origin {
  llvm::CallBase *Call;
  const MpiFunction *Function;
  unsigned Parameter;
  unsigned Element = 0, Count = 1; // of an array
};

/// A variable that is a buffer, where the call has not its address: its value before the call, or where it is. Both are
/// null if neither is known.
struct Sent {
  llvm::Type *Scalar;
  llvm::WeakTrackingVH Value, Address;
  const llvm::Value *Load; // what the value is at first
};

class Canonical {
public:
  /// IsDeep: functions that compute are inlined, too, for who executes main.
  explicit Canonical(const llvm::Module &M, bool IsDeep = false);
  /// Would more be inlined into main?
  bool isDeeper(const llvm::Module &M) const;
  ~Canonical();
  /// Is there a call that a static check looks at?
  static bool isWorth(const llvm::Module &M);
  llvm::Module &module() const { return *Copy; }
  /// Of flang: handles in memory are numbers of four bytes.
  bool hasFortran() const;
  /// Functions that were not inlined into all of their callers.
  llvm::ArrayRef<llvm::Function *> roots() const { return Roots; }
  /// Of a large program the first ones, main before all, in the order of the link: the program's own files come before
  /// archives. Most: their instructions. False: some were left out.
  bool keepRoots(unsigned Most);
  /// MPI gives this value; null: not so.
  const Origin *origin(const llvm::Value *V) const;
  /// The call of scanf or the like, and the argument, that gives this value; null: not so.
  std::pair<const llvm::CallBase *, unsigned> scanned(const llvm::Value *V) const { return Scanned.lookup(V); }
  /// What a buffer argument points to in the source; null: nothing is known.
  const Buffer *buffer(const llvm::CallBase &Call, unsigned Parameter) const;
  /// What is in a buffer before the call whose argument is no address any more; null: it is one.
  const Sent *sent(const llvm::CallBase &Call, unsigned Parameter) const;
  /// May the call of a function that was not inlined, and is none of MPI's, reach calls of MPI?
  bool mayReachMpi(const llvm::CallBase &Call) const;
  /// How a call that was not inlined changes memory.
  Callee see(const llvm::CallBase &Call) const;
  /// What functions write whose bodies are not in the copy.
  llvm::ArrayRef<Area> unseenWrites() const { return UnseenWrites; }
  /// What a call of a function that was not inlined touches; none: not known.
  const CalleeAccesses &callees() const { return Callees; }
  /// The function reaches neither MPI nor a call that is not known.
  bool isQuiet(const llvm::Function &F) const { return Quiet.contains(&F); }

private:
  const bool IsDeep;
  llvm::DenseMap<const llvm::Value *, std::pair<const llvm::CallBase *, unsigned>> Scanned;
  std::unique_ptr<llvm::Module> Copy;
  llvm::SmallVector<llvm::Function *, 8> Roots;
  CalleeAccesses Callees;
  AreaList UnseenWrites;
  llvm::SmallPtrSet<const llvm::Function *, 16> Unseen; // their bodies are not in the copy
  llvm::SmallVector<llvm::Function *, 8> Large;         // not inlined, and read
  llvm::DenseMap<const llvm::Value *, Origin> Origins;
  llvm::DenseMap<std::pair<const llvm::CallBase *, unsigned>, Buffer> Buffers;
  llvm::DenseMap<std::pair<const llvm::CallBase *, unsigned>, Sent> Variables; // that are sent
  llvm::SmallPtrSet<const llvm::Function *, 16> Quiet, Speaking; // reaches no call of MPI; surely contains some

  void copy(const llvm::Module &M);
  void readUnseen(const llvm::Module &M, llvm::function_ref<llvm::Value *(const llvm::Value *)> Translate);
  void inlineCalls();
  void inlineIntoMain();
  llvm::SmallPtrSet<const llvm::Value *, 8> objectsWithMpi(llvm::ArrayRef<llvm::CallBase *> Calls) const;
  void promote();
  void readCallees();
  void noteSent(llvm::CallBase &Call, unsigned Parameter, llvm::Type *Scalar);
  void settleSent();
  void giveResults(llvm::CallBase &Call, const MpiFunction &Function);
  void giveNumbers(llvm::CallBase &Call, const MpiFunction &Function, unsigned Parameter);
  void give(llvm::CallBase &Call, const MpiFunction &Function, unsigned Parameter, llvm::Type *Type);
};

} // namespace mck::statics
