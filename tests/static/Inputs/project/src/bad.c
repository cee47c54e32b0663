// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "not-generated.h"
