// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int answer(int *value);
int answer(int *value) { return ++*value; }
