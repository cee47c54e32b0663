// RUN: %unit/test-rma-random
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random executions of three or four ranks: operations, loads and stores, messages (also nonblocking ones whose buffers
// lie in windows, and those of files), collectives, locks, posts and starts, in an order that could have been.
// Completed-before is computed once more from its definition: for each event the set of events that its rank knew to be
// over; what locks and atomic operations may have ordered, by a search over all of them. Every pair that is reported
// must be one that nothing orders, and if there is such a pair, one must be reported. Of a pair that turns order either
// way some run must have both at the same time: all are tried. Operations of others on memory that was freed before are
// reported, too: each of them, and no others. Then once more without what each rank finds to be unshared
// (rma/unshared.h): the findings must be the same.
//   test-rma-random [executions [seed]]
#include <time.h>
#include "fake-log.h"
#include "order/order.h"
#include "rma/unshared.h"
#include "rma/rma.h"

enum {
  RANKS = 4,
  STEPS = 48,
  EVENTS = RANKS * STEPS + 64,
  CELLS = 3,
  FLAG = 3,
  WINDOW_LOCKED = 0,
  WINDOW_EXPOSED = 1,
  WINDOW_FENCED = 2
};
enum what { PUT, GET, SUM, PROD, NOOP, ADD, STORE, LOAD, OTHER }; // ADD: MPI_Fetch_and_op with MPI_SUM on the flag

enum { DISP_UNIT = 2 };
struct event {
  int rank, at; // at: its index among the events of its rank
  uint32_t unit;
  enum what what;
  int window, target, cell;
  uint16_t fn;
  int lock;      // of an operation: 1 exclusive, 2 shared
  int done;      // event that completes it at the target; -1: none
  int local;     // event that completes it at the origin
  int lender;    // of a load or store that is a buffer's: the operation; -1: none
  uint32_t type; // of an accumulate
  int shift;     // where the operation begins in its cell, in units of 2 bytes: elements may overlap in part
  bool is_end;   // of a store: the memory is freed
};
static struct event events[EVENTS];
static int n, nranks, by_rank[RANKS][EVENTS], count[RANKS];
static uint8_t knew[EVENTS][EVENTS]; // [e][x]: x was over when e was issued, as far as its rank knew
static uint8_t knows[RANKS][EVENTS]; // now
static struct fake logs[RANKS];
static int is_locking, spread; // spread: bytes from one cell to the next
static bool has_shapes = true;
static bool all_seen;     // the logs have all loads and stores
static bool is_of_turns;  // short turns of one lock, with little else
static bool has_posted;   // nonblocking messages
static bool is_of_posted; // mostly these, beside few accesses

static uint64_t state;
static uint32_t below(uint32_t k) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % k;
}

static struct event *add(int rank, enum what what, uint16_t fn, uint32_t unit) {
  struct event *e = &events[n];
  *e = (struct event){.rank = rank,
                      .at = count[rank],
                      .unit = unit,
                      .what = what,
                      .fn = fn,
                      .target = -1,
                      .done = -1,
                      .local = -1,
                      .lender = -1};
  memcpy(knew[n], knows[rank], EVENTS);
  by_rank[rank][count[rank]++] = n++;
  return e;
}
// What is known before position at of a rank is known behind an event.
static struct {
  int rank, at, to;
  bool is_fence; // whose ends wait for each other's begin only
} edges[EVENTS * RANKS];
static int nedges;
static void link_to(int from, int is_included, int to) {
  edges[nedges].is_fence = is_included && events[from].fn != MCK_FN_MPI_Win_complete;
  edges[nedges].rank = events[from].rank, edges[nedges].at = events[from].at + is_included, edges[nedges++].to = to;
}
// The event that was added last is over, and its rank learned this.
static void end(int index, const uint8_t *known, int also) {
  int rank = events[index].rank;
  for (int i = 0; known && i < n; i++) knows[rank][i] |= known[i];
  if (also >= 0) knows[rank][also] = 1;
  knows[rank][index] = 1;
}

static struct {
  int origin, target, post, start, stage;
} exposures[RANKS];             // by target; stage 0: none
static int locks[RANKS][RANKS]; // [rank][target]
static struct {
  int sends[EVENTS], first, count;
  int early[EVENTS], nearly, taken; // receives that were posted before their message was sent
} channels[RANKS][RANKS];
// Of a nonblocking message: the event that completes it, and the other side's call (OF_FILE: it is an operation of a
// file); of each send the event that completes its receive; -1: none.
enum { OF_FILE = -2 };
static int waited[EVENTS], other_side[EVENTS], received[EVENTS];
static struct section {
  int is_lock, rank, thing, enter, over, is_exclusive, gives, takes;
} sections[EVENTS]; // events; over -1: not yet
static int nsections, section_of[RANKS][RANKS];

