// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the ranks cut their logs: points, the shared page, and the agreement behind a point.
#include "record/run/log-budget.h"
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "record/access/touched-range.h"
#include "record/call/call-args.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/runtime.h"

enum { SEVERAL_NODES_EVERY = 64, PATIENCE_SECONDS = 20, TAG_NEVER_SENT = 9, URGENT_TIMES = 4, URGENT_UNITS = 1 << 12 };
#define CALLED_OFF ((uint64_t)1 << 62)

// Windows with locks, posts and starts are judged by one rank, a microsecond a unit. So that no rank stands for long in
// a cut, the logs are cut earlier then: first at so many units of all ranks together, and later as the cuts before
// took.
enum { TOGETHER_UNITS = 1 << 21, TOGETHER_LEAST = 1 << 14 };
#define PAUSE_SECONDS 1.0

// One page that the ranks of a node share: a file in the log directory that loses its name as soon as all ranks have
// mapped it.
struct shared {
  _Atomic uint32_t ranks;                // that have mapped it
  _Alignas(64) _Atomic uint64_t wanted;  // number of the point before which some rank wanted a cut; 0: no rank does
  _Alignas(64) _Atomic uint64_t arrived; // ranks that have come to cuts, in all cuts together; or CALLED_OFF
};

static struct shared *shared;
static bool is_on, is_one_node, is_wanted;
static uint64_t points; // synchronizing collectives entered
static uint64_t cuts;
static uint64_t budget; // units
static struct {
  bool is_needed;   // some such call was made, ever
  uint64_t looked;  // units of the log in which it was looked for
  uint64_t largest; // budget, if it is needed
} together;

static uint64_t option_units(void) { return ((uint64_t)mck_options.log_budget << 20) / MCK_UNIT; }
static uint64_t base(void) {
  uint64_t option = option_units();
  return together.is_needed && together.largest < option ? together.largest : option;
}

static void path_of(const char *dir, char *path, size_t size) { snprintf(path, size, "%s/budget", dir); }

void mck_budget_open(const char *dir, int terms[MCK_BUDGET_TERMS]) {
  char path[sizeof mck_rt.dir + 8], host[256] = "";
  path_of(dir, path, sizeof path);
  int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  void *map = MAP_FAILED;
  if (fd >= 0 && ftruncate(fd, sizeof *shared) == 0)
    map = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  shared = map == MAP_FAILED ? NULL : map;
  if (shared) atomic_fetch_add(&shared->ranks, 1);
  gethostname(host, sizeof host - 1);
  int hash = (int)(mck_base_hash(host, strlen(host), 0) >> 34);
  // The content of buffers (option flow) names events, which must stay.
  terms[0] = !mck_rt.is_multiple && !mck_options.flow[0] && mck_options.log_budget < mck_options.log_limit;
  terms[1] = shared ? hash : -1; // when all ranks are on one host, the minimum of these is minus the minimum of those
  terms[2] = -hash;
}

bool mck_budget_agreed(const char *dir, const int terms[MCK_BUDGET_TERMS]) {
  char path[sizeof mck_rt.dir + 8];
  path_of(dir, path, sizeof path);
  unlink(path);
  is_on = terms[0] == 1;
  is_one_node = terms[1] == -terms[2] && shared && atomic_load(&shared->ranks) == (uint32_t)mck_rt.size;
  budget = option_units();
  together.largest = TOGETHER_UNITS / (uint64_t)mck_rt.size;
  if (together.largest < TOGETHER_LEAST) together.largest = TOGETHER_LEAST;
  if (shared && !(is_on && is_one_node)) {
    munmap(shared, sizeof *shared);
    shared = NULL;
  }
  return is_one_node;
}

static bool counts(void) { return is_on && mck_depth == 1 && mck_rt.is_ready; }

// Looks once at each unit, and only in logs that are large enough to matter. What is left out now (log/log-repeat.h)
// repeats what is before it.
static void look_for_windows(uint64_t units) {
  uint64_t at = together.looked;
  if (mck_rt.log.repeat.run) units = (uint64_t)(mck_rt.log.repeat.run - mck_rt.log.first);
  for (; at < units && !together.is_needed; at += mck_event_units(&mck_rt.log.first[at]))
    together.is_needed = mck_rt.log.first[at].kind == MCK_EV_SYNC;
  together.looked = at;
  if (together.is_needed && base() < budget) budget = base();
}

static bool is_over(void) {
  uint64_t units = (uint64_t)(mck_rt.log.next - mck_rt.log.first);
  if (mck_nwindows && !together.is_needed && units > together.largest) look_for_windows(units);
  return units > budget && !atomic_load_explicit(&mck_rt.log.header->is_incomplete, memory_order_relaxed);
}

