// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Room in the address space. Under a limit of it (ulimit -v, which batch systems set) what we reserve and hardly touch
// would be missing where the program and MPI take memory.
#pragma once
#include <stdint.h>

// The most bytes that one reservation of ours may take: a quarter of what is left below the limit, without what MPI
// and the program need; UINT64_MAX without a limit. Any thread.
uint64_t mck_base_address_room(void);
