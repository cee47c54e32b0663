// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watch/thread/thread-look.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "watch/thread/standing-time.h"

// In this time a thread that looks for a change in a loop has looked thousands of times. OpenMP's library gives the
// processor back after some looks: where others want it, 2 ms are hundreds of turns and last for minutes. A thread that
// is released goes on in its first turn. It would have to lose the processor within a microsecond, 16 times in a row.
enum { CPU_NS = 2000000, TURNS = 16, TURNS_NS = 100000 };

static struct mck_thread_wait read_slot(const struct mck_log_header *h, uint32_t i) {
  const struct mck_thread_slot *s = &h->threads[i];
  struct mck_thread_wait w = {.slot = i + 1, .tid = atomic_load_explicit(&s->tid, memory_order_acquire)};
  if (!w.tid) return w;
  w.is_main = i + 1 == atomic_load_explicit(&h->main_slot, memory_order_relaxed);
  w.is_worker = atomic_load_explicit(&s->worker, memory_order_relaxed) != 0;
  w.what = (uint8_t)atomic_load_explicit(&s->what, memory_order_acquire);
  w.object = atomic_load_explicit(&s->object, memory_order_relaxed);
  w.wait = atomic_load_explicit(w.is_main ? &h->wait : &s->wait, memory_order_acquire);
  return w;
}

uint32_t mck_threads_count(const struct mck_log_header *h) {
  uint32_t n = 0, main = atomic_load_explicit(&h->main_slot, memory_order_relaxed);
  for (uint32_t i = 0; i < MCK_THREAD_SLOTS; i++)
    n += i + 1 != main && atomic_load_explicit(&h->threads[i].tid, memory_order_acquire);
  return n;
}

bool mck_threads_are_several(const struct mck_log_header *h) {
  return atomic_load_explicit(&h->nothers, memory_order_relaxed) &&
         (atomic_load_explicit(&h->is_multiple, memory_order_relaxed) & MCK_LOG_THREADS || mck_threads_count(h));
}

uint64_t mck_threads_picture(const struct mck_log_header *h) {
  uint64_t hash = 1;
  if (!atomic_load_explicit(&h->main_slot, memory_order_relaxed)) return 0; // nothing is known of the main thread
  for (uint32_t i = 0; i < MCK_THREAD_SLOTS; i++) {
    struct mck_thread_wait w = read_slot(h, i);
    if (!w.tid) continue;
    if (w.tid == MCK_SLOT_NO_THREAD || (!w.wait && !w.what)) return 0;
    uint64_t words[4] = {w.tid, w.wait, w.object, atomic_load_explicit(&h->threads[i].what, memory_order_acquire)};
    hash = mck_base_hash(words, sizeof words, hash);
  }
  return hash | 1;
}

static bool may_spin(uint8_t what) { return what == MCK_SLOT_RUNS || what >= MCK_SLOT_OMP_BARRIER; }

static bool is_over(struct mck_thread_looks *looks, struct mck_thread_round *round, const struct mck_thread_wait *w) {
  if (round->is_over) return true;
  if (may_spin(w->what)) {
    int64_t cpu = mck_patience_cpu((long)w->tid);
    int64_t ns = cpu >= 0 && round->cpu_ns >= 0 ? cpu - round->cpu_ns : -1;
    round->is_over = ns >= CPU_NS;
    if (round->is_over && w->wait && !w->what) looks->is_progressing = true;
    if (w->what && ns >= TURNS_NS && round->turns >= 0)
      round->is_over |= mck_patience_turns((long)w->tid) - round->turns >= TURNS;
  }
  return round->is_over |= mck_patience_is_asleep((long)w->tid);
}

bool mck_threads_look(struct mck_thread_looks *looks, const struct mck_log_header *h, uint64_t picture) {
  enum { ROUNDS = 2 };
  bool is_new = picture != looks->picture, are_over = true;
  looks->picture = picture;
  if (is_new) looks->rounds = 0, looks->is_progressing = false;
  if (!picture || looks->rounds >= ROUNDS) return picture != 0;
  for (uint32_t i = 0; i < MCK_THREAD_SLOTS && !is_new; i++) {
    struct mck_thread_wait w = read_slot(h, i);
    if (w.tid && !is_over(looks, &looks->of[i], &w)) are_over = false;
  }
  if (!is_new && !are_over) return false;
  if (!is_new) looks->rounds++;
  for (uint32_t i = 0; i < MCK_THREAD_SLOTS; i++) {
    struct mck_thread_wait w = read_slot(h, i);
    looks->of[i] = (struct mck_thread_round){-1, -1, false};
    if (w.tid)
      looks->of[i].cpu_ns = mck_patience_cpu((long)w.tid), looks->of[i].turns = mck_patience_turns((long)w.tid);
  }
  return looks->rounds >= ROUNDS;
}

static bool has_handlers(const struct mck_log_header *h) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < MCK_THREAD_SLOTS; i++)
    n += atomic_load_explicit(&h->threads[i].handlers, memory_order_relaxed);
  return n;
}

// Does an object that a thread waits for lie in memory that other processes may have? Then one of them may wake it.
static bool is_shared(const struct mck_log_header *h, const struct mck_thread_wait *waits, uint32_t n) {
  char path[64], line[512], flags[8];
  unsigned long first, end;
  uint32_t nfound = 0, nobjects = 0;
  for (uint32_t i = 0; i < n; i++) nobjects += waits[i].what >= MCK_SLOT_LOCK && waits[i].what <= MCK_SLOT_BARRIER;
  if (!nobjects) return false;
  snprintf(path, sizeof path, "/proc/%u/maps", h->pid);
  FILE *maps = fopen(path, "re");
  bool is_found = false;
  while (maps && !is_found && fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%lx-%lx %7s", &first, &end, flags) != 3) continue;
    for (uint32_t i = 0; i < n; i++) {
      if (waits[i].what < MCK_SLOT_LOCK || waits[i].what > MCK_SLOT_BARRIER) continue;
      if (waits[i].object < first || waits[i].object >= end) continue;
      nfound++;
      is_found |= flags[3] != 'p';
    }
  }
  if (maps) fclose(maps);
  return is_found || nfound != nobjects;
}

uint32_t mck_threads_list(const struct mck_log_header *h, struct mck_thread_wait waits[MCK_THREADS_MAX]) {
  uint32_t n = 0;
  bool has_semaphore = false;
  for (uint32_t i = 0; i < MCK_THREAD_SLOTS; i++) {
    struct mck_thread_wait w = read_slot(h, i);
    if (!w.tid) continue;
    has_semaphore |= w.what == MCK_SLOT_SEMAPHORE;
    waits[n++] = w;
  }
  return (has_semaphore && has_handlers(h)) || is_shared(h, waits, n) ? 0 : n;
}
