// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cluster: accesses at constant distances, or at multiples of one number, that all happen when the first of them
// happens (members of a structure, an unrolled kernel). They are tested together, at the first one. When the filter
// says yes, each is signalled there, with its own place.
#pragma once
#include "Accesses.h"
#include "Loops.h"
#include "llvm/ADT/ArrayRef.h"

namespace mck {

struct Cluster {
  struct Member {
    unsigned Index; // in the list of accesses
    int64_t Multiple,
        Offset; // from the first member's Address to its first byte: Multiple times the cluster's Unit, plus Offset
  };
  llvm::SmallVector<Member, 4> Members; // the first member is the leader
  int64_t Low = 0, High = 0;            // bounds of all bytes; at most a page apart
  int64_t LowMultiple = 0, HighMultiple = 0;
  llvm::Value *Unit = nullptr; // i64, known at the leader; null: no member is at a multiple
  uint32_t Flags = 0;          // MCK_SIGNAL_STORE: some members are stores
  bool HasLoads = false;
};

constexpr uint64_t MaxSpan = 4096;

/// Adds the code that computes the units.
llvm::SmallVector<Cluster, 0> findClusters(llvm::Function &F, llvm::ArrayRef<Access> Accesses,
                                           llvm::ArrayRef<Sweep> Sweeps, llvm::ScalarEvolution &SE);

} // namespace mck
