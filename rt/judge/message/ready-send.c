// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether the receive of a ready send was certainly posted (ready-send.h).
#include "judge/message/ready-send.h"
#include <stdlib.h>
#include <string.h>
#include "judge/index.h"
#include "report/why.h"

enum { WORDS_MAX = 1 << 26 }; // 256 MiB of rows

// What a log knows of others: for each log that is asked about, how many of its events are known to be entered. A row
// is never changed, so that each message can name the row of its sender.
struct known {
  const struct mck_whole *whole;
  uint32_t *column; // [log]; MCK_NONE: nothing asks about it
  uint32_t ncolumns;
  uint32_t *rows;
  size_t nrows, capacity;
  uint32_t *now;             // [log]: its current row
  uint32_t **at;             // [log][event]: the row of the log when it entered the event
  uint32_t *entered;         // [log]: the index of its last entered event + 1
  bool is_short, is_outside; // is_outside: windows, files or other worlds may order what messages do not
};

// --- rows -----------------------------------------------------------------------------------------------------------
static uint32_t *row(const struct known *k, uint32_t number) { return k->rows + (size_t)number * k->ncolumns; }

static uint32_t add_row(struct known *k, uint32_t from) {
  if (k->is_short || k->nrows * k->ncolumns >= WORDS_MAX ||
      !mck_base_grow((void **)&k->rows, &k->capacity, k->nrows + 1, k->ncolumns * sizeof *k->rows))
    return k->is_short = true, from;
  if (k->nrows) memcpy(row(k, (uint32_t)k->nrows), row(k, from), k->ncolumns * sizeof *k->rows);
  else memset(k->rows, 0, k->ncolumns * sizeof *k->rows);
  return (uint32_t)k->nrows++;
}

static void learn_column(struct known *k, uint32_t log, uint32_t column, uint32_t n, bool *is_own) {
  if (k->is_short || row(k, k->now[log])[column] >= n) return;
  if (!*is_own) k->now[log] = add_row(k, k->now[log]), *is_own = true;
  if (!k->is_short) row(k, k->now[log])[column] = n;
}

// The event of the other log was entered, and so were those before it. What that log knew then is known here now.
static void learn(struct known *k, uint32_t log, struct mck_pair of, bool *is_own) {
  if (of.log == MCK_NONE || of.log == log || of.index >= k->entered[of.log]) return;
  uint32_t theirs = k->at[of.log][of.index];
  for (uint32_t i = 0; i < k->ncolumns && theirs != k->now[log] && !k->is_short; i++)
    learn_column(k, log, i, row(k, theirs)[i], is_own);
  if (k->column[of.log] != MCK_NONE) learn_column(k, log, k->column[of.log], of.index + 1, is_own);
}

// --- findings -------------------------------------------------------------------------------------------------------
static void say(struct known *k, struct mck_pair send, struct mck_pair recv, bool is_wrong) {
  const struct mck_event *s = &k->whole->logs[send.log].events[send.index],
                         *r = &k->whole->logs[recv.log].events[recv.index];
  int from = (int)k->whole->logs[send.log].header->rank, to = (int)k->whole->logs[recv.log].header->rank;
  enum mck_check check = is_wrong ? MCK_CHECK_MESSAGE_READY : MCK_CHECK_MESSAGE_READY_RACE;
  size_t n = 0;
  for (size_t i = 0; i < k->whole->findings->count; i++) {
    struct mck_finding *f = &k->whole->findings->items[i];
    if (f->check != check) continue;
    n++;
    if (f->places[0].rank == from && f->places[0].site == s->site && f->places[1].rank == to &&
        f->places[1].site == r->site) {
      f->count++;
      return;
    }
  }
  struct mck_finding *f = n < MCK_FINDINGS_MAX ? mck_findings_add(k->whole->findings, check, from) : NULL;
  if (!f) return;
  mck_finding_text(f, is_wrong ? "a ready send is started before its receive is posted"
                               : "a ready send may be started before its receive is posted");
  mck_finding_place(f, from, s->site, "%s from rank %d", mck_judge_fn(s->fn), from);
  mck_finding_place(f, to, r->site, "%s on rank %d", mck_judge_fn(r->fn), to);
  if (is_wrong)
    mck_finding_why(f,
                    "rank %d posts the receive after a message or collective has told it that rank %d was beyond the "
                    "send (MPI-3.1 3.4)",
                    to, from);
  else
    mck_finding_why(f, "no message and no collective tells rank %d that rank %d has posted the receive (MPI-3.1 3.4)",
                    from, to);
}

static void print_why(const struct known *k, struct mck_pair send, struct mck_pair recv, bool is_wrong) {
  unsigned from = k->whole->logs[send.log].header->rank, to = k->whole->logs[recv.log].header->rank;
  if (is_wrong)
    mck_why(MCK_CHECK_MESSAGE_READY, "event %u of rank %u (ready send) comes before event %u of rank %u (its receive)",
            send.index, from, recv.index, to);
  else if (!k->is_outside)
    mck_why(MCK_CHECK_MESSAGE_READY_RACE,
            "nothing orders event %u of rank %u (ready send) and event %u of rank %u (its receive)", send.index, from,
            recv.index, to);
  else
    mck_why_not(MCK_CHECK_MESSAGE_READY_RACE,
                "event %u of rank %u (ready send), event %u of rank %u (its receive): windows, files or processes of "
                "another world may order them",
                send.index, from, recv.index, to);
}

