// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that was also compiled with -fsanitize=thread or address: a line on rank 0 says what its reports need,
// since they are about Open MPI, too, and another one what we do not see.
#pragma once
#include <stdbool.h>
void mck_sanitizer_advise(bool has_threads); // has_threads: several may call MPI
