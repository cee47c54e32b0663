// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass over the own log. It notes for each window, target and page of its memory which parts are touched and
// written. By bits of 8 bytes it notes what the operations since the last completion (flush, unlock, fence:
// MPI-3.1 11.5) did. So conflicts between the process's own operations are found here, and those parts are kept. Linear
// in events; a page costs a quarter of a kilobyte.
#include "rma/unshared.h"
#include <stdlib.h>
#include <string.h>
#include "standard/epoch-call.h"
#include "log/signature.h"
#include "order/order.h"
#include "rma/unshared-state.h"
#include "rma/rma-run.h"
#include "standard/constants.h"
#include "standard/function.h"

enum { PAGES_MAX = 1 << 17, PIECES_MAX = 1 << 16, LARGE = 64 * UNSHARED_PAGE };

// --- what is touched, page by page ---
struct mck_unshared_page *mck_unshared_find_page(struct mck_unshared *l, uint32_t win, uint32_t target,
                                                 uint64_t number) {
  uint32_t *cached = &l->cache[(number ^ target * 31u ^ win) % UNSHARED_CACHE], slot, id;
  if (*cached) {
    struct mck_unshared_page *p = &l->pages[*cached - 1];
    if (p->number == number && p->target == target && p->win == win) return p;
  }
  uint64_t hash = mck_table_mix(number, (uint64_t)win << 32 | target);
  MCK_TABLE_EACH (&l->page_table, hash, slot, id) {
    struct mck_unshared_page *p = &l->pages[id];
    if (p->number == number && p->target == target && p->win == win) return *cached = id + 1, p;
  }
  return NULL;
}

static struct mck_unshared_page *make_page(struct mck_unshared *l, uint32_t win, uint32_t target, uint64_t number) {
  struct mck_unshared_page *p = mck_unshared_find_page(l, win, target, number);
  if (p || l->npages >= PAGES_MAX) return p;
  struct mck_unshared_page new = {.number = number, .win = win, .target = target};
  if (!MCK_PUSH(l->pages, l->npages, l->pages_capacity, new)) return NULL;
  if (!mck_table_add(&l->page_table, mck_table_mix(number, (uint64_t)win << 32 | target), (uint32_t)l->npages - 1))
    return l->npages--, NULL;
  return &l->pages[l->npages - 1];
}

// The bytes of own operations that are not complete, and that this one conflicts with.
static inline uint64_t clash_of(const struct mck_unshared_page *p, unsigned word, const struct mck_unshared_step *s) {
  switch (s->kind) {
  case MCK_CONFLICT_GET:
  case MCK_CONFLICT_LOAD: return p->put[word] | p->acc[word];
  case MCK_CONFLICT_ACCUMULATE: return p->get[word] | p->put[word] | (p->code == s->code ? 0 : p->acc[word]);
  default: return p->get[word] | p->put[word] | p->acc[word];
  }
}

static inline void touch_word(struct mck_unshared_page *p, const struct mck_unshared_step *s, unsigned word,
                              uint64_t cells) {
  uint64_t clash = clash_of(p, word, s) & cells;
  for (unsigned part = 0; __builtin_expect(clash != 0, 0) && part < 8; part++)
    if (clash >> (part * 8) & 0xff) p->kept |= (uint64_t)1 << (word * 8 + part);
  // Loads and stores are complete at once: what comes behind them is ordered.
  if (s->kind == MCK_CONFLICT_PUT) p->put[word] |= cells;
  else if (s->kind == MCK_CONFLICT_GET) p->get[word] |= cells;
  else if (s->kind == MCK_CONFLICT_ACCUMULATE) p->acc[word] |= cells;
}

