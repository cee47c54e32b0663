// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may end without a newline. Our report begins on a line of its own, as far as that can be known.
#pragma once

// Ends the line that others have begun on standard error, or on standard output if both are one.
void mck_line_begin(void);
