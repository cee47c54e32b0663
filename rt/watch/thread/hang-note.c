// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts how long a rank has called no MPI function (hang-note.h).
#include "watch/thread/hang-note.h"

void mck_hang_forget(struct mck_hang *hang) { hang->since_ns = 0; }

bool mck_hang_look(struct mck_hang *hang, const struct mck_log_header *h, int64_t now_ns, int64_t limit_ns) {
  uint64_t calls = atomic_load_explicit(&h->calls, memory_order_relaxed);
  if (!hang->since_ns || calls != hang->calls) {
    hang->calls = calls;
    hang->since_ns = now_ns;
    return false;
  }
  return limit_ns > 0 && now_ns - hang->since_ns >= limit_ns;
}
