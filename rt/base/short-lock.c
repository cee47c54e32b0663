// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting for a short lock: some looks first, since it is mostly free again at once, and then sleep.
#include "base/short-lock.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOOKS = 100 };

static inline void relax(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

static void futex(struct mck_short_lock *lock, int operation, uint32_t value) {
  int saved = errno;
  syscall(SYS_futex, &lock->state, operation, value, NULL, NULL, 0);
  errno = saved;
}

void mck_short_lock_wait(struct mck_short_lock *lock) {
  for (int i = 0; i < LOOKS; i++) {
    if (atomic_load_explicit(&lock->state, memory_order_relaxed) == MCK_SHORT_FREE && mck_short_lock_try(lock)) return;
    relax();
  }
  // From here on others may be asleep, and are woken when this thread gives it back.
  while (atomic_exchange_explicit(&lock->state, MCK_SHORT_WANTED, memory_order_acquire) != MCK_SHORT_FREE)
    futex(lock, FUTEX_WAIT_PRIVATE, MCK_SHORT_WANTED);
}

void mck_short_lock_wake(struct mck_short_lock *lock) { futex(lock, FUTEX_WAKE_PRIVATE, 1); }