static inline void touch_page(struct mck_unshared_page *p, const struct mck_unshared_step *s, uint64_t low,
                              uint64_t high) {
  uint64_t parts = mck_unshared_parts(low, high);
  p->touched |= parts;
  if (s->is_writing) p->written |= parts;
  if (__builtin_expect(p->stamp != s->stamp, 0)) {
    p->stamp = s->stamp, p->code = 0;
    memset(p->get, 0, sizeof p->get), memset(p->put, 0, sizeof p->put), memset(p->acc, 0, sizeof p->acc);
  }
  if (s->kind == MCK_CONFLICT_ACCUMULATE && p->code != s->code) p->code = p->code ? UNSHARED_MIXED : s->code;
  unsigned first = (unsigned)(low % UNSHARED_PAGE / 8), last = (unsigned)((high - 1) % UNSHARED_PAGE / 8);
  if (first / 64 == last / 64) {
    touch_word(p, s, first / 64, mck_unshared_mask(first % 64, last % 64));
    return;
  }
  for (unsigned word = first / 64; word <= last / 64; word++)
    touch_word(p, s, word, mck_unshared_mask(word == first / 64 ? first % 64 : 0, word == last / 64 ? last % 64 : 63));
}

static bool add_range(struct mck_unshared *l, uint32_t owner, uint64_t low, uint64_t high) {
  // Addresses in dynamic windows are not shifted.
  low = low > UNSHARED_PART ? low - UNSHARED_PART : 0,
  high = high < UINT64_MAX - UNSHARED_PART ? high + UNSHARED_PART : UINT64_MAX;
  struct mck_unshared_range *last = l->nranges ? &l->ranges[l->nranges - 1] : NULL;
  mck_unshared_keep(l, l->at);
  if (last && last->owner == owner && low <= last->high && high >= last->low) {
    if (low < last->low) last->low = low;
    if (high > last->high) last->high = high;
    return true;
  }
  struct mck_unshared_range new = {owner, low, high};
  // There are too many to list: its operations are all over that memory.
  if (l->nranges >= UNSHARED_RANGES_MAX) *last = (struct mck_unshared_range){owner, 0, UINT64_MAX}, l->is_lost = true;
  else if (!MCK_PUSH(l->ranges, l->nranges, l->ranges_capacity, new)) l->is_short = true;
  return !l->is_short;
}

// Accumulates of one origin are in order only where their elements are the same ones (MPI-3.1 11.7.2).
static void code_position(struct mck_unshared *l, uint64_t low, uint64_t high) {
  struct mck_unshared_step *s = &l->step;
  uint32_t basic = mck_rma_basic(l->log, l->log->events[l->at].rma.type);
  uint64_t bytes = basic < MCK_TYPE_USER ? mck_basic_bytes(basic) : 0, bits = (uint64_t)UINT8_MAX << 40;
  s->code = (s->code & ~bits) | (uint64_t)mck_access_position(low, high, bytes) << 40;
}

static bool touch_piece(void *context, uint64_t low, uint64_t high) {
  struct mck_unshared *l = context;
  const struct mck_unshared_step *s = &l->step;
  if (s->kind == MCK_CONFLICT_ACCUMULATE && s->is_ordered) code_position(l, low, high);
  const struct mck_unshared_window *w = s->window;
  bool is_strange = w->flags & (MCK_UNSHARED_DYNAMIC | MCK_UNSHARED_SEPARATE) || low < w->base ||
                    high > w->base + w->size || high - low > LARGE;
  for (uint64_t at = low; !is_strange && at < high;) {
    uint64_t end = (at / UNSHARED_PAGE + 1) * UNSHARED_PAGE;
    if (end > high) end = high;
    struct mck_unshared_page *p = make_page(l, s->win, s->target, at / UNSHARED_PAGE);
    if (!p) break;
    touch_page(p, s, at, end);
    l->last_page = (uint32_t)(p - l->pages) + 1;
    if ((at = end) >= high) return true;
  }
  return add_range(l, w->world, low, high);
}