static uint32_t sync_event(int rank, uint16_t fn, int window, int target, uint32_t lock_type, uint32_t assertion) {
  return fake_event(&logs[rank], (struct mck_event){.kind = MCK_EV_SYNC,
                                                    .fn = fn,
                                                    .site = (uint32_t)n,
                                                    .sync = {(uint32_t)window, target, assertion, lock_type, 0}});
}
static void group_event(int rank, uint16_t fn, int other) {
  struct mck_event units[2] = {{.kind = MCK_EV_GROUP, .fn = fn, .site = MCK_NONE, .group = {1, WINDOW_EXPOSED, 1}}};
  memcpy(&units[1], &other, 4);
  fake_units(&logs[rank], units, 2);
}

// Buffers are in use until their operation is complete at its origin.
static void complete_buffers(int rank, int window, int target, int by) {
  for (int i = 0; i < n; i++) {
    const struct event *of = events[i].lender >= 0 ? &events[events[i].lender] : NULL;
    if (of && of->rank == rank && of->window == window && (target < 0 || of->target == target) && events[i].done < 0)
      events[i].done = by;
  }
}

static void complete_ops(int rank, int window, int target, int by, int is_local) {
  for (int i = 0; i < n; i++) {
    struct event *e = &events[i];
    if (e->rank != rank || e->what > ADD || e->window != window || (target >= 0 && e->target != target)) continue;
    bool brings = e->what == GET || e->what == NOOP || e->what == ADD;
    if (e->local < 0) e->local = by;
    if (e->done < 0 && (!is_local || brings)) e->done = by;
  }
  complete_buffers(rank, window, target, by);
}

static void operate(int rank, int window, int target, int lock) {
  static const uint8_t kinds[] = {MCK_EV_PUT, MCK_EV_GET, MCK_EV_ACC, MCK_EV_ACC, MCK_EV_ACC, MCK_EV_ACC};
  static const uint8_t ops[] = {0, 0, MCK_OP_SUM, MCK_OP_PROD, MCK_OP_NO_OP, MCK_OP_SUM};
  enum what what = below(is_locking && window == WINDOW_LOCKED ? 6 : 5);
  int cell = what == ADD ? FLAG : (int)below(CELLS);
  uint32_t type = what == SUM && !below(3) ? MCK_BASIC_FLOAT : MCK_BASIC_INT;
  // Elements of other sizes, and elements that begin within another one. All lie in the 8 bytes of the cell.
  uint32_t shape = what < NOOP && has_shapes ? below(6) : 2;
  if (shape == 0) type = MCK_BASIC_DOUBLE;
  int shift = shape == 1;
  uint64_t disp = (uint64_t)(cell * spread / DISP_UNIT + shift);
  uint32_t unit = fake_rma(&logs[rank], kinds[what], ops[what], (uint32_t)n, (uint32_t)window, target, disp, 1, type);
  if (what >= NOOP) fake_at(&logs[rank], unit)->fn = MCK_FN_MPI_Fetch_and_op;
  struct event *e = add(rank, what, 0, unit);
  e->window = window, e->target = target, e->cell = cell, e->lock = lock, e->type = type, e->shift = shift;
  if (what >= SUM)
    sections[nsections++] = (struct section){
        0, rank, 1000 + window * 100 + target * 10 + cell, n - 1, -1, 1, what != NOOP, what >= NOOP};
  knows[rank][n - 1] = 0; // issued, not over
  if (below(4)) return;
  // Its buffer lies in a window, too.
  int op = n - 1, lent = (int)below(2), at = (int)below(CELLS), is_store = what == GET || what >= NOOP;
  unit = fake_access(&logs[rank], (uint8_t)(MCK_ACCESS_BUFFER | (is_store ? MCK_ACCESS_STORE : 0)), (uint32_t)n,
                     (uint32_t)lent, (uint64_t)(at * spread), 4, 1, 0);
  e = add(rank, is_store ? STORE : LOAD, 0, unit);
  e->window = lent, e->target = rank, e->cell = at, e->lock = lent == WINDOW_LOCKED ? locks[rank][rank] : 0,
  e->lender = op;
  knows[rank][n - 1] = 0;
}

// For test-rma-cut: how many cuts are before an event.
static void (*after_barrier)(void);
static int (*part_of)(int event);

static void collective(int kind) {
  int first = n, root = (int)below((uint32_t)nranks);
  uint8_t all[EVENTS] = {0};
  for (int r = 0; r < nranks; r++) {
    uint32_t unit = kind == 0   ? fake_collective(&logs[r], MCK_FN_MPI_Barrier, (uint32_t)n, 0, -1)
                    : kind == 1 ? fake_fence(&logs[r], (uint32_t)n, WINDOW_FENCED)
                                : fake_event(&logs[r],
                                             (struct mck_event){.kind = MCK_EV_COLL,
                                                                .fn = MCK_FN_MPI_Bcast,
                                                                .site = (uint32_t)n,
                                                                .flags = r == root ? MCK_COLL_SENDS : MCK_COLL_RECEIVES,
                                                                .coll = {0, root, 0, MCK_BASIC_INT, 1}});
    add(r, OTHER, 0, unit);
    for (int i = 0; i < n; i++) all[i] |= kind < 2 ? knew[n - 1][i] : 0;
    if (kind == 2 && r == root) memcpy(all, knew[n - 1], EVENTS);
  }
  for (int r = 0; r < nranks; r++) {
    end(first + r, kind == 2 && r == root ? NULL : all, -1);
    for (int k = 0; kind == 1 && k < nranks; k++) end(first + r, NULL, first + k);
    for (int k = 0; k < nranks; k++)
      if (k != r && (kind < 2 || k == root)) link_to(first + k, kind == 1, first + r);
  }
  if (kind == 0 && after_barrier) after_barrier();
}

