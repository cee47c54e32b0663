// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time lines for the HTML report: what the ranks of a finding did around its places. The page draws a lane for each
// rank, from top to bottom in logical time (order.h), with calls, the epochs of windows, and arrows for messages. A
// place is a call stack, which may have come many times: of each place that pass is shown which is nearest to a pass of
// the other places.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "order/order.h"
#include "standard/epoch-call.h"
#include "view/view.h"

enum { UNITS_MAX = 2 << 20, LANES = 8, PASSES = 64, BEFORE = 6, BEHIND = 4, EPOCHS = 16 };

struct arrow {
  struct mck_point from, to;
  enum mck_arrow kind;
};
struct lines {
  struct mck_view view;
  uint64_t *start, *end; // of each unit of all logs; 0: it is no call
  uint64_t *base;        // of each log's first unit in them
  bool *is_open;         // by log: the log ends within its last call
  struct arrow *arrows;
  size_t narrows, capacity;
  bool is_short;
};
struct lane {
  uint32_t log, rank;
  unsigned n;
  struct {
    uint32_t index, first, last; // an event at a place of the finding, and the events around it that are shown
  } spots[LANES];
};

static uint64_t at(const struct lines *l, uint32_t log, uint64_t index) { return l->base[log] + index; }

static void enter(void *context, struct mck_point p) {
  struct lines *l = context;
  l->start[at(l, p.log, p.index)] = p.time + 1;
}

static void leave(void *context, struct mck_point p, bool is_finished) {
  struct lines *l = context;
  l->end[at(l, p.log, p.index)] = p.time + 1;
  if (!is_finished) l->is_open[p.log] = true;
}

static void arrow(void *context, enum mck_arrow kind, struct mck_point from, struct mck_point to) {
  struct lines *l = context;
  if (!MCK_PUSH(l->arrows, l->narrows, l->capacity, ((struct arrow){from, to, kind}))) l->is_short = true;
}

// Opens the logs of a directory that can be read. A finding has a time line only where those of its ranks are there.
static bool open_logs(struct lines *l, const char *dir, uint32_t size) {
  uint64_t units = 0;
  for (uint32_t rank = 0; rank < size; rank++) {
    struct mck_reader reader;
    const char *why;
    char *path = NULL;
    if (asprintf(&path, "%s/rank-%u.log", dir, rank) < 0) return false;
    bool is_there = mck_log_load(&reader, path, &why) == 0;
    if (is_there && !mck_view_add(&l->view, path, &reader, reader.map_size)) mck_log_unload(&reader);
    free(path);
    if (is_there) units += reader.units;
    if (units > UNITS_MAX) return false;
  }
  mck_view_sort(&l->view);
  l->base = calloc(l->view.count + 1, sizeof *l->base);
  l->is_open = calloc(l->view.count + 1, sizeof *l->is_open);
  l->start = calloc(units + 1, sizeof *l->start);
  l->end = calloc(units + 1, sizeof *l->end);
  for (size_t i = 0; l->base && i < l->view.count; i++) l->base[i + 1] = l->base[i] + l->view.logs[i].reader.units;
  return l->view.count && l->base && l->is_open && l->start && l->end;
}

static void close_logs(struct lines *l) {
  mck_view_unload(&l->view);
  free(l->start), free(l->end), free(l->base), free(l->is_open), free(l->arrows);
}

// The passes through a place: the first ones and the last one. Events of one place may do several things (the buffer of
// a put is loaded where it is put): the label says which is meant. NULL: any.
static unsigned find_passes(const struct lines *l, uint32_t log, uint32_t site, const char *label, uint32_t *passes) {
  const struct mck_reader *r = &l->view.logs[log].reader;
  unsigned n = 0;
  for (uint64_t k = 0; k < r->units; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    if (e->site != site || !l->start[at(l, log, k)] || (label && !strstr(label, mck_view_fn(e)))) continue;
    if (n < PASSES) passes[n++] = (uint32_t)k;
    else passes[PASSES - 1] = (uint32_t)k;
  }
  return n;
}

struct spot {
  uint32_t log, passes[PASSES];
  unsigned n, chosen;
};

static uint64_t distance(const struct lines *l, const struct spot *a, unsigned i, const struct spot *b, unsigned k) {
  uint64_t x = l->start[at(l, a->log, a->passes[i])], y = l->start[at(l, b->log, b->passes[k])];
  return x < y ? y - x : x - y;
}

