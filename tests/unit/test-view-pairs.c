// RUN: %unit/test-view-pairs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pairs of rt/order are the judge's. On random logs (wildcards matched or not, cancels, matched probes, two
// communicators) each pair gets a count of its own, what is in no pair gets one that would be called truncated: then
// the judge must find nothing. When the count of one pair's send is raised, the judge must find exactly that one. The
// walk of rt/order/order.h is watched at the same time: every event of a call once, in order, and arrows forward.
#include "fake-log.h"
#include "order/order.h"
#include "view/view.h"

enum { RANKS = 3, COMMS = 2, EVENTS = 40, ROUNDS = 3000 };

static uint64_t state;
static uint32_t below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

static struct fake logs[RANKS];

static void make_log(uint32_t rank) {
  struct fake *log = &logs[rank];
  fake_begin(log, rank, RANKS);
  struct mck_range reversed[RANKS];
  for (uint32_t i = 0; i < RANKS; i++) reversed[i] = (struct mck_range){RANKS - 1 - i, 1};
  fake_comm(log, 1, 200, RANKS - 1 - rank, reversed, RANKS, RANKS, 0);
  uint32_t probe = MCK_NONE, nwilds = below(3) ? 0 : 2;
  for (uint32_t i = 0; i < EVENTS; i++) {
    uint32_t comm = below(COMMS), kind = below(10);
    int32_t peer = (int32_t)below(RANKS), tag = (int32_t)below(2);
    uint8_t flags = below(3) ? MCK_FLAG_MATCHED : MCK_FLAG_MATCHED | MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG;
    if (kind < 5) fake_send(log, MCK_FN_MPI_Send, i, comm, peer, tag, MCK_BASIC_INT, 0);
    else if (kind == 5 && nwilds && nwilds--) {
      bool is_any = below(2), is_any_tag = !is_any || below(2);
      fake_message(log, MCK_EV_RECV,
                   (uint8_t)((is_any ? MCK_FLAG_ANY_SOURCE : 0) | (is_any_tag ? MCK_FLAG_ANY_TAG : 0)),
                   MCK_FN_MPI_Irecv, i, comm, is_any ? -1 : peer, is_any_tag ? -1 : tag, MCK_BASIC_INT, 0);
    } else if (kind == 6)
      fake_message(log, MCK_EV_RECV, MCK_FLAG_CANCELLED, MCK_FN_MPI_Irecv, i, comm, peer, tag, MCK_BASIC_INT, 0);
    else if (kind == 7 && probe == MCK_NONE)
      probe = fake_message(log, MCK_EV_MPROBE, flags, MCK_FN_MPI_Mprobe, i, comm, peer, tag, MCK_NONE, 0);
    else if (kind == 8 && probe != MCK_NONE) {
      fake_event(log, (struct mck_event){.kind = MCK_EV_MRECV,
                                         .fn = MCK_FN_MPI_Mrecv,
                                         .site = i,
                                         .mrecv = {.mprobe = probe, .type = MCK_BASIC_INT}});
      probe = MCK_NONE;
    } else if (kind == 9 && below(2)) fake_collective(log, MCK_FN_MPI_Barrier, i, comm, -1);
    else fake_message(log, MCK_EV_RECV, flags, MCK_FN_MPI_Recv, i, comm, peer, tag, MCK_BASIC_INT, 0);
  }
}

static uint32_t said(const struct mck_reader *readers, enum mck_check check) {
  struct mck_findings findings = {0};
  mck_judge_logs(readers, RANKS, &(struct mck_judge_run){RANKS, true}, &findings);
  uint32_t n = 0;
  for (size_t i = 0; i < findings.count; i++) n += findings.items[i].check == check ? findings.items[i].count : 0;
  mck_findings_free(&findings);
  return n;
}

// The count of a receive; a matched probe's is that of its receive, if that came.
static uint64_t *count_of(uint32_t rank, uint32_t index) {
  struct mck_event *e = fake_at(&logs[rank], index);
  if (e->kind != MCK_EV_MPROBE) return &e->msg.count;
  for (uint32_t i = index + 1; i < logs[rank].units; i++)
    if (fake_at(&logs[rank], i)->kind == MCK_EV_MRECV && fake_at(&logs[rank], i)->mrecv.mprobe == index)
      return &fake_at(&logs[rank], i)->mrecv.count;
  return NULL;
}

