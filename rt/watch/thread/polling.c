// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes ranks that only test and probe (polling.h).
#include "watch/thread/polling.h"
#include "watch/thread/standing-time.h"

enum {
  POLL_CPU_NS = 10000,          // the time of one poll, on a shared machine
  POLL_CPU_SLEEPER_NS = 200000, // ... with sleep or yield, wake-up and cold caches
  TURN_CPU_NS = 100000,         // a process with less of it since the last look had no turn
  LOOKS_MIN = 4,
  SLEEPER_FACTOR = 6,   // a process that sleeps must poll so much longer
  SLEEPER_POLLS = 2000, // a process with more polls between two looks does not sleep
};

static bool is_list_good(const struct mck_log_header *h) {
  uint32_t n = atomic_load_explicit(&h->npolls, memory_order_acquire);
  return n && n <= MCK_LOG_POLLS &&
         atomic_load_explicit(&h->poll_site, memory_order_relaxed) != MCK_NONE && // it has polled that often already
         atomic_load_explicit(&h->poll_units, memory_order_acquire) ==
             atomic_load_explicit(&h->units, memory_order_acquire);
}

static struct mck_polling read_header(const struct mck_log_header *h) {
  struct mck_polling p = {.npolls = atomic_load_explicit(&h->npolls, memory_order_acquire)};
  p.units = atomic_load_explicit(&h->units, memory_order_acquire);
  p.polls = atomic_load_explicit(&h->polls, memory_order_relaxed);
  p.open = atomic_load_explicit(&h->poll_open, memory_order_relaxed);
  p.others = atomic_load_explicit(&h->calls, memory_order_relaxed) - p.polls;
  return p;
}

// The two counters are written one after the other, so they may differ by one poll.
static bool is_same(const struct mck_polling *a, const struct mck_polling *b) {
  return a->units == b->units && a->npolls == b->npolls && a->others - b->others + 1 <= 2;
}

enum mck_polls mck_polling_again(const struct mck_polling *p, const struct mck_log_header *h, enum mck_polls was) {
  struct mck_polling now = read_header(h);
  if (was == MCK_POLLS_NOT || !is_list_good(h) || !is_same(p, &now)) return MCK_POLLS_NOT;
  return was == MCK_POLLS_CLOSED && now.open == p->open ? MCK_POLLS_CLOSED : MCK_POLLS_OPEN;
}

// On a machine with more processes than processors, others may run from one look to the next. That says nothing of what
// the process does.
static bool has_no_turn(struct mck_polling *p, const struct mck_log_header *h) {
  int64_t before = p->cpu_then;
  p->cpu_then = mck_patience_cpu((long)h->pid);
  return before > 0 && p->cpu_then >= before && p->cpu_then - before < TURN_CPU_NS &&
         !mck_patience_is_asleep((long)h->pid);
}

static bool does_nothing_else(struct mck_polling *p, const struct mck_log_header *h, int64_t now_ns, int64_t limit_ns) {
  struct mck_polling now = read_header(h);
  bool is_polling = limit_ns > 0 && is_list_good(h) &&
                    atomic_load_explicit(&h->state, memory_order_relaxed) == MCK_LOG_RUNNING;
  bool is_going_on = is_polling && is_same(p, &now);
  if (is_going_on && has_no_turn(p, h) && now.polls == p->polls) return false;
  if (!is_going_on || now.polls == p->polls) {
    *p = now;
    return false;
  }
  uint64_t new_polls = now.polls - p->polls;
  if (!p->looks || p->open != now.open) p->open = now.open, p->closed_ns = now_ns;
  p->polls = now.polls; // others keeps its first value, so that slow drift shows
  if (!p->looks++) {
    p->since_ns = now_ns;
    p->cpu_ns = mck_patience_cpu((long)h->pid);
    p->polls_then = now.polls;
    p->sleeps = mck_patience_sleeps((long)h->pid);
    p->turns = mck_patience_turns((long)h->pid);
    p->transfers = mck_patience_transfers((long)h->pid);
    return false;
  }
  if (new_polls < SLEEPER_POLLS && !p->is_elsewhere) p->is_elsewhere = !mck_patience_is_dozing((long)h->pid);
  if (p->looks < LOOKS_MIN || now_ns - p->since_ns < limit_ns || p->cpu_ns < 0) return false;
  int64_t cpu = mck_patience_cpu((long)h->pid) - p->cpu_ns;
  uint64_t polls = p->polls - p->polls_then;
  if (cpu <= 0 || p->sleeps < 0) return false;
  uint64_t sleeps = (uint64_t)(mck_patience_sleeps((long)h->pid) - p->sleeps);
  // With more processes than processors, MPI gives the processor away in each poll.
  uint64_t turns = (uint64_t)(mck_patience_turns((long)h->pid) - p->turns);
  if (sleeps < polls / 8) return (uint64_t)cpu < polls * (turns < polls / 8 ? POLL_CPU_NS : POLL_CPU_SLEEPER_NS);
  return now_ns - p->since_ns >= SLEEPER_FACTOR * limit_ns && (uint64_t)cpu < polls * POLL_CPU_SLEEPER_NS &&
         !p->is_elsewhere && p->transfers && mck_patience_transfers((long)h->pid) == p->transfers;
}

enum mck_polls mck_polling_look(struct mck_polling *p, const struct mck_log_header *h, int64_t now_ns,
                                int64_t limit_ns) {
  if (!does_nothing_else(p, h, now_ns, limit_ns)) return MCK_POLLS_NOT;
  // A signal handler may leave the loop by a jump.
  bool is_closed = now_ns - p->closed_ns >= limit_ns && !mck_patience_has_handlers((long)h->pid);
  return is_closed ? MCK_POLLS_CLOSED : MCK_POLLS_OPEN;
}
