// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of the address space is mapped, from /proc/self/maps; read again only when an address is not known to be mapped,
// so that what was unmapped since may be taken for mapped, never the other way round. Callers hold a lock.
#pragma once
#include "base/base.h"

// How much of [low, high) from its begin is mapped readable (writable): high - low if all is. Asks the kernel twice
// before it says less. -1: nobody knows.
int64_t mck_maps_reach(uintptr_t low, uintptr_t high, bool is_written);
int64_t mck_maps_reach_known(uintptr_t low, uintptr_t high, bool is_written); // without asking
// The same for a list in the format of /proc/self/maps, for tests.
int64_t mck_maps_reach_in(const char *text, uintptr_t low, uintptr_t high, bool is_written);
