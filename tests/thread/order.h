// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "thread/thread-order.h"

#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (printf("line %d: %s\n", __LINE__, #condition), fflush(stdout), _exit(1)))
