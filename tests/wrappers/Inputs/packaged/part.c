// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
void part(int *values) { values[1] = values[0] + 1; }