// The call that was added last sends. It goes to the first receive that waits for it.
static void send_to(int rank, int other) {
  int call = n - 1, receive;
  other_side[call] = received[call] = -1;
  if (channels[rank][other].taken == channels[rank][other].nearly) {
    channels[rank][other].sends[channels[rank][other].count++] = call;
    return;
  }
  receive = channels[rank][other].early[channels[rank][other].taken++];
  other_side[call] = receive, other_side[receive] = call;
}

static void message(int rank) {
  int other = (int)below((uint32_t)nranks);
  if (other == rank) return;
  if (below(2)) {
    uint32_t unit = fake_send(&logs[rank], MCK_FN_MPI_Send, (uint32_t)n, 0, other, 1, MCK_BASIC_INT, 1);
    add(rank, OTHER, 0, unit);
    send_to(rank, other);
    end(n - 1, NULL, -1);
    return;
  }
  if (channels[other][rank].first == channels[other][rank].count) return;
  int send = channels[other][rank].sends[channels[other][rank].first++];
  uint32_t unit = fake_recv(&logs[rank], MCK_FN_MPI_Recv, (uint32_t)n, 0, other, 1, MCK_BASIC_INT, 1);
  add(rank, OTHER, 0, unit);
  end(n - 1, knew[send], -1);
  link_to(send, 0, n - 1);
  received[send] = n - 1;
}

// Nonblocking messages with a buffer in a window.
static struct posted {
  int rank, call, buffer, is_receive; // events
} posted[EVENTS];
static int nposted;

// The call is the event that was added last.
static void add_buffer(int rank, bool is_store, uint16_t fn) {
  int call = n - 1, lent = (int)below(2), at = (int)below(CELLS);
  uint8_t flags = (uint8_t)(MCK_ACCESS_BUFFER | MCK_ACCESS_MESSAGE | (is_store ? MCK_ACCESS_STORE : 0));
  uint32_t unit = fake_access(&logs[rank], flags, (uint32_t)n, (uint32_t)lent, (uint64_t)(at * spread), 4, 1, 1 + fn);
  struct event *e = add(rank, is_store ? STORE : LOAD, 0, unit);
  e->window = lent, e->target = rank, e->cell = at, e->lock = lent == WINDOW_LOCKED ? locks[rank][rank] : 0,
  e->lender = call;
  knows[rank][n - 1] = 0;
  posted[nposted++] = (struct posted){rank, call, n - 1, is_store};
}

static void post_file(int rank) {
  bool is_read = below(2);
  uint16_t fn = is_read ? MCK_FN_MPI_File_iread : MCK_FN_MPI_File_iwrite;
  struct mck_event e = {.kind = MCK_EV_PAD, .fn = fn, .site = (uint32_t)n};
  add(rank, OTHER, 0, fake_event(&logs[rank], e))->window = -1;
  waited[n - 1] = received[n - 1] = -1, other_side[n - 1] = OF_FILE;
  end(n - 1, NULL, -1);
  add_buffer(rank, is_read, fn);
}

static void post_message(int rank) {
  int other = (int)below((uint32_t)nranks), is_receive = (int)below(2), send = -1;
  if (other == rank) {
    post_file(rank);
    return;
  }
  uint8_t kind = is_receive ? MCK_EV_RECV : MCK_EV_SEND,
          flags = MCK_FLAG_NONBLOCKING | (is_receive ? MCK_FLAG_MATCHED : 0);
  uint16_t fn = is_receive ? MCK_FN_MPI_Irecv : MCK_FN_MPI_Isend;
  if (!is_receive) send = -1;
  else if (channels[other][rank].first < channels[other][rank].count)
    send = channels[other][rank].sends[channels[other][rank].first++];
  else channels[other][rank].early[channels[other][rank].nearly++] = n;
  add(rank, OTHER, 0, fake_message(&logs[rank], kind, flags, fn, (uint32_t)n, 0, other, 1, MCK_BASIC_INT, 1))
      ->window = -1;
  waited[n - 1] = -1, other_side[n - 1] = send, received[n - 1] = -1;
  if (send >= 0) other_side[send] = n - 1;
  if (!is_receive) send_to(rank, other);
  end(n - 1, NULL, -1);
  add_buffer(rank, is_receive, fn);
}

static void wait_for_one(int rank) {
  for (int i = 0; i < nposted; i++) {
    struct posted p = posted[i];
    int send = p.is_receive ? other_side[p.call] : -1;
    if (p.rank != rank || below(2) || (p.is_receive && send == -1)) continue;
    struct mck_event e = {.kind = MCK_EV_WAIT, .fn = MCK_FN_MPI_Wait, .site = (uint32_t)n, .wait = {0, 1, {0}}};
    e.wait.request[0] = events[p.call].unit;
    add(rank, OTHER, 0, fake_event(&logs[rank], e));
    end(n - 1, send >= 0 ? knew[send] : NULL, -1);
    if (send >= 0) link_to(send, 0, n - 1), received[send] = n - 1;
    events[p.buffer].done = waited[p.call] = n - 1;
    posted[i] = posted[--nposted];
    return;
  }
}