// The next cut of windows is to take PAUSE_SECONDS.
static void adapt(uint64_t units, double seconds) {
  double next = (double)units * PAUSE_SECONDS / (seconds + 1e-3), least = (double)together.largest / 4,
         most = (double)together.largest * 2;
  next = next < least ? least : next > most ? most : next;
  together.largest = next < TOGETHER_LEAST ? TOGETHER_LEAST : (uint64_t)next;
}

void mck_budget_enter_world(void) {
  if (!counts()) return;
  points++;
  uint64_t none = 0;
  if (!is_over()) return;
  if (is_one_node) atomic_compare_exchange_strong(&shared->wanted, &none, points);
  else is_wanted = true;
}

// All ranks come here now, if they made the same calls. If a program's calls differ without an error, some ranks
// never come here: a rank then waits for PATIENCE_SECONDS at most, and there are no cuts any more.
static bool wait_for_all(void) {
  uint64_t target = ++cuts * (uint64_t)mck_rt.size, now = atomic_load(&shared->arrived);
  do
    if (now & CALLED_OFF) return false;
  while (!atomic_compare_exchange_weak(&shared->arrived, &now, now + 1));
  struct timespec start, t;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (unsigned i = 0; (now = atomic_load(&shared->arrived)) < target; i++) {
    // Data of the collective that others still need may lie in our queues: MPI must make progress.
    int flag;
    PMPI_Iprobe(MPI_ANY_SOURCE, TAG_NEVER_SENT, mck_rt.comm, &flag, MPI_STATUS_IGNORE);
    if (i < 1000) {
      sched_yield();
      continue;
    }
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &t);
    bool is_late = t.tv_sec - start.tv_sec > PATIENCE_SECONDS;
    if (is_late && atomic_compare_exchange_strong(&shared->arrived, &now, CALLED_OFF)) break;
  }
  return !(now & CALLED_OFF) && now >= target;
}

static bool is_agreed(void) {
  if (is_one_node) {
    uint64_t wanted = atomic_load(&shared->wanted);
    if (!wanted || wanted > points) return false;
    if (!wait_for_all()) {
      is_on = false;
      return false;
    }
    atomic_store(&shared->wanted, 0); // no rank asks for the next one before all have been here
    return true;
  }
  if (points % SEVERAL_NODES_EVERY) return false;
  int any = is_wanted;
  is_wanted = false;
  return PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, mck_rt.comm) == MPI_SUCCESS && any;
}

void mck_budget_leave_world(void) {
  if (!counts() || !is_agreed()) return;
  uint64_t kept = (uint64_t)(mck_rt.log.next - mck_rt.log.first);
  double begin = mck_judge_cost_begin();
  uint64_t units = kept;
  enum mck_cut_round round = mck_run_cut_log(kept > URGENT_TIMES * option_units() + URGENT_UNITS, &kept);
  double seconds = mck_judge_cost_end(begin, true);
  if (together.is_needed && round == MCK_CUT_ROUND_DONE) adapt(units, seconds);
  if (round == MCK_CUT_ROUND_DONE) together.looked = 0;
  uint64_t option = base();
  // If most of the log stays, it must grow before another cut is worth its cost.
  if (round == MCK_CUT_ROUND_POSTPONED) budget = kept + (option / 4 > kept / 8 ? option / 4 : kept / 8);
  else budget = round == MCK_CUT_ROUND_DONE && (!option || 2 * kept < option) ? option : 2 * kept;
}

// --- the calls ---
static bool has_bytes(struct mck_call *call, MPI_Aint count, MPI_Datatype type) {
  const struct mck_type *t = count > 0 && type != MPI_DATATYPE_NULL ? mck_call_type(call, type) : NULL;
  return t && t->size > 0;
}

// No rank leaves the call before all have entered it, since its result depends on all of them. All ranks count the
// same calls: the arguments looked at are equal on all of them in a correct call (MPI-3.1 5.3, 5.7 to 5.10).
static bool is_point(struct mck_call *call, const struct mck_args *a) {
  if (!counts() || !mck_std_joins_all(call->fn)) return false;
  if (!mck_std_moves_data(call->fn)) return true;
  if (mck_std(call->fn)->flow == MCK_STD_FLOW_REDUCE_ALL)
    return has_bytes(call, a->sendcount ? a->sendcount : a->recvcount, a->sendtype ? a->sendtype : a->recvtype);
  return has_bytes(call, a->recvcount, a->recvtype);
}

void mck_budget_enter(struct mck_call *call, const struct mck_args *a) {
  if (a->comm == MPI_COMM_WORLD && is_point(call, a)) mck_budget_enter_world();
}
void mck_budget_leave(struct mck_call *call, const struct mck_args *a) {
  if (a->comm == MPI_COMM_WORLD && is_point(call, a)) mck_budget_leave_world();
}