static void judge_send(struct known *k, struct mck_pair send, struct mck_pair recv) {
  if (recv.log == MCK_NONE || k->is_short) return;
  if (recv.log == send.log) { // the rank sends to itself: its log has the order
    if (recv.index > send.index) say(k, send, recv, true);
    return;
  }
  if (row(k, k->at[send.log][send.index])[k->column[recv.log]] > recv.index) {
    mck_why_not(MCK_CHECK_MESSAGE_READY,
                "event %u of rank %u (ready send): a message or collective before it tells "
                "that event %u of rank %u (its receive) was posted",
                send.index, k->whole->logs[send.log].header->rank, recv.index, k->whole->logs[recv.log].header->rank);
    return;
  }
  bool is_wrong = recv.index < k->entered[recv.log] &&
                  row(k, k->at[recv.log][recv.index])[k->column[send.log]] > send.index;
  print_why(k, send, recv, is_wrong);
  if (is_wrong || !k->is_outside) say(k, send, recv, is_wrong);
}

// --- the walk -------------------------------------------------------------------------------------------------------
static void enter(void *context, struct mck_point at) {
  struct known *k = context;
  k->at[at.log][at.index] = k->now[at.log];
  k->entered[at.log] = at.index + 1;
}

static void complete(void *context, struct mck_point at, const struct mck_order_done *done) {
  struct known *k = context;
  const struct mck_event *e = &k->whole->logs[at.log].events[done->op];
  bool is_own = false;
  if (e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE || e->kind == MCK_EV_SEND) {
    learn(k, at.log, done->with, &is_own);
    uint32_t receiver = e->kind == MCK_EV_SEND ? done->with.log : at.log;
    for (size_t i = 0; i < done->nbefore && receiver != MCK_NONE; i++)
      learn(k, at.log, k->whole->pairs->of[receiver][done->before[i]], &is_own);
  }
  for (size_t i = 0; done->meeting && i < done->meeting->n; i++)
    if (done->meeting->entries[i] != MCK_NONE && mck_order_is_needed(done, i))
      learn(k, at.log, (struct mck_pair){done->meeting->members[i].log, done->meeting->entries[i]}, &is_own);
}

static void leave(void *context, struct mck_point at, bool is_finished) { (void)context, (void)at, (void)is_finished; }

static void ask_about(struct known *k, uint32_t log) {
  if (k->column[log] == MCK_NONE) k->column[log] = k->ncolumns++;
}

static bool prepare(struct known *k) {
  const struct mck_whole *w = k->whole;
  k->column = malloc((w->n + 1) * sizeof *k->column);
  k->now = calloc(w->n + 1, sizeof *k->now);
  k->at = calloc(w->n + 1, sizeof *k->at);
  k->entered = calloc(w->n + 1, sizeof *k->entered);
  if (!k->column || !k->now || !k->at || !k->entered) return false;
  for (size_t i = 0; i < w->n; i++) k->column[i] = MCK_NONE;
  for (size_t i = 0; i < w->n; i++) {
    const struct mck_reader *log = &w->logs[i];
    if (!(k->at[i] = malloc((log->units + 1) * sizeof **k->at))) return false;
    for (uint64_t u = 0; u < log->units; u += mck_event_units(&log->events[u])) {
      const struct mck_event *e = &log->events[u];
      k->is_outside |= e->kind == MCK_EV_SYNC || e->kind == MCK_EV_ACCESS;
      if (!mck_ready_is(e) || w->pairs->of[i][u].log == MCK_NONE) continue;
      ask_about(k, (uint32_t)i), ask_about(k, w->pairs->of[i][u].log);
    }
  }
  if (!k->ncolumns) return true;
  add_row(k, 0);
  k->is_outside |= (w->needs & MCK_WHOLE_WORLDS) != 0;
  for (size_t i = 0; i < w->n && !k->is_short; i++) { // at the last cut each rank had heard of all others
    uint32_t cut = mck_order_cut(&w->logs[i]);
    if (cut != MCK_NONE && k->column[i] != MCK_NONE) row(k, 0)[k->column[i]] = cut + 1;
  }
  return !k->is_short;
}

void mck_whole_judge_ready(const struct mck_whole *w) {
  struct known k = {.whole = w};
  struct mck_order_totals totals = {0};
  struct mck_order_sink sink = {.context = &k, .enter = enter, .leave = leave, .complete = complete};
  // Nothing is certain of messages that were not seen, of logs that are not whole, and behind unknown matches.
  bool is_doubtful = w->doubts & (MCK_DOUBT_THREADS | MCK_DOUBT_UNSEEN | MCK_DOUBT_INCOMPLETE | MCK_DOUBT_UNDECIDED);
  bool is_good = is_doubtful || prepare(&k);
  if (is_good && k.ncolumns) is_good = mck_order_walk(w->logs, w->n, w->pairs, &sink, &totals) && !k.is_short;
  if (!is_good) mck_base_warn("out of memory: ready sends are not judged");
  for (size_t i = 0; is_good && k.ncolumns && !totals.left_out && i < w->n; i++)
    for (uint64_t u = 0; u < w->logs[i].units; u += mck_event_units(&w->logs[i].events[u]))
      if (mck_ready_is(&w->logs[i].events[u]) && u < k.entered[i])
        judge_send(&k, (struct mck_pair){(uint32_t)i, (uint32_t)u}, w->pairs->of[i][u]);
  for (size_t i = 0; k.at && i < w->n; i++) free(k.at[i]);
  free(k.column), free(k.rows), free(k.now), free(k.at), free(k.entered);
}
