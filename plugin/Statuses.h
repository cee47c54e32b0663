// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statuses: what the source looks at of a status that an MPI call fills in, on all paths from the call to where it is
// filled in again or its variable ends. A program that never asks who has sent a message cannot go another way when
// another rank has. The runtime gets the answers by marks at the calls (rt/abi.h).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace mck {

/// It must run before any optimization. Returns true if anything was changed.
bool markStatuses(llvm::Module &M);

} // namespace mck
