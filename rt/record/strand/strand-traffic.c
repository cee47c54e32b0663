// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages order a call a of one strand before a call b of another one if something leaves the process in a or behind
// it, other processes (or this one) answer, and the answer comes in before b. Which message caused which is not known
// here. What is known is which strand told something or was told something, and when: a way from a to b needs a call
// that goes out, is not before a in thread order and began no later than a call ended that came in before b. Where
// there is such a way, the two count as ordered. A way cannot be missing here, so what is reported is unordered.
#include "record/strand/strand-traffic.h"

// For each strand the newest incoming and the oldest outgoing call of each moment. Where there is no room, what is
// missing counts as there.
enum { STRANDS = 256, MOMENTS = 8 };
static struct traffic {
  uint32_t strand; // 1 + it; 0: free
  uint32_t nin, nout;
  struct {
    uint32_t time;
    uint64_t end;
  } in[MOMENTS]; // a ring: the newest ones
  struct {
    uint32_t time;
    uint64_t begin, last; // of the first and the last call of that moment
    struct mck_clock_set *clock;
  } out[MOMENTS]; // a ring, too
} table[STRANDS];
static uint64_t ticks, unknown_in; // unknown_in: when the newest incoming call ended that is not in the table
static bool is_out_lost;           // some outgoing calls are not in the table

uint64_t mck_traffic_tick(void) { return ++ticks; }

static struct traffic *find(uint32_t strand, bool is_new) {
  for (uint32_t k = 0; k < 16; k++) {
    struct traffic *t = &table[(strand * 0x9e3779b1u + k) % STRANDS];
    if (t->strand == strand + 1) return t;
    if (t->strand) continue;
    if (!is_new) return NULL;
    t->strand = strand + 1;
    return t;
  }
  return NULL;
}

static bool communicates(uint16_t fn) {
  switch (mck_std(fn)->family) {
  case MCK_STD_FAMILY_P2P:
  case MCK_STD_FAMILY_REQUEST:
  case MCK_STD_FAMILY_COLLECTIVE:
  case MCK_STD_FAMILY_NEIGHBORHOOD:
  case MCK_STD_FAMILY_COMMUNICATOR:
  case MCK_STD_FAMILY_WINDOW:
  case MCK_STD_FAMILY_RMA:
  case MCK_STD_FAMILY_EPOCH:
  case MCK_STD_FAMILY_FILE:
  case MCK_STD_FAMILY_WORLD: return mck_fn_classes[fn] != MCK_CLASS_local;
  default: return false;
  }
}

// A receive lets a synchronous send go on (3.4), so it goes out, too. What was only defined, and completions, do not.
bool mck_traffic_is_out(uint16_t fn) {
  uint8_t class = mck_fn_classes[fn];
  if (class == MCK_CLASS_start || class == MCK_CLASS_startall) return true;
  return communicates(fn) && mck_std(fn)->family != MCK_STD_FAMILY_REQUEST && mck_std(fn)->persistent != fn;
}

// What only starts brings nothing, nor does a test that finds nothing.
bool mck_traffic_is_in(uint16_t fn, const struct mck_args *a) {
  if (!communicates(fn)) return false;
  switch (mck_fn_classes[fn]) {
  case MCK_CLASS_test:
  case MCK_CLASS_testany:
  case MCK_CLASS_testall:
  case MCK_CLASS_iprobe:
  case MCK_CLASS_improbe:
  case MCK_CLASS_get_status: return a->flag && *a->flag;
  case MCK_CLASS_testsome: return a->outcount && *a->outcount > 0;
  default: return mck_std(fn)->returns > MCK_STD_RETURNS_BUFFERED || fn == MCK_FN_MPI_Win_test;
  }
}

void mck_traffic_out(const struct mck_strand_call *call) {
  if (is_out_lost) return; // nobody looks at them
  struct traffic *t = find(call->moment.strand, true);
  if (!t) is_out_lost = true;
  else if (!t->nout || t->out[(t->nout - 1) % MOMENTS].time != call->moment.time) {
    unsigned i = t->nout++ % MOMENTS;
    if (t->out[i].clock) mck_clock_set_release(t->out[i].clock), is_out_lost = true;
    t->out[i].time = call->moment.time, t->out[i].clock = mck_thread_clock();
    t->out[i].begin = t->out[i].last = call->begin;
  } else t->out[(t->nout - 1) % MOMENTS].last = call->begin;
}

void mck_traffic_in(struct mck_moment moment) {
  struct traffic *t = find(moment.strand, true);
  uint64_t now = mck_traffic_tick();
  if (!t) {
    unknown_in = now;
    return;
  }
  bool is_same = t->nin && t->in[(t->nin - 1) % MOMENTS].time == moment.time;
  unsigned i = (is_same ? t->nin - 1 : t->nin++) % MOMENTS;
  t->in[i].time = moment.time, t->in[i].end = now;
}

// When the newest incoming call ended that is ordered before the calling strand's now.
static uint64_t newest_in(struct mck_moment now) {
  uint64_t newest = unknown_in;
  for (const struct traffic *t = table; t < table + STRANDS; t++) {
    if (!t->strand) continue;
    uint32_t kept = t->nin < MOMENTS ? t->nin : MOMENTS;
    for (uint32_t k = 1; k <= kept; k++) {
      unsigned i = (t->nin - k) % MOMENTS;
      bool is_last = k == kept && t->nin > MOMENTS; // older ones are not known: take this one for them
      struct mck_moment moment = {t->strand - 1, t->in[i].time};
      if (!is_last && moment.strand != now.strand && !mck_thread_has(moment)) continue;
      if (t->in[i].end > newest) newest = t->in[i].end;
      break;
    }
  }
  return newest;
}

// When the oldest outgoing call began that is not before a. is_behind_it: a itself does not count.
static uint64_t oldest_out(const struct mck_strand_call *a, bool is_behind_it) {
  if (is_out_lost || (!is_behind_it && !a->what && mck_traffic_is_out(a->fn))) return a->begin;
  uint64_t oldest = UINT64_MAX;
  for (const struct traffic *t = table; t < table + STRANDS; t++)
    for (uint32_t k = 0; t->strand && k < t->nout && k < MOMENTS; k++) {
      bool is_later = t->out[k].time > a->moment.time ||
                      (t->out[k].time == a->moment.time && (!is_behind_it || t->out[k].last > a->begin));
      bool is_behind = t->strand == a->moment.strand + 1
                           ? is_later
                           : t->out[k].clock && mck_clock_set_has(t->out[k].clock, a->moment);
      // Of one moment only the first call is kept: it may be before a, and others behind it.
      uint64_t begin = t->out[k].begin < a->begin ? a->begin : t->out[k].begin;
      if (is_behind && begin < oldest) oldest = begin;
    }
  return oldest;
}

bool mck_traffic_may_order(const struct mck_strand_call *earlier, const struct mck_strand_call *now) {
  return oldest_out(earlier, false) < newest_in(now->moment);
}
bool mck_traffic_may_follow(const struct mck_strand_call *earlier, const struct mck_strand_call *now) {
  return oldest_out(earlier, true) < newest_in(now->moment);
}

void mck_traffic_forget(void) {
  for (struct traffic *t = table; t < table + STRANDS; t++) {
    for (unsigned i = 0; i < MOMENTS; i++)
      if (t->out[i].clock) mck_clock_set_release(t->out[i].clock);
    *t = (struct traffic){0};
  }
  unknown_in = 0, is_out_lost = false;
}
