// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory maps: the mapped parts of the address space, from /proc/self/maps. The file is read again only when an address
// is not known to be mapped. So unmapped memory may count as mapped, never the other way round. Callers hold a lock.
#pragma once
#include "base/base.h"

// The number of bytes of [low, high), from low on, that are mapped readable (writable): high - low if all are. It asks
// the kernel twice before it says less. -1: unknown.
int64_t mck_maps_reach(uintptr_t low, uintptr_t high, bool is_written);
int64_t mck_maps_reach_known(uintptr_t low, uintptr_t high, bool is_written); // the same without asking the kernel
// The same for a list in the format of /proc/self/maps, for tests.
int64_t mck_maps_reach_in(const char *text, uintptr_t low, uintptr_t high, bool is_written);