// The next of post, start, operations, complete, wait between a target and its origin of the moment.
static void expose(int target) {
  int origin = exposures[target].origin;
  switch (exposures[target].stage) {
  case 0:
    origin = (int)below((uint32_t)nranks);
    for (int t = 0; t < nranks; t++)
      if (exposures[t].stage > 1 && exposures[t].stage < 3 && exposures[t].origin == origin) return;
    if (origin == target) return;
    for (int t = 0; t < nranks; t++)
      if (exposures[t].stage && exposures[t].origin == origin) return;
    add(target, OTHER, MCK_FN_MPI_Win_post, sync_event(target, MCK_FN_MPI_Win_post, WINDOW_EXPOSED, -1, 0, 0));
    group_event(target, MCK_FN_MPI_Win_post, origin);
    end(n - 1, NULL, -1);
    exposures[target].origin = origin, exposures[target].post = n - 1, exposures[target].stage = 1;
    return;
  case 1:
    add(origin, OTHER, MCK_FN_MPI_Win_start, sync_event(origin, MCK_FN_MPI_Win_start, WINDOW_EXPOSED, -1, 0, 0));
    group_event(origin, MCK_FN_MPI_Win_start, target);
    end(n - 1, knew[exposures[target].post], -1);
    link_to(exposures[target].post, 0, n - 1);
    exposures[target].stage = 2;
    return;
  case 2:
    if (below(3)) {
      operate(origin, WINDOW_EXPOSED, target, 0);
      return;
    }
    add(origin, OTHER, MCK_FN_MPI_Win_complete, sync_event(origin, MCK_FN_MPI_Win_complete, WINDOW_EXPOSED, -1, 0, 0));
    end(n - 1, NULL, -1);
    complete_buffers(origin, WINDOW_EXPOSED, target, n - 1);
    for (int i = 0; i < n; i++)
      if (events[i].rank == origin && events[i].what <= ADD && events[i].window == WINDOW_EXPOSED &&
          events[i].target == target && events[i].local < 0)
        events[i].local = n - 1;
    exposures[target].start = n - 1, exposures[target].stage = 3;
    return;
  default: {
    add(target, OTHER, MCK_FN_MPI_Win_wait, sync_event(target, MCK_FN_MPI_Win_wait, WINDOW_EXPOSED, -1, 0, 0));
    int complete = exposures[target].start;
    end(n - 1, knew[complete], complete);
    link_to(complete, 1, n - 1);
    complete_ops(origin, WINDOW_EXPOSED, target, n - 1, false);
    exposures[target].stage = 0;
  }
  }
}

static bool may_lock(int target, int kind) {
  for (int r = 0; r < nranks; r++)
    if (locks[r][target] && (kind == 1 || locks[r][target] == 1)) return false;
  return true;
}

static void lock_or_use(int rank) {
  int target = is_of_turns ? 0 : (int)below((uint32_t)nranks), kind = is_locking && below(2) ? 1 : 2;
  if (!locks[rank][target]) {
    if (!may_lock(target, kind)) return;
    add(rank, OTHER, MCK_FN_MPI_Win_lock,
        sync_event(rank, MCK_FN_MPI_Win_lock, WINDOW_LOCKED, target, (uint32_t)kind, 0));
    end(n - 1, NULL, -1);
    locks[rank][target] = kind;
    section_of[rank][target] = nsections;
    sections[nsections++] = (struct section){1, rank, target, n - 1, -1, kind == 1, 1, 1};
    return;
  }
  uint32_t way = is_of_turns ? 3 + below(5) : below(8);
  if (way < 4) operate(rank, WINDOW_LOCKED, target, locks[rank][target]);
  else if (way < 5 || way == 7) {
    add(rank, OTHER, 0, sync_event(rank, MCK_FN_MPI_Win_unlock, WINDOW_LOCKED, target, 0, 0));
    complete_ops(rank, WINDOW_LOCKED, target, n - 1, false);
    end(n - 1, NULL, -1);
    sections[section_of[rank][target]].over = n - 1;
    locks[rank][target] = 0;
  } else {
    uint16_t fn = way == 5 ? MCK_FN_MPI_Win_flush : MCK_FN_MPI_Win_flush_local;
    add(rank, OTHER, 0, sync_event(rank, fn, WINDOW_LOCKED, target, 0, 0));
    complete_ops(rank, WINDOW_LOCKED, target, n - 1, fn == MCK_FN_MPI_Win_flush_local);
    end(n - 1, NULL, -1);
  }
}

