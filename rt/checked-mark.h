// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mark of recompiled objects, on which the plugin and the report agree. The section .comment of each instrumented
// object has a line for each compile unit that it was made of: this mark, and then name and directory of the unit as
// its debug information has them, with a tab between.
#pragma once

#define MCK_CHECKED_MARK "mpicc-check\t"
