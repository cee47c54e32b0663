// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How client.c asks server.c: one message with this and the descriptors 0, 1, 2 and of the working directory; then the
// strings, arguments before environment, each with its 0 byte. The answer is what waitpid says, an int.
#pragma once

#include <stdint.h>

#define MCK_SOCKET "MCK_CLANG_SOCKET" // the environment variable with the server's address
enum { MCK_DESCRIPTORS = 4 };

typedef struct {
  uint32_t arguments, variables, bytes, mask;
} mck_request_t;
