// The order that OpenMP's constructs give, asked of the runtime itself: room rt/thread alone, without MPI.
// RUN: %clang -g -O1 -fopenmp -D_GNU_SOURCE -I%source/rt -I%build/gen %s \
// RUN:   %source/rt/thread/intercept/*.c %build/rt/libmck_core.a -o %t -Wl,--wrap=mck_thread_lock
// RUN: %t | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "order.h"
#include <omp.h>
#include <sched.h>

// OpenMP's library tells some things behind the event, and threads that are told may be late.
void __real_mck_thread_lock(void);
void __wrap_mck_thread_lock(void) {
  static __thread unsigned state;
  state = state * 1664525 + (unsigned)(uintptr_t)&state + 1013904223;
  for (unsigned i = state >> 27 & state >> 29; i; i--) sched_yield();
  __real_mck_thread_lock();
}

static struct mck_moment at[16];
static void note(int i) { at[i] = mck_thread_now(); }
// Bit i: moment i is ordered before now. EXPECT_ORDER(n, bits): exactly these of the first n.
static unsigned ordered(int n) {
  unsigned bits = 0;
  for (int i = 0; i < n; i++) bits |= (unsigned)mck_thread_has(at[i]) << i;
  return bits;
}
#define EXPECT_ORDER(n, bits) EXPECT(ordered(n) == (bits))
// All threads of the team get here, in real time; nothing is ordered by it.
static _Atomic int narrived;
static void meet(int n) {
  atomic_fetch_add_explicit(&narrived, 1, memory_order_relaxed);
  while (atomic_load_explicit(&narrived, memory_order_relaxed) < n) usleep(100);
}
static void begin(void) {
  atomic_store_explicit(&narrived, 0, memory_order_relaxed);
  memset(at, 0, sizeof at);
}

static void regions(void) {
  begin();
#pragma omp parallel num_threads(4)
  {
    unsigned me = (unsigned)omp_get_thread_num();
    note((int)me);
    meet(4);
    EXPECT_ORDER(4, 1u << me);
#pragma omp barrier
    EXPECT_ORDER(4, 15);
    uint32_t era = mck_thread_era();
    note(4 + (int)me);
    meet(8);
    EXPECT_ORDER(8, 15 | 16u << me);
    EXPECT(mck_thread_era() == era);
#pragma omp single nowait
    note(8);
#pragma omp single
    note(9);
    EXPECT(mck_thread_has(at[8]) && mck_thread_has(at[9]));
    int n = 0;
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < 4; i++) note(10 + i), n++;
    meet(12);
    EXPECT_ORDER(14, 1023 | 1024u << me);
  }
  EXPECT_ORDER(14, 16383);
  EXPECT(!mck_thread_is_parallel);
}

static void names(void) {
  char text[64];
  const void *began = NULL;
#pragma omp parallel num_threads(3)
  note(omp_get_thread_num());
  mck_thread_name(at[2].strand, text, sizeof text, &began);
  EXPECT(!strcmp(text, "OpenMP thread 2 of 3") && began);
  mck_thread_name(mck_thread_now().strand, text, sizeof text, &began);
  EXPECT(!strcmp(text, "the main thread") && !began);
}

static void nested(void) {
  omp_set_max_active_levels(2);
  begin();
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
    note(outer);
#pragma omp parallel num_threads(2)
    {
      int me = 2 + 2 * outer + omp_get_thread_num();
      note(me);
      meet(4);
      EXPECT_ORDER(6, 1u << outer | 1u << me);
    }
    EXPECT_ORDER(6, (outer ? 2u | 48u : 1u | 12u));
  }
  EXPECT_ORDER(6, 63);
}

static void tasks(void) {
  begin();
  int x = 0, y = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    note(0);
#pragma omp task
    note(1);
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        note(2);
        note(3);
      }
    }
    EXPECT((ordered(4) & 12) == 12);
#pragma omp taskwait
    EXPECT_ORDER(4, 15);
    for (int i = 4; i < 8; i++)
#pragma omp task firstprivate(i)
    {
      note(i);
      for (int k = 4; k < i; k++) EXPECT(!at[k].time || !mck_thread_has(at[k]));
    }
#pragma omp task if (0)
    note(8);
    EXPECT(mck_thread_has(at[8]));
#pragma omp taskwait
    // Dependences: 9 -> 10, 11 -> 12; 10 and 11 are unordered.
