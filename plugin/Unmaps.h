// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of munmap: the runtime gets to know what memory goes (rt/abi.h, __mck_unmap). It cannot take the place of
// munmap itself. Libraries under MPI rewrite the code of munmap at run time, to learn that memory which they registered
// with a network is gone, also that of the C library's own blocks. They would rewrite ours, and miss the latter.
#pragma once

namespace llvm {
class Function;
}

namespace mck {

/// Returns true when something was inserted. Adds no blocks.
bool tellUnmaps(llvm::Function &F);

} // namespace mck