static void touch(int rank) {
  int window = (int)below(2), cell = (int)below(CELLS), is_store = (int)below(2);
  bool is_end = is_store && !below(3);
  uint8_t flags = (uint8_t)((is_store ? MCK_ACCESS_STORE : 0) | (is_end ? MCK_ACCESS_FREED : 0));
  uint32_t unit = fake_access(&logs[rank], flags, (uint32_t)n, (uint32_t)window, (uint64_t)(cell * spread), 4, 1, 0);
  struct event *e = add(rank, is_store ? STORE : LOAD, 0, unit);
  e->window = window, e->target = rank, e->cell = cell, e->done = n - 1, e->is_end = is_end,
  e->lock = window == WINDOW_LOCKED ? locks[rank][rank] : 0;
  end(n - 1, NULL, -1);
}

static void execute(void) {
  n = nsections = nedges = nposted = 0;
  nranks = 3 + (int)below(2);
  is_locking = (int)below(2);
  all_seen = is_locking && !part_of && below(2);
  is_of_turns = all_seen && below(2);
  is_of_posted = has_posted && !is_of_turns && !below(4);
  spread = (int[]){8, 64, 4096}[below(3)];
  memset(count, 0, sizeof count), memset(knows, 0, sizeof knows), memset(exposures, 0, sizeof exposures);
  memset(locks, 0, sizeof locks), memset(channels, 0, sizeof channels);
  for (int r = 0; r < nranks; r++) {
    fake_begin(&logs[r], (uint32_t)r, (uint32_t)nranks);
    // Windows that overlap would be another matter. Cells are 8 bytes apart, or more: what atomic operations are about
    // is told apart by that.
    for (uint32_t w = 0; w < 3; w++) {
      struct mck_win_body body = {77 + w, 0x10010 + w * (uint64_t)spread * 8, (uint64_t)spread * 8};
      fake_define(&logs[r], MCK_EV_DEF_WIN, w, 0, DISP_UNIT, 1, 0, &body, sizeof body, NULL, 0);
    }
  }
  int steps = 8 + (int)below(STEPS - 8);
  for (int i = 0; i < steps && n < EVENTS - 16; i++) {
    int rank = (int)below((uint32_t)nranks);
    uint32_t way = is_of_posted && below(2) ? 14 : below(20);
    if (way < (is_of_turns ? 18 : 9)) lock_or_use(rank);
    else if (way < 12) expose(rank);
    else if (way < 14) touch(rank);
    else if (way < 19 && has_posted && (is_of_posted || below(2))) below(2) ? post_message(rank) : wait_for_one(rank);
    else if (way < 19) message(rank);
    else collective((int)below(3));
  }
  // What no call completes may be over. A send is, for who has heard of the end of its receive.
  for (int i = 0; i < nposted; i++) {
    int call = posted[i].call, is_received = !posted[i].is_receive && received[call] >= 0;
    events[posted[i].buffer].done = is_received ? received[call] : call;
  }
}

// --- the reference ---
static bool is_writing(enum what w) { return w == PUT || w == SUM || w == PROD || w == ADD || w == STORE; }
static bool is_conflict(const struct event *a, const struct event *b) {
  bool local_a = a->what >= STORE, local_b = b->what >= STORE, acc_a = a->what >= SUM && a->what <= ADD,
       acc_b = b->what >= SUM && b->what <= ADD;
  if (a->what == OTHER || b->what == OTHER || a->window != b->window || a->target != b->target || a->cell != b->cell)
    return false;
  if (local_a && local_b) return false;
  if (a->rank == b->rank && (a->lender >= 0 || b->lender >= 0)) return false;
  if (!is_writing(a->what) && !is_writing(b->what)) return false;
  if (acc_a && acc_b && (a->type != b->type || a->shift != b->shift)) return true;
  if (acc_a && acc_b)
    return a->rank != b->rank && (a->what == PROD) != (b->what == PROD) && a->what != NOOP && b->what != NOOP;
  return true;
}

static bool is_before(int a, int b) { return events[a].done >= 0 && knew[b][events[a].done]; }

static bool is_written_by_others(const struct event *e) {
  for (int i = 0; i < n; i++)
    if (events[i].rank != e->rank && is_writing(events[i].what) && events[i].window == e->window &&
        events[i].target == e->target && events[i].cell == e->cell)
      return true;
  return false;
}

// The holder of a lock learns of others by what it reads: the position from which on it may have done so, before the
// section is over; -1: never. The logs have all loads and stores. is_exact: bytes that nobody else writes tell nothing.
static int heard_position(const struct section *t, bool is_exact) {
  int first = -1, end = t->over >= 0 ? events[t->over].at : EVENTS;
  for (int i = events[t->enter].at + 1; i < count[t->rank] && i < end; i++) {
    const struct event *e = &events[by_rank[t->rank][i]];
    bool brings = e->what == GET || e->what == NOOP || e->what == ADD;
    if ((!brings && e->what != LOAD) || (is_exact && !is_written_by_others(e))) continue;
    int position = i;
    if (brings && e->local >= 0 && events[e->local].at <= end) position = events[e->local].at + 1;
    if (e->what == LOAD)
      while (events[by_rank[t->rank][position - 1]].what >= STORE &&
             events[by_rank[t->rank][position - 1]].what <= LOAD)
        position--;
    if (first < 0 || position < first) first = position;
  }
  return first;
}

