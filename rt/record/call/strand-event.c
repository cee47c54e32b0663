// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each component of the strands' clocks is a strand for the log: strands that use one component come after one another.
// A thread whose order is not known (a library's, or one of an OpenMP library that tells nothing) ends all this: then
// the log's order is not that of the calls, as for any program with several threads.
#include "record/call/strand-event.h"
#include <stdlib.h>
#include <string.h>
#include "log/envelope.h"
#include "log/log-repeat.h"
#include "record/access/range-flush.h"
#include "record/call/stack.h"
#include "record/call/thread-level.h"
#include "record/runtime.h"

enum { STRANDS_MAX = 256, NAME = 64 };

bool mck_strand_is_on, mck_strand_has_returns;
static bool is_lost;
static uint32_t *told[STRANDS_MAX];                // [strand]: the times of all strands that the log has of it
static uint32_t named[STRANDS_MAX];                // [strand]: 1 + the number whose name the log has
static struct mck_moment last;                     // of the log's last STRAND event
static uint64_t learned;                           // what that strand had learned then
static uint32_t clocks[STRANDS_MAX], nclocks, own; // of the calling strand, now

static void lose(void) {
  is_lost = true, mck_strand_has_returns = false;
  if (mck_strand_is_on) atomic_fetch_and(&mck_rt.log.header->is_multiple, ~(uint32_t)MCK_LOG_STRANDS);
}

static bool look(struct mck_moment *now) {
  *now = mck_thread_now();
  if (mck_thread_times(clocks, STRANDS_MAX, &nclocks, &own)) return true;
  lose();
  return false;
}

static uint32_t *told_of(uint32_t strand) {
  if (!told[strand]) told[strand] = calloc(STRANDS_MAX, sizeof *told[strand]);
  return told[strand];
}

bool mck_strand_is_new(void) {
  struct mck_moment now;
  if (is_lost || !(mck_strand_is_on || mck_thread_is_parallel) || !mck_rt.is_ready || !mck_rt.log.header) return false;
  now = mck_thread_now();
  bool is_last = mck_strand_is_on && now.strand == last.strand && now.time == last.time;
  uint64_t known_now = mck_thread_learned();
  if (is_last && learned == known_now && mck_thread_is_known()) return false;
  if (!look(&now)) return false;
  if (!is_last) return true;
  const uint32_t *known = told[own];
  for (uint32_t i = 0; i < nclocks; i++)
    if (i != own && clocks[i] > known[i]) return true;
  learned = known_now;
  return false;
}

static void begin(void) {
  atomic_fetch_or(&mck_rt.log.header->is_multiple, MCK_LOG_STRANDS);
  mck_log_repeat_off(&mck_rt.log);
  mck_strand_is_on = true;
  mck_strand_has_returns = !mck_level_has_one_caller();
}

void mck_strand_write(void) {
  struct mck_moment now;
  if (!mck_strand_is_new() || !look(&now)) return;
  if (!mck_strand_is_on) begin();
  uint32_t strand = own, *known = told_of(own), n = 0;
  if (!known) {
    lose();
    return;
  }
  for (uint32_t i = 0; i < nclocks; i++) n += i != strand && clocks[i] > known[i];
  char name[NAME] = "";
  uint32_t site = MCK_NONE;
  if (named[strand] != now.strand + 1) {
    const void *began = NULL;
    mck_thread_name(now.strand, name, sizeof name, &began);
    if (began) site = mck_stack_site_at(began);
    named[strand] = now.strand + 1;
  }
  size_t length = strlen(name), bytes = n * sizeof(struct mck_strand_news) + length;
  uint32_t extra = (uint32_t)((bytes + MCK_UNIT - 1) / MCK_UNIT);
  struct mck_event *e = mck_log_reserve(&mck_rt.log, 1 + extra);
  if (!e) return;
  *e = (struct mck_event){.kind = MCK_EV_STRAND,
                          .flags = mck_strand_has_returns ? 0 : MCK_STRAND_ONE_CALLS,
                          .fn = (uint16_t)length,
                          .site = site,
                          .strand = {extra, strand, now.time, n}};
  struct mck_strand_news *news = (struct mck_strand_news *)(e + 1);
  memset(news, 0, extra * MCK_UNIT);
  for (uint32_t i = 0; i < nclocks; i++)
    if (i != strand && clocks[i] > known[i]) *news++ = (struct mck_strand_news){i, known[i] = clocks[i]};
  memcpy(news, name, length);
  last = now, learned = mck_thread_learned();
  mck_log_commit(&mck_rt.log, 1 + extra);
}

static bool is_blocking(const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_SEND:
  case MCK_EV_RECV:
  case MCK_EV_COLL: return !(__atomic_load_n(&e->flags, __ATOMIC_RELAXED) & MCK_FLAG_NONBLOCKING);
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE:
  case MCK_EV_FENCE:
  case MCK_EV_SYNC:
  case MCK_EV_CALL:
  case MCK_EV_WAIT: return true;
  default: return false;
  }
}

void mck_strand_return(const struct mck_call *call) {
  if (!mck_rt.is_ready || !is_blocking(&mck_rt.log.first[call->event])) return; // the call's own event: no lock
  mck_lock();
  mck_windows_flush();
  struct mck_event *e = mck_log_reserve(&mck_rt.log, 1);
  if (e) {
    *e = (struct mck_event){
        .kind = MCK_EV_RETURN, .fn = call->fn, .site = MCK_NONE, .returned = {.event = call->event}};
    mck_log_commit(&mck_rt.log, 1);
  }
  mck_unlock();
}