// The pass of the first place that is nearest to one of the second, and of all others those nearest to it. is_end: the
// finding is about the end of the run.
static void choose(const struct lines *l, struct spot *spots, unsigned n, bool is_end) {
  uint64_t best = UINT64_MAX;
  for (unsigned i = 0; n > 1 && !is_end && i < spots[0].n; i++)
    for (unsigned k = 0; k < spots[1].n; k++) {
      uint64_t d = distance(l, &spots[0], i, &spots[1], k);
      if (d < best) best = d, spots[0].chosen = i;
    }
  if (is_end) spots[0].chosen = spots[0].n - 1;
  for (unsigned s = 1; s < n; s++) {
    best = UINT64_MAX;
    for (unsigned k = 0; k < spots[s].n; k++) {
      uint64_t d = distance(l, &spots[0], spots[0].chosen, &spots[s], k);
      if (d < best) best = d, spots[s].chosen = k;
    }
  }
}

// Moves an index by a number of calls, back or forth.
static uint64_t move(const struct lines *l, uint32_t log, uint64_t index, int by) {
  uint64_t last = index, units = l->view.logs[log].reader.units;
  for (int step = by < 0 ? -1 : 1, left = by * step; left > 0;) {
    if (step < 0 ? index == 0 : index + 1 >= units) break;
    index += (uint64_t)(int64_t)step; // units behind an event have no time
    if (l->start[at(l, log, index)]) last = index, left--;
  }
  return last;
}

// The two sides of a finding are shown with more around them than other places.
static void add_spot(const struct lines *l, struct lane *lanes, unsigned *n, const struct spot *spot, bool is_side) {
  uint32_t index = spot->passes[spot->chosen];
  unsigned i = 0;
  while (i < *n && lanes[i].log != spot->log) i++;
  if (i == *n) {
    if (*n == LANES) return;
    lanes[(*n)++] = (struct lane){.log = spot->log, .rank = l->view.logs[spot->log].reader.header->rank};
    is_side = true;
  }
  struct lane *lane = &lanes[i];
  if (lane->n == LANES) return;
  lane->spots[lane->n].index = index;
  lane->spots[lane->n].first = (uint32_t)move(l, spot->log, index, is_side ? -BEFORE : -1);
  lane->spots[lane->n++].last = (uint32_t)move(l, spot->log, index, is_side ? BEHIND : 1);
}