// May a have been over before b, by sections whose order only the run knew? is_read: not by the mere turns of a lock,
// but by what its holders read. Over positions: [rank][i] is "before its i-th event".
enum way { TURNS, READS, EXACT_READS };
static bool may_be_before(int a, int b, enum way way) {
  static uint8_t reached[RANKS][EVENTS];
  if (events[a].done < 0) return false;
  memset(reached, 0, sizeof reached);
  const struct event *done = &events[events[a].done];
  reached[done->rank][done->at + 1] = 1;
  for (bool moved = true; moved;) {
    moved = false;
#define REACH(r, i)                                                                                                    \
  do {                                                                                                                 \
    if ((i) <= count[r] && !reached[r][i]) reached[r][i] = moved = 1;                                                  \
  } while (0)
    for (int r = 0; r < nranks; r++)
      for (int i = 0; i < count[r]; i++)
        if (reached[r][i]) REACH(r, i + 1);
    // What leaves the rank of b behind b does not come back before it.
    for (int i = 0; i < nedges; i++)
      if (edges[i].rank != events[b].rank && reached[edges[i].rank][edges[i].at])
        REACH(events[edges[i].to].rank, events[edges[i].to].at + 1);
    for (int i = 0; i < nsections; i++)
      for (int j = 0; j < nsections; j++) {
        const struct section *g = &sections[i], *t = &sections[j];
        if (g->rank == events[b].rank || g->rank == t->rank || g->thing != t->thing || g->is_lock != t->is_lock ||
            !(g->is_exclusive || t->is_exclusive) || !g->gives || !t->takes)
          continue;
        // What the giver did before its unlock, that one included; before its atomic operation.
        int given = g->is_lock ? g->over : g->enter;
        if (given < 0) continue;
        int position = events[given].at + (g->is_lock ? 1 : 0);
        if (!reached[g->rank][position]) continue;
        int over = t->is_lock ? t->over : events[t->enter].done;
        int begin = t->is_lock ? t->enter
                    : events[t->enter].done >= 0 && events[events[t->enter].done].rank == t->rank
                        ? events[t->enter].done
                        : -1;
        if (begin < 0) continue;
        // All that is searched comes behind a, also on its own rank. It was over before the giver began.
        if (t->rank == done->rank) continue;
        if (over >= 0 && events[over].rank == t->rank && knew[g->enter][over]) continue;
        // What was over before a cut does not come behind what ended after it.
        if (part_of && over >= 0 && part_of(over) < part_of(given)) continue;
        int to = events[begin].at + 1;
        // If the giver has read something before a, it may have learned that the taker had not been there.
        int read = t->is_lock ? heard_position(g, way == EXACT_READS) : -1;
        int began = events[a].rank == done->rank ? events[a].at : done->at;
        bool has_read = read >= 0 && (g->rank != done->rank || read - 1 < began);
        if (t->is_lock && way != TURNS && all_seen && !has_read && !knew[t->enter][g->enter]) {
          if ((to = heard_position(t, way == EXACT_READS)) < 0) continue;
        }
        while (part_of && to < count[t->rank] && part_of(by_rank[t->rank][to]) < part_of(given))
          to++; // it is not known to others before the cut
        REACH(t->rank, to);
      }
  }
  return reached[events[b].rank][events[b].at];
}

// --- may two accesses meet that turns order either way? All runs of the same events are tried: at[r] of rank r have
// been. What a turn has read, it reads in each of them. ---
enum { STATES = 1 << 22 };
static uint8_t was_there[STATES];
static int meet_a, meet_b;
static enum way meet_way;

static bool is_at(const int at[RANKS], int e) { return at[events[e].rank] >= events[e].at; }
static bool has_been(const int at[RANKS], int e) { return e >= 0 && at[events[e].rank] > events[e].at; }
static bool is_about_one(const struct section *x, const struct section *y) {
  return x->is_lock && y->is_lock && x->rank != y->rank && x->thing == y->thing && (x->is_exclusive || y->is_exclusive);
}

static bool may_go_on(const int at[RANKS], int e) {
  for (int i = 0; i < nedges; i++)
    if (edges[i].to == e && at[edges[i].rank] < edges[i].at - edges[i].is_fence) return false;
  for (int i = 0; i < nsections; i++) {
    const struct section *t = &sections[i];
    if (!t->is_lock || t->rank != events[e].rank) continue;
    int heard = all_seen ? heard_position(t, meet_way == EXACT_READS) : events[t->enter].at + 1;
    bool has_heard = heard == events[e].at + 1;
    for (int k = 0; k < nsections; k++) {
      const struct section *g = &sections[k];
      if (!is_about_one(g, t)) continue;
      if (t->enter == e && has_been(at, g->enter) && !has_been(at, g->over)) return false;
      if (has_heard && has_been(at, g->over) != (g->over >= 0 && g->over < t->enter)) return false;
    }
  }
  return true;
}