// Visits the bytes piece by piece. false: they are not known, too many, or a visit returned false.
bool mck_unshared_footprint(struct mck_unshared *l, const struct mck_event *e, mck_rma_visit_piece *visit) {
  const struct mck_unshared_window *w = l->step.window;
  if (e->kind == MCK_EV_ACCESS) {
    uint64_t base = (w->flags & MCK_UNSHARED_DYNAMIC ? 0 : w->base) + e->access.offset, size = e->access.size,
             n = e->access.n;
    if (!size || !n) return true;
    if (n == 1 || e->access.stride == (int64_t)size) return base + size * n > base && visit(l, base, base + size * n);
    if (n > PIECES_MAX) {
      int64_t reach = (int64_t)(n - 1) * e->access.stride;
      return visit(l, reach < 0 ? base + (uint64_t)reach : base, (reach > 0 ? base + (uint64_t)reach : base) + size);
    }
    for (uint64_t i = 0; i < n; i++) {
      uint64_t low = base + (uint64_t)((int64_t)i * e->access.stride);
      if (low + size <= low || !visit(l, low, low + size)) return false;
    }
    return true;
  }
  struct mck_win_body body = {w->key, w->base, w->size};
  struct mck_win_def target = {
      .disp_unit = w->disp_unit, .flavor = w->flags & MCK_UNSHARED_DYNAMIC ? MCK_WIN_FLAVOR_DYNAMIC : 0, .body = &body};
  return mck_rma_footprint(l->log, e, &target, visit, l);
}

// --- windows ---
static uint32_t flags_of(const struct mck_win_def *win) {
  // In the separate model nothing is unshared: two accesses may conflict without overlapping.
  return (win->flavor == MCK_WIN_FLAVOR_DYNAMIC ? MCK_UNSHARED_DYNAMIC : 0) |
         (win->traits & MCK_WIN_SEPARATE ? MCK_UNSHARED_JUDGED | MCK_UNSHARED_SEPARATE : 0) |
         (win->traits & (MCK_WIN_NO_RAW | MCK_WIN_NO_WAR | MCK_WIN_NO_WAW) ? MCK_UNSHARED_REORDERED : 0);
}

bool mck_unshared_windows(const struct mck_reader *log, const uint8_t *flags, struct mck_unshared_window **windows,
                          size_t *n) {
  *n = 0;
  *windows = calloc((size_t)log->nwins + 1, sizeof **windows);
  uint64_t shift = 0; // programs divide their memory evenly, but it may begin anywhere
  for (uint32_t i = 0; *windows && i < log->nwins; i++) {
    const struct mck_win_def *win = mck_rma_win(log, i);
    const struct mck_comm_def *comm = win ? mck_order_comm(log, win->comm) : NULL;
    if (!comm) continue;
    if (!shift) shift = win->body->base % UNSHARED_PART;
    (*windows)[(*n)++] = (struct mck_unshared_window){.key = win->body->key,
                                                      .size = win->body->size,
                                                      .base = win->body->base - (win->body->base ? shift : 0),
                                                      .world = log->header->rank,
                                                      .rank = comm->rank,
                                                      .disp_unit = win->disp_unit,
                                                      .flags = flags_of(win) | flags[i]};
  }
  return *windows != NULL;
}

static bool open_windows(struct mck_unshared *l) {
  const struct mck_reader *log = l->log;
  l->wins = calloc((size_t)log->nwins + 1, sizeof *l->wins);
  if (!l->wins) return false;
  struct mck_table keys = {0};
  bool is_good = true;
  for (uint32_t i = 0; is_good && i < log->nwins; i++) {
    const struct mck_win_def *win = mck_rma_win(log, i);
    const struct mck_comm_def *comm = win ? mck_order_comm(log, win->comm) : NULL;
    if (!comm) continue;
    struct mck_unshared_win *w = &l->wins[i];
    w->size = comm->size, w->own = comm->rank;
    w->targets = calloc((size_t)w->size + 1, sizeof *w->targets);
    w->completed = calloc((size_t)w->size + 1, sizeof *w->completed);
    is_good = w->targets && w->completed && mck_table_add(&keys, mck_table_mix(win->body->key, 0), i);
  }
  for (size_t k = 0; is_good && k < l->nwindows; k++) {
    const struct mck_unshared_window *of = &l->windows[k];
    uint32_t slot, id;
    MCK_TABLE_EACH (&keys, mck_table_mix(of->key, 0), slot, id) {
      struct mck_unshared_win *w = &l->wins[id];
      if (log->wins[id].body->key != of->key || of->rank >= w->size || of->world >= l->nranks) continue;
      w->targets[of->rank] = of;
      w->flags |= of->flags; // what one rank knows of a window holds for all (rma/window-table.c)
    }
  }
  mck_table_free(&keys);
  return is_good;
}

