// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses at constant distances, or at multiples of one number, that all happen when the first of them does (members
// of a structure, an unrolled kernel): tested together, at the first one; when the filter says yes each is signalled
// there, with its own place.
#pragma once
#include "Accesses.h"
#include "Loops.h"
#include "llvm/ADT/ArrayRef.h"

namespace mck {

struct Cluster {
  struct Member {
    unsigned Index; // of the access
    int64_t Multiple,
        Offset; // of its first byte from the first member's Address: Multiple times the cluster's Unit, and Offset
  };
  llvm::SmallVector<Member, 4> Members; // the first is the leader
  int64_t Low = 0, High = 0;            // of all offsets, up to the last byte; at most a page
  int64_t LowMultiple = 0, HighMultiple = 0;
  llvm::Value *Unit = nullptr; // i64, there at the leader; null: no member is at a multiple
  uint32_t Flags = 0;          // MCK_SIGNAL_STORE: there are stores
  bool HasLoads = false;
};

constexpr uint64_t MaxSpan = 4096;

/// Adds the units' code.
llvm::SmallVector<Cluster, 0> findClusters(llvm::Function &F, llvm::ArrayRef<Access> Accesses,
                                           llvm::ArrayRef<Sweep> Sweeps, llvm::ScalarEvolution &SE);

} // namespace mck
