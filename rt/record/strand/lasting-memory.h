// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is known to stay what it is between two calls of unordered strands: heap blocks, until they are freed;
// static data; local variables of the main thread, which others can only know from that thread. What lies elsewhere
// may be other memory by now at the same address: the stack of a thread that has ended, what was mapped, the blocks of
// an allocator that we do not see.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void mck_lasting_init(void); // on the main thread
// Whether [low, high) is such memory. *block: of the heap; 0: it is another kind.
bool mck_lasting_find(const char *low, const char *high, uintptr_t *block);
// Blocks that uses are noted of. All but freed: under the lock. watch: false if it cannot be watched; *is_new: what was
// noted of the address belongs to an earlier block. is_live: was there no free of it since?
bool mck_lasting_watch(uintptr_t block, bool (*is_used)(uintptr_t block), bool *is_new);
bool mck_lasting_is_live(uintptr_t block);
void mck_lasting_forget(void); // nothing is noted any more
// Each free comes here once something was watched. It takes no lock: MPI's library may be calling, with its own.
void mck_lasting_freed(const void *block);