#pragma omp task depend(out : x)
    note(9);
#pragma omp task depend(in : x)
    {
      note(10);
      EXPECT(mck_thread_has(at[9]));
      EXPECT(!at[11].time || !mck_thread_has(at[11]));
    }
#pragma omp task depend(in : x) depend(inout : y)
    {
      note(11);
      EXPECT(mck_thread_has(at[9]));
      EXPECT(!at[10].time || !mck_thread_has(at[10]));
    }
#pragma omp task depend(inout : x)
    {
      note(12);
      EXPECT_ORDER(13, 0x1fff);
    }
#pragma omp taskwait depend(in : y)
    EXPECT(mck_thread_has(at[11]) && mck_thread_has(at[9]));
    struct mck_held held[2];
#pragma omp task depend(mutexinoutset : y) shared(held)
    note(13), mck_thread_held(&held[0]);
#pragma omp task depend(mutexinoutset : y) shared(held)
    note(14), mck_thread_held(&held[1]);
#pragma omp taskwait
    EXPECT(held[0].n == 1 && held[1].n == 1 && mck_held_excludes(&held[0], &held[1]));
  }
  EXPECT(!mck_thread_is_parallel);
}

static void detached(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
    struct mck_moment fulfilled = {0};
#pragma omp task detach(event)
    note(0);
#pragma omp task shared(fulfilled)
    {
      fulfilled = mck_thread_now();
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    EXPECT(mck_thread_has(at[0]) && mck_thread_has(fulfilled));
  }
}

static void locks(void) {
  omp_lock_t one, two;
  omp_init_lock(&one), omp_init_lock(&two);
  struct mck_held held[4];
  begin();
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp critical
    mck_thread_held(&held[me]);
    omp_set_lock(me ? &one : &two);
    mck_thread_held(&held[2 + me]);
    omp_unset_lock(me ? &one : &two);
  }
  EXPECT(mck_held_excludes(&held[0], &held[1]));
  EXPECT(!mck_held_excludes(&held[2], &held[3]));
  EXPECT(!mck_held_excludes(&held[0], &held[2]) && !mck_held_excludes(&held[0], &held[0]));
  mck_thread_held(&held[0]);
  EXPECT(held[0].n == 0);
}

// Each critical section knows the earlier ones, also when the thread of one is told late that it has left it.
static void sections(void) {
  int n = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  struct mck_held held;
  begin();
#pragma omp parallel num_threads(4)
  {
    for (int i = 0; i < 4; i++) {
#pragma omp critical(sections)
      {
        note(n++);
        EXPECT_ORDER(n, (1u << n) - 1);
      }
    }
    if (!omp_get_thread_num()) omp_set_lock(&lock);
#pragma omp barrier
    if (!omp_get_thread_num()) omp_unset_lock(&lock);
  }
  mck_thread_held(&held);
  EXPECT(held.n == 0);
  // It is taken by the only thread, and given back beside others.
  int is_free = 0;
  struct mck_moment before = {0};
  omp_set_lock(&lock);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num()) {
    omp_set_lock(&lock);
    EXPECT(is_free && mck_thread_has(before));
    omp_unset_lock(&lock);
  } else {
    before = mck_thread_now(), is_free = 1;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
}

static void loops(void) {
  begin();
#pragma omp parallel for ordered num_threads(4) schedule(static, 1)
  for (int i = 0; i < 8; i++) {
#pragma omp ordered
    {
      note(i);
      EXPECT_ORDER(i + 1, (2u << i) - 1);
    }
  }
#pragma omp parallel for ordered(1) num_threads(4) schedule(static, 1)
  for (int i = 0; i < 16; i++) {
#pragma omp ordered depend(sink : i - 2)
    note(i);
    for (int k = i; k >= 0; k -= 2) EXPECT(mck_thread_has(at[k]));
#pragma omp ordered depend(source)
  }
}

static void many(void) { // more tasks than strands can live at once
  enum { N = 20000 };
  static struct mck_moment all[N];
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i)
      all[i] = mck_thread_now();
#pragma omp taskwait
    for (int i = 0; i < N; i++) EXPECT(mck_thread_has(all[i]));
  }
  EXPECT(!mck_thread_is_parallel);
}

int main(void) {
  for (int i = 0; i < 20; i++) regions(), nested(), tasks(), detached(), locks(), sections(), loops(), names();
  many(), regions();
  puts("ok");
  return 0;
}