static bool reaches_both(int at[RANKS]) {
  int state_of = 0;
  for (int r = 0; r < nranks; r++) state_of = state_of * (count[r] + 1) + at[r];
  if (was_there[state_of]) return false;
  was_there[state_of] = 1;
  if (has_been(at, events[meet_a].done) || has_been(at, events[meet_b].done)) return false;
  if (is_at(at, meet_a) && is_at(at, meet_b)) return true;
  for (int r = 0; r < nranks; r++) {
    if (at[r] == count[r] || !may_go_on(at, by_rank[r][at[r]])) continue;
    at[r]++;
    bool is_reached = reaches_both(at);
    at[r]--;
    if (is_reached) return true;
  }
  return false;
}

static uint64_t nmeetings;
static bool can_meet(int a, int b, enum way way) {
  uint64_t states = 1;
  for (int r = 0; r < nranks; r++) states *= (uint64_t)count[r] + 1;
  if (states > STATES) return nmeetings++, true; // too many to try
  memset(was_there, 0, states);
  meet_a = a, meet_b = b, meet_way = way, nmeetings++;
  return reaches_both((int[RANKS]){0});
}

// is_either: some turns have one of them first, and some the other.
static bool is_unordered(int a, int b, enum way way, bool *is_either) {
  if (!is_conflict(&events[a], &events[b]) || is_before(a, b) || is_before(b, a)) return false;
  bool is_excluded = events[a].rank != events[b].rank && events[a].lock && events[b].lock &&
                     (events[a].lock == 1 || events[b].lock == 1);
  *is_either = may_be_before(a, b, TURNS) && may_be_before(b, a, TURNS);
  return !is_excluded && !may_be_before(a, b, way) && !may_be_before(b, a, way);
}
static bool is_race(int a, int b) {
  bool is_either;
  return is_unordered(a, b, READS, &is_either) && !is_either;
}
static bool may_be_told(int a, int b, enum way way) {
  bool is_either;
  return is_unordered(a, b, way, &is_either) && (!is_either || can_meet(a, b, way));
}

// b is an operation of another rank on memory that a freed before.
static bool is_too_late(int a, int b) {
  const struct event *end = &events[a], *op = &events[b];
  return end->is_end && op->what <= ADD && end->rank != op->rank && end->window == op->window &&
         end->target == op->target && end->cell == op->cell && is_before(a, b);
}
static bool is_of_freed(const struct mck_finding *f) { return f->check == MCK_CHECK_RMA_WINDOW_MEMORY_FREED; }
static uint64_t nfreed;
static bool is_each_too_late(uint64_t seed, const struct mck_findings *found) {
  uint64_t expected = 0, told = 0;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) expected += is_too_late(a, b);
  for (size_t i = 0; i < found->count; i++) {
    const struct mck_place *p = found->items[i].places;
    if (!is_of_freed(&found->items[i])) continue;
    told++;
    if (is_too_late((int)p[1].site, (int)p[0].site)) continue;
    printf("seed %llu: event %u is not behind the end %u\n", (unsigned long long)seed, p[0].site, p[1].site);
    return false;
  }
  nfreed += told;
  if (told != expected)
    printf("seed %llu: %llu operations on freed memory, %llu found\n", (unsigned long long)seed,
           (unsigned long long)expected, (unsigned long long)told);
  return told == expected;
}

// --- without what is unshared ---
static uint64_t left_out;
static void reduce_logs(const struct mck_reader *readers, struct mck_reader *reduced, void **memory) {
  struct mck_unshared_window *windows = NULL, *of_one;
  struct mck_unshared *unshared[RANKS];
  struct mck_unshared_bytes packed[RANKS][RANKS], answers[RANKS][RANKS]; // [owner][rank]
  size_t total = 0, capacity = 0, some;
  const char *why;
  for (int r = 0; r < nranks; r++) {
    uint8_t flags[8] = {0};
    for (uint64_t i = 0; i < readers[r].units; i += mck_event_units(&readers[r].events[i])) {
      const struct mck_event *e = &readers[r].events[i];
      if ((e->kind == MCK_EV_SYNC || e->kind == MCK_EV_FENCE || e->kind == MCK_EV_ACCESS) && e->word[0] < 8)
        flags[e->word[0]] |= mck_unshared_note(e);
    }
    if (!mck_unshared_windows(&readers[r], flags, &of_one, &some)) abort();
    for (size_t i = 0; i < some; i++)
      if (!MCK_PUSH(windows, total, capacity, of_one[i])) abort();
    free(of_one);
  }
  for (int r = 0; r < nranks; r++) {
    if (!(unshared[r] = mck_unshared_open(&readers[r], windows, total, (uint32_t)nranks))) abort();
    for (int o = 0; o < nranks; o++)
      if (!mck_unshared_pack(unshared[r], (uint32_t)o, &packed[o][r])) abort();
  }
  for (int o = 0; o < nranks; o++)
    if (!mck_unshared_answer(packed[o], (uint32_t)nranks, answers[o])) abort();
  for (int r = 0; r < nranks; r++) {
    for (int o = 0; o < nranks; o++)
      mck_unshared_take_answer(unshared[r], (uint32_t)o, answers[o][r].data, answers[o][r].size);
    memory[r] = aligned_alloc(64, (MCK_LOG_HEADER + readers[r].units * MCK_UNIT + 63) / 64 * 64);
    uint64_t units = mck_unshared_reduce(unshared[r], memory[r]);
    left_out += readers[r].units - units;
    if (!units || mck_log_load_memory(&reduced[r], memory[r], MCK_LOG_HEADER + units * MCK_UNIT, &why) ||
        reduced[r].damaged != UINT64_MAX)
      abort();
    mck_unshared_close(unshared[r]);
    for (int o = 0; o < nranks; o++) free(packed[o][r].data), free(answers[o][r].data);
  }
  free(windows);
}

