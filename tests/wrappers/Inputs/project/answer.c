// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
void answer(int *value) { *value = 42; }