// --- events ---
static struct mck_unshared_win *win_of(const struct mck_unshared *l, uint32_t id) {
  return id < l->log->nwins && l->wins[id].targets ? &l->wins[id] : NULL;
}

bool mck_unshared_step(struct mck_unshared *l, const struct mck_event *e) {
  struct mck_unshared_win *w = win_of(l, e->word[0]); // win is first in rma, sync and access
  bool is_access = e->kind == MCK_EV_ACCESS;
  uint32_t target = is_access ? (e->fn ? e->fn - 1u : w ? w->own : 0) : (uint32_t)e->rma.target;
  struct mck_unshared_step *s = &l->step;
  *s = (struct mck_unshared_step){0};
  if (!w || target >= w->size || !w->targets[target]) return false;
  *s = (struct mck_unshared_step){.window = w->targets[target],
                                  .win = e->word[0],
                                  .target = target,
                                  .stamp = w->all_completed + w->completed[target] + 1};
  s->is_judged = w->flags & MCK_UNSHARED_JUDGED && !(w->flags & MCK_UNSHARED_DOUBTFUL);
  switch (e->kind) {
  case MCK_EV_PUT: s->kind = MCK_CONFLICT_PUT, s->is_writing = true; break;
  case MCK_EV_GET: s->kind = MCK_CONFLICT_GET; break;
  case MCK_EV_ACC:
    s->kind = MCK_CONFLICT_ACCUMULATE, s->is_writing = e->flags != MCK_OP_NO_OP;
    s->is_ordered = !(w->flags & MCK_UNSHARED_REORDERED);
    s->code = s->is_ordered ? (uint64_t)1 << 63 | (uint64_t)e->flags << 32 | e->rma.type : UNSHARED_MIXED - 1 - l->at;
    break;
  default:
    s->is_writing = e->flags & MCK_ACCESS_STORE, s->kind = s->is_writing ? MCK_CONFLICT_STORE : MCK_CONFLICT_LOAD;
  }
  return true;
}

// What is complete at a target (rma/operation-completion.c). MPI_Win_complete, local completion and requests are left
// out: so more is kept than needed.
static void complete(struct mck_unshared *l, const struct mck_event *e) {
  struct mck_unshared_win *w = win_of(l, e->sync.win);
  l->repeat.is_on = false;
  if (!w) return;
  bool is_complete = e->kind == MCK_EV_FENCE || mck_std_completes_at_target(e->fn), is_one = mck_std_is_to_one(e->fn);
  if (!is_complete) return;
  if (is_one && e->sync.rank >= 0 && (uint32_t)e->sync.rank < w->size) w->completed[e->sync.rank]++;
  else if (!is_one) w->all_completed++;
}

void mck_unshared_remember(struct mck_unshared *l, const struct mck_event *e) {
  const struct mck_unshared_window *w = l->step.window;
  uint64_t bytes = e->rma.type < MCK_TYPE_USER ? mck_basic_bytes(e->rma.type) : 0, word[4];
  l->repeat.is_on = false;
  const uint32_t special = MCK_UNSHARED_DYNAMIC | MCK_UNSHARED_SEPARATE | MCK_UNSHARED_REORDERED |
                           MCK_UNSHARED_PROMISED;
  if (e->kind == MCK_EV_ACCESS || (w->flags | l->wins[l->step.win].flags) & special || !bytes || e->rma.count != 1 ||
      bytes > w->size || !w->disp_unit ||
      (e->kind == MCK_EV_ACC && w->disp_unit % bytes)) // the next one's elements may lie elsewhere
    return;
  memcpy(word, e, sizeof word);
  l->repeat = (struct mck_unshared_repeat){
      word[0], word[1], word[3], w->base, w->disp_unit, (w->size - bytes) / w->disp_unit, bytes, true};
}

// A buffer that stays needs its operation.
void mck_unshared_keep_op_of_buffer(struct mck_unshared *l, uint64_t at) {
  const struct mck_event *events = l->log->events;
  while (at > 0 && events[at].kind == MCK_EV_ACCESS && events[at].flags & MCK_ACCESS_BUFFER) mck_unshared_keep(l, --at);
}

