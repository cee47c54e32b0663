// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that were found wrong and do not return. What MPI does after an error is not defined (MPI-3.1 8.3): the library
// may wait, loop or print for ever. The finding is in the rank's log, and in the report at the end; but that may never
// come, and the user looks at a program that hangs.
#include "watch/thread/watch-thread.h"

enum { PATIENCE_S = 5 };

// The last finding of the log; before, it is that of the call.
static void read_last_finding(const struct mck_watch *w, uint32_t rank, struct mck_findings *findings) {
  char path[sizeof w->dir + 32];
  struct mck_reader log;
  const char *why;
  if (!mck_watch_path(w, rank, path, sizeof path) || mck_log_load(&log, path, &why)) return;
  const struct mck_event *e, *last = NULL;
  for (uint64_t i = 0; i < log.units; i += mck_event_units(e)) {
    e = &log.events[i];
    if (e->kind == MCK_EV_FINDING && e->def.a <= (uint64_t)e->def.extra * MCK_UNIT) last = e;
  }
  if (last) mck_finding_unpack(findings, last + 1, last->def.a);
  mck_log_unload(&log);
}

void mck_watch_tell_wrong_calls(struct mck_watch *w, int64_t now) {
  int64_t limit = (mck_options.hang_time < PATIENCE_S ? (int64_t)mck_options.hang_time : PATIENCE_S) * 1000000000;
  for (uint32_t i = 0; i < w->nhere && w->note && limit; i++) {
    struct seen *s = &w->seen[i];
    uint32_t refused = atomic_load_explicit(&w->headers[i]->refused, memory_order_relaxed);
    if (!refused || refused & MCK_LOG_ENDED || s->state != MCK_LOG_RUNNING) {
      mck_hang_forget(&s->wrong);
      continue;
    }
    if (!mck_hang_look(&s->wrong, w->headers[i], now, limit) || s->wrong.is_told) continue;
    s->wrong.is_told = true;
    struct mck_findings findings = {0};
    read_last_finding(w, mck_watch_rank(w, i), &findings);
    if (findings.count) mck_finding_why(&findings.items[0], "the call has not returned; the run goes on");
    if (findings.count) w->note(w->context, &findings);
    mck_findings_free(&findings);
  }
}