static struct watched {
  uint32_t entered, next;
  uint64_t time, began;
} watched[RANKS];
static uint64_t narrows;

static void enter(void *context, struct mck_point at) {
  struct watched *w = &watched[at.log];
  MCK_CHECK(context == watched && at.index >= w->next && at.time >= w->time);
  *w = (struct watched){w->entered + 1, at.index + 1, w->time, at.time};
}
static void arrow(void *context, enum mck_arrow kind, struct mck_point from, struct mck_point to) {
  const struct mck_event *e = fake_at(&logs[from.log], from.index);
  MCK_CHECK(context == watched && from.time < to.time &&
            e->kind == (kind == MCK_ARROW_MESSAGE ? MCK_EV_SEND : MCK_EV_COLL));
  narrows++;
}
static void leave(void *context, struct mck_point at, bool is_finished) {
  struct watched *w = &watched[at.log];
  MCK_CHECK(context == watched && is_finished && at.index + 1 == w->next && at.time > w->began);
  w->time = at.time;
}

static void check_order(const struct mck_view *view) {
  memset(watched, 0, sizeof watched);
  narrows = 0;
  struct mck_order_totals totals;
  MCK_CHECK(mck_view_walk(
      view, &(struct mck_order_sink){.context = watched, .enter = enter, .arrow = arrow, .leave = leave}, &totals));
  for (uint32_t i = 0; i < RANKS; i++) MCK_CHECK(watched[i].entered == EVENTS);
  MCK_CHECK(narrows == totals.messages + totals.collectives);
}

static int check_round(uint64_t *matched) {
  struct mck_view view = {0};
  struct mck_reader readers[RANKS];
  int bad = 0;
  for (uint32_t i = 0; i < RANKS; i++) {
    make_log(i);
    fake_load(&logs[i], &readers[i]);
    if (!mck_view_add(&view, "log", &readers[i], MCK_LOG_HEADER + (size_t)logs[i].units * MCK_UNIT)) abort();
  }
  mck_view_sort(&view);
  struct mck_pairs pairs;
  if (!mck_view_pairs(&view, &pairs)) abort();
  uint64_t *raised = NULL;
  uint32_t npairs = 0;
  for (uint32_t r = 0; r < RANKS; r++)
    for (uint32_t i = 0; i < logs[r].units; i += (uint32_t)mck_event_units(fake_at(&logs[r], i))) {
      struct mck_event *e = fake_at(&logs[r], i);
      if (e->kind != MCK_EV_SEND) continue;
      struct mck_pair to = pairs.of[r][i];
      e->msg.count = 1 << 30;
      if (to.log == MCK_NONE) continue;
      bad += pairs.of[to.log][to.index].log != r || pairs.of[to.log][to.index].index != i;
      uint64_t *count = count_of(to.log, to.index);
      e->msg.count = 1000 + (uint64_t)below(1u << 20);
      if (!count) continue;
      *count = e->msg.count;
      if (below(++npairs) == 0) raised = &e->msg.count;
    }
  *matched += npairs;
  if (said(readers, MCK_CHECK_MESSAGE_TRUNCATED)) bad++, printf("the judge matches otherwise\n");
  if (said(readers, MCK_CHECK_MESSAGE_LOST) > pairs.lost) bad++, printf("the judge knows more lost messages\n");
  if (raised) *raised += 1;
  if (raised && said(readers, MCK_CHECK_MESSAGE_TRUNCATED) != 1) bad++, printf("the judge does not match a pair\n");
  mck_pairs_free(&pairs);
  check_order(&view);
  mck_view_unload(&view);
  for (uint32_t i = 0; i < RANKS; i++) fake_end(&logs[i], NULL);
  return bad;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, matched = 0;
  for (int round = 0; round < ROUNDS; round++) {
    state = seed + (uint64_t)round;
    below(1);
    if (!check_round(&matched)) continue;
    printf("seed %llu\n", (unsigned long long)(seed + (uint64_t)round));
    return 1;
  }
  printf("%d logs of %d ranks, %llu pairs: all right\n", ROUNDS, RANKS, (unsigned long long)matched);
  return 0;
}
