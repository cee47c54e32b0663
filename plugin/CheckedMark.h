// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mark that an object was recompiled: a line in its section .comment, for each compile unit. The report compares
// these lines with the compile units of the program, and says which of them are not checked (rt/report/coverage.c).
#pragma once

namespace llvm {
class Module;
}

namespace mck {

void markChecked(llvm::Module &M);

} // namespace mck