// By what the holder of a lock reads it may learn of others (section.c), in windows that nobody judges, too. Of the
// loads there only the first one behind a synchronization matters.
static void keep_first_read(struct mck_unshared *l, const struct mck_event *e) {
  if (e->flags & MCK_ACCESS_STORE || l->has_read) return;
  l->has_read = true;
  mck_unshared_keep(l, l->at);
  if (e->flags & MCK_ACCESS_BUFFER) mck_unshared_keep_op_of_buffer(l, l->at);
}

static void add_op(struct mck_unshared *l, const struct mck_event *e) {
  uint64_t low = mck_unshared_low(l, e);
  l->is_dropped[l->at / 64] |= (uint64_t)1 << l->at % 64;
  if (low != UINT64_MAX && l->last_page) {
    struct mck_unshared_page *p = &l->pages[l->last_page - 1];
    uint64_t end = low + l->repeat.length;
    if (low / UNSHARED_PAGE == p->number && (end - 1) / UNSHARED_PAGE == p->number && p->win == l->step.win &&
        p->target == l->step.target) {
      touch_page(p, &l->step, low, end);
      return;
    }
  }
  bool is_access = e->kind == MCK_EV_ACCESS;
  // Polling may order accesses of others. Requests name their operation. What is not known is kept.
  if (!mck_unshared_step(l, e) ||
      (is_access ? e->flags & (MCK_ACCESS_ATOMIC | MCK_ACCESS_VOLATILE) : mck_std_is_request_based(e->fn)))
    mck_unshared_keep(l, l->at);
  l->repeat.is_on = false;
  if (!l->step.window || !l->step.is_judged) {
    if (is_access) keep_first_read(l, e);
    else l->has_lost_read |= mck_rma_is_fetching(e);
    return;
  }
  mck_unshared_footprint(l, e, touch_piece);
  if (!is_access && l->wins[e->rma.win].flags & MCK_UNSHARED_PROMISED) mck_unshared_keep(l, l->at);
  if (is_access && e->flags & MCK_ACCESS_BUFFER && !mck_unshared_is_dropped(l, l->at))
    mck_unshared_keep_op_of_buffer(l, l->at);
  mck_unshared_remember(l, e);
}

static void pass_over(struct mck_unshared *l) {
  const struct mck_reader *log = l->log;
  for (uint64_t i = 0; i < log->units && !l->is_short; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    __builtin_prefetch(e + MCK_LOG_AHEAD);
    switch (e->kind) {
    case MCK_EV_PUT:
    case MCK_EV_GET:
    case MCK_EV_ACC:
    case MCK_EV_ACCESS:
      l->at = i;
      add_op(l, e);
      break;
    case MCK_EV_SYNC:
    case MCK_EV_FENCE:
      complete(l, e);
      l->has_read = false;
      break;
    default: break;
    }
    bool is_other = e->kind == MCK_EV_SYNC || e->kind == MCK_EV_ACCESS;
    if (is_other && !MCK_PUSH(l->others, l->nothers, l->others_capacity, (uint32_t)i)) l->is_short = true;
  }
}

struct mck_unshared *mck_unshared_open(const struct mck_reader *log, const struct mck_unshared_window *windows,
                                       size_t n, uint32_t nranks) {
  struct mck_unshared *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->log = log, l->windows = windows, l->nwindows = n, l->nranks = nranks;
  l->is_dropped = calloc(log->units / 64 + 1, sizeof *l->is_dropped);
  if (l->is_dropped && open_windows(l)) pass_over(l);
  else l->is_short = true;
  if (!l->is_short) return l;
  mck_unshared_close(l);
  return NULL;
}

void mck_unshared_close(struct mck_unshared *l) {
  if (!l) return;
  for (uint32_t i = 0; l->wins && i < l->log->nwins; i++) free(l->wins[i].targets), free(l->wins[i].completed);
  mck_table_free(&l->page_table);
  free(l->wins), free(l->pages), free(l->ranges), free(l->others), free(l->is_dropped), free(l->dropped_before),
      free(l);
}