static bool is_same_finding(const struct mck_finding *a, const struct mck_finding *b) {
  if (a->check != b->check || a->count != b->count || a->nplaces != b->nplaces || strcmp(a->text, b->text))
    return false;
  for (uint32_t i = 0; i < a->nplaces; i++)
    if (a->places[i].rank != b->places[i].rank || a->places[i].site != b->places[i].site) return false;
  return true;
}

static bool is_same_when_reduced(const struct mck_reader *readers, const struct mck_findings *found) {
  struct mck_reader reduced[RANKS];
  void *memory[RANKS];
  struct mck_pairs pairs;
  struct mck_findings again = {0};
  reduce_logs(readers, reduced, memory);
  if (!mck_pairs_make(&pairs, reduced, (size_t)nranks, true)) abort();
  mck_rma_judge(reduced, (size_t)nranks, &pairs, 0, MCK_RMA_EPOCHS, &again);
  // A holder that reads bytes which nobody else writes learns nothing. These reads are not in the reduced log.
  bool is_same = all_seen ? again.count >= found->count : again.count == found->count;
  for (size_t i = 0; is_same && i < again.count; i++) {
    const struct mck_place *p = again.items[i].places;
    if (is_of_freed(&again.items[i])) continue;
    is_same = all_seen ? p[0].site < (uint32_t)n && p[1].site < (uint32_t)n &&
                             may_be_told((int)p[0].site, (int)p[1].site, EXACT_READS)
                       : is_same_finding(&again.items[i], &found->items[i]);
  }
  for (int r = 0; r < nranks; r++) mck_log_unload(&reduced[r]), free(memory[r]);
  mck_findings_free(&again);
  mck_pairs_free(&pairs);
  return is_same;
}

static int compare(uint64_t seed, uint64_t *races) {
  struct mck_reader readers[RANKS];
  struct mck_pairs pairs;
  struct mck_findings found = {0};
  int bad = 0;
  for (int r = 0; r < nranks; r++) logs[r].header->has_all_accesses = all_seen, fake_load(&logs[r], &readers[r]);
  if (!mck_pairs_make(&pairs, readers, (size_t)nranks, true)) abort();
  mck_rma_judge(readers, (size_t)nranks, &pairs, 0, MCK_RMA_EPOCHS, &found);
  static uint8_t is_true[EVENTS][EVENTS];
  int expected = 0;
  uint64_t nraces = 0;
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++) expected += is_true[a][b] = is_true[b][a] = is_race(a, b);
  for (size_t i = 0; i < found.count; i++) {
    uint32_t a = found.items[i].places[0].site, b = found.items[i].places[1].site;
    if (is_of_freed(&found.items[i])) continue;
    nraces++;
    if (found.items[i].nplaces >= 2 && a < (uint32_t)n && b < (uint32_t)n &&
        (is_true[a][b] || may_be_told((int)a, (int)b, READS)))
      continue;
    printf("seed %llu: not a race: %s, events %u of rank %d and %u of rank %d\n", (unsigned long long)seed,
           found.items[i].text, a, found.items[i].places[0].rank, b, found.items[i].places[1].rank);
    bad = 1;
  }
  if (!is_each_too_late(seed, &found)) bad = 1;
  if (expected && !nraces) bad = 1, printf("seed %llu: %d races, none found\n", (unsigned long long)seed, expected);
  if (!is_same_when_reduced(readers, &found))
    bad = 1, printf("seed %llu: other findings without what is unshared\n", (unsigned long long)seed);
  *races += nraces;
  mck_findings_free(&found);
  mck_pairs_free(&pairs);
  for (int r = 0; r < nranks; r++) fake_end(&logs[r], &readers[r]);
  return bad;
}

int main(int argc, char **argv) {
  uint64_t executions = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000,
           seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) << 20;
  uint64_t races = 0, events_made = 0;
  int bad = 0;
  has_posted = true;
  printf("%llu executions from seed %llu\n", (unsigned long long)executions, (unsigned long long)seed);
  for (uint64_t i = 0; i < executions && bad < 5; i++) {
    state = (seed + i) * 0x9e3779b97f4a7c15u;
    below(2), below(2);
    execute();
    events_made += (uint64_t)n;
    bad += compare(seed + i, &races);
  }
  printf("%llu events, %llu races, of which %llu in turns either way, %llu operations on freed memory, %llu units were "
         "unshared\n",
         (unsigned long long)events_made, (unsigned long long)races, (unsigned long long)nmeetings,
         (unsigned long long)nfreed, (unsigned long long)left_out);
  return bad != 0;
}
