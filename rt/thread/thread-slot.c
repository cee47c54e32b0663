// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which slot belongs to which thread, and what it says (thread-slot.h). Before MPI_Init the slots are here.
#include "thread/thread-slot.h"
#include <sys/syscall.h>
#include <unistd.h>
#include "thread/thread-core.h"

static struct mck_thread_slot first_slots[MCK_THREAD_SLOTS];
static _Atomic(struct mck_thread_slot *) slots = first_slots;
__thread uint32_t mck_slot_own __attribute__((tls_model("initial-exec")));
enum { LAST = MCK_THREAD_SLOTS - 1, KIND = 0xff };

static struct mck_thread_slot *slot_at(uint32_t number) {
  return &atomic_load_explicit(&slots, memory_order_acquire)[number];
}

void mck_slot_claim(bool is_worker) {
  if (mck_slot_own) return;
  mck_thread_lock();
  // Two slots share a cache line: the first 32 threads have lines of their own.
  for (uint32_t i = 0; i < LAST && !mck_slot_own; i++) {
    uint32_t number = i < MCK_THREAD_SLOTS / 2 ? 2 * i : 2 * i - MCK_THREAD_SLOTS + 1;
    struct mck_thread_slot *slot = slot_at(number);
    if (atomic_load_explicit(&slot->tid, memory_order_relaxed)) continue;
    atomic_store_explicit(&slot->wait, 0, memory_order_relaxed);
    atomic_fetch_and_explicit(&slot->what, ~(uint32_t)KIND, memory_order_relaxed);
    atomic_store_explicit(&slot->worker, is_worker, memory_order_relaxed);
    atomic_store_explicit(&slot->tid, (uint32_t)syscall(SYS_gettid), memory_order_release);
    mck_slot_own = number + 1;
  }
  if (!mck_slot_own) atomic_store(&slot_at(LAST)->tid, MCK_SLOT_NO_THREAD);
  mck_thread_unlock();
}

void mck_slot_release(void) {
  if (!mck_slot_own) return;
  mck_thread_lock();
  atomic_store_explicit(&slot_at(mck_slot_own - 1)->tid, 0, memory_order_release);
  mck_slot_own = 0;
  mck_thread_unlock();
}

void mck_slots_move(struct mck_thread_slot *to) {
  mck_thread_lock();
  struct mck_thread_slot *from = atomic_load(&slots);
  for (uint32_t i = 0; i < MCK_THREAD_SLOTS && from == first_slots; i++) {
    atomic_store(&to[i].worker, atomic_load(&from[i].worker));
    atomic_store(&to[i].handlers, atomic_load(&from[i].handlers));
    atomic_store(&to[i].tid, atomic_load(&from[i].tid));
  }
  if (from == first_slots) atomic_store_explicit(&slots, to, memory_order_release);
  mck_thread_unlock();
}

// The header belongs to the parent.
void mck_slots_forked(void) {
  atomic_store(&slots, first_slots);
  mck_slot_own = 0;
}

static void put(uint32_t kind, uint64_t object) {
  if (!mck_slot_own) return;
  struct mck_thread_slot *slot = slot_at(mck_slot_own - 1);
  uint32_t what = atomic_load_explicit(&slot->what, memory_order_relaxed), n = what >> 8;
  if (kind != MCK_SLOT_RUNS) n++;
  atomic_store_explicit(&slot->object, object, memory_order_relaxed);
  atomic_store_explicit(&slot->what, n << 8 | kind, memory_order_release);
}

void mck_slot_note_handler(void) { atomic_fetch_add(&slot_at(mck_slot_own ? mck_slot_own - 1 : LAST)->handlers, 1); }

void mck_slot_begin(enum mck_slot_wait what, uint64_t object) { put(what, object); }
void mck_slot_end(void) { put(MCK_SLOT_RUNS, 0); }

struct mck_slot_state mck_slot_state(void) {
  if (!mck_slot_own) return (struct mck_slot_state){0};
  const struct mck_thread_slot *slot = slot_at(mck_slot_own - 1);
  return (struct mck_slot_state){atomic_load_explicit(&slot->what, memory_order_relaxed) & KIND,
                                 atomic_load_explicit(&slot->object, memory_order_relaxed)};
}
void mck_slot_restore(struct mck_slot_state state) { put(state.what, state.object); }
