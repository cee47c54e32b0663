// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>
extern "C" int answer(int *value);
int answer(int *value) { return std::vector<int>{*value + 1}.back(); }