static int compare_lanes(const void *a, const void *b) {
  const struct lane *x = a, *y = b;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static unsigned make_lanes(const struct lines *l, const struct mck_finding *f, struct lane *lanes) {
  struct spot *spots = calloc(MCK_PLACES_MAX, sizeof *spots);
  unsigned n = 0, nlanes = 0;
  for (uint32_t i = 0; spots && i < f->nplaces; i++) {
    const struct mck_place *p = &f->places[i];
    const struct mck_view_log *log = p->rank < 0 ? NULL : mck_view_log_of(&l->view, p->rank);
    if (!log || p->site == MCK_NONE) continue;
    spots[n].log = (uint32_t)(log - l->view.logs);
    spots[n].n = p->label ? find_passes(l, spots[n].log, p->site, p->label, spots[n].passes) : 0;
    if (!spots[n].n) spots[n].n = find_passes(l, spots[n].log, p->site, NULL, spots[n].passes);
    if (spots[n].n) n++;
  }
  if (n) choose(l, spots, n, f->role == MCK_ROLE_END || strncmp(mck_check_infos[f->check].id, "deadlock", 8) == 0);
  for (unsigned i = 0; i < n; i++) add_spot(l, lanes, &nlanes, &spots[i], i < 2);
  free(spots);
  if (nlanes) qsort(lanes, nlanes, sizeof *lanes, compare_lanes);
  return nlanes;
}

// Is the event shown? is_marked: it is at a place of the finding.
static bool is_shown(const struct lane *lane, uint64_t index, bool *is_marked) {
  bool is_in = *is_marked = false;
  for (unsigned i = 0; i < lane->n; i++) {
    is_in |= index >= lane->spots[i].first && index <= lane->spots[i].last;
    *is_marked |= index == lane->spots[i].index;
  }
  return is_in;
}
static void ends_of(const struct lane *lane, uint32_t *first, uint32_t *last) {
  *first = lane->spots[0].first, *last = lane->spots[0].last;
  for (unsigned i = 1; i < lane->n; i++) {
    if (lane->spots[i].first < *first) *first = lane->spots[i].first;
    if (lane->spots[i].last > *last) *last = lane->spots[i].last;
  }
}

static void put_text(FILE *out, const char *key, const char *text) {
  char *json = mck_view_json_string(text ? text : "");
  fprintf(out, ",\"%s\":%s", key, json ? json : "\"\"");
  free(json);
}

static void put_partner(FILE *out, const struct mck_view_log *log, const struct mck_event *e) {
  int rank = -1;
  const char *word = "to";
  switch (e->kind) {
  case MCK_EV_RECV:
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE: word = "from"; // fallthrough
  case MCK_EV_SEND: rank = e->msg.peer < 0 ? -1 : mck_view_peer(log, e); break;
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC: rank = e->rma.target; break;
  case MCK_EV_SYNC: rank = e->sync.rank, word = "of"; break;
  default: break;
  }
  if (rank >= 0) fprintf(out, ",\"with\":\"%s rank %d\"", word, rank);
}

static void put_calls(const struct lines *l, const struct lane *lane, FILE *out) {
  struct mck_view_log *log = &l->view.logs[lane->log];
  uint32_t first, last;
  bool is_behind_gap = false, is_first = true, is_marked;
  ends_of(lane, &first, &last);
  for (uint64_t k = first; k <= last; k++) {
    uint64_t start = l->start[at(l, lane->log, k)], end = l->end[at(l, lane->log, k)];
    const struct mck_event *e = &log->reader.events[k];
    if (!start || e->kind == MCK_EV_RETURN || e->kind == MCK_EV_SETTLED) continue;
    if (!is_shown(lane, k, &is_marked)) {
      is_behind_gap = true;
      continue;
    }
    fprintf(out, "%s{\"from\":%" PRIu64 ",\"to\":%" PRIu64, is_first ? "" : ",", start, end > start ? end : start + 1);
    put_text(out, "call", mck_view_fn(e));
    put_text(out, "at", mck_view_place(&l->view, log, e->site)->name.text);
    put_partner(out, log, e);
    if (is_marked) fputs(",\"marked\":true", out);
    if (is_behind_gap) fputs(",\"gap\":true", out);
    if (l->is_open[lane->log] && move(l, lane->log, k, 1) == k) fputs(",\"open\":true", out);
    putc('}', out);
    is_first = is_behind_gap = false;
  }
}

// An epoch of a window at this rank.
struct epoch {
  uint32_t win;
  int32_t rank;
  enum mck_std_epoch_call by;
  uint64_t from;
};

// Is it open at a call that is shown?
static bool is_near(const struct lines *l, const struct lane *lane, uint64_t from, uint64_t to) {
  bool is_in = false;
  for (unsigned i = 0; i < lane->n; i++)
    is_in |= from < l->end[at(l, lane->log, lane->spots[i].last)] &&
             to > l->start[at(l, lane->log, lane->spots[i].first)];
  return is_in;
}

static void put_epoch(const struct lines *l, const struct lane *lane, const struct epoch *e, uint64_t to, FILE *out,
                      bool *is_first) {
  static const char *const names[] = {[MCK_STD_CALL_FENCE] = "fence epoch",
                                      [MCK_STD_CALL_START] = "access epoch",
                                      [MCK_STD_CALL_POST] = "exposure epoch",
                                      [MCK_STD_CALL_LOCK] = "lock epoch"};
  if (!is_near(l, lane, e->from, to)) return;
  fprintf(out, "%s{\"from\":%" PRIu64 ",\"to\":%" PRIu64, *is_first ? "" : ",", e->from, to);
  *is_first = false;
  put_text(out, "name", names[e->by]);
  put_text(out, "window", mck_view_win(&l->view, &l->view.logs[lane->log], e->win)->text);
  if (e->by == MCK_STD_CALL_LOCK && e->rank >= 0) fprintf(out, ",\"with\":\"of rank %d\"", e->rank);
  putc('}', out);
}

static bool ends(const struct mck_event *e, enum mck_std_epoch_call call, const struct epoch *epoch) {
  if (e->kind == MCK_EV_CALL) return e->word[0] == epoch->win; // MPI_Win_free, also after a fence that opened an epoch
  if (e->sync.win != epoch->win) return false;
  switch (epoch->by) {
  case MCK_STD_CALL_FENCE: return call == MCK_STD_CALL_FENCE;
  case MCK_STD_CALL_START: return call == MCK_STD_CALL_COMPLETE;
  case MCK_STD_CALL_POST: return call == MCK_STD_CALL_WAIT;
  default: return call == MCK_STD_CALL_UNLOCK && e->sync.rank == epoch->rank;
  }
}

// The epochs that are open somewhere in the window, from the begin of the log on.
static void put_epochs(const struct lines *l, const struct lane *lane, FILE *out) {
  const struct mck_view_log *log = &l->view.logs[lane->log];
  struct epoch open[EPOCHS];
  unsigned n = 0;
  bool is_first = true;
  uint32_t first, last;
  ends_of(lane, &first, &last);
  uint64_t low = l->start[at(l, lane->log, first)], high = l->end[at(l, lane->log, last)];
  for (uint64_t k = 0; k <= last; k += mck_event_units(&log->reader.events[k])) {
    const struct mck_event *e = &log->reader.events[k];
    bool is_free = e->kind == MCK_EV_CALL && e->fn == MCK_FN_MPI_Win_free;
    if (e->kind != MCK_EV_FENCE && e->kind != MCK_EV_SYNC && !is_free) continue;
    uint64_t end = l->end[at(l, lane->log, k)];
    enum mck_std_epoch_call call = mck_std_epoch_call(e->fn);
    for (unsigned i = 0; i < n; i++) {
      if (!ends(e, call, &open[i])) continue;
      put_epoch(l, lane, &open[i], end, out, &is_first);
      open[i--] = open[--n];
    }
    bool opens = call == MCK_STD_CALL_START || call == MCK_STD_CALL_POST || call == MCK_STD_CALL_LOCK ||
                 (call == MCK_STD_CALL_FENCE && !(e->sync.assertion & MCK_MODE_NOSUCCEED));
    if (opens && n < EPOCHS) open[n++] = (struct epoch){e->sync.win, e->sync.rank, call, end > low ? end : low};
  }
  for (unsigned i = 0; i < n; i++) put_epoch(l, lane, &open[i], high, out, &is_first);
}

// The lane that shows an event. -1: none does.
static int shown_in(const struct lane *lanes, unsigned n, struct mck_point p) {
  bool is_marked;
  for (unsigned i = 0; i < n; i++)
    if (lanes[i].log == p.log && is_shown(&lanes[i], p.index, &is_marked)) return (int)i;
  return -1;
}

static void put_line(const struct lines *l, const struct lane *lanes, unsigned n, FILE *out) {
  fputs("{\"lanes\":[", out);
  for (unsigned i = 0; i < n; i++) {
    fprintf(out, "%s{\"rank\":%u,\"calls\":[", i ? "," : "", lanes[i].rank);
    put_calls(l, &lanes[i], out);
    fputs("],\"epochs\":[", out);
    put_epochs(l, &lanes[i], out);
    fputs("]}", out);
  }
  fputs("],\"arrows\":[", out);
  bool is_first = true;
  for (size_t i = 0; i < l->narrows; i++) {
    const struct arrow *a = &l->arrows[i];
    int from = shown_in(lanes, n, a->from), to = shown_in(lanes, n, a->to);
    if (from < 0 || to < 0 || from == to) continue;
    fprintf(out, "%s[%d,%" PRIu64 ",%d,%" PRIu64 ",%d]", is_first ? "" : ",", from, a->from.time + 1, to,
            a->to.time + 1, a->kind == MCK_ARROW_MESSAGE);
    is_first = false;
  }
  fputs("]}", out);
}

MCK_EXPORT char *mck_view_time_lines(const char *dir, uint32_t size, const struct mck_finding *const *findings,
                                     size_t n) {
  struct lines l = {.view.symbols = mck_symbols_open()};
  struct mck_order_sink sink = {.context = &l, .enter = enter, .arrow = arrow, .leave = leave};
  struct mck_order_totals totals;
  char *text = NULL;
  size_t length;
  bool is_good = open_logs(&l, dir, size) && mck_view_walk(&l.view, &sink, &totals) && !l.is_short;
  FILE *out = is_good ? open_memstream(&text, &length) : NULL;
  for (size_t i = 0; out && i < n; i++) {
    struct lane lanes[LANES];
    unsigned nlanes = make_lanes(&l, findings[i], lanes);
    putc(i ? ',' : '[', out);
    if (nlanes) put_line(&l, lanes, nlanes, out);
    else fputs("null", out);
  }
  if (out) fputs(n ? "]" : "[]", out);
  close_logs(&l);
  if (out && fclose(out) == 0) return text;
  free(text);
  return NULL;
}
